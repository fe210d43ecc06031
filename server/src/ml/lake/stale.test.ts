import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { at, day } from '../../../tests/samples.ts';
import {
  accept,
  contract,
  customers,
  fileOf,
  ingest,
  loans,
  marked,
  now,
  out,
  pathOf,
  people,
  withColumn,
} from '../../../tests/support/samples/lake.ts';
import { type ColumnContract, type Contract, withTimeZone } from '../contract/contract.ts';
import { rowAsOf } from '../graph/as-of/rows.ts';
import type { IncomingFile } from './files.ts';
import { noIdentifiers } from './identifiers.ts';
import { loadSnapshot } from './load.ts';
import type { TablePart } from './manifest.ts';
import { staleTables } from './stale.ts';

const changed = (name: string, column: string, change: Partial<ColumnContract>, of: Contract = contract): Contract => ({
  ...of,
  tables: of.tables.map((table) =>
    table.name === name
      ? { ...table, columns: table.columns.map((own) => (own.name === column ? { ...own, ...change } : own)) }
      : table,
  ),
});

test('only what is stored otherwise makes a table stale', () => {
  const stale = (after: Contract, before = contract) =>
    staleTables(before, after, true).map(({ table, reasons }) => `${table}: ${reasons.join(', ')}`);
  const named = withColumn('customer', { name: 'phone', type: 'string', pii: true }, { entityKind: 'individual' });
  const { phone } = { phone: { name: 'phone', type: 'string' as const } };
  const without: Contract = { ...contract, tables: contract.tables.slice(0, 2) };

  expect(stale(contract)).toEqual([]);
  expect(stale(changed('loan', 'loan_id', { type: 'number' }))).toEqual([]);
  expect(stale(changed('loan', 'amount', { minimum: 0, required: true, unit: 'R$', description: 'x' }))).toEqual([]);
  expect(stale(changed('loan', 'amount', { knownFrom: 'granted', mutable: true }))).toEqual([]);
  expect(stale(marked(contract, 'loan.amount'))).toEqual([]);
  expect(stale(withColumn('customer', phone))).toEqual([]);
  expect(stale(contract, withColumn('customer', phone))).toEqual([]);
  expect(stale(withColumn('customer', { ...phone, pii: true }), withColumn('customer', phone))).toEqual([]);
  expect(stale(without)).toEqual([]);
  expect(stale(contract, without)).toEqual([]);

  expect(stale(changed('loan', 'amount', { type: 'string' }))).toEqual(['loan: amount is string, was number']);
  expect(
    stale(changed('loan', 'loan_id', { type: 'integer' }), changed('loan', 'loan_id', { type: 'number' })),
  ).toEqual(['loan: loan_id is integer, was number']);
  expect(stale(contract, marked(contract, 'loan.amount'))).toEqual(['loan: amount has other missingValues']);
  expect(stale(withColumn('customer', phone), withColumn('customer', { ...phone, pii: true }))).toEqual([
    'customer: phone is kept, was personal',
  ]);
  // A reference is stored as the key is that it leads to.
  expect(stale(changed('customer', 'customer_id', { type: 'integer' }))).toEqual(
    ['customer', 'loan', 'visit'].map((table) => `${table}: customer_id is integer, was string`),
  );
  expect(stale(named, { ...named, tables: named.tables.map(({ entityKind: _, ...table }) => table) })).toEqual(
    ['customer', 'loan', 'visit'].map(
      (table) => `${table}: customer_id holds names (individual), held values as they come (entityKind)`,
    ),
  );
  expect(stale(withColumn('loan', { name: 'sent', type: 'date' }, { knownAt: 'sent' }))).toEqual([
    'loan: knownAt is sent, was none',
  ]);
  expect(stale(withColumn('visit', { name: 'id', type: 'string' }, { key: ['id'] }))).toEqual([
    'visit: the key is id, was none',
  ]);
});

/** Gives the files of parts back, by what they brought. */
const originals =
  (...files: readonly IncomingFile[]) =>
  ({ source }: TablePart) => {
    const file = files.find(({ sha256 }) => sha256 === source);
    return file === undefined ? null : { path: file.path, name: file.name!, taken: now };
  };

test('a table stored otherwise is read again from its files, and its versions stay known from when they came', async () => {
  const people = fileOf('customer', 'append', customers);
  const first = fileOf('loan', 'append', loans);
  const second = fileOf('loan', 'upsert', [loans[0], '2,008,2024-02-05,99,', '8,009,2024-03-01,5,']);
  const later = now + 10 * day;
  const start = await accept(null, [people, first]);
  const grown = await accept(start.manifest, [second], { now: later });
  const texts = changed('loan', 'amount', { type: 'string' });
  const read = { contract: texts, now: now + 100 * day, originalOf: originals(people, first, second) };
  const again = await accept(grown.manifest, [], read);
  expect(again.report.reread.map(({ mode, added, changed }) => [mode, added, changed])).toEqual([
    ['append', 3, 0],
    ['upsert', 1, 1],
  ]);
  expect(again.report.files).toEqual([]);
  expect(again.newParts).toHaveLength(2);
  const loan = again.manifest.tables.find(({ name }) => name === 'loan')!;
  expect(loan.parts.map(({ taken, mode, source }) => [taken, mode, source])).toEqual([
    [now, 'append', first.sha256],
    [later, 'upsert', second.sha256],
  ]);
  // The other table's part is the one there was.
  expect(again.manifest.tables[0]).toEqual(grown.manifest.tables[0]);

  const { tables } = await loadSnapshot(again.manifest, pathOf);
  const table = tables.get('loan')!;
  const amounts = table.columns.get('amount') as { codes: Int32Array; dictionary: readonly string[] };
  const amountAt = (moment: number) => amounts.dictionary[amounts.codes[rowAsOf(table, table.rowOf.get(2)!, moment)]];
  expect([at('2024-02-06'), later - 1, later].map(amountAt)).toEqual(['-0.25', '-0.25', '99']);
  // Back under the first contract they are the very bytes that they were.
  const back = await accept(again.manifest, [], { ...read, contract });
  expect(back.manifest).toEqual(grown.manifest);
});

test('a column that older files lack is missing in them, and one that they have besides is left out', async () => {
  const wide = withColumn('customer', { name: 'segment', type: 'string' });
  const old = fileOf('customer', 'append', customers);
  const fresh = fileOf('customer', 'append', ['customer_id,city,segment', '020,Natal,b']);
  const before = await accept((await accept(null, [old])).manifest, [fresh], { contract: wide });
  const narrow: Contract = {
    ...wide,
    tables: wide.tables.map((table) =>
      table.name === 'customer' ? { ...table, columns: table.columns.filter(({ name }) => name !== 'city') } : table,
    ),
  };
  const typed = changed('customer', 'customer_id', { type: 'integer' }, narrow);
  const { manifest, report } = await accept(before.manifest, [], {
    contract: typed,
    originalOf: originals(old, fresh),
  });
  expect(report.reread.map(({ warnings }) => warnings.map(({ rule, column }) => `${rule} ${column}`))).toEqual([
    ['missing_column segment', 'unknown_column city'],
    ['unknown_column city'],
  ]);
  const { tables } = await loadSnapshot(manifest, pathOf);
  expect(tables.get('customer')!.columns.get('segment')).toMatchObject({ codes: Int32Array.of(-1, -1, -1, 0) });
  expect(tables.get('customer')!.columns.get('customer_id')).toMatchObject({ values: Float64Array.of(7, 8, 9, 20) });
});

test('files that do not do under the new contract are told, propose none, and leave what there was', async () => {
  const file = fileOf('customer', 'append', customers);
  const { manifest } = await accept(null, [file]);
  const numbers = changed('customer', 'city', { type: 'number' });
  const refused = await ingest(manifest, [], { contract: numbers, originalOf: originals(file) });
  expect(refused).toMatchObject({
    kind: 'data_error',
    proposals: [],
    files: [{ file: 'customer.csv', table: 'customer', deviations: [{ rule: 'changed_type', column: 'city' }] }],
  });
  const unkeyed = withColumn('customer', { name: 'id', type: 'string' }, { key: ['id'] });
  const keyless = await ingest(manifest, [], { contract: unkeyed, originalOf: originals(file) });
  expect(keyless).toMatchObject({
    kind: 'data_error',
    files: [{ deviations: [{ rule: 'missing_column', column: 'id' }] }],
  });
});

test('where a file is gone nothing is taken in unless the table is replaced, and then the rest is read again', async () => {
  const customer = fileOf('customer', 'append', people);
  const loan = fileOf('loan', 'append', [loans[0], '1,Ana,2024-01-05,10.5,true']);
  const plain = withColumn('customer', { name: 'phone', type: 'string', pii: true });
  const named = withColumn('customer', { name: 'phone', type: 'string', pii: true }, { entityKind: 'individual' });
  const first = await accept(null, [customer, loan], { contract: plain, identifiers: noIdentifiers });
  const options = { contract: named, identifiers: first.identifiers!, originalOf: originals(loan) };
  const more = [people[0], 'Ana,Olinda,', 'Eva,,'];
  await expect(ingest(first.manifest, [fileOf('customer', 'append', more)], options)).rejects.toMatchObject({
    code: 'conflict',
    reason: 'data_behind_contract',
    message: expect.stringMatching(/^the contract stores customer otherwise.*all rows of customer with mode replace/),
  });
  const done = await accept(first.manifest, [fileOf('customer', 'replace', more)], options);
  expect(done.report.reread.map(({ file, added }) => [file, added])).toEqual([['loan.csv', 1]]);
  // Numbers are compared with no names.
  expect(done.report.changes).toMatchObject([{ table: 'customer', before: 3, after: 2, added: null, removed: null }]);
  for (const { path } of done.newParts) expect(readFileSync(join(out, path)).includes('Ana')).toBe(false);
  const { tables } = await loadSnapshot(done.manifest, pathOf, () => {}, { identifiers: done.identifiers! });
  expect([...tables.get('loan')!.references.get('customer_id')!.rows]).toEqual([0]);
});

test('dates are stored as moments whatever form they came in, and another form reads their files again', async () => {
  const form = (dateForm: 'dd/MM/yyyy' | 'MM/dd/yyyy', more: Partial<ColumnContract> = {}) =>
    changed('loan', 'granted', { dateForm, ...more });
  const written = (text: string) => text.replace(/(\d{4})-(\d\d)-(\d\d)/, '$3/$2/$1');
  const people = fileOf('customer', 'append', customers);
  const file = fileOf('loan', 'append', [...loans.map(written), '4,007,31/12/2023,1,true', '5,007,2024-02-09,1,true']);
  const start = await accept(null, [people, file], { contract: form('dd/MM/yyyy') });
  const daysOf = async (manifest: typeof start.manifest) => {
    const { tables } = await loadSnapshot(manifest, pathOf);
    const granted = tables.get('loan')!.columns.get('granted') as { values: Float64Array };
    return Array.from(granted.values, (moment) =>
      Number.isNaN(moment) ? null : new Date(moment / 1000).toISOString().slice(0, 10),
    );
  };
  const all = ['2024-01-05', '2024-02-05', '2024-02-06', '2023-12-31', '2024-02-09'];
  expect(await daysOf(start.manifest)).toEqual(all);

  // The same rows in ISO 8601 are known already.
  const same = fileOf('loan', 'append', [loans[0], '4,007,2023-12-31,1,true']);
  const again = await ingest(start.manifest, [same], { contract: form('dd/MM/yyyy') });
  expect(again).toMatchObject({ kind: 'unchanged', report: { files: [{ added: 0, identical: 1 }] } });

  // A text that stands for no date is one of the file; what is stored has become a moment.
  const absent = form('dd/MM/yyyy', { missingValues: ['31/12/2023'] });
  const marked = await accept(start.manifest, [], { contract: absent });
  expect(marked.report.reread).toEqual([]);
  expect((await daysOf(marked.manifest)).filter((day) => day === null)).toHaveLength(1);

  expect(staleTables(form('dd/MM/yyyy'), form('MM/dd/yyyy'), false)).toEqual([
    { table: 'loan', reasons: ['granted is written as MM/dd/yyyy, was written as dd/MM/yyyy'] },
  ]);
  const early = fileOf('loan', 'append', [loans[0], '1,007,05/01/2024,10.5,true']);
  const before = await accept(null, [people, early], { contract: form('dd/MM/yyyy') });
  const other = await accept(before.manifest, [], {
    contract: form('MM/dd/yyyy'),
    originalOf: originals(people, early),
  });
  expect(await daysOf(before.manifest)).toEqual(['2024-01-05']);
  expect(await daysOf(other.manifest)).toEqual(['2024-05-01']);
});

test('instants are stored as what the clocks of the zone of the contract show, and another zone reads their files again', async () => {
  const moments = changed('loan', 'granted', { type: 'timestamp' });
  const zoned = withTimeZone(moments, 'America/Sao_Paulo');
  const people = fileOf('customer', 'append', customers);
  const file = fileOf('loan', 'append', [
    loans[0],
    '1,007,2024-01-06T01:30:00Z,10.5,true',
    '2,007,2024-01-05T22:30:00,1,true',
    '3,007,2024-01-05T22:30:00-03:00,1,true',
  ]);
  const start = await accept(null, [people, file], { contract: zoned });
  const shown = async (manifest: typeof start.manifest) => {
    const { tables } = await loadSnapshot(manifest, pathOf);
    const granted = tables.get('loan')!.columns.get('granted') as { values: Float64Array };
    return Array.from(granted.values, (moment) => new Date(moment / 1000).toISOString().slice(0, 16));
  };
  expect(await shown(start.manifest)).toEqual(Array(3).fill('2024-01-05T22:30'));
  const reason = 'granted is written as ISO 8601, was written as ISO 8601 on the clocks of America/Sao_Paulo';
  expect(staleTables(zoned, moments, false)[0]).toEqual({ table: 'loan', reasons: [reason] });
  const other = await accept(start.manifest, [], { contract: moments, originalOf: originals(people, file) });
  expect(await shown(other.manifest)).toEqual(['2024-01-06T01:30', '2024-01-05T22:30', '2024-01-06T01:30']);
});
