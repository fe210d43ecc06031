/** The rows of tables: in their order and paged, exact, of the newest versions, without what is personal or erased. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { system } from '../src/access/transactions.ts';
import { limitMax } from '../src/api/list.ts';
import { writeContract } from '../src/ml/contract/write.ts';
import { expectRefusal } from './problems.ts';
import { sampleContract } from './samples.ts';
import { type Client, startTestService, type Tenant, type TestService } from './service.ts';
import { csv } from './shop.ts';
import { sendTables, type TableTexts, takeIn } from './take-in.ts';

let service: TestService;
let tenant: Tenant;
let client: Client;

const contract = sampleContract([
  {
    name: 'firm',
    key: 'document',
    entityKind: 'company',
    columns: {
      document: 'string',
      'Trade name': 'string',
      since: 'date',
      revenue: 'number',
      staff: 'integer',
      is_open: 'boolean',
      seen_at: 'timestamp',
      opens: 'time',
      email: { type: 'string', pii: true },
    },
  },
  {
    name: 'person',
    key: 'cpf',
    entityKind: 'individual',
    columns: { cpf: { type: 'string', pii: true }, city: 'string' },
  },
  {
    name: 'visit',
    key: 'visit_id',
    time: 'at',
    references: { document: 'firm', cpf: 'person' },
    columns: { visit_id: 'integer', document: 'string', cpf: 'string', at: 'date' },
  },
  { name: 'note', columns: { text: 'string' } },
  { name: 'reading', key: 'id', knownAt: 'sent', columns: { id: 'integer', sent: 'date', level: 'number' } },
]);

const person = '52998224725';
const visits = Array.from({ length: 60 }, (_, i) => [i, i % 2 ? 'a1' : 'b1', i === 4 ? person : '', '2024-02-01']);
const visitFile = (rows: readonly (readonly (string | number)[])[]) => csv('visit_id,document,cpf,at', rows);
const firmHead = 'document,Trade name,since,revenue,staff,is_open,seen_at,opens,email';

beforeAll(async () => {
  service = await startTestService();
  tenant = await service.tenant('Looker', { timeZone: 'UTC' });
  ({ client } = tenant);
  await takeIn(client, writeContract(contract), {
    firm: csv(firmHead, [
      [
        'a1',
        'Acme "A"',
        '2020-02-29',
        '0.1',
        '9007199254740991',
        'true',
        '2024-03-05T10:20:30.25',
        '08:30:00',
        'a@x.com',
      ],
      ['b1', '', '', '', '', '', '', '', 'b@x.com'],
      ['c1', 'Çedilha 🙂', '1999-12-31', '-1234567.891', '0', 'false', '2024-03-05T00:00:00', '23:59:59', 'c@x.com'],
    ]),
    person: csv('cpf,city', [[person, 'Olinda']]),
    visit: visitFile(visits),
    reading: csv('id,sent,level', [
      [1, '2024-01-01', 5],
      [1, '2024-02-01', 6],
    ]),
  });
});
afterAll(() => service.close());

const rowsPath = (table: string, query = '') => `/v1/api/tables/${encodeURIComponent(table)}/rows${query}`;

async function told(table: string, query = '', by = client) {
  const { body, status, text } = await by.get(rowsPath(table, query));
  expect(status, text).toBe(200);
  return body;
}

/** All rows, page by page. */
async function allOf(table: string, limit: number) {
  const rows = [];
  for (let page = await told(table, `?limit=${limit}`); ; ) {
    expect(page.data.length).toBeLessThanOrEqual(limit);
    rows.push(...page.data);
    if (!page.has_more) return rows;
    page = await told(table, `?limit=${limit}&cursor=${page.next_cursor}`);
  }
}

/** Takes files in beside what is there. */
async function send(tables: TableTexts, mode: 'append' | 'upsert' | 'replace'): Promise<void> {
  const files = (await sendTables(client, tables)).map((file) => ({ ...file, mode }));
  const asked = await client.post('/v1/api/ingestions', { files });
  const ingested = await client.finished(`/v1/api/ingestions/${asked.body.id}`);
  expect(ingested.body, ingested.text).toMatchObject({ status: 'succeeded' });
}

const idsOf = (rows: readonly { readonly visit_id: number }[]) => rows.map(({ visit_id }) => visit_id);

test('values are told exactly, by column in the order of the contract, and what is missing as null', async () => {
  const { body } = await client.get('/v1/api/ingestions?limit=1');
  const page = await told('firm');
  expect(page).toMatchObject({ table: 'firm', rows: 3, has_more: false, next_cursor: null });
  expect(page.snapshot_id).toBe(body.data[0].snapshot_id);
  expect(page.columns.map(({ name, type }: { name: string; type: string }) => [name, type])).toEqual([
    ['document', 'string'],
    ['Trade name', 'string'],
    ['since', 'date'],
    ['revenue', 'number'],
    ['staff', 'integer'],
    ['is_open', 'boolean'],
    ['seen_at', 'timestamp'],
    ['opens', 'time'],
  ]);
  expect(page.data).toEqual([
    {
      ...{ document: 'a1', 'Trade name': 'Acme "A"', since: '2020-02-29', revenue: 0.1, staff: 9007199254740991 },
      ...{ is_open: true, seen_at: '2024-03-05T10:20:30.25', opens: '08:30:00' },
    },
    {
      ...{ document: 'b1', 'Trade name': null, since: null, revenue: null, staff: null },
      ...{ is_open: null, seen_at: null, opens: null },
    },
    {
      ...{ document: 'c1', 'Trade name': 'Çedilha 🙂', since: '1999-12-31', revenue: -1234567.891, staff: 0 },
      ...{ is_open: false, seen_at: '2024-03-05T00:00:00', opens: '23:59:59' },
    },
  ]);
});

test('what says who people are is named and not told: columns, keys, and references to such keys', async () => {
  const firms = await told('firm');
  expect(firms.personal_columns).toEqual(['email']);
  const people = await told('person');
  expect(people).toMatchObject({ personal_columns: ['cpf'], data: [{ city: 'Olinda' }] });
  const visit = await told('visit', '?limit=5');
  expect(visit.personal_columns).toEqual(['cpf']);
  expect(visit.columns).toEqual([
    { name: 'visit_id', type: 'integer', is_key: true, references: null },
    { name: 'document', type: 'string', is_key: false, references: 'firm' },
    { name: 'at', type: 'date', is_key: false, references: null },
  ]);
  for (const page of [firms, people, visit]) expect(JSON.stringify(page)).not.toMatch(/@x\.com|52998224725/);
});

test.each([1, 7, 59, 60, 200])(
  'pages of %i rows have every row once, in the order in which they came',
  async (limit) => {
    expect(idsOf(await allOf('visit', limit))).toEqual(visits.map(([id]) => id));
  },
);

test('a page has 50 rows unless told otherwise, and never more than the most', async () => {
  expect((await told('visit')).data).toHaveLength(50);
  const many = Array.from({ length: limitMax + 1 }, (_, i) => [`note ${i}`]);
  await send({ note: csv('text', many) }, 'append');
  expect((await told('note', `?limit=${limitMax + 1}`)).data).toHaveLength(limitMax);
  expectRefusal(await client.get(rowsPath('visit', '?limit=0')), 400, 'invalid_parameter', '/query/limit');
});

test('of changed rows the newest version is told, where it came in; versions of the sender are rows', async () => {
  const before = await told('visit', '?limit=20');
  const renewed = [
    [3, 'b1', '', '2024-02-02'],
    [60, 'a1', '', '2024-02-03'],
  ];
  await send({ visit: visitFile(renewed) }, 'upsert');
  await send({ visit: visitFile([[3, 'c1', '', '2024-02-04']]) }, 'upsert');
  const rows = await allOf('visit', 13);
  expect(idsOf(rows)).toEqual([...visits.map(([id]) => id).filter((id) => id !== 3), 60, 3]);
  expect(rows.at(-1)).toEqual({ visit_id: 3, document: 'c1', at: '2024-02-04' });
  expect((await told('visit', '?limit=1')).rows).toBe(rows.length);
  // A list that was begun before goes on as it began.
  const after = await told('visit', `?limit=200&cursor=${before.next_cursor}`);
  expect(after.snapshot_id).toBe(before.snapshot_id);
  expect(idsOf([...before.data, ...after.data])).toEqual(visits.map(([id]) => id));
  expect((await told('reading')).data).toEqual([
    { id: 1, sent: '2024-01-01', level: 5 },
    { id: 1, sent: '2024-02-01', level: 6 },
  ]);
});

test('rows that name somebody who was erased are gone, on pages that were begun before too', async () => {
  const before = await told('visit', '?limit=2');
  const asked = await client.post('/v1/api/erasures', { identifier: person });
  const erased = await client.finished(`/v1/api/erasures/${asked.body.id}`);
  expect(erased.body, erased.text).toMatchObject({ status: 'succeeded' });
  expect((await told('person')).data).toEqual([]);
  expect(idsOf(await allOf('visit', 50))).not.toContain(4);
  expect(idsOf((await told('visit', `?limit=200&cursor=${before.next_cursor}`)).data)).not.toContain(4);
});

test('a table that is not there is refused with those that are, and nobody sees tables of others', async () => {
  const unknown = await client.get(rowsPath('visits'));
  expectRefusal(unknown, 404, 'not_found');
  expect(unknown.body.detail).toBe(
    'there is no table visits; there are firm, person, visit, note, reading; did you mean visit?',
  );
  const tables = ['firm', 'person', 'visit', 'note', 'reading'];
  expect(unknown.body.because).toEqual({ code: 'no_data_table', name: 'visits', tables });

  const other = await service.tenant('Other');
  const none = await other.client.get(rowsPath('visit'));
  expectRefusal(none, 409, 'no_data');
  const own = sampleContract([{ name: 'thing', key: 'id', columns: { id: 'string' } }]);
  await takeIn(other.client, writeContract(own), { thing: csv('id', [['t1'], ['t2']]) });
  expectRefusal(await other.client.get(rowsPath('visit')), 404, 'not_found');
  expect((await told('thing', '', other.client)).data).toEqual([{ id: 't1' }, { id: 't2' }]);
  const { next_cursor: cursor } = await told('thing', '?limit=1', other.client);
  for (const table of ['thing', 'visit'])
    expectRefusal(await client.get(rowsPath(table, `?cursor=${cursor}`)), 400, 'invalid_cursor');
});

describe('of many rows', () => {
  let many: Tenant;
  const days = (n: number) => new Date(Date.UTC(2020, 0, 1) + n * 86_400_000).toISOString().slice(0, 10);
  const two = sampleContract([
    { name: 'shop', key: 'cnpj', entityKind: 'company', columns: { cnpj: 'string', opened: 'date' } },
    {
      ...{ name: 'sale', key: 'sale_id', time: 'sold_on', references: { cnpj: 'shop' } },
      columns: { sale_id: 'integer', cnpj: 'string', sold_on: 'date', amount: 'number' },
    },
  ]);
  const shops = ['11.222.333/0001-81', '44555666000172'];
  // In an order of their own, with days that come again, and one row without a day.
  const sales = Array.from({ length: 120 }, (_, i) => [i, shops[i % 2], i === 7 ? '' : days((i * 37) % 40), i]);
  const head = 'sale_id,cnpj,sold_on,amount';
  const idsIn = async (query: string) => {
    const ids = [];
    for (let cursor = ''; ; ) {
      const page = await told('sale', `?${query}${cursor}`, many.client);
      ids.push(...page.data.map(({ sale_id }: { sale_id: number }) => sale_id));
      if (!page.has_more) return ids;
      cursor = `&cursor=${page.next_cursor}`;
    }
  };
  /** The rows as they are told by day, computed from the file. */
  const byDay = (rows: readonly (readonly unknown[])[], isNewestFirst: boolean) =>
    rows
      .map(([id, , day], place) => ({ id, day: String(day), place }))
      .filter(({ day }) => day !== '')
      .sort((a, b) => (a.day === b.day ? a.place - b.place : a.day < b.day ? -1 : 1) * (isNewestFirst ? -1 : 1))
      .map(({ id }) => id);

  beforeAll(async () => {
    many = await service.tenant('Many', { timeZone: 'UTC' });
    await takeIn(many.client, writeContract(two), {
      shop: csv('cnpj,opened', [
        [shops[0]!, '2019-01-01'],
        [shops[1]!, '2019-01-02'],
      ]),
      sale: csv(head, sales as (string | number)[][]),
    });
  });

  test.each(['newest', 'oldest'])('the whole table is told by its days, the %s first, page by page', async (order) => {
    for (const limit of [7, 120])
      expect(await idsIn(`order=${order}&limit=${limit}`)).toEqual(byDay(sales, order === 'newest'));
  });

  test('rows are found by their key or how it begins, and documents in either way to write them', async () => {
    expect(await idsIn('key=42')).toEqual([42]);
    expect(await idsIn('key=4200')).toEqual([]);
    expect(await idsIn('key_prefix=11&limit=3')).toEqual([11, 110, 111, 112, 113, 114, 115, 116, 117, 118, 119]);
    for (const spelling of shops.slice(0, 1).flatMap((cnpj) => [cnpj, '11222333000181'])) {
      const found = await told('shop', `?key=${encodeURIComponent(spelling)}`, many.client);
      expect(found.data).toMatchObject([{ opened: '2019-01-01' }]);
    }
    expect((await told('shop', '?key_prefix=44.555', many.client)).data).toMatchObject([{ opened: '2019-01-02' }]);
  });

  test('of changed rows the newest version is found and ordered, and cursors are of one question', async () => {
    const files = await sendTables(many.client, { sale: csv(head, [[42, shops[0]!, days(99), 1]]) });
    const asked = await many.client.post('/v1/api/ingestions', {
      files: files.map((file) => ({ ...file, mode: 'upsert' })),
    });
    await many.client.finished(`/v1/api/ingestions/${asked.body.id}`);
    expect((await told('sale', '?key=42', many.client)).data).toMatchObject([{ sold_on: days(99), amount: 1 }]);
    const now = [...sales.filter(([id]) => id !== 42), [42, shops[0], days(99), 1]];
    expect(await idsIn('order=newest&limit=50')).toEqual(byDay(now, true));
    const { next_cursor: cursor } = await told('sale', '?order=newest&limit=5', many.client);
    expectRefusal(await many.client.get(rowsPath('sale', `?order=oldest&cursor=${cursor}`)), 400, 'invalid_cursor');
  });

  test('rows that name somebody erased are found by no key and in no order', async () => {
    const asked = await many.client.post('/v1/api/erasures', { identifier: shops[1] });
    const erased = await many.client.finished(`/v1/api/erasures/${asked.body.id}`);
    expect(erased.body, erased.text).toMatchObject({ status: 'succeeded' });
    expect((await told('shop', `?key=${shops[1]}`, many.client)).data).toEqual([]);
    expect(await idsIn('key=43')).toEqual([]);
    expect((await idsIn('order=newest&limit=9')).filter((id) => id % 2 === 1)).toEqual([]);
  });

  test('what cannot be asked is refused: personal keys, a key that is not there, an order without days', async () => {
    const refused = async (path: string, pointer: string, by = client) =>
      expectRefusal(await by.get(path), 400, 'invalid_parameter', pointer);
    await refused(rowsPath('person', `?key=${person}`), '/query/key');
    await refused(rowsPath('note', '?key_prefix=a'), '/query/key_prefix');
    await refused(rowsPath('firm', '?order=newest'), '/query/order');
    await refused(rowsPath('visit', '?order=newest&key=1'), '/query/key');
    await refused(rowsPath('visit', '?key_prefix=2&key=1'), '/query/key');
    await refused(rowsPath('visit', '?order=random'), '/query/order');
  });
});

test('a role that may not download files sees no rows', async () => {
  for (const role of ['developer', 'analyst', 'auditor', 'member', 'billing_manager'] as const)
    expectRefusal(await (await tenant.as(role)).get(rowsPath('firm')), 403, 'permission_denied');
});

test('the trail has who read how many rows of which table', async () => {
  const { keyId, ...reader } = await tenant.as('creator', ['download_files']);
  const { headers, status, text } = await reader.get(rowsPath('visit', '?limit=20'));
  expect(status, text).toBe(200);
  const entries = await system(service.service.app.db, 'test', (tx) =>
    tx.selectFrom('audit_entries').selectAll().where('request_id', '=', headers.get('request-id')).execute(),
  );
  const target = { target_type: 'table', target_id: 'visit' };
  expect(entries).toMatchObject([{ action: 'table-rows-view', actor_id: keyId, ...target, data: { rows: 20 } }]);
});

test('a table of the contract of which nothing came has no rows', async () => {
  const { client } = await service.tenant('Half');
  const two = sampleContract([
    { name: 'thing', key: 'id', columns: { id: 'string' } },
    { name: 'empty', key: 'id', columns: { id: 'string' } },
  ]);
  await takeIn(client, writeContract(two), { thing: csv('id', [['t1']]) });
  expect(await told('empty', '', client)).toMatchObject({ rows: 0, data: [], has_more: false });
});
