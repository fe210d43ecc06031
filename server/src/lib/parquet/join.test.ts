import { createReadStream, createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterAll, expect, test } from 'vitest';
import { openDuckDb, quoteText } from '../duckdb/duckdb.ts';
import type { Rows } from '../files/column.ts';
import { openWriter } from '../files/write.ts';
import { joinParquet, type ParquetPart } from './join.ts';

const folder = mkdtempSync(join(tmpdir(), 'join-'));
afterAll(() => rmSync(folder, { recursive: true }));

const columns = [
  { name: 'id', type: 'integer' },
  { name: 'value', type: 'number' },
  { name: 'text', type: 'string' },
  { name: 'at', type: 'timestamp' },
] as const;

test('joined parts are read as one file that holds the rows of all, in order', async () => {
  // The second is empty; the first and last have several row groups.
  const sizes = [200_000, 0, 10, 120_000];
  const parts: string[] = [];
  let first = 0;
  for (const [index, size] of sizes.entries()) {
    parts.push(await writePart(`part-${index}`, first, size));
    first += size;
  }
  const joined = join(folder, 'joined.parquet');
  await pipeline(Readable.from(joinParquet(parts.map(partOf))), createWriteStream(joined));
  const whole = await writePart('whole', 0, first);
  const duckdb = await openDuckDb({ folders: [folder] });
  const all = (path: string) => `(select row_number() over () as n, * from read_parquet(${quoteText(path)}))`;
  const differing = await duckdb.rows(
    `select count(*)::double as n from (from ${all(joined)} except all from ${all(whole)})`,
  );
  const [{ rows, groups }] = await duckdb.rows(
    `select num_rows::double as rows, num_row_groups::double as groups from parquet_file_metadata(${quoteText(joined)})`,
  );
  // Filters read statistics and bloom filters, whose positions changed too.
  const found = await duckdb.rows(
    `select id::double as id from read_parquet(${quoteText(joined)}) where text = 'text 77' and id > 250000 order by id`,
  );
  duckdb.close();
  expect(differing).toEqual([{ n: 0 }]);
  expect({ rows, groups }).toEqual({ rows: first, groups: 3 + 1 + 2 });
  expect(found.map(({ id }) => id)).toEqual(
    Array.from({ length: first }, (_, id) => id).filter((id) => id > 250_000 && id % 5_000 === 77 && id % 11 !== 0),
  );
});

test('the same parts give the same bytes', async () => {
  const part = partOf(await writePart('single', 0, 1000));
  const once = Buffer.concat(await Readable.from(joinParquet([part, part])).toArray());
  const again = Buffer.concat(await Readable.from(joinParquet([part, part])).toArray());
  expect(once.equals(again)).toBe(true);
});

function partOf(path: string): ParquetPart {
  return {
    bytes: statSync(path).size,
    read: async (start, end) => createReadStream(path, { start, end: end - 1 }),
  };
}

async function writePart(name: string, first: number, rows: number): Promise<string> {
  const path = join(folder, `${name}.parquet`);
  const writer = await openWriter(path, 'parquet', columns);
  const ids = Float64Array.from({ length: rows }, (_, row) => first + row);
  const dictionary = Array.from({ length: 5000 }, (_, code) => `text ${code}`);
  const batch: Rows = {
    rows,
    columns: new Map([
      ['id', { kind: 'number' as const, values: ids }],
      ['value', { kind: 'number' as const, values: ids.map((id) => (id % 7 === 0 ? Number.NaN : Math.sin(id))) }],
      [
        'text',
        { kind: 'text' as const, codes: Int32Array.from(ids, (id) => (id % 11 === 0 ? -1 : id % 5000)), dictionary },
      ],
      ['at', { kind: 'time' as const, values: ids.map((id) => id * 1e6) }],
    ]),
  };
  if (rows > 0) await writer.write(batch);
  await writer.close();
  return path;
}
