/** Mistakes with predictions and batches. */
import { type Mistake, type Place, refusal, type Told } from './mistake.ts';

const ask = async ({ client }: Place, body: object, address = 'returns/production') =>
  refusal(await client.post(`/v1/api/prediction/${address}`, body));

/** Scores rows by the shop's model; what the batch says of them. */
async function score({ client }: Place, rows: string): Promise<Told> {
  const file = await client.upload('rows.csv', rows);
  const asked = await client.post('/v2/api/batches', { files: [file], model: 'returns/production' });
  if (asked.status >= 400) return refusal(asked);
  const { body } = await client.finished(`/v2/api/batches/${asked.body.id}`);
  if (body.status === 'failed') return { code: `failed, \`${body.failure.code}\``, texts: [body.failure.detail] };
  const { body: errors } = await client.get(`/v2/api/batches/${body.id}/errors`);
  const told = errors.data.map(
    ({ row, column, message }: { row: number; column: string | null; message: string }) =>
      `row ${row}${column === null ? '' : `, ${column}`}: ${message}`,
  );
  return { code: told.length > 0 ? 'rows left out' : 'warnings', texts: told.length > 0 ? told : body.warnings };
}

export const predictionMistakes: readonly Mistake[] = [
  {
    did: 'No key in the request',
    make: async ({ service }) =>
      refusal(await service.anonymous.post('/v1/api/prediction/returns/production', { customer_id: 'C1' })),
    code: '401 `unauthenticated`',
    says: [/Bearer/],
  },
  {
    did: 'Nothing in the body: `{}`',
    make: (place) => ask(place, {}),
    code: '422 `missing_input`',
    says: [/customer_id/, /required/],
  },
  {
    did: 'An input misspelt: `customer`',
    make: (place) => ask(place, { customer: 'C1' }),
    code: '422 `unknown_input`',
    says: [/customer/, /customer_id/],
  },
  {
    did: 'An alias that the model does not have',
    make: (place) => ask(place, { customer_id: 'C1' }, 'returns/prodution'),
    code: '404 `not_found`',
    says: [/prodution/, /production/],
  },
  {
    did: 'A reference date as 31/12/2024',
    make: (place) => ask(place, { customer_id: 'C1', reference_date: '31/12/2024' }),
    code: '422 `invalid_input`',
    says: [/reference_date/, /such as \d{4}-\d\d-\d\d|such as …/],
  },
  {
    did: 'A reference date that is to come',
    make: (place) => ask(place, { customer_id: 'C1', reference_date: '2093-01-01' }),
    code: '422 `reference_date_in_future`',
    says: [/2093-01-01/, /future/],
  },
  {
    did: 'A parameter given twice: `?include=interval&include=explanation`',
    make: (place) => ask(place, { customer_id: 'C1' }, 'returns/production?include=interval&include=explanation'),
    code: '400 `invalid_parameter`',
    says: [/include/, /once|twice/],
  },
  {
    did: 'A batch whose file lacks the key of the customers',
    make: (place) => score(place, 'client\nC1\nC2\n'),
    code: 'failed, `missing_column`',
    says: [/rows\.csv/, /customer_id/],
  },
  {
    did: 'A batch with days and keys that cannot be read in some rows',
    make: (place) => score(place, 'customer_id,reference_date\nC1,2023-06-01\nC2,30/02/2023\n,2023-06-01\n'),
    code: 'rows left out',
    says: [/row 2, reference_date/, /row 3, customer_id/],
  },
  {
    did: 'A batch of a file that has not been sent yet',
    async make({ client }) {
      const md5 = '1B2M2Y8AsgTpgAmY7PhCfg==';
      const declared = await client.post('/v2/api/files/upload', {
        files: [{ path: 'rows.csv', content_type: 'text/csv', md5 }],
      });
      const [{ id }] = declared.body.files;
      return refusal(await client.post('/v2/api/batches', { files: [id], model: 'returns/production' }));
    },
    code: '409 `file_not_uploaded`',
    says: [/file_/],
  },
];
