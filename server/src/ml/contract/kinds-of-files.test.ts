import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDuckDb } from '../../lib/duckdb/duckdb.ts';
import { readTable } from '../../lib/files/read.ts';
import { openWriter } from '../../lib/files/write.ts';
import { checkFile, readKeys } from './check.ts';
import { inferContract } from './infer.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contract-files-'));
});
afterAll(async () => rm(folder, { recursive: true }));

test('the same tables as CSV, Parquet and JSONL get the same contract, and keep it', async () => {
  const csv = join(folder, 'csv');
  await mkdir(csv);
  const day = (i: number): string => new Date(Date.UTC(2020, 0, 1 + i)).toISOString().slice(0, 10);
  const clients = Array.from({ length: 60 }, (_, i) => `${i + 1},c${i % 7 === 0 ? '' : i},${i % 2 === 0},0${i + 10}`);
  const visits = Array.from(
    { length: 400 },
    (_, i) =>
      `${i + 1},${((i * 7) % 60) + 1},${day(i % 300)}T10:00:00Z,${day(i % 300)},${i % 5 ? i / 4 : ''},${(i * 13) % 9}`,
  );
  await writeFile(join(csv, 'clients.csv'), `client_id,name,active,code\n${clients.join('\n')}\n`);
  await writeFile(join(csv, 'visits.csv'), `visit_id,client_id,at,day,cost,stars\n${visits.join('\n')}\n`);
  const { contract } = await inferContract(csv);
  expect(contract.tables.map((table) => table.columns.map((column) => column.type))).toEqual([
    ['integer', 'string', 'boolean', 'string'],
    ['integer', 'integer', 'timestamp', 'date', 'number', 'integer'],
  ]);
  expect(contract.tables[1]).toMatchObject({
    key: ['visit_id'],
    references: [{ column: 'client_id', table: 'clients', key: 'client_id' }],
    time: { column: 'at' },
  });
  for (const format of ['parquet', 'jsonl'] as const) {
    const place = join(folder, format);
    await mkdir(place);
    for (const table of contract.tables) {
      const { rows } = await readTable([join(csv, `${table.name}.csv`)], table.columns);
      const writer = await openWriter(join(place, `${table.name}.${format}`), format, table.columns);
      await writer.write(rows);
      await writer.close();
    }
    const again = await inferContract(place);
    expect(again.contract.tables).toEqual(contract.tables);
    for (const table of contract.tables) {
      const keysOf = async (name: string): Promise<Set<string>> =>
        await readKeys([join(place, `${name}.${format}`)], contract.tables.find((other) => other.name === name)!);
      const report = await checkFile(join(place, `${table.name}.${format}`), table, contract, { keysOf });
      expect(report.deviations).toEqual([]);
    }
  }
});

test('whole numbers of a Parquet file that float64 would change are texts, found as keys and kept', async () => {
  const place = join(folder, 'wide');
  await mkdir(place);
  const duckdb = await openDuckDb({ folders: [place] });
  const id = (of: string) => `1700000000000000001 + ${of} * 4194305 as user_id`;
  await duckdb.run(`copy (select ${id('i')}, i as size from range(200) t(i)) to '${place}/users.parquet'`);
  await duckdb.run(
    `copy (select i as post_id, ${id('(i * 7 % 200)')} from range(900) t(i)) to '${place}/posts.parquet'`,
  );
  duckdb.close();
  const { contract } = await inferContract(place);
  const [posts, users] = contract.tables;
  expect(users).toMatchObject({ key: ['user_id'], columns: [{ type: 'string' }, { type: 'integer' }] });
  expect(posts!.references).toEqual([{ column: 'user_id', table: 'users', key: 'user_id' }]);
  for (const table of contract.tables) {
    const report = await checkFile(join(place, `${table.name}.parquet`), table, contract);
    expect(report.deviations).toEqual([]);
  }
  const { rows } = await readTable([join(place, 'users.parquet')], users!.columns);
  const ids = rows.columns.get('user_id')!;
  expect(ids.kind === 'text' && ids.dictionary.slice(0, 2)).toEqual(['1700000000000000001', '1700000000004194306']);
});

test('a Parquet column of another type is a structural deviation, whatever its values', async () => {
  const path = join(folder, 'typed.parquet');
  const writer = await openWriter(path, 'parquet', [
    { name: 'id', type: 'date' },
    { name: 'code', type: 'integer' },
  ]);
  await writer.write({
    rows: 2,
    columns: new Map([
      ['id', { kind: 'time', values: Float64Array.of(0, 86_400_000_000) }],
      ['code', { kind: 'number', values: Float64Array.of(7, 8) }],
    ]),
  });
  await writer.close();
  const plain = { required: false, unique: false, planned: false, mutable: false, pii: false };
  const table = {
    name: 'typed',
    key: [],
    references: [],
    columns: [
      { name: 'id', type: 'integer' as const, ...plain },
      { name: 'code', type: 'string' as const, ...plain },
    ],
  };
  const report = await checkFile(path, table, { id: 'c', version: '1', tables: [table] });
  expect(report.deviations.map(({ kind, rule, column }) => `${kind} ${rule} ${column}`)).toEqual([
    'structure changed_type id',
    'structure changed_type code',
  ]);
  expect(report.proposal!.contract.tables[0].columns.map((column) => column.type)).toEqual(['date', 'integer']);
});
