import type { Rows } from '../../lib/files/column.ts';
import { type Chunk, type ColumnRequest, readChunks } from '../../lib/files/read.ts';
import type { TableContract } from '../contract/contract.ts';
import { type Deviation, DeviationLog } from '../contract/deviation.ts';
import { keyValue } from '../graph/keys.ts';
import type { KeyValue } from '../graph/tables.ts';
import { DigestIndex, type Digests, digestRows } from './digests.ts';
import type { Located } from './manifest.ts';

/**
 * How a row of a file compares with the stored rows: its key is absent, its newest stored row is identical, or that row
 * has other values (`changed`).
 */
export type Standing = typeof absent | typeof identical | typeof changed;
export const absent = 0;
export const identical = 1;
export const changed = 2;

/** The comparison of a file with the stored rows. */
export type VersionComparison = {
  readonly identical: number;
  readonly changed: number;
  /** For each row of the file `absent`, `identical` or `changed`. */
  standings(rows: Rows): Uint8Array;
};

/** Reads the file's chunks from the start. */
export type ReadFile = () => AsyncGenerator<Chunk>;

/**
 * Compares a file with the parts of its table by key (and by the contract's `knownAt`, which counts as part of the
 * key). Memory grows with the keys of the file. Of the parts only keys are read, and whole rows only where a key of the
 * file occurs.
 */
export async function compareWithParts(
  readFile: ReadFile,
  table: TableContract,
  columns: readonly ColumnRequest[],
  parts: readonly Located[],
  signal?: AbortSignal,
): Promise<VersionComparison> {
  if (table.key.length === 0 || parts.length === 0)
    return { identical: 0, changed: 0, standings: ({ rows }) => new Uint8Array(rows) };
  const identity = identityOf(table);
  const keysOf = (rows: Rows) => digest(rows, identity);
  const wholeOf = (rows: Rows) =>
    digest(
      rows,
      columns.map(({ name }) => name),
    );
  const index = new DigestIndex();
  const high: number[] = [];
  const low: number[] = [];
  for await (const { rows } of readFile()) {
    signal?.throwIfAborted();
    const keys = keysOf(rows);
    const whole = wholeOf(rows);
    for (let row = 0; row < rows.rows; row++) {
      const entry = index.add(keys.high[row], keys.low[row]);
      high[entry] = whole.high[row];
      low[entry] = whole.low[row];
    }
  }
  const found = new Uint8Array(index.size);
  const keyColumns = columns.filter(({ name }) => identity.includes(name));
  // Parts are named by their hashes, which nobody has sent.
  const naming = { nameOf: () => 'a file that came in before' };
  for (const { path } of parts) {
    if (!(await hasAny(readChunks(path, optional(keyColumns), naming), keysOf, index, signal))) continue;
    for await (const { rows } of readChunks(path, optional(columns), naming)) {
      signal?.throwIfAborted();
      const keys = keysOf(rows);
      const whole = wholeOf(rows);
      for (let row = 0; row < rows.rows; row++) {
        const entry = index.find(keys.high[row], keys.low[row]);
        // Later rows are newer versions, so the last one decides.
        if (entry >= 0)
          found[entry] = whole.high[row] === high[entry] && whole.low[row] === low[entry] ? identical : changed;
      }
    }
  }
  const count = (standing: Standing) => found.reduce((sum, own) => sum + Number(own === standing), 0);
  return {
    identical: count(identical),
    changed: count(changed),
    standings(rows) {
      const keys = keysOf(rows);
      return Uint8Array.from({ length: rows.rows }, (_, row) => found[index.find(keys.high[row], keys.low[row])]);
    },
  };
}

/**
 * The changed rows of a file as deviations, for modes that may not change rows. `tell` writes a key value as its sender
 * knows it.
 */
export async function changedRows(
  readFile: ReadFile,
  table: TableContract,
  comparison: VersionComparison,
  tell: (column: string, value: KeyValue | null) => string,
): Promise<Deviation[]> {
  const log = new DeviationLog();
  const column = table.key.length === 1 ? table.key[0] : null;
  const advice =
    table.knownAt === undefined
      ? 'stands in the data already with other values: send changed rows with mode upsert, which has the new values known from now on, or the whole table with mode replace, which has them known with their rows'
      : `stands in the data already with other values and the same ${table.knownAt}: a changed row needs a later one`;
  const values = { isInFile: false, ...(table.knownAt !== undefined && { knownAt: table.knownAt }) };
  for await (const { rows, rowNumbers } of readFile()) {
    for (const [row, standing] of comparison.standings(rows).entries()) {
      if (standing !== changed) continue;
      const key = table.key.map((name) => tell(name, keyValue(rows.columns.get(name)!, row)));
      log.add('duplicate_key', column, rowNumbers[row], key.join(' + '), advice, values);
    }
  }
  return log.list();
}

/** The columns that identify a row of the table. */
function identityOf({ key, knownAt }: TableContract): readonly string[] {
  return knownAt === undefined ? key : [...key, knownAt];
}

function digest(rows: Rows, names: readonly string[]): Digests {
  return digestRows(
    names.map((name) => rows.columns.get(name)!),
    rows.rows,
  );
}

/** Parts written under an earlier contract may lack columns, so none is required. */
function optional(columns: readonly ColumnRequest[]): ColumnRequest[] {
  return columns.map(({ required: _, ...request }) => request);
}

async function hasAny(
  chunks: AsyncGenerator<Chunk>,
  keysOf: (rows: Rows) => Digests,
  index: DigestIndex,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  for await (const { rows } of chunks) {
    signal?.throwIfAborted();
    const { high, low } = keysOf(rows);
    for (let row = 0; row < rows.rows; row++) if (index.find(high[row], low[row]) >= 0) return true;
  }
  return false;
}
