import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { refuse } from '../../errors.ts';
import { assert } from '../../lib/failure.ts';
import type { Column } from '../../lib/files/column.ts';
import { CsvScanner, fieldText } from '../../lib/files/csv.ts';
import { describeFile, type FileDescription, readChunks } from '../../lib/files/read.ts';
import { valueText } from '../../lib/files/value-text.ts';

/** The place of a row in an order: its number in that, NaN where it has none, and its place in the file, from 0. */
export type ResultPlace = { readonly value: number; readonly position: number };

export type ResultRowsTask = {
  /** The local file. */
  readonly path: string;
  /** The column of numbers by which rows are ordered; null for the order of the file. */
  readonly orderBy: string | null;
  readonly isDescending: boolean;
  /** Of which band rows are told; null for all. */
  readonly band: string | null;
  /** The code of a warning whose rows are told, `anyWarning` for those with any; null for all. */
  readonly warning: string | null;
  /** Whether rows are told of whom something is known, or those of whom nothing is; null for all. */
  readonly isKnown: boolean | null;
  readonly after: ResultPlace | null;
  readonly rowsMax: number;
  /** Most bytes of the rows together, of which there is one at least. */
  readonly bytesMax: number;
};

type Cell = string | number | boolean | null;
type ToldRow = { readonly cells: readonly Cell[]; readonly place: ResultPlace };

export type ToldResultRows = {
  readonly columns: readonly string[];
  /** Of all rows of the file, how many have each band, and of whom nothing is known of these. */
  readonly bands: readonly { readonly band: string; readonly rows: number; readonly unknown: number }[];
  /** How many there are that are told, on all pages. */
  readonly total: number;
  readonly rows: readonly ToldRow[];
  readonly hasMore: boolean;
};

export const anyWarning = 'any';

const bandColumn = 'risk_band';
const warningsColumn = 'warnings';
const coverageColumn = 'data_coverage';
/** Of the column of coverage: nothing is known of whom a row is about. */
const nothingKnown = 'none';
/** Rows that are looked at together: of two columns, so that memory does not grow with the file. */
const rowsPerChunk = 16_384;
/** So many different bands are counted at most: there are six. */
const bandsMax = 100;

/**
 * Reads rows of a file of a result. Of all its rows the columns alone are read by which they are chosen and ordered;
 * whole are read those that are told, with which memory grows. Throws Failure 'invalid_parameter' where the file lacks
 * a column.
 */
export async function readResultRows(task: ResultRowsTask): Promise<ToldResultRows> {
  const { path, orderBy, band, warning, isKnown } = task;
  const described = await describeFile(path);
  const columns = described.columns.map(({ name }) => name);
  if (orderBy !== null && !columns.includes(orderBy)) throw refuseQuery('order_by', orderBy, columns);
  if (band !== null && !columns.includes(bandColumn)) throw refuseQuery('risk_band', bandColumn, columns);
  if (warning !== null && !columns.includes(warningsColumn)) throw refuseQuery('warning', warningsColumn, columns);
  if (isKnown !== null && !columns.includes(coverageColumn)) throw refuseQuery('known', coverageColumn, columns);
  const { places, bands, total } = await choosePlaces(task, columns);
  const asked = places.slice(0, task.rowsMax);
  const rows: ToldRow[] = [];
  let bytes = 0;
  for await (const { cells, size } of readAt(path, described, asked)) {
    bytes += size;
    if (rows.length > 0 && bytes > task.bytesMax) break;
    rows.push({ cells, place: asked[rows.length] });
  }
  return { columns, bands, total, rows, hasMore: rows.length < places.length };
}

function refuseQuery(name: string, column: string, columns: readonly string[]) {
  const message = `the file has no column ${column}; it has ${columns.join(', ')}`;
  return refuse('invalid_parameter', message, { problems: [{ at: `/query/${name}`, message }] });
}

/** The first places in the order, one more than are told, and what is counted of all rows. */
async function choosePlaces(
  { path, orderBy, isDescending, band, warning, isKnown, after, rowsMax }: ResultRowsTask,
  columns: readonly string[],
) {
  const hasBands = columns.includes(bandColumn);
  const hasCoverage = columns.includes(coverageColumn);
  const direction = isDescending ? -1 : 1;
  /** Rows without a number are the last in either direction, and of one number the first comes first. */
  const compare = (a: ResultPlace, b: ResultPlace): number => {
    const [none, others] = [Number.isNaN(a.value), Number.isNaN(b.value)];
    if (none !== others) return none ? 1 : -1;
    return (none ? 0 : direction * (a.value - b.value)) || a.position - b.position;
  };
  const wanted = [
    orderBy,
    hasBands ? bandColumn : null,
    warning === null ? null : warningsColumn,
    hasCoverage && (hasBands || isKnown !== null) ? coverageColumn : null,
  ];
  const names = [...new Set(wanted.filter((name) => name !== null))];
  const counts = new Map<string, { rows: number; unknown: number }>();
  let total = 0;
  let best: ResultPlace[] = [];
  /** The last of them, once there are as many as are looked for. */
  let bound: ResultPlace | undefined;
  const most = rowsMax + 1;
  const keep = () => {
    best = best.sort(compare).slice(0, most);
    bound = best[most - 1];
  };
  // Of a file whose rows are neither ordered nor counted by a column, the first one says how many there are.
  const requests = (names.length > 0 ? names : columns.slice(0, 1)).map((name) => ({
    ...{ name, type: 'string' as const },
    takesLists: true,
  }));
  for await (const { rows, rowNumbers } of readChunks(path, requests, { rowsPerChunk })) {
    const numbers = orderBy === null ? null : numbersOf(rows.columns.get(orderBy)!, rows.rows);
    const inBand = hasBands ? rows.columns.get(bandColumn)! : null;
    const isWarned = warning === null ? null : warnedOf(rows.columns.get(warningsColumn)!, warning);
    const coverage = rows.columns.get(coverageColumn);
    for (let row = 0; row < rows.rows; row++) {
      const own = inBand && textAt(inBand, row);
      const isUnknown = coverage !== undefined && textAt(coverage, row) === nothingKnown;
      if (own && !counts.has(own) && counts.size < bandsMax) counts.set(own, { rows: 0, unknown: 0 });
      const count = own && counts.get(own);
      if (count) {
        count.rows++;
        if (isUnknown) count.unknown++;
      }
      if (band !== null && own !== band) continue;
      if (isKnown !== null && isUnknown === isKnown) continue;
      if (isWarned && !isWarned(row)) continue;
      total++;
      const place = { value: numbers ? numbers[row] : Number.NaN, position: rowNumbers[row] - 1 };
      if (after !== null && compare(place, after) <= 0) continue;
      if (bound && compare(place, bound) >= 0) continue;
      best.push(place);
      if (best.length >= 2 * most) keep();
    }
    keep();
  }
  return { places: best, total, bands: Array.from(counts, ([name, count]) => ({ band: name, ...count })) };
}

/** A number as a file has it, in text or not; CSV for Excel has decimal commas. */
function numbersOf(column: Column, rows: number): Float64Array {
  if (column.kind !== 'text') return Float64Array.from({ length: rows }, (_, row) => column.values[row]);
  const read = column.dictionary.map((text) =>
    /^[+-]?\d+([.,]\d+)?(e[+-]?\d+)?$/i.test(text) ? Number(text.replace(',', '.')) : Number.NaN,
  );
  return Float64Array.from({ length: rows }, (_, row) => read[column.codes[row]] ?? Number.NaN);
}

/** Which rows have a warning: their codes stand with semicolons between them in CSV, and as a JSON list otherwise. */
function warnedOf(column: Column, warning: string): (row: number) => boolean {
  assert(column.kind === 'text', 'it was asked for as text');
  const isIn = column.dictionary.map((text) => {
    const codes = text.split(/[;,[\]"]+/).filter((code) => code !== '');
    return warning === anyWarning ? codes.length > 0 : codes.includes(warning);
  });
  return (row) => isIn[column.codes[row]] ?? false;
}

function textAt(column: Column, row: number): string | null {
  assert(column.kind === 'text', 'it was asked for as text');
  return column.codes[row] < 0 ? null : column.dictionary[column.codes[row]];
}

type ReadRow = { readonly cells: readonly Cell[]; readonly size: number };

/** Reads the rows at places, one after the other in their order. */
async function* readAt(
  path: string,
  { format, columns, csv }: FileDescription,
  places: readonly ResultPlace[],
): AsyncGenerator<ReadRow> {
  if (places.length === 0) return;
  if (format === 'parquet') {
    for (const { position } of places) yield readParquetRow(path, columns, position);
    return;
  }
  const lines = await linesAt(path, new Set(places.map(({ position }) => position)), format === 'csv');
  const file = await open(path);
  try {
    for (const { position } of places) {
      const { start, end } = lines.get(position)!;
      const line = Buffer.alloc(end - start);
      await file.read(line, 0, line.length, start);
      yield {
        cells: csv ? cellsOfCsv(line, csv.delimiter, columns.length) : cellsOfJson(line, columns),
        size: line.length,
      };
    }
  } finally {
    await file.close();
  }
}

const newline = 10;
const quote = 34;

/**
 * Where lines stand in a text that this program wrote, which has no empty ones: quotes within quotes are doubled, and a
 * line break within quotes ends no line. The header of CSV is none of its rows.
 */
async function linesAt(path: string, wanted: ReadonlySet<number>, isCsv: boolean) {
  const lines = new Map<number, { readonly start: number; readonly end: number }>();
  let position = isCsv ? -1 : 0;
  let isQuoted = false;
  let [start, at] = [0, 0];
  const take = (end: number) => {
    if (wanted.has(position)) lines.set(position, { start, end });
    position++;
    start = end + 1;
  };
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
    const block = chunk as Buffer;
    for (let k = 0; k < block.length; k++) {
      if (block[k] === quote && isCsv) isQuoted = !isQuoted;
      else if (block[k] === newline && !isQuoted) take(at + k);
    }
    at += block.length;
    if (lines.size === wanted.size) return lines;
  }
  take(at);
  return lines;
}

function cellsOfCsv(line: Buffer, delimiter: string, columns: number): Cell[] {
  const scanner = new CsvScanner(delimiter, columns);
  assert(scanner.scan(line, 0, line.length, true) === 'row', 'a line of a result is a row');
  const { starts, ends, kinds } = scanner;
  return Array.from(
    { length: columns },
    (_, field) => fieldText(line, starts[field], ends[field], kinds[field]) || null,
  );
}

function cellsOfJson(line: Buffer, columns: FileDescription['columns']): Cell[] {
  const row = JSON.parse(line.toString()) as Readonly<Record<string, Cell>>;
  return columns.map(({ name }) => (Object.hasOwn(row, name) ? row[name] : null));
}

async function readParquetRow(path: string, columns: FileDescription['columns'], position: number): Promise<ReadRow> {
  const requests = columns.map(({ name, type }) => ({ name, type }));
  for await (const { rows } of readChunks(path, requests, { range: { first: position, count: 1 } })) {
    const cells = columns.map(({ name, type }): Cell => {
      const column = rows.columns.get(name)!;
      if (column.kind === 'text') return textAt(column, 0);
      const value = column.values[0];
      if (Number.isNaN(value)) return null;
      if (type === 'number' || type === 'integer') return value;
      return type === 'boolean' ? value === 1 : valueText(type as 'timestamp')(value);
    });
    return { cells, size: Buffer.byteLength(JSON.stringify(cells)) };
  }
  throw new Error(`the file has no row ${position}`);
}
