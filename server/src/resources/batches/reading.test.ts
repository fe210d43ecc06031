/** Rows of a file of a result, as the process that reads them tells them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type Column, textColumn } from '../../lib/files/column.ts';
import type { CsvOptions } from '../../lib/files/csv-dialect.ts';
import { openWriter } from '../../lib/files/write.ts';
import { type ResultRowsTask, readResultRows } from './reading.ts';

const folder = mkdtempSync(join(tmpdir(), 'result-rows-'));
afterAll(() => rmSync(folder, { recursive: true }));

const rows = 5_000;
/** Every seventh row has no score; many have the same one. */
const scoreOf = (row: number): number | null => (row % 7 === 3 ? null : ((row * 7919) % 1_000) + 0.25);
const bandOf = (row: number): string => (row % 5 === 0 ? 'High Risk' : 'Low Risk');
/** Of every eighth row nothing is known. */
const coverageOf = (row: number): string => (row % 8 === 0 ? 'none' : 'full');
/** What would lead a reader of lines or fields astray. */
const noteOf = (row: number): string => (row % 3 === 0 ? `a "quoted";,\n${row}` : `plain ${row}`);

/** Every hundredth row has two warnings, every fiftieth one of them. */
function codesOf(row: number, format: string): string | null {
  const codes = [...(row % 100 === 0 ? ['unknown_entities'] : []), ...(row % 50 === 0 ? ['stale_data'] : [])];
  if (codes.length === 0) return null;
  return format === 'csv' ? codes.join(';') : JSON.stringify(codes);
}

const columns = ['score', 'note', 'risk_band', 'warnings', 'data_coverage'] as const;

async function write(name: string, format: 'csv' | 'jsonl' | 'parquet', csv: CsvOptions = {}): Promise<string> {
  const path = join(folder, name);
  const declared = columns.map((one) => ({
    name: one,
    type: one === 'score' ? ('number' as const) : ('string' as const),
  }));
  const writer = await openWriter(path, format, declared, csv);
  const all = Array.from({ length: rows }, (_, row) => row);
  await writer.write({
    rows,
    columns: new Map<string, Column>([
      ['score', { kind: 'number', values: Float64Array.from(all, (row) => scoreOf(row) ?? Number.NaN) }],
      ['note', textColumn(all.map(noteOf))],
      ['risk_band', textColumn(all.map(bandOf))],
      ['warnings', textColumn(all.map((row) => codesOf(row, format)))],
      ['data_coverage', textColumn(all.map(coverageOf))],
    ]),
  });
  await writer.close();
  return path;
}

const usual = {
  orderBy: null,
  isDescending: true,
  band: null,
  warning: null,
  isKnown: null,
  after: null,
  rowsMax: 50,
  bytesMax: 1 << 20,
};
const read = (path: string, change: Partial<ResultRowsTask> = {}) => readResultRows({ path, ...usual, ...change });

/** All rows on pages, by their places in the file. */
async function readAll(path: string, change: Partial<ResultRowsTask>) {
  const found = [];
  for (let after: ResultRowsTask['after'] = null; ; ) {
    const page = await read(path, { ...change, after, rowsMax: 1_000 });
    found.push(...page.rows);
    after = page.rows.at(-1)!.place;
    if (!page.hasMore) return found;
  }
}

const positions = Array.from({ length: rows }, (_, row) => row);
const sorted = (direction: 1 | -1, of = positions) =>
  of.toSorted((a, b) => {
    const [one, other] = [scoreOf(a), scoreOf(b)];
    if (one === null || other === null) return Number(one === null) - Number(other === null) || a - b;
    return direction * (one - other) || a - b;
  });

test.each([
  ['rows.csv', 'csv', {}],
  ['excel.csv', 'csv', { dialect: 'excel_semicolon' }],
  ['rows.jsonl', 'jsonl', {}],
  ['rows.parquet', 'parquet', {}],
] as const)('rows of %s are in the order of the whole file, page by page, each once', async (name, format, options) => {
  const path = await write(name, format, options);
  const first = await read(path);
  expect(first).toMatchObject({ columns: [...columns], total: rows, hasMore: true });
  expect(first.rows.map(({ place }) => place.position)).toEqual(positions.slice(0, 50));
  const counts = { 'High Risk': [1_000, 125], 'Low Risk': [4_000, 500] };
  expect(Object.fromEntries(first.bands.map(({ band, rows: count, unknown }) => [band, [count, unknown]]))).toEqual(
    counts,
  );
  for (const [isKnown, band, count] of [
    [true, null, 4_375],
    [false, null, 625],
    [true, 'High Risk', 875],
    [false, 'High Risk', 125],
  ] as const)
    expect((await read(path, { isKnown, band, rowsMax: 1 })).total).toBe(count);
  const [cells] = (await read(path, { orderBy: 'score', rowsMax: 1 })).rows.map((row) => row.cells);
  const [best] = sorted(-1);
  const score = format === 'csv' ? String(scoreOf(best)).replace('.', 'dialect' in options ? ',' : '.') : scoreOf(best);
  expect(cells).toEqual([score, noteOf(best), bandOf(best), codesOf(best, format), coverageOf(best)]);
  for (const [warning, every] of Object.entries({ unknown_entities: 100, stale_data: 50, any: 50 }))
    expect([warning, (await read(path, { warning, rowsMax: 1 })).total]).toEqual([warning, rows / every]);
  // Parquet is read by row, which takes its time.
  if (format === 'parquet') {
    const { rows: told } = await read(path, { orderBy: 'score', isDescending: false, band: 'High Risk' });
    const high = positions.filter((row) => bandOf(row) === 'High Risk');
    expect(told.map(({ place }) => place.position)).toEqual(sorted(1, high).slice(0, 50));
    return;
  }
  for (const isDescending of [true, false]) {
    const all = await readAll(path, { orderBy: 'score', isDescending });
    expect(all.map(({ place }) => place.position)).toEqual(sorted(isDescending ? -1 : 1));
  }
  const high = await readAll(path, { orderBy: 'score', band: 'High Risk' });
  expect(high.map(({ cells }) => cells[1])).toEqual(
    sorted(
      -1,
      positions.filter((row) => bandOf(row) === 'High Risk'),
    ).map(noteOf),
  );
});

test('a page ends early at large rows, and what the file lacks is said', async () => {
  const path = await write('large.csv', 'csv');
  const page = await read(path, { orderBy: 'score', bytesMax: 100 });
  expect(page.rows.length).toBeLessThan(10);
  expect(page.hasMore).toBe(true);
  expect((await read(path, { bytesMax: 1 })).rows).toHaveLength(1);
  expect((await read(path, { band: 'Exceptional' })).rows).toEqual([]);
  await expect(read(path, { orderBy: 'points' })).rejects.toThrow(
    'no column points; it has score, note, risk_band, warnings',
  );
});
