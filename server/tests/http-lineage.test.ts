/**
 * From which rows of which files the factors of answers come, over HTTP: each feature's value is computed once more by
 * SQL from the rows that are listed, in the tables as they were sent.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { system } from '../src/access/transactions.ts';
import { limitMax } from '../src/api/list.ts';
import { openDuckDb } from '../src/lib/duckdb/duckdb.ts';
import { writeContract } from '../src/ml/contract/write.ts';
import type { Events, Feature } from '../src/ml/features/feature.ts';
import { lendingContract, lendingData, lendingFiles, lendingQueries } from './lending.ts';
import { expectRefusal } from './problems.ts';
import { day } from './samples.ts';
import { type Client, startTestService, type Tenant, type TestService } from './service.ts';
import { quoted, quotedText, type RawTables, valueByListed } from './support/rows-sql.ts';
import { sendTables, takeIn } from './take-in.ts';
import { trainTask } from './train-task.ts';

let service: TestService;
let tenant: Tenant;
let client: Client;
let db: Awaited<ReturnType<typeof openDuckDb>>;
/** The files of the tables, in the order in which they came, and the first row of each in its table. */
const sent: { table: string; file: string; ingestion: string; first: number; isWhole: boolean }[] = [];
const models = new Map<string, string>();

/** Customers are numbers of the dictionary in what is stored. */
const contract = {
  ...lendingContract,
  tables: lendingContract.tables.map((table) =>
    table.name === 'customer' ? { ...table, entityKind: 'company' as const } : table,
  ),
};
const data = lendingData();
const csvOf = lendingFiles(data);
const tableNames = ['customer', 'order', 'loan', 'instalment'];
/** Orders come in two files; the second has five that the first had already. */
const ordersFirst = 700;
const twice = 5;

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into
type Json = any;

beforeAll(async () => {
  service = await startTestService();
  tenant = await service.tenant('Tracer', { timeZone: 'UTC' });
  ({ client } = tenant);
  db = await openDuckDb({ threads: 1 });
  await loadRaw();
  const [head, ...orders] = csvOf['tables/order.csv'].trimEnd().split('\n');
  const file = (lines: readonly string[]) => `${[head, ...lines].join('\n')}\n`;
  const others = Object.fromEntries(
    tableNames.filter((name) => name !== 'order').map((name) => [name, csvOf[`tables/${name}.csv`]]),
  );
  await takeIn(client, writeContract(contract), { ...others, order: file(orders.slice(0, ordersFirst)) });
  await keepSent(0, true);
  await send({ order: file(orders.slice(ordersFirst - twice)) });
  await keepSent(ordersFirst, false);
  for (const name of ['defaults', 'lost'] as const) {
    const { run } = await trainTask(client, { name, definition: lendingQueries[name] });
    models.set(name, run.model_id);
  }
});
afterAll(async () => {
  db?.close();
  await service.close();
});

async function loadRaw(): Promise<void> {
  for (const { name, columns } of lendingContract.tables) {
    const typed = columns.map((column) => `${quoted(column.name)} ${column.type === 'string' ? 'varchar' : 'double'}`);
    await db.run(`create table ${quoted(name)} (n integer, ${typed.join(', ')})`);
    const literal = (value: unknown) =>
      value === null || value === undefined ? 'null' : typeof value === 'number' ? `${value}` : quotedText(`${value}`);
    const rows = data[name].map(
      (row, n) => `(${[n, ...columns.map((column) => literal(row[column.name]))].join(',')})`,
    );
    await db.run(`insert into ${quoted(name)} values ${rows.join(',')}`);
  }
}

async function send(tables: Record<string, string>): Promise<void> {
  const asked = await client.post('/v1/api/ingestions', { files: await sendTables(client, tables) });
  expect((await client.finished(`/v1/api/ingestions/${asked.body.id}`)).body).toMatchObject({ status: 'succeeded' });
}

/** Keeps which files the newest ingestion took in. */
async function keepSent(first: number, isWhole: boolean): Promise<void> {
  const { body } = await client.get('/v1/api/ingestions?limit=1');
  const [{ id, files }] = body.data;
  for (const { file_id, table } of files) sent.push({ table, file: file_id, ingestion: id, first, isWhole });
}

async function predict(name: string, inputs: object): Promise<string> {
  const { body, status, text } = await client.post(`/v1/api/prediction/${models.get(name)}/production`, inputs);
  expect(status, text).toBe(200);
  return body.prediction_id;
}

const address = (id: string, query = '') => `/v1/api/predictions/${id}/lineage${query}`;

async function lineage(id: string, query = '', by = client): Promise<Json> {
  const { body, status, text } = await by.get(address(id, query));
  expect(status, text).toBe(200);
  return body;
}

/** All features of a factor, with all their rows. */
async function featuresOf(id: string, factor: string, limit = limitMax): Promise<Json[]> {
  const query = `?factor=${encodeURIComponent(factor)}&limit=${limit}`;
  let page = await lineage(id, query);
  const features = page.data;
  while (page.has_more) {
    page = await lineage(id, `${query}&cursor=${page.next_cursor}`);
    for (const [at, { rows }] of page.data.entries()) features[at].rows.push(...rows);
  }
  return features;
}

const dayUs = day;
const endOf = (date: string) => Date.parse(date) * 1000 + dayUs - 1;
/** A day as it is known: when it is over. */
const moment = (text: string) => (text.length === 10 ? endOf(text) : Date.parse(`${text}Z`) * 1000);

const ownTime: Record<string, string> = {
  customer: 't.joined',
  order: 't.placed',
  loan: 't.opened',
  instalment: '(select l.opened from loan as l where l.loan_id = t.loan_id)',
};

function rawFor({ whole }: Json): RawTables {
  return {
    has: (table) => ownTime[table] !== undefined,
    time: (table) => (ownTime[table] ? `(${ownTime[table]} + ${dayUs}::double - 1)` : 'null'),
    usual: () => `select ${whole.mean}::double`,
  };
}

type Moments = { readonly at: number; readonly readableUntil: number };

async function recomputed(told: Json, moments: Moments): Promise<number> {
  const rows = told.rows.map((row: Json) => ({
    ...{ table: row.kind === 'data' ? row.table : '@told', row: row.row ?? 0, role: row.role, of: row.subject },
    holder: row.held_by && { table: row.held_by.table, row: row.held_by.row },
    ...(row.kind !== 'data' && {
      value: row.value,
      ...(row.date !== null && { time: moment(row.date) }),
    }),
  }));
  const subjects = told.subjects.map(({ value }: Json) => value !== null);
  return valueByListed(db, rawFor(told), { feature: told.path as Feature, rows, subjects, ...moments });
}

/** A listed row is that row of the table as it was sent, in the file that it is said to be of. */
async function expectPlaced(row: Json): Promise<void> {
  if (row.kind !== 'data') return expect(row).toMatchObject({ file_id: null, ingestion_id: null });
  const key = lendingContract.tables.find(({ name }) => name === row.table)!.key[0];
  const raw = data[row.table][row.row];
  expect(row.key).toBe(raw[key]);
  const file = sent.filter(({ table, first }) => table === row.table && first <= row.row).at(-1)!;
  expect(row).toMatchObject({
    ...{ ingestion_id: file.ingestion, file_id: file.file, path: `${row.table}.csv` },
    row_number: file.isWhole ? row.row - file.first + 1 : null,
  });
}

/** Of plain windows over orders, the rows are those of a query written by hand. */
async function expectSelected({ path, rows }: Json, customer: string, { readableUntil }: Moments): Promise<boolean> {
  const { focus, read } = path as Feature;
  if (focus.kind !== 'root' || !('events' in read) || !('span' in read) || read.kind === 'rate') return false;
  const { table, via, when } = read.events as Events;
  if (table !== 'order' || via.join() !== 'customer_id' || when || 'season' in read.span) return false;
  const known = `placed + ${dayUs}::double - 1`;
  const since = 'days' in read.span ? `and ${known} > ${readableUntil - read.span.days * dayUs}::double` : '';
  const newest = 'last' in read.span ? `limit ${read.span.last}` : '';
  const found = await db.texts(
    `select order_id from "order" where customer_id = ${quotedText(customer)} and ${known} <= ${readableUntil}::double
     ${since} order by placed desc, order_id desc ${newest}`,
  );
  const keys = rows.filter(({ role }: Json) => role === 'read').map(({ key }: Json) => key);
  const isOne = 'aggregate' in read && read.aggregate === 'last';
  const most = read.kind === 'variety' ? 100 : found.length;
  expect(keys).toEqual((isOne ? found.slice(0, 1) : found.slice(0, most)).map(([id]) => id));
  return true;
}

test('the rows of each feature of each factor give its value by SQL, and none is of later', async () => {
  const kinds = new Set<string>();
  let [cases, selected] = [0, 0];
  const asked = [
    ...['c0', 'c4', 'c17'].flatMap((customer_id) =>
      ['2021-11-20', '2022-02-10'].map((reference_date) => ({
        ...{ model: 'defaults' as const, inputs: { customer_id, reference_date } },
      })),
    ),
    ...['l9', 'l40'].map((loan_id) => ({ model: 'lost', inputs: loanInputs(loan_id) })),
  ];
  for (const { model, inputs } of asked) {
    const id = await predict(model, inputs);
    const { factors, data: features, are_values_hidden } = await lineage(id);
    expect([features, are_values_hidden]).toEqual([[], false]);
    const moments = momentsOf(inputs, model);
    for (const { code, features: count, rows: counted } of factors) {
      const told = await featuresOf(id, code);
      const ofCode = factors.filter((factor: Json) => factor.code === code);
      if (ofCode.length === 1) {
        expect(told).toHaveLength(count);
        expect(told.reduce((sum, { rows_count }) => sum + rows_count, 0)).toBe(counted);
      }
      for (const feature of told) {
        const about = JSON.stringify({
          inputs,
          path: feature.path,
          value: feature.value,
          rows: feature.rows.slice(0, 3),
        });
        expect(feature.rows, about).toHaveLength(feature.rows_count);
        for (const row of feature.rows) {
          await expectPlaced(row);
          if (row.known_at !== null) expect(moment(row.known_at), about).toBeLessThanOrEqual(moments.readableUntil);
        }
        if (await expectSelected(feature, (inputs as Json).customer_id, moments)) selected++;
        const { read, focus } = feature.path as Feature;
        if (feature.value === null || ['calendar', 'data_age', 'embedding'].includes(read.kind) || focus.kind === 'all')
          continue;
        const value = await recomputed(feature, moments);
        expect(Math.abs(value - feature.value), `${value}: ${about}`).toBeLessThanOrEqual(
          1e-9 * Math.abs(value) + 1e-9,
        );
        kinds.add(`${focus.kind} ${feature.rows[0]?.table} ${'aggregate' in read ? read.aggregate : read.kind}`);
        cases++;
      }
    }
  }
  expect(cases).toBeGreaterThanOrEqual(200);
  expect(selected).toBeGreaterThanOrEqual(20);
  const tables = new Set([...kinds].map((kind) => kind.split(' ')[1]));
  for (const table of tableNames) expect([...tables], [...kinds].join()).toContain(table);
});

test('pages are pieces of one list, in the order of the factors', async () => {
  const id = await predict('defaults', { customer_id: 'c4', reference_date: '2022-02-10' });
  const { factors } = await lineage(id);
  const { code } = factors.find(({ rows }: Json) => rows > 10);
  const [whole, pieces] = [await featuresOf(id, code), await featuresOf(id, code, 7)];
  expect(pieces).toEqual(whole);
  const first = await lineage(id, `?factor=${code}&limit=7`);
  expect(first.data.flatMap(({ rows }: Json) => rows)).toHaveLength(7);
  const other = await predict('defaults', { customer_id: 'c4', reference_date: '2022-02-10' });
  expectRefusal(await client.get(address(other, `?factor=${code}&cursor=${first.next_cursor}`)), 400, 'invalid_cursor');
  const portuguese = await lineage(id, `?factor=${code}&language=pt-BR`);
  expect(portuguese.data[0].description).not.toBe(whole[0].description);
});

test('a factor that the answer does not have is refused by name', async () => {
  const id = await predict('defaults', { customer_id: 'c4', reference_date: '2022-02-10' });
  const { body, status } = await client.get(address(id, '?factor=nothing'));
  expect([status, body.code, body.errors[0].pointer]).toEqual([400, 'invalid_parameter', '/query/factor']);
  const { factors } = await lineage(id);
  expect(body.detail).toContain(factors[0].code);
});

test('without the right to files, rows are told without values and files; the trail has whose values were told', async () => {
  const id = await predict('defaults', { customer_id: 'c4', reference_date: '2022-02-10' });
  const { factors } = await lineage(id);
  const { code } = factors.find(({ rows }: Json) => rows > 10);
  const developer = await tenant.as('developer');
  const viewed = () =>
    system(service.service.app.db, 'test', (tx) =>
      tx.selectFrom('audit_entries').selectAll().where('action', '=', 'table-rows-view').execute(),
    );
  const before = (await viewed()).length;
  const hidden = await lineage(id, `?factor=${code}&limit=50`, developer);
  expect(await viewed()).toHaveLength(before);
  const shown = await lineage(id, `?factor=${code}&limit=50`);
  expect((await viewed()).length).toBeGreaterThan(before);
  expect([hidden.are_values_hidden, shown.are_values_hidden]).toEqual([true, false]);
  const rows = (told: Json) => told.data.flatMap((feature: Json) => feature.rows);
  expect(rows(shown).some(({ value }: Json) => value !== null)).toBe(true);
  expect(rows(hidden)).toEqual(
    rows(shown).map((row: Json) => ({ ...row, value: null, file_id: null, path: null, row_number: null })),
  );
});

test('what comes later, dated before, changes nothing of what was answered before, and is in the next answer', async () => {
  const inputs = { customer_id: 'c4', reference_date: '2022-02-10' };
  const id = await predict('defaults', inputs);
  const { factors } = await lineage(id);
  const allOf = async (prediction: string, codes: readonly string[]) => {
    const all = [];
    for (const code of codes) all.push(...(await featuresOf(prediction, code)));
    return all;
  };
  const codes = factors.map(({ code }: Json) => code);
  const told = await allOf(id, codes);
  expect(told.some(({ rows }) => rows.some(({ table }: Json) => table === 'order'))).toBe(true);
  const planted = Array.from({ length: 5 }, (_, k) => `planted${k},c4,2022-02-0${k + 1},99999,gold`);
  await send({ order: `order_id,customer_id,placed,amount,goods\n${planted.join('\n')}\n` });
  // What is served now has them; what was answered before is read where it was.
  const later = await predict('defaults', inputs);
  const [{ snapshot_id: then }, { snapshot_id: now }] = [await lineage(id), await lineage(later)];
  expect(now > then).toBe(true);
  expect(await allOf(id, codes)).toEqual(told);
  const codesLater = (await lineage(later)).factors.map(({ code }: Json) => code);
  const found = (await allOf(later, codesLater)).flatMap(({ rows }) => rows);
  const [row] = found.filter(({ key }: Json) => String(key).startsWith('planted'));
  expect(row).toMatchObject({ table: 'order', path: 'order.csv', row_number: Number(row.key.slice(-1)) + 1 });
  expect(JSON.stringify(told)).not.toContain('planted');
});

test('what read a file: ingestions, snapshots, versions, predictions', async () => {
  const [{ file, ingestion }] = sent;
  const told = await client.get(`/v2/api/files/${file}/lineage?limit=1`);
  expect(told.status, told.text).toBe(200);
  const { body } = told;
  expect(body).toMatchObject({
    ...{ file_id: file, path: `${sent[0].table}.csv`, has_more: true },
    ingestions: [{ id: ingestion, table: sent[0].table, mode: 'append', rows: data[sent[0].table].length }],
    snapshots: { count: 3, is_current: true },
    ...{ tasks: [], batches: { count: 0, is_whole: true }, scored_in: { count: 0 }, evaluated_in: { count: 0 } },
    data: [{ model_id: models.get('lost'), model_name: 'lost', number: 1, read_as: ['tables'], status: 'active' }],
  });
  const { body: next } = await client.get(`/v2/api/files/${file}/lineage?limit=1&cursor=${body.next_cursor}`);
  expect(next).toMatchObject({ data: [{ model_id: models.get('defaults') }], has_more: false });
  const { body: listed } = await client.get('/v1/api/predictions?count=true&limit=1');
  expect(body.predictions).toEqual({ count: listed.total.count, is_whole: true });
  expect(next.data[0].predictions.count + body.data[0].predictions.count).toBe(listed.total.count);
  const fromFile = async (id: string) =>
    (await client.get(`/v1/api/predictions?count=true&limit=200&file_id=${id}`)).body;
  expect((await fromFile(file)).total.count).toBe(listed.total.count);
  // Of the second file of orders there is nothing in the first snapshot.
  const second = sent.at(-1)!;
  const { body: ofSecond } = await client.get(`/v2/api/files/${second.file}/lineage`);
  expect(ofSecond.snapshots.count).toBe(2);
  expect(ofSecond.snapshots.first_id > body.snapshots.first_id).toBe(true);
  const ofThat = await fromFile(second.file);
  expect(ofThat.total.count).toBe(ofSecond.predictions.count);
  // Nothing has taken this one in.
  const loose = await client.upload('loose.csv', 'order_id\n1\n');
  expect(await fromFile(loose)).toMatchObject({ data: [], total: { count: 0 } });
  for (const { snapshot_id: id } of ofThat.data) expect(id >= ofSecond.snapshots.first_id).toBe(true);
  const { body: statistics } = await client.get(`/v1/api/predictions/statistics?bucket=all&file_id=${second.file}`);
  expect(statistics.data[0].predictions).toBe(ofThat.total.count);
  expect((await client.get('/v1/api/predictions?file_id=file_unheard')).body.code).toBe('not_found');
});

test('of a file with labels, or with the rows of a batch, it is told as well', async () => {
  const labels = await client.upload('labels.csv', 'customer_id,at,bad\nc1,2021-06-01,1\nc2,2021-06-01,0\n');
  const definition = 'entity: customer\nkey: customer_id\ntime: at\nlabel: bad\nkind: binary\n';
  const task = await client.post('/v1/api/tasks', { name: 'labelled', definition, labels: { train: labels } });
  expect(task.status, task.text).toBe(201);
  const rows = await client.upload('rows.csv', 'customer_id\nc1\nc2\n');
  const batch = await client.post('/v2/api/batches', { files: [rows], model: `${models.get('defaults')}/production` });
  await client.finished(`/v2/api/batches/${batch.body.id}`);
  const [ofLabels, ofRows, ofTable] = await Promise.all(
    [labels, rows, sent[0].file].map(async (id) => (await client.get(`/v2/api/files/${id}/lineage`)).body),
  );
  expect(ofLabels).toMatchObject({ tasks: [{ id: task.body.id, name: 'labelled', part: 'train' }], data: [] });
  expect(ofLabels.snapshots).toEqual({ count: 0, first_id: null, last_id: null, is_current: false });
  expect(ofRows).toMatchObject({ scored_in: { count: 1, is_whole: true }, batches: { count: 0 }, data: [] });
  expect(ofTable.batches.count).toBe(1);
});

test('an answer is traced by the clocks that it was given by, wherever the workspace has moved since', async () => {
  const id = await predict('defaults', { customer_id: 'c7' });
  const { factors } = await lineage(id);
  const values = async (): Promise<number[]> => {
    const all = [];
    for (const { code } of factors) for (const { value } of await featuresOf(id, code)) all.push(value);
    return all;
  };
  const before = await values();
  expect(before.length).toBeGreaterThan(0);
  const person = await tenant.signedIn('creator', 'organization');
  const move = async (time_zone: string) => {
    const { status, text } = await person.send('PATCH', '/v1/api/workspace', { body: { time_zone } });
    expect(status, text).toBe(200);
  };
  await move('Pacific/Kiritimati');
  expect(await values()).toEqual(before);
  await move('UTC');
});

test('what was asked about somebody erased, or answered by what is gone, is gone', async () => {
  const inputs = { customer_id: 'c41', reference_date: '2022-02-10' };
  const [erased, kept] = [
    await predict('defaults', inputs),
    await predict('defaults', { ...inputs, customer_id: 'c4' }),
  ];
  const asked = await client.post('/v1/api/erasures', { identifier: 'c41' });
  expect((await client.finished(`/v1/api/erasures/${asked.body.id}`)).body).toMatchObject({ status: 'succeeded' });
  expectRefusal(await client.get(address(erased)), 410, 'entity_erased');
  expect((await lineage(kept)).factors.length).toBeGreaterThan(0);
  const lost = await predict('lost', loanInputs('l9'));
  const model = `/v1/api/models/${models.get('lost')}`;
  for (const path of [`${model}/aliases/production`, model])
    expect((await client.send('DELETE', path)).status).toBe(204);
  expectRefusal(await client.get(address(lost)), 410, 'pin_gone');
  await service.owner.pool.query('update snapshots set erased_at = now() where id = $1', [
    (await lineage(kept)).snapshot_id,
  ]);
  expectRefusal(await client.get(address(kept)), 410, 'pin_gone');
});

function loanInputs(loan_id: string): Json {
  const row = data.loan.find((loan) => loan.loan_id === loan_id)!;
  const opened = new Date(Number(row.opened) / 1000).toISOString().slice(0, 10);
  return { loan_id, customer_id: row.customer_id, opened, size: row.size };
}

function momentsOf(inputs: Json, model: string): Moments {
  if (model !== 'lost') return { at: endOf(inputs.reference_date), readableUntil: endOf(inputs.reference_date) };
  const start = Date.parse(inputs.opened) * 1000;
  return { at: start, readableUntil: start };
}
