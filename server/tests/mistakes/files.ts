/** Mistakes with files. */
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { shopTables } from '../shop.ts';
import { deviations, type Mistake, orders, ordersWith, refusal } from './mistake.ts';

const declare = (md5: string) => ({ files: [{ path: 'orders.csv', content_type: 'text/csv', md5 }] });
const digest = (text: string, encoding: 'base64' | 'hex') => createHash('md5').update(text).digest(encoding);

/** The first bytes of a workbook of Excel, which is a ZIP file. */
const workbook = Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(400, 7)]);

export const fileMistakes: readonly Mistake[] = [
  {
    did: 'The MD5 of a file in hexadecimal, as `md5sum` prints it',
    make: async ({ client }) => refusal(await client.post('/v2/api/files/upload', declare(digest('x', 'hex')))),
    code: '422 `schema_mismatch`',
    says: [/md5/, /base64/],
  },
  {
    did: 'Other bytes than were declared: the file was saved again in between',
    async make({ client }) {
      const declared = await client.post('/v2/api/files/upload', declare(digest('before', 'base64')));
      const [{ upload_url, headers }] = declared.body.files;
      return refusal(await client.send('PUT', upload_url, { raw: 'after', headers }));
    },
    code: '400 `digest_mismatch`',
    says: [/MD5/, /nothing was stored|not stored/],
  },
  {
    did: 'A file sent without the `Content-Type` that was declared',
    async make({ client }) {
      const declared = await client.post('/v2/api/files/upload', declare(digest('x', 'base64')));
      const [{ upload_url, headers }] = declared.body.files;
      const other = { ...headers, 'Content-Type': 'application/octet-stream' };
      return refusal(await client.send('PUT', upload_url, { raw: 'x', headers: other }));
    },
    code: '400 `content_type_mismatch`',
    says: [/text\/csv/, /application\/octet-stream/],
  },
  {
    did: 'An Excel workbook called `orders.csv`',
    make: ({ client }) => deviations(client, { bytes: workbook }),
    code: 'refused, `data_error`',
    says: [/^orders\.csv: /, /ZIP|Excel/],
  },
  {
    did: 'Text in UTF-16, as some exports of Excel are',
    make: ({ client }) => deviations(client, { bytes: Buffer.from(`\ufeff${orders()}`, 'utf16le') }),
    code: 'refused, `data_error`',
    says: [/UTF-16/, /UTF-8/],
  },
  {
    did: 'A gzipped file whose transfer broke off',
    make: ({ client }) =>
      deviations(client, { name: 'orders.csv.gz', bytes: gzipSync(shopTables.orders).subarray(0, 900) }),
    code: 'refused, `data_error`',
    says: [/orders\.csv\.gz/, /cut short|damaged/],
  },
  {
    did: 'Days written as 8/5/2023',
    make: ({ client }) => deviations(client, { bytes: orders('N1,C1,8/5/2023,10') }),
    code: 'refused, `data_error`',
    says: [/ordered_at/, /2024-01-31/, /row 41: "8\/5\/2023"/],
  },
  {
    did: 'A line with a comma too many: an amount of `1,50` without quotes',
    make: ({ client }) => deviations(client, { bytes: orders('N1,C1,2023-05-05,1,50') }),
    code: 'refused, `data_error`',
    says: [/fields/, /row 41/],
  },
  {
    did: 'Rows that are there already with another value, appended',
    make: ({ client }) => deviations(client, { bytes: ordersWith(/^(O0,.*),\d+$/m, '$1,9999') }),
    code: 'refused, `data_error`',
    says: [/order_id/, /upsert/],
  },
  {
    did: 'A table called by another name than in the contract',
    async make({ client }) {
      const file_id = await client.upload('order.csv', orders());
      const asked = await client.post('/v1/api/ingestions', { files: [{ file_id, table: 'order' }] });
      if (asked.status >= 400) return refusal(asked);
      const { body } = await client.finished(`/v1/api/ingestions/${asked.body.id}`);
      const { body: told } = await client.get(`/v1/api/ingestions/${body.id}/deviations`);
      return {
        code: `refused, \`${told.classification}\``,
        texts: told.files.flatMap(({ deviations }: { deviations: { message: string }[] }) =>
          deviations.map(({ message }) => message),
        ),
      };
    },
    code: 'refused, `new_contract_version`',
    says: [/order/, /orders/],
  },
];
