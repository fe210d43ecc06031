import type { LogicalType, Rows } from '../../lib/files/column.ts';
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
};

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
  const told: ToldRow[] = [];
  let [bytes, looked, wanted] = [0, 0, rowsMax];
  for (let part = start.part; part < window; part++) {
    const { path, rows } = parts[part];
    const changing = parts.slice(part + 1).filter(({ isChanging }) => isChanging);
    const later = changing.map((other) => other.path);
    for (let row = part === start.part ? start.row : 0; row < rows; ) {
      const span = { first: row, count: Math.min(later.length > 0 ? spanMax : blockMax, wanted, rows - row) };
      const isPast = await findRepeated(path, span, table.key, later);
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

/** Tells the cells of rows of parts. */
type Reader = {
  /** Rows of a part, by their numbers in it from 0, without those that `isPast` (1) and those that name the erased. */
  read(path: string, span: RowRange, isPast: Uint8Array): AsyncGenerator<{ cells: Cell[]; row: number }>;
};

function openReader({ contract, table, names }: AskedRows): Reader {
  const layout = layoutOf(contract, table, names !== null);
  // Parts that were written under an earlier contract may lack columns.
  const requests = layout.kept.map(({ required: _, ...request }) => request);
  const tellers = toldColumns(contract, table).columns.map(({ name, type }) => ({ name, tell: tellerOf(type) }));
  return {
    async *read(path, { first, count }, isPast) {
      for (let at = isPast.indexOf(0); at >= 0 && at < count; ) {
        const range = { first: first + at, count: Math.min(blockMax, count - at) };
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
function tellerOf(type: LogicalType): (value: string | number | null) => Cell {
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
