import { documentSpellings } from '../../lib/brazil-documents.ts';
import type { LogicalType, Rows } from '../../lib/files/column.ts';
import { type DatedRow, rowsByMoment } from '../../lib/files/parquet-order.ts';
import { findRepeated } from '../../lib/files/parquet-repeats.ts';
import { readChunks } from '../../lib/files/read.ts';
import type { RowRange } from '../../lib/files/source.ts';
import { valueText } from '../../lib/files/value-text.ts';
import type { Contract, TableContract } from '../contract/contract.ts';
import { hasPersonalKey, isPersonal } from '../graph/key-text.ts';
import { keyValue } from '../graph/keys.ts';
import type { Names } from './identifiers.ts';
import { layoutOf } from './layout.ts';

/** A value as JSON: days and times as texts, those of clocks without a zone; null is missing. */
export type Cell = string | number | boolean | null;

export type ToldColumn = {
  readonly name: string;
  readonly type: LogicalType;
  readonly isKey: boolean;
  /** The table that it refers to. */
  readonly references: string | null;
};

/** The columns of a table, in the order of its contract. */
export type ToldColumns = {
  readonly columns: readonly ToldColumn[];
  /** Those whose values say who people are, or are not even kept: they are never told. */
  readonly personal: readonly string[];
};

/** A part as a local file. `isChanging`: it has newer versions of rows of earlier parts. */
export type LocalPart = { readonly path: string; readonly rows: number; readonly isChanging: boolean };

/** A row of one of the parts, from 0. */
export type Place = { readonly part: number; readonly row: number };

export type AskedRows = {
  readonly contract: Contract;
  readonly table: TableContract;
  /** Of the dictionary whose numbers the parts hold; null where they hold names as they came. */
  readonly names: Names | null;
  /** In the order in which they came. Rows are told of the first `window`; the others may have newer versions. */
  readonly parts: readonly LocalPart[];
  readonly window: number;
  readonly start: Place;
  readonly rowsMax: number;
  /** Bytes of values, exceeded by one row at most. */
  readonly bytesMax: number;
  /** Of which rows alone are told; null for all. */
  readonly key?: AskedKey | null;
};

/** The value of the first column of a table's key: the whole of it, or how it begins. */
export type AskedKey = { readonly text: string; readonly isPrefix: boolean };

/** `next`: the place after the row. */
export type ToldRow = { readonly cells: readonly Cell[]; readonly next: Place };

export type ToldRows = {
  readonly rows: readonly ToldRow[];
  /** Where reading stopped; null at the end of the window. */
  readonly stopped: Place | null;
};

/** Most rows that are looked at in one call: in tables that are sent again and again most are of the past. */
const lookedMax = 4_000_000;
/** Most rows whose newer versions are looked for at once, and most that are read, while few of them are told. */
const spanMax = 262_144;
const blockMax = 16_384;
/** How much more are looked at the next time. */
const growth = 8;
const numberBytes = 8;
/** The moment, in microseconds, beyond which there is no Date, which texts of days are made by. */
const farthest = 8.64e18;

export function toldColumns(contract: Contract, table: TableContract): ToldColumns {
  const isHidden = personalIn(contract, table);
  const { read } = layoutOf(contract, table, false);
  return {
    columns: read
      .filter(({ name }) => !isHidden(name))
      .map(({ name, type }) => ({
        ...{ name, type, isKey: table.key.includes(name) },
        references: table.references.find(({ column }) => column === name)?.table ?? null,
      })),
    personal: table.columns.map(({ name }) => name).filter(isHidden),
  };
}

/**
 * Reads rows of a table in the order in which they came, of those that files have changed the newest version. Rows that
 * name somebody who was erased are left out. Reads what it tells, and a block of rows at a time in memory that does not
 * grow with the table. Cells are those of `toldColumns`, in its order. Throws what `readChunks` throws.
 */
export async function readStoredRows(asked: AskedRows): Promise<ToldRows> {
  const { table, parts, window, start, rowsMax, bytesMax } = asked;
  const reader = openReader(asked);
  const others = asked.key ? keyMarker(asked, asked.key) : null;
  const told: ToldRow[] = [];
  let [bytes, looked, wanted] = [0, 0, rowsMax];
  for (let part = start.part; part < window; part++) {
    const { path, rows } = parts[part];
    const changing = parts.slice(part + 1).filter(({ isChanging }) => isChanging);
    const later = changing.map((other) => other.path);
    for (let row = part === start.part ? start.row : 0; row < rows; ) {
      // Keys are looked through fast, and few of the rows are told.
      const most = others ? spanMax : Math.min(later.length > 0 ? spanMax : blockMax, wanted);
      const span = { first: row, count: Math.min(most, rows - row) };
      const isOther = (await others?.(path, span)) ?? new Uint8Array(span.count);
      const isPast = isOther.includes(0) ? await findRepeated(path, span, table.key, later) : isOther;
      for (let i = 0; i < isPast.length; i++) isPast[i] |= isOther[i];
      for await (const { cells, row: at } of reader.read(path, span, isPast)) {
        const next = { part, row: at + 1 };
        told.push({ cells, next });
        bytes += bytesOf(cells);
        if (told.length >= rowsMax || bytes >= bytesMax) return { rows: told, stopped: next };
      }
      row += span.count;
      looked += span.count;
      wanted = Math.min(wanted * growth, spanMax);
      if (looked >= lookedMax) return { rows: told, stopped: { part, row } };
    }
  }
  return { rows: told, stopped: null };
}

/** Most rows between the first and the last of those that are read together, and looked at for newer versions. */
const clusterMax = spanMax;

export type AskedByTime = Pick<AskedRows, 'contract' | 'table' | 'names' | 'parts'> & {
  /** The column by whose moments rows are told. */
  readonly column: string;
  readonly isNewestFirst: boolean;
  readonly after: DatedRow | null;
  /** Rows that are looked at: of these, those of the past and of the erased are not told. */
  readonly rowsMax: number;
  readonly bytesMax: number;
};

export type ToldByTime = {
  readonly rows: readonly { readonly cells: readonly Cell[]; readonly at: DatedRow }[];
  /** The last row that was looked at; null at the end. */
  readonly stopped: DatedRow | null;
};

/**
 * Reads rows of all parts of a table by the moments in a column, the newest or the oldest first; rows without one are
 * in no order, and left out. Else as `readStoredRows`.
 */
export async function readRowsByTime(asked: AskedByTime): Promise<ToldByTime> {
  const { table, parts, column, rowsMax, bytesMax } = asked;
  const paths = parts.map(({ path }) => path);
  const found = await rowsByMoment(paths, column, { ...asked, most: rowsMax });
  const reader = openReader(asked);
  const cellsOf = new Map<string, readonly Cell[]>();
  for (const [file, ofFile] of Map.groupBy(found, (row) => row.file)) {
    const later = parts.slice(file + 1).filter(({ isChanging }) => isChanging);
    for (const [first, ...more] of clustersOf(ofFile.map(({ row }) => row))) {
      const span = { first, count: (more.at(-1) ?? first) - first + 1 };
      const laterPaths = later.map(({ path }) => path);
      const isPast = await findRepeated(paths[file], span, table.key, laterPaths);
      const wanted = new Uint8Array(span.count).fill(1);
      for (const row of [first, ...more]) wanted[row - first] = isPast[row - first];
      for await (const { cells, row } of reader.read(paths[file], span, wanted)) cellsOf.set(`${file} ${row}`, cells);
    }
  }
  const rows: { cells: readonly Cell[]; at: DatedRow }[] = [];
  let bytes = 0;
  for (const at of found) {
    const cells = cellsOf.get(`${at.file} ${at.row}`);
    if (cells === undefined) continue;
    rows.push({ cells, at });
    bytes += bytesOf(cells);
    if (bytes >= bytesMax) return { rows, stopped: at };
  }
  return { rows, stopped: found.length < rowsMax ? null : found.at(-1)! };
}

/** Rows in their order, those together that lie near each other. */
function clustersOf(rows: readonly number[]): number[][] {
  const clusters: number[][] = [];
  for (const row of rows.toSorted((a, b) => a - b)) {
    const last = clusters.at(-1);
    if (last && row - last[0] < clusterMax) last.push(row);
    else clusters.push([row]);
  }
  return clusters;
}

/** Returns a function that marks the rows of a range whose key is another one by 1. Of the rows their keys are read. */
function keyMarker(
  { contract, table, names }: AskedRows,
  { text, isPrefix }: AskedKey,
): (path: string, span: RowRange) => Promise<Uint8Array> {
  const { kept, numbered } = layoutOf(contract, table, names !== null);
  const { required: _, ...request } = kept.find(({ name }) => name === table.key[0])!;
  const { type } = table.columns.find(({ name }) => name === request.name)!;
  // CPFs and CNPJs are found by either way to write them.
  const spellings = documentSpellings(text);
  const isAsked = (key: string) => spellings.some((one) => (isPrefix ? key.startsWith(one) : key === one));
  const tell = tellerOf(type);
  return async (path, span) => {
    const isOther = new Uint8Array(span.count).fill(1);
    for await (const { rows, rowNumbers } of readChunks(path, [request], { nameOf: () => 'the rows', range: span })) {
      const column = rows.columns.get(request.name)!;
      const known = new Map<string | number, boolean>();
      for (let i = 0; i < rows.rows; i++) {
        const stored = keyValue(column, i);
        if (stored === null) continue;
        let is = known.get(stored);
        if (is === undefined) {
          const key = numbered.has(request.name) ? names!.nameOf(Number(stored)) : tell(stored);
          is = key !== null && isAsked(String(key));
          known.set(stored, is);
        }
        if (is) isOther[rowNumbers[i] - 1 - span.first] = 0;
      }
    }
    return isOther;
  };
}

/** Tells the cells of rows of parts. */
type Reader = {
  /** Rows of a part, by their numbers in it from 0, without those that `isPast` (1) and those that name the erased. */
  read(path: string, span: RowRange, isPast: Uint8Array): AsyncGenerator<{ cells: Cell[]; row: number }>;
};

function openReader({ contract, table, names }: Pick<AskedRows, 'contract' | 'table' | 'names'>): Reader {
  const layout = layoutOf(contract, table, names !== null);
  // Parts that were written under an earlier contract may lack columns.
  const requests = layout.kept.map(({ required: _, ...request }) => request);
  const tellers = toldColumns(contract, table).columns.map(({ name, type }) => ({ name, tell: tellerOf(type) }));
  return {
    async *read(path, { first, count }, isPast) {
      for (let at = isPast.indexOf(0); at >= 0 && at < count; ) {
        const end = isPast.lastIndexOf(0, Math.min(at + blockMax, count) - 1);
        const range = { first: first + at, count: end - at + 1 };
        for await (const { rows, rowNumbers } of readChunks(path, requests, { nameOf: () => 'the rows', range })) {
          const namesIn = nameReader(rows, layout.numbered.keys(), names);
          for (let i = 0; i < rows.rows; i++) {
            const row = rowNumbers[i] - 1;
            const named = isPast[row - first] === 1 ? null : namesIn(i);
            if (named === null) continue;
            const stored = (name: string) => named.get(name) ?? keyValue(rows.columns.get(name)!, i);
            yield { cells: tellers.map(({ name, tell }) => tell(stored(name))), row };
          }
        }
        at = isPast.indexOf(0, at + range.count);
      }
    },
  };
}

/**
 * Whether a column is personal: its own values say who people are, or it refers to rows of which the key does so.
 */
function personalIn(contract: Contract, table: TableContract): (name: string) => boolean {
  const personal = new Set(table.columns.filter(isPersonal).map(({ name }) => name));
  for (const { column, table: name } of table.references)
    if (hasPersonalKey({ contract: contract.tables.find((other) => other.name === name)! })) personal.add(column);
  return (name) => personal.has(name);
}

/**
 * Returns a function that tells the names in a row by its columns that hold numbers; null when one of them was erased.
 */
function nameReader(
  rows: Rows,
  numbered: Iterable<string>,
  names: Names | null,
): (row: number) => ReadonlyMap<string, string> | null {
  const known = new Map<number, string | null>();
  const nameOf = (number: number): string | null => {
    const name = known.get(number);
    if (name !== undefined) return name;
    const found = names!.nameOf(number);
    known.set(number, found);
    return found;
  };
  const columns = [...numbered];
  return (row) => {
    const named = new Map<string, string>();
    for (const column of columns) {
      const number = keyValue(rows.columns.get(column)!, row);
      if (number === null) continue;
      const name = nameOf(Number(number));
      if (name === null) return null;
      named.set(column, name);
    }
    return named;
  };
}

/** Returns a function that tells stored values of a type. Names of a dictionary are texts of them. */
export function tellerOf(type: LogicalType): (value: string | number | null) => Cell {
  if (type === 'string') return (value) => value;
  const tell = tellNumber(type);
  return (value) => (value === null ? null : tell(Number(value)));
}

function tellNumber(type: Exclude<LogicalType, 'string'>): (value: number) => Cell {
  if (type === 'boolean') return (value) => value !== 0;
  // JSON has no infinite numbers.
  if (type === 'integer' || type === 'number') return (value) => (Number.isFinite(value) ? value : String(value));
  const write = valueText(type, true);
  return (value) => write(Math.max(-farthest, Math.min(value, farthest)));
}

function bytesOf(cells: readonly Cell[]): number {
  return cells.reduce<number>(
    (sum, cell) => sum + (typeof cell === 'string' ? Buffer.byteLength(cell) : numberBytes),
    0,
  );
}
