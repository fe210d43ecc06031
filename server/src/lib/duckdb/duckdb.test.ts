import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { capDuckDbMemory, openDuckDb } from './duckdb.ts';

let folder: string;
let outside: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lastro-duckdb-'));
  outside = mkdtempSync(join(tmpdir(), 'lastro-outside-'));
  writeFileSync(join(folder, 'in.csv'), 'a\n1\n');
  writeFileSync(join(outside, 'out.csv'), 'a\n1\n');
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  rmSync(outside, { recursive: true, force: true });
});

test('only the given folders can be read and written, and nothing can change that', async () => {
  const duckdb = await openDuckDb({ folders: [folder] });
  expect(await duckdb.rows(`select * from read_csv('${folder}/in.csv')`)).toEqual([{ a: 1n }]);
  for (const statement of [
    `select * from read_csv('${outside}/out.csv')`,
    `select * from read_csv('${folder}/../${outside.split('/').at(-1)}/out.csv')`,
    `copy (select 1) to '${outside}/new.csv'`,
    "select * from read_text('/etc/passwd')",
    `attach '${outside}/new.db'`,
    'install httpfs',
    'load httpfs',
    'set enable_external_access = true',
    "set allowed_directories = ['/']",
  ]) {
    await expect(duckdb.rows(statement), statement).rejects.toThrow();
  }
  duckdb.close();
});

test('streams floats, doubles and texts in order, with their gaps', async () => {
  const duckdb = await openDuckDb();
  const query = `select case when range % 3 = 0 then null else range::double end x,
    case when range % 5 = 0 then null when range % 2 = 0 then 'short' else 'longer than twelve ' || range end s,
    case when range % 7 = 0 then null else (range / 3)::float end f from range(10000)`;
  let row = 0;
  for await (const batch of duckdb.stream(query)) {
    const doubles = batch.doubles(0);
    const texts = batch.texts(1);
    const floats = batch.floats(2);
    const isValid = (bits: Uint32Array | null, at: number) =>
      bits === null || ((bits[at >>> 5] >>> (at & 31)) & 1) === 1;
    for (let at = 0; at < batch.rows; at++, row++) {
      expect(isValid(doubles.validity, at) ? doubles.values[at] : null).toBe(row % 3 === 0 ? null : row);
      expect(isValid(floats.validity, at) ? floats.values[at] : null).toBe(row % 7 === 0 ? null : Math.fround(row / 3));
      expect(isValid(texts.validity, at)).toBe(row % 5 !== 0);
      if (row % 5 === 0) continue;
      const length = new DataView(texts.cells.buffer, texts.cells.byteOffset).getUint32(at * 16, true);
      const text =
        length > 12 ? texts.text(at) : Buffer.from(texts.cells.subarray(at * 16 + 4, at * 16 + 4 + length)).toString();
      expect(text).toBe(row % 2 === 0 ? 'short' : `longer than twelve ${row}`);
    }
  }
  expect(row).toBe(10_000);
  duckdb.close();
});

test('a column of another type is refused rather than misread', async () => {
  const duckdb = await openDuckDb();
  for await (const batch of duckdb.stream('select 1::bigint a')) {
    expect(() => batch.doubles(0)).toThrow('not DOUBLE');
    expect(() => batch.texts(0)).toThrow('not VARCHAR');
  }
  duckdb.close();
});

test('answers of texts come as rows', async () => {
  const duckdb = await openDuckDb();
  const long = 'é'.repeat(40);
  expect(
    await duckdb.texts(`select * from (values ('a', null), ('${long}', ''), ('twelve bytes', 'b')) t(x, y)`),
  ).toEqual([
    ['a', null],
    [long, ''],
    ['twelve bytes', 'b'],
  ]);
  await expect(duckdb.texts('select 1::double')).rejects.toThrow('not VARCHAR');
  await expect(duckdb.texts('select nothing')).rejects.toThrow('nothing');
  duckdb.close();
});

test('no database of a process may use more memory than the cap of the process', async () => {
  capDuckDbMemory(50);
  try {
    const duckdb = await openDuckDb({ memoryLimitMb: 5_000 });
    const sorting = duckdb.rows('select count(*) from (select range, random() r from range(20000000) order by r)');
    await expect(sorting).rejects.toThrow(/memory/i);
    duckdb.close();
  } finally {
    capDuckDbMemory(Number.POSITIVE_INFINITY);
  }
});

test('a statement that needs more memory than it may have fails, and the next one runs', async () => {
  const duckdb = await openDuckDb({ memoryLimitMb: 50 });
  await expect(
    duckdb.rows('select count(*) from (select range, random() r from range(20000000) order by r)'),
  ).rejects.toThrow(/memory/i);
  expect(await duckdb.rows('select 1::double one')).toEqual([{ one: 1 }]);
  duckdb.close();
});
