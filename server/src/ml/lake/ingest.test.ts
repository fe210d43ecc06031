import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { at, day } from '../../../tests/samples.ts';
import {
  accept,
  contract,
  customers,
  fileOf,
  folder,
  ingest,
  loans,
  marked,
  now,
  out,
  pathOf,
  people,
  visits,
  withColumn,
} from '../../../tests/support/samples/lake.ts';
import { openDuckDb } from '../../lib/duckdb/duckdb.ts';
import type { Contract } from '../contract/contract.ts';
import { sayNotice } from '../contract/notices.ts';
import { rowAsOf } from '../graph/as-of/rows.ts';
import { keyValue } from '../graph/keys.ts';
import { loadTables } from '../graph/load.ts';
import type { Tables } from '../graph/tables.ts';
import { loadSnapshot } from './load.ts';
import { readManifest, snapshotIdOf, writeManifest } from './manifest.ts';

test('what is appended in pieces is read as a folder of the same rows is', async () => {
  const pieces = join(folder, 'pieces');
  mkdirSync(pieces);
  const write = (name: string, lines: readonly string[]) =>
    writeFileSync(join(pieces, `${name}.csv`), `${lines.join('\n')}\n`);
  write('customer', [...customers, '010,Recife']);
  write('loan', [...loans, '4,010,2024-03-01,7,true', '5,404,2024-03-02,7,true']);
  write('visit', visits);
  const first = await accept(null, [
    fileOf('loan', 'append', loans),
    fileOf('customer', 'append', customers),
    fileOf('visit', 'append', visits),
  ]);
  const second = await accept(first.manifest, [
    fileOf('loan', 'append', [loans[0], '4,010,2024-03-01,7,true', '5,404,2024-03-02,7,true']),
    fileOf('customer', 'append', [customers[0], '010,Recife']),
  ]);
  const { tables, report } = await loadSnapshot(readManifest(writeManifest(second.manifest)), pathOf);
  expect(comparable(tables)).toEqual(comparable((await loadTables(pieces, contract)).tables));
  expect(report.warnings.map(sayNotice)).toContain(
    'table loan: 1 of 5 values of customer_id are not in customer.customer_id',
  );
  const dangling = second.report.files[0].warnings;
  expect(dangling).toMatchObject([
    { rule: 'dangling_reference', column: 'customer_id', count: 1, samples: [{ row: 2, value: '404' }] },
  ]);
});

/** Lookups are functions, so each is replaced by its answers to every key. */
function comparable(tables: Tables) {
  return [...tables.values()].map(({ rowOf, ...table }) => {
    const keys = table.columns.get(table.contract.key[0]);
    const found = keys ? Array.from({ length: table.rows }, (_, row) => rowOf.get(keyValue(keys, row)!)) : [];
    expect(found).not.toContain(undefined);
    return { ...table, found };
  });
}

test('the same files give the same parts and the same snapshot, with types that other programs can read', async () => {
  const again = join(folder, 'again');
  mkdirSync(again);
  const files = [fileOf('customer', 'append', customers), fileOf('loan', 'append', loans)];
  const first = await accept(null, files);
  const second = await accept(null, files, { out: again });
  expect(snapshotIdOf(second.manifest)).toBe(snapshotIdOf(first.manifest));
  for (const { path, sha256, bytes } of second.newParts) {
    const content = readFileSync(join(again, path));
    expect(content.equals(readFileSync(join(out, path)))).toBe(true);
    expect([createHash('sha256').update(content).digest('hex'), content.length]).toEqual([sha256, bytes]);
  }
  const part = first.manifest.tables.find(({ name }) => name === 'loan')!.parts[0];
  expect(part).toMatchObject({
    rows: 3,
    from: at('2024-01-05'),
    until: at('2024-02-06'),
    mode: 'append',
    source: files[1].sha256,
  });
  const duckdb = await openDuckDb({ folders: [out] });
  const described = await duckdb.rows(`describe select * from read_parquet('${join(out, part.path)}')`);
  duckdb.close();
  expect(described.map(({ column_name, column_type }) => `${column_name} ${column_type}`)).toEqual([
    'loan_id BIGINT',
    'customer_id VARCHAR',
    'granted DATE',
    'amount DOUBLE',
    'paid BOOLEAN',
  ]);
});

test('re-sent rows are counted and left out, and a file that was taken before changes nothing', async () => {
  const file = fileOf('loan', 'append', loans);
  const { manifest } = await accept(null, [
    fileOf('customer', 'append', customers),
    file,
    fileOf('visit', 'append', visits),
  ]);
  expect(await ingest(manifest, [file])).toMatchObject({ kind: 'unchanged' });
  // The same rows in other bytes; and visits, which have no key.
  expect(await ingest(manifest, [fileOf('loan', 'append', [...loans, ''])])).toMatchObject({ kind: 'unchanged' });
  expect(await ingest(manifest, [fileOf('visit', 'append', visits)])).toMatchObject({ kind: 'unchanged' });
  const grown = await accept(manifest, [fileOf('loan', 'append', [...loans, '9,009,2024-05-01,1,true'])]);
  expect(grown.report.files).toMatchObject([{ rows: 4, added: 1, identical: 3, changed: 0, rejected: 0 }]);
  const { tables } = await loadSnapshot(grown.manifest, pathOf);
  expect(tables.get('loan')!.rows).toBe(4);
  expect(tables.get('loan')!.versions).toBeUndefined();
});

test('an append that changes rows is refused with the rows and the way out, and leaves nothing', async () => {
  const { manifest } = await accept(null, [fileOf('customer', 'append', customers), fileOf('loan', 'append', loans)]);
  const before = readdirSync(out);
  const changed = [loans[0], '7,007,2024-04-01,1,true', '2,008,2024-02-05,99,'];
  const refused = await ingest(manifest, [
    fileOf('customer', 'append', [customers[0], '011,Natal']),
    fileOf('loan', 'append', changed),
  ]);
  expect(refused).toMatchObject({
    kind: 'data_error',
    files: [
      {
        file: 'loan.csv',
        table: 'loan',
        rows: 2,
        deviations: [{ rule: 'duplicate_key', column: 'loan_id', count: 1, samples: [{ row: 2, value: '2' }] }],
      },
    ],
  });
  expect(JSON.stringify(refused)).toContain('mode upsert');
  expect(readdirSync(out)).toEqual(before);
});

const amountsOf = (tables: Tables, key: number, moments: readonly number[]) => {
  const table = tables.get('loan')!;
  const amounts = table.columns.get('amount') as { values: Float64Array };
  return moments.map((moment) => {
    const row = rowAsOf(table, table.rowOf.get(key)!, moment);
    return row < 0 ? null : amounts.values[row];
  });
};

test('an upsert adds versions known from its moment on, and the older stay readable before', async () => {
  const first = await accept(null, [fileOf('customer', 'append', customers), fileOf('loan', 'append', loans)]);
  const second = await accept(first.manifest, [
    fileOf('loan', 'upsert', [loans[0], '2,008,2024-02-05,99,', '3,007,2024-02-06,,false', '8,009,2024-03-01,5,']),
  ]);
  expect(second.report.files).toMatchObject([{ rows: 3, added: 1, changed: 1, identical: 1 }]);
  const later = now + 10 * day;
  const third = await accept(second.manifest, [fileOf('loan', 'upsert', [loans[0], loans[2]])], { now: later });
  const { tables, contract: read } = await loadSnapshot(third.manifest, pathOf);
  const granted = at('2024-02-06') - 1;
  expect(amountsOf(tables, 2, [granted - 1, granted, now - 1, now, later - 1, later])).toEqual([
    null,
    -0.25,
    -0.25,
    99,
    99,
    -0.25,
  ]);
  // A row that first came with an upsert is known since its event, as if it had been appended.
  expect(amountsOf(tables, 8, [at('2024-03-01'), at('2024-03-02')])).toEqual([null, 5]);
  expect(read.tables.find(({ name }) => name === 'loan')!.knownAt).toBe('_known_at');
  expect(read.tables.find(({ name }) => name === 'customer')!.knownAt).toBeUndefined();
  const { tables: older } = await loadSnapshot(second.manifest, pathOf);
  expect(amountsOf(older, 2, [later])).toEqual([99]);
});

test('a table that dates its own versions takes new ones by append, and none twice', async () => {
  const dated = withColumn('loan', { name: 'sent', type: 'date' }, { knownAt: 'sent' });
  const header = `${loans[0]},sent`;
  const first = await accept(null, [fileOf('loan', 'append', [header, '1,007,2024-01-05,10,,2024-01-05'])], {
    contract: dated,
  });
  const next = fileOf('loan', 'append', [header, '1,007,2024-01-05,20,,2024-03-05', '1,007,2024-01-05,10,,2024-01-05']);
  const second = await accept(first.manifest, [next], { contract: dated });
  expect(second.report.files).toMatchObject([{ added: 1, identical: 1, changed: 0 }]);
  const { tables } = await loadSnapshot(second.manifest, pathOf);
  expect(amountsOf(tables, 1, [at('2024-03-05'), at('2024-03-06')])).toEqual([10, 20]);
  const rewritten = await ingest(
    second.manifest,
    [fileOf('loan', 'upsert', [header, '1,007,2024-01-05,30,,2024-03-05'])],
    { contract: dated },
  );
  expect(rewritten).toMatchObject({ kind: 'data_error', files: [{ deviations: [{ rule: 'duplicate_key' }] }] });
});

test('a replacement takes the place of all parts of its table', async () => {
  const first = await accept(null, [fileOf('customer', 'append', customers), fileOf('loan', 'append', loans)]);
  const halves = [
    fileOf('loan', 'replace', [loans[0], loans[3]]),
    fileOf('loan', 'replace', [loans[0], '6,009,2024-05-01,1,']),
  ];
  const second = await accept(first.manifest, halves);
  const { tables } = await loadSnapshot(second.manifest, pathOf);
  expect([...(tables.get('loan')!.columns.get('loan_id') as { values: Float64Array }).values]).toEqual([3, 6]);
  expect(tables.get('customer')!.rows).toBe(3);
  expect(await ingest(second.manifest, halves)).toMatchObject({ kind: 'unchanged' });
  const emptied = await accept(second.manifest, [fileOf('loan', 'replace', [loans[0]])]);
  expect((await loadSnapshot(emptied.manifest, pathOf)).tables.get('loan')!.rows).toBe(0);
});

test('references may lead to rows of the same call, in any order of the files', async () => {
  const { report } = await accept(null, [fileOf('loan', 'append', loans), fileOf('customer', 'append', customers)]);
  expect(report.files.map(({ warnings }) => warnings)).toEqual([[], []]);
  const alone = await accept(null, [fileOf('loan', 'append', loans)]);
  expect(alone.report.files[0].warnings).toEqual([]);
  expect((await loadSnapshot(alone.manifest, pathOf)).tables.get('loan')!.references.get('customer_id')!.rows).toEqual(
    Int32Array.of(-1, -1, -1),
  );
});

test('a file whose references nearly all lead nowhere is refused', async () => {
  const rows = Array.from({ length: 200 }, (_, i) => `${i},${i < 10 ? '007' : `x${i}`},2024-01-01,1,`);
  const refused = await ingest(null, [
    fileOf('customer', 'append', customers),
    fileOf('loan', 'append', [loans[0], ...rows]),
  ]);
  expect(refused).toMatchObject({
    kind: 'data_error',
    files: [{ deviations: [{ rule: 'dangling_reference', count: 190 }] }],
  });
});

test('bad rows and files that cannot be read are told together, by file', async () => {
  const refused = await ingest(null, [
    fileOf('customer', 'append', customers),
    fileOf('loan', 'append', [loans[0], '1,007,2024-01-05,much,true', '1,007,2030-01-05,1,true', ',007,2024-01-05,1,']),
    fileOf('visit', 'append', ['PK\u0003\u0004']),
  ]);
  expect(
    refused.kind === 'data_error' &&
      refused.files.map(({ file, rows, deviations }) => [
        file,
        rows,
        deviations.map(({ rule, count }) => `${rule} ${count}`).sort(),
      ]),
  ).toEqual([
    ['loan.csv', 3, ['duplicate_key 1', 'in_future 1', 'missing_value 1', 'wrong_type 1']],
    ['visit.csv', 0, ['unreadable_file 0']],
  ]);
});

test('another structure throughout leads to one proposed contract for all files, under which they are accepted', async () => {
  const sent = [
    fileOf('customer', 'append', ['customer_id,city,since', '007,Recife,2020-01-01', '008,,2021-01-01']),
    fileOf('loan', 'append', ['loan_id,customer_id,granted,paid', '1,007,2024-01-05,true', '2,008,2024-02-05,']),
  ];
  const refused = await ingest(null, sent);
  if (refused.kind !== 'contract_version') throw new Error(JSON.stringify(refused));
  expect(
    refused.proposals.map(({ file, changes }) => [file, changes.map(({ kind, path }) => `${kind} ${path}`)]),
  ).toEqual([
    ['customer.csv', ['added customer.since']],
    ['loan.csv', ['removed loan.amount']],
  ]);
  expect(refused.proposed.changes.map(({ path }) => path)).toEqual(['customer.since', 'loan.amount']);
  expect(refused.proposed.contract.version).toBe('2.0.0');
  expect(refused.deviations.map(({ deviations }) => deviations.map(({ rule }) => rule))).toEqual([
    ['unknown_column'],
    ['missing_column'],
  ]);
  const { manifest } = await accept(null, sent, { contract: refused.proposed.contract });
  const { tables } = await loadSnapshot(manifest, pathOf);
  expect(tables.get('customer')!.columns.get('since')).toEqual({
    kind: 'time',
    values: Float64Array.of(at('2020-01-01'), at('2021-01-01')),
  });
});

test('unknown columns may be left out on request, and the report says so', async () => {
  const file = fileOf('customer', 'append', [
    'customer_id,city,since',
    '007,Recife,2020-01-01',
    '008,Recife,2021-01-01',
  ]);
  const { report, manifest } = await accept(null, [file], { ignoreUnknownColumns: true });
  expect(report.tables[0].dropped).toEqual([
    { column: 'since', reason: 'unknown' },
    { column: 'city', reason: 'constant' },
  ]);
  expect((await loadSnapshot(manifest, pathOf)).tables.get('customer')!.columns.has('since')).toBe(false);
});

test('parts of an earlier contract are read under the new one', async () => {
  const { manifest } = await accept(null, [fileOf('customer', 'append', customers)]);
  const wider: Contract = { ...withColumn('customer', { name: 'segment', type: 'string' }), version: '1.1.0' };
  const next = await accept(manifest, [fileOf('customer', 'append', ['customer_id,city,segment', '020,Natal,b'])], {
    contract: wider,
  });
  const { tables } = await loadSnapshot(next.manifest, pathOf);
  expect(tables.get('customer')!.columns.get('segment')).toEqual({
    kind: 'text',
    codes: Int32Array.of(-1, -1, -1, 0),
    dictionary: ['b'],
  });
});

test('texts that stand for a missing value are none, in parts of a contract that did not list them too', async () => {
  const texts = ['customer_id,city', '007,n/a', '008,Recife'];
  const first = await accept(null, [fileOf('customer', 'append', texts)]);
  const listing = marked(contract, 'customer.city', 'loan.amount');
  const files = [
    fileOf('customer', 'append', [...texts, '009,?']),
    fileOf('loan', 'append', [loans[0], '1,007,2024-01-05,?,true']),
  ];
  const second = await accept(first.manifest, files, { contract: listing });
  expect(second.report.files.map(({ added, identical }) => [added, identical])).toEqual([
    [1, 2],
    [1, 0],
  ]);
  const { tables } = await loadSnapshot(second.manifest, pathOf);
  expect(tables.get('customer')!.columns.get('city')).toMatchObject({
    codes: Int32Array.of(-1, 0, -1),
    dictionary: ['Recife'],
  });
  expect(tables.get('loan')!.columns.get('amount')).toMatchObject({ values: Float64Array.of(Number.NaN) });
});

test('a birth before 1900 does not stand in the way, a date of events does', async () => {
  const old = [loans[0], '1,007,1899-12-30,1,true'];
  const refused = await ingest(null, [fileOf('loan', 'append', old)]);
  expect(refused).toMatchObject({ kind: 'data_error', files: [{ deviations: [{ rule: 'before_1900' }] }] });
  const born = withColumn('customer', { name: 'born', type: 'date' });
  const file = fileOf('customer', 'append', ['customer_id,city,born', '007,Recife,1896-12-28']);
  const { report } = await accept(null, [file], { contract: born });
  expect(report.files[0].warnings).toMatchObject([{ rule: 'before_1900', column: 'born', count: 1 }]);
});

test('what was asked to stop leaves nothing behind', async () => {
  const stop = new AbortController();
  const before = readdirSync(out);
  const file = fileOf('customer', 'append', customers);
  const stopped = ingest(null, [file], {
    signal: stop.signal,
    progress: (line) => line.startsWith('taking') && stop.abort(),
  });
  await expect(stopped).rejects.toThrow(/abort/i);
  expect(readdirSync(out)).toEqual(before);
});

test('the same content twice in a call is taken once, the same rows in other files as often as they come', async () => {
  const twice = await accept(null, [fileOf('visit', 'append', visits), fileOf('visit', 'append', visits)]);
  expect(twice.report.files.map(({ added }) => added)).toEqual([3, 0]);
  const spaced = await accept(null, [fileOf('visit', 'append', visits), fileOf('visit', 'append', [...visits, ''])]);
  expect(spaced.report.files.map(({ added }) => added)).toEqual([3, 3]);
  const { tables } = await loadSnapshot(spaced.manifest, pathOf);
  expect(tables.get('visit')?.rows).toBe(6);
});

test('misuse is refused', async () => {
  const cases = [
    [fileOf('ghost', 'append', ['a', '1']), 'unknown_table', 'no table ghost; it has customer, loan, visit'],
    [fileOf('visits', 'append', ['a', '1']), 'unknown_table', 'it has customer, loan, visit; did you mean visit?'],
    [fileOf('visit', 'upsert', visits), 'no_key', 'visit has no key'],
  ] as const;
  for (const [file, rule, message] of cases)
    expect(await ingest(null, [fileOf('customer', 'append', people), file])).toMatchObject({
      kind: 'data_error',
      files: [{ table: file.table, deviations: [{ rule, message: expect.stringContaining(message) }] }],
    });
  expect(existsSync(out)).toBe(true);
});

test('a replacement says which rows it added, changed, removed and left the same', async () => {
  const { manifest } = await accept(null, [
    fileOf('customer', 'append', customers),
    fileOf('loan', 'append', loans),
    fileOf('visit', 'append', visits),
  ]);
  const upserted = await accept(manifest, [fileOf('loan', 'upsert', [loans[0], '1,007,2024-01-05,11,true'])]);
  expect(upserted.report.changes).toEqual([
    { table: 'loan', before: 3, after: 3, added: 0, changed: 1, removed: 0, identical: 0, notes: [] },
  ]);
  const halves = [
    fileOf('loan', 'replace', [loans[0], '1,007,2024-01-05,11,true', '2,008,2024-02-05,7,'], 'a.csv'),
    fileOf('loan', 'replace', [loans[0], '9,009,2024-05-01,1,', '2,008,2024-02-05,7,'], 'b.csv'),
  ];
  const { report } = await accept(upserted.manifest, halves);
  expect(report.changes).toEqual([
    {
      table: 'loan',
      before: 3,
      after: 3,
      added: 1,
      changed: 1,
      removed: 1,
      identical: 1,
      notes: [{ code: 'rows_removed', table: 'loan', rows: 1, of: 3 }],
    },
  ]);
  expect(report.files.map(({ rows, added, changed, identical }) => [rows, added, changed, identical])).toEqual([
    [2, 0, 1, 1],
    [2, 1, 0, 1],
  ]);
  const counted = await accept(manifest, [fileOf('visit', 'replace', visits.slice(0, 2))]);
  expect(counted.report.changes).toMatchObject([
    {
      before: 3,
      after: 1,
      added: null,
      removed: null,
      notes: [{ code: 'not_compared', table: 'visit', hasKey: false }],
    },
  ]);
});

test('a file that restates a table without some of its rows is told that they stay', async () => {
  const { manifest } = await accept(null, [fileOf('customer', 'append', customers), fileOf('loan', 'append', loans)]);
  const fewer = await ingest(manifest, [fileOf('loan', 'append', loans.slice(0, 3))]);
  expect(fewer).toMatchObject({
    kind: 'unchanged',
    report: {
      files: [{ rows: 2, identical: 2 }],
      changes: [{ removed: 0, notes: [{ code: 'rows_kept', modes: ['append'], table: 'loan', rows: 1, of: 3 }] }],
    },
  });
  const fresh = await accept(manifest, [fileOf('loan', 'append', [loans[0], loans[1], '9,009,2024-05-01,1,'])]);
  expect(fresh.report.changes).toMatchObject([{ added: 1, identical: 1, removed: 0, notes: [] }]);
  // Less than half of the table is told where the file is of nothing else.
  const third = await ingest(manifest, [fileOf('loan', 'append', loans.slice(0, 2))]);
  expect(third).toMatchObject({
    report: { changes: [{ notes: [{ code: 'rows_kept', rows: 2, of: 3 }] }] },
  });
});

test('a replacement that removes many rows says how many, and a contract that has lost a column says which', async () => {
  const { manifest } = await accept(null, [fileOf('customer', 'append', customers), fileOf('loan', 'append', loans)]);
  const fewer = await accept(manifest, [fileOf('loan', 'replace', loans.slice(0, 3))]);
  expect(fewer.report.changes).toMatchObject([{ removed: 1, notes: [{ code: 'rows_removed', rows: 1, of: 3 }] }]);
  const rated = withColumn('loan', { name: 'rate', type: 'number' });
  const wide = await accept(
    null,
    [
      fileOf(
        'loan',
        'append',
        loans.map((line, at) => `${line},${at === 0 ? 'rate' : at}`),
      ),
    ],
    {
      contract: rated,
    },
  );
  const gone = [{ code: 'column_gone', table: 'loan', column: 'rate' }];
  const narrow = await accept(wide.manifest, []);
  expect(narrow.report.changes).toMatchObject([{ table: 'loan', before: 3, after: 3, identical: 3, notes: gone }]);
  const sent = await accept(wide.manifest, [fileOf('loan', 'append', [loans[0], '9,009,2024-05-01,1,'])]);
  expect(sent.report.changes).toMatchObject([{ table: 'loan', added: 1, notes: gone }]);
});
