import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openDuckDb, quoteText } from '../duckdb/duckdb.ts';
import { type Chunk, type ColumnRequest, type ReadOptions, readChunks } from './read.ts';

const folder = mkdtempSync(join(tmpdir(), 'parts-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('a range of a Parquet file has its rows, in order, with their numbers in the file', async () => {
  const path = join(folder, 'rows.parquet');
  const duckdb = await openDuckDb({ folders: [folder] });
  await duckdb.run(
    `copy (select i::integer as id from range(20000) t(i)) to ${quoteText(path)} (format parquet, row_group_size 4096)`,
  );
  duckdb.close();
  const requests = [{ name: 'id', type: 'integer' as const }];
  const ids: number[] = [];
  for (const [first, count] of [
    [0, 5000],
    [5000, 8192],
    [13_192, 100_000],
  ]) {
    for (const { rows, rowNumbers } of await chunks(path, requests, { range: { first, count }, rowsPerChunk: 4096 })) {
      const column = rows.columns.get('id')!;
      if (column.kind !== 'number') throw new Error('ids are numbers');
      expect(rowNumbers).toEqual(column.values.map((id) => id + 1));
      ids.push(...column.values);
    }
  }
  expect(ids).toEqual(Array.from({ length: 20_000 }, (_, id) => id));
});

test('every reject is kept where all are wanted, in chunks that end early', async () => {
  const path = join(folder, 'bad.csv');
  const bad = (row: number) => row % 10 !== 0;
  writeFileSync(path, `n\n${Array.from({ length: 50_000 }, (_, row) => (bad(row) ? 'x' : row)).join('\n')}\n`);
  const requests = [{ name: 'n', type: 'integer' as const, isStrict: true }];
  const found = await chunks(path, requests, { keepsRejects: true });
  expect(Math.max(...found.map(({ rejects }) => rejects.length))).toBeLessThan(20_000);
  const rows = found.flatMap(({ rejects }) => rejects.map(({ row }) => row));
  expect(rows).toEqual(Array.from({ length: 50_000 }, (_, row) => row + 1).filter((row) => bad(row - 1)));
  expect(found.flatMap(({ rowNumbers }) => [...rowNumbers])).toEqual(
    Array.from({ length: 5000 }, (_, row) => row * 10 + 1),
  );
});

async function chunks(path: string, requests: ColumnRequest[], options: ReadOptions): Promise<Chunk[]> {
  const found: Chunk[] = [];
  for await (const chunk of readChunks(path, requests, options)) found.push(structuredClone(chunk));
  return found;
}
