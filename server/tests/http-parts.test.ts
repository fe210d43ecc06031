/** Files sent as parts of the request that makes something of them. */
import { request as ask, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stored } from './declared-files.ts';
import { expectRefusal } from './problems.ts';
import { type Client, type Reply, startTestService, type TestService } from './service.ts';
import { shopText } from './shop.ts';

let service: TestService;
let tenants = 0;

beforeAll(async () => {
  service = await startTestService({ logLevel: 'fatal' });
});
afterAll(() => service.close());

const customers = shopText('tables/customers.csv');
const orders = shopText('tables/orders.csv');
const clientOf = async (): Promise<Client> => (await service.tenant(`Parts ${tenants++}`)).client;

type Sent = Readonly<Record<string, string | { readonly path: string; readonly text: string }>>;
const file = (path: string, text: string) => ({ path, text });

/** A body of parts: texts, and files by their paths. */
function partsOf(sent: Sent): FormData {
  const form = new FormData();
  for (const [name, part] of Object.entries(sent))
    if (typeof part === 'string') form.append(name, part);
    else form.append(name, new Blob([part.text], { type: 'text/csv' }), part.path);
  return form;
}

const post = (client: Client, path: string, sent: Sent, headers: Record<string, string> = {}): Promise<Reply> =>
  client.send('POST', path, { raw: partsOf(sent) as never, headers });
const ingest = (client: Client, sent: Sent, headers = {}) => post(client, '/v1/api/ingestions', sent, headers);
const ended = async (client: Client, { body }: Reply): Promise<Reply> => {
  for (;;) {
    const reply = await client.get(`/v1/api/ingestions/${body.id}?wait=60`);
    if (!['queued', 'running'].includes(reply.body.status)) return reply;
  }
};
const shop = { customers: file('customers.csv', customers), orders: file('2026/pedidos de março.csv', orders) };

describe('an ingestion', () => {
  test('takes in the files of several tables, under the contract that they propose where that is wanted', async () => {
    const client = await clientOf();
    const asked = await ingest(client, { ...shop, accept_contract: 'true', metadata: '{"of":"shop"}' });
    expect(asked.status, asked.text).toBe(202);
    expect(asked.body).toMatchObject({ accept_contract: true, metadata: { of: 'shop' } });
    expect(asked.body.files).toMatchObject([
      { table: 'customers', mode: 'append' },
      { table: 'orders', mode: 'append' },
    ]);
    const { body } = await ended(client, asked);
    expect(body, JSON.stringify(body)).toMatchObject({ status: 'succeeded', changed: true });
    expect(body.contract_id).toBe(body.proposed_contract_id);
    const contract = await client.get(`/v1/api/contracts/${body.contract_id}`);
    expect(contract.body).toMatchObject({ status: 'active', ingestion_id: body.id });
    expect(contract.body.changes.length).toBeGreaterThan(0);
    const listed = (await client.get('/v2/api/files')).body.data;
    expect(listed.map(({ path, status }: Record<string, string>) => [path, status]).sort()).toEqual([
      ['2026/pedidos de março.csv', 'uploaded'],
      ['customers.csv', 'uploaded'],
    ]);
    const [{ file_id }] = asked.body.files;
    expect((await client.get(`/v2/api/files/${file_id}/content`)).text).toBe(customers);
  });

  test('proposes the contract where nobody accepts it beforehand', async () => {
    const client = await clientOf();
    const { body } = await ended(client, await ingest(client, shop));
    expect(body).toMatchObject({ status: 'refused', accept_contract: false });
    expect((await client.get(`/v1/api/contracts/${body.proposed_contract_id}`)).body.status).toBe('proposed');
  });

  test('accepts no contract under which the files do not come in, and tells the rows that break it', async () => {
    const client = await clientOf();
    const spoilt = file('orders.csv', `${orders}X3,C1,2093-01-01,5\n`);
    const { body } = await ended(client, await ingest(client, { ...shop, orders: spoilt, accept_contract: 'true' }));
    expect(body).toMatchObject({ status: 'refused', snapshot_id: null });
    expect((await client.get(`/v1/api/contracts/${body.proposed_contract_id}`)).body.status).toBe('proposed');
    const { files } = (await client.get(`/v1/api/ingestions/${body.id}/deviations`)).body;
    expect(files).toMatchObject([{ path: 'orders.csv', table: 'orders' }]);
  });

  test('a key that a repeated row takes away is told with the rows, before and after the contract is accepted', async () => {
    const client = await clientOf();
    const repeated = { ...shop, customers: file('customers.csv', `${customers}C1,trade,2023-01-01\n`) };
    const warning =
      'able customers has no key: customer_id looks like the key, but 1 of 41 rows repeat a value (row 41 that of row 2). Correct these rows, or nothing can refer to the table, and rows sent again stand beside themselves';
    const { body: refused } = await ended(client, await ingest(client, repeated));
    expect(refused).toMatchObject({ status: 'refused', report: { warnings: [`t${warning}`] } });
    expect(refused.message).toContain(`T${warning}.`);
    const { body: taken } = await ended(client, await ingest(client, { ...repeated, accept_contract: 'true' }));
    expect(taken, JSON.stringify(taken)).toMatchObject({ status: 'succeeded' });
    expect(taken.report.warnings).toContain(`t${warning}`);
  });

  test.each([
    ['of the first files', false],
    ['of a new column', true],
  ])('a few decimal commas %s are faults of their rows, and make no column a text', async (_, isLater) => {
    const client = await clientOf();
    const [header, ...rows] = orders.trimEnd().split('\n');
    if (isLater) await ended(client, await ingest(client, { ...shop, accept_contract: 'true' }));
    const weight = (at: number) => (at % 16 === 3 ? '"1,5"' : `${(at % 7) + 0.25}`);
    const weighed = rows.map((row, at) => `${isLater ? row.replace(/^/, 'N') : row},${weight(at)}`);
    const spoilt = file('orders.csv', `${[`${header},weight`, ...weighed].join('\n')}\n`);
    const { body } = await ended(client, await ingest(client, { ...shop, orders: spoilt, accept_contract: 'true' }));
    expect(body, JSON.stringify(body)).toMatchObject({ status: 'refused', snapshot_id: null });
    expect(body.message).toContain('orders.csv: weight: 30 rows: is not a number such as 1234.5, first in row 4');
    const told = (await client.get(`/v1/api/ingestions/${body.id}/deviations`)).body;
    const deviations = told.files.flatMap((one: { deviations: object[] }) => one.deviations);
    expect(deviations).toContainEqual(
      expect.objectContaining({
        ...{ kind: 'data', rule: 'wrong_type', column: 'weight', count: 30 },
        samples: expect.arrayContaining([{ row: 4, value: '1,5' }]),
      }),
    );
    if (isLater) return expect(body.proposed_contract_id).toBeNull();
    const { document } = (await client.get(`/v1/api/contracts/${body.proposed_contract_id}`)).body;
    expect(document).toMatch(/name: weight\s+logicalType: number/);
  });

  test('a later version of the contract is accepted too, and no warning names what only the service knows', async () => {
    const client = await clientOf();
    await ended(client, await ingest(client, { ...shop, accept_contract: 'true' }));
    const rows = Array.from({ length: 40 }, (_, at) => `N${at},retail,2023-01-05,${30 + (at % 15)}`);
    const wider = `${customers.split('\n', 1)[0]},shoe_size\n${rows.join('\n')}\n`;
    const files = [{ file_id: await client.upload('new.csv', wider), table: 'customers' }];
    const { body } = await ended(client, await client.post('/v1/api/ingestions', { files, accept_contract: true }));
    expect(body, JSON.stringify(body)).toMatchObject({ status: 'succeeded' });
    const contract = await client.get(`/v1/api/contracts/${body.contract_id}`);
    expect(contract.body).toMatchObject({ status: 'active', number: 2 });
    expect(contract.body.document).toContain('shoe_size');
    expect(body.report.warnings).toContain(
      'table customers, rows of a file that came in before: column "shoe_size" is absent, and missing in every row',
    );
    expect(body.report.warnings.join()).not.toMatch(/[0-9a-f]{40}|\.parquet/);
  });

  test('a column that becomes a text brings the rows of before again, as they were sent', async () => {
    const client = await clientOf();
    await ended(client, await ingest(client, { ...shop, accept_contract: 'true' }));
    const rows = Array.from({ length: 40 }, (_, at) => `N${at},C${at},2023-12-24,no ${at}`);
    const worded = file('worded.csv', `${orders.split('\n', 1)[0]}\n${rows.join('\n')}\n`);
    const { body } = await ended(client, await ingest(client, { orders: worded, accept_contract: 'true' }));
    expect(body, JSON.stringify(body)).toMatchObject({ status: 'succeeded', changed: true });
    const contract = await client.get(`/v1/api/contracts/${body.contract_id}`);
    expect(contract.body.document).toMatch(/name: amount\s+logicalType: string/);
    expect(body.report.changes).toMatchObject([{ table: 'orders', before: 480, after: 520, added: 40 }]);
    expect(body.report.reread).toMatchObject([{ table: 'orders', rows: 480 }]);
  });

  test('each table may have a mode of its own', async () => {
    const client = await clientOf();
    await ended(client, await ingest(client, { ...shop, accept_contract: 'true' }));
    const moved = file('customers.csv', 'customer_id,segment,since\nC1,wholesale,2023-01-02\n');
    const more = file('more.csv', 'order_id,customer_id,ordered_at,amount\nN1,C1,2023-12-24,20\n');
    const asked = await ingest(client, { customers: moved, orders: more, 'mode.customers': 'upsert' });
    expect(asked.body.files).toMatchObject([
      { table: 'customers', mode: 'upsert' },
      { table: 'orders', mode: 'append' },
    ]);
    const { body } = await ended(client, asked);
    expect(body.report.changes, JSON.stringify(body)).toMatchObject([
      { table: 'customers', after: 40, changed: 1 },
      { table: 'orders', after: 481, added: 1 },
    ]);
    const mixed = await ingest(client, { ...shop, mode: 'replace', 'mode.orders': 'append' });
    expect(mixed.body.files.map(({ mode }: { mode: string }) => mode)).toEqual(['replace', 'append']);
    await ended(client, mixed);
  });

  test('asked for again under its key is one, and its files are stored once', async () => {
    const client = await clientOf();
    const key = { 'idempotency-key': 'today' };
    const first = await ingest(client, shop, key);
    expect(first.status, first.text).toBe(202);
    const before = stored(service).length;
    const again = await ingest(client, shop, key);
    expect(again.body.id).toBe(first.body.id);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const other = await ingest(client, { ...shop, orders: file('2026/pedidos de março.csv', `${orders}X1,C1`) }, key);
    expectRefusal(other, 422, 'idempotency_key_reused');
    expect((await client.get('/v2/api/files')).body.data).toHaveLength(2);
    await ended(client, first);
    expect(stored(service).length).toBe(before);
  });

  test.each<[string, Sent, number, string, RegExp]>([
    ['a text where a file is meant', { customers: 'customers.csv' }, 422, 'schema_mismatch', /-F customers=@<path>/],
    ['no file', { mode: 'append' }, 422, 'schema_mismatch', /\/files/],
    ['an unknown mode', { ...shop, mode: 'swap' }, 422, 'schema_mismatch', /\/files\/0\/mode/],
    ['an unknown mode of a table', { ...shop, 'mode.orders': 'swap' }, 422, 'schema_mismatch', /\/files\/1\/mode/],
    [
      'a mode of a table that is not sent',
      { ...shop, 'mode.order': 'upsert' },
      422,
      'schema_mismatch',
      /mode\.order is of a table without a file; did you mean orders\?/,
    ],
    ['no true and no false', { ...shop, accept_contract: 'yes' }, 422, 'schema_mismatch', /\/accept_contract/],
    ['metadata that are no JSON', { ...shop, metadata: '{' }, 400, 'malformed_json', /metadata/],
    ['a table of no name', { '?': file('a.csv', customers) }, 422, 'invalid', /must be letters, digits/],
    [
      'more texts than may be',
      Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`f${at}`, 'x'])),
      413,
      'limit_exceeded',
      /more than 20/,
    ],
  ])('with %s is refused, and nothing is stored', async (_, sent, status, code, told) => {
    const client = await clientOf();
    const before = stored(service).length;
    const reply = await ingest(client, sent);
    expectRefusal(reply, status, code as 'invalid');
    expect(reply.text).toMatch(told);
    expect(stored(service).length).toBe(before);
    expect((await client.get('/v2/api/files')).body.data).toEqual([]);
  });

  test.each<[string, string, string]>([
    ['without a boundary', 'multipart/form-data', 'x'],
    ['without its end', 'multipart/form-data; boundary=b', partText('customers', customers).slice(0, -6)],
    ['cut within a file', 'multipart/form-data; boundary=b', partText('customers', customers).slice(0, 300)],
    ['of a part without a name', 'multipart/form-data; boundary=b', partText('', customers)],
    ['of nothing', 'multipart/form-data; boundary=b', ''],
  ])('of a body %s is refused, and nothing is stored', async (_, type, raw) => {
    const client = await clientOf();
    const before = stored(service).length;
    const reply = await client.send('POST', '/v1/api/ingestions', { raw, headers: { 'content-type': type } });
    expectRefusal(reply, 400, 'malformed');
    expect(stored(service).length).toBe(before);
  });

  test('of a sender that hangs up leaves nothing', async () => {
    const client = await clientOf();
    const before = stored(service).length;
    const sending = ask(`${service.url}/v1/api/ingestions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${client.key}`, 'content-type': 'multipart/form-data; boundary=b' },
    });
    const closed = new Promise((resolve) => sending.once('close', resolve));
    sending.on('error', () => {});
    sending.write(partText('customers', customers).slice(0, 300));
    // An answer to another request comes after the server has read what was sent before.
    await client.get('/v2/api/files');
    sending.destroy();
    await closed;
    await expect.poll(() => stored(service).length).toBe(before);
    expect((await client.get('/v2/api/files')).body.data).toEqual([]);
  });

  test('other routes take no parts', async () => {
    const reply = await post(await clientOf(), '/v1/api/training-runs', shop);
    expectRefusal(reply, 415, 'unsupported_media_type');
  });
});

describe('a task', () => {
  const definition =
    'entity: customers\nkey: customer_id\ntime: date\nlabel: returns\nkind: binary\nmetric: auroc\nwindow: 30d\n';
  const labels = file('labels.csv', shopText('tasks/returns/train.csv'));

  test('comes with its labels', async () => {
    const client = await clientOf();
    const reply = await post(client, '/v1/api/tasks', { name: 'returns', definition, train: labels });
    expect(reply.status, reply.text).toBe(201);
    const kept = await client.get(`/v2/api/files/${reply.body.labels.train}`);
    expect(kept.body).toMatchObject({ path: 'labels.csv', status: 'uploaded', content_type: 'text/csv' });
  });

  test('comes with a definition that is a file', async () => {
    const client = await clientOf();
    const sent = { name: 'returns', definition: file('task.yaml', definition), train: labels };
    const reply = await post(client, '/v1/api/tasks', sent);
    expect(reply.status, reply.text).toBe(201);
    expect(reply.body.definition).toBe(definition);
    expect((await client.get('/v2/api/files')).body.data).toHaveLength(1);
  });

  test('that cannot be leaves no file', async () => {
    const client = await clientOf();
    const before = stored(service).length;
    for (const sent of [
      { name: 'returns', definition: 'entity: customers', train: labels },
      { name: 'returns', definition, test: labels },
      { name: 'returns', definition, train: file('labels.csv', labels.text.replace('returns', 'returned')) },
    ])
      expect((await post(client, '/v1/api/tasks', sent)).status).toBe(422);
    expect(stored(service).length).toBe(before);
    expect((await client.get('/v2/api/files')).body.data).toEqual([]);
  });

  test('brings files only of who may upload them', async () => {
    const tenant = await service.tenant('Parts of a developer');
    const developer = await tenant.as('developer');
    const reply = await post(developer, '/v1/api/tasks', { name: 'returns', definition, train: labels });
    expectRefusal(reply, 403, 'permission_denied');
    expect((await tenant.client.get('/v2/api/files')).body.data).toEqual([]);
  });
});

describe('a contract', () => {
  const document = shopText('contract.yaml');

  test.each([
    ['a text', document],
    ['a file', file('contract.yaml', document)],
  ])('comes as %s, which is not kept as a file', async (_, part) => {
    const client = await clientOf();
    const before = stored(service).length;
    const reply = await post(client, '/v1/api/contracts', { document: part, accept: 'true' });
    expect(reply.status, reply.text).toBe(201);
    expect(reply.body.status).toBe('active');
    // Texts of forms end their lines as the form does.
    expect(reply.body.document.replaceAll('\r\n', '\n')).toBe(document);
    expect(stored(service).length).toBe(before);
    expect((await client.get('/v2/api/files')).body.data).toEqual([]);
  });

  test('under another name is refused with the one that is meant', async () => {
    const client = await clientOf();
    const before = stored(service).length;
    const reply = await post(client, '/v1/api/contracts', { documant: file('contract.yaml', document) });
    expectRefusal(reply, 422, 'schema_mismatch', '/documant', '/document');
    expect(reply.body.detail).toMatch(
      /documant: is not a field here; did you mean document\? \(and 1 more, see errors\)/,
    );
    expect(stored(service).length).toBe(before);
  });

  test('with a file besides is refused before that has been read', async () => {
    const client = await clientOf();
    const sending = ask(`${service.url}/v1/api/contracts`, {
      method: 'POST',
      headers: { authorization: `Bearer ${client.key}`, 'content-type': 'multipart/form-data; boundary=b' },
    });
    const answered = new Promise<IncomingMessage>((resolve, reject) =>
      sending.once('response', resolve).once('error', reject),
    );
    const field = `--b\r\nContent-Disposition: form-data; name="document"\r\n\r\n${document}\r\n`;
    // Its end is never sent.
    sending.write(`${field}${partText('tables', customers).slice(0, 300)}`);
    const answer = await answered;
    const problem = JSON.parse(await text(answer));
    sending.destroy();
    expect(answer.statusCode).toBe(422);
    expect(problem).toMatchObject({ code: 'schema_mismatch', errors: [{ pointer: '/tables' }] });
  });
});

test('an answer waits for the end no longer than was asked, and not for what has ended', async () => {
  const client = await clientOf();
  expectRefusal(await client.get('/v1/api/ingestions/ing_1?wait=60'), 404, 'not_found');
  expectRefusal(await client.get('/v1/api/ingestions/ing_1?wait=61'), 400, 'invalid_parameter', '/query/wait');
  expectRefusal(await client.get('/v1/api/tasks/tsk_1?wait=1'), 400, 'invalid_parameter', '/query/wait');
  const { body } = await ended(client, await ingest(client, shop));
  expect((await client.get(`/v1/api/ingestions/${body.id}?wait=60`)).body).toEqual(body);
  for (const path of ['evaluations/eva_1', 'erasures/era_1'])
    expectRefusal(await client.get(`/v1/api/${path}?wait=60`), 404, 'not_found');
  const erasure = await client.post('/v1/api/erasures', { identifier: 'nobody at all' });
  const erased = await client.get(`/v1/api/erasures/${erasure.body.id}?wait=60`);
  expect(erased.body, erased.text).toMatchObject({ status: 'succeeded' });
});

/** A whole body of one part that is a file, with the boundary `b`. */
function partText(name: string, text: string): string {
  const head = `Content-Disposition: form-data; name="${name}"; filename="a.csv"\r\nContent-Type: text/csv`;
  return `--b\r\n${head}\r\n\r\n${text}\r\n--b--\r\n`;
}
