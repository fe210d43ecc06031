import type { Rows } from '../../lib/files/column.ts';
import { estimateRows } from '../../lib/files/estimate-rows.ts';
import { hashText } from '../../lib/files/texts.ts';
import { type Contract, microsecondsPerDay, type TableContract } from '../contract/contract.ts';
import { momentsOf } from './as-of/days.ts';
import { keyValue } from './keys.ts';
import { type Partition, partitionFor } from './partition.ts';
import type { KeyValue } from './tables.ts';

/** By default tables of more cells are learned from in part, and scored in parts: some seven gigabytes either way. */
export const cellsMaxUsual = { learned: 50_000_000, scored: 75_000_000 } as const;

/** By what tables are sampled, and the share of the root's rows, about `rootRows`, that are not too many. */
export type Sample = { readonly partition: Partition; readonly share: number; readonly rootRows: number };

/**
 * What was read of tables: `rows` of the `of` rows of the root, and all that hangs on them. `loose`: the references
 * (`table.column`) of rows that hang on several rows of the root, as on both sides of a sale, which lead out of the
 * sample where the other side was not drawn.
 */
export type Sampled = {
  readonly root: string;
  readonly partitioned: ReadonlySet<string>;
  readonly loose: ReadonlySet<string>;
  readonly rows: number;
  readonly of: number;
};

/** Why tables are read whole. */
export type Unsampled = 'small' | 'inseparable' | 'shared';

/**
 * Decides by what tables are sampled of which `entity` is to be learned or scored, where they have more than `cellsMax`
 * cells. `filesOf` gives the files of a table. Returns why all are read, where they are: because they are small,
 * because no table separates them, or because the tables that partitions share are too large themselves.
 */
export async function planSample(
  contract: Contract,
  entity: string,
  filesOf: (table: string) => readonly string[],
  cellsMax: number,
): Promise<Sample | Unsampled> {
  const rows = new Map<string, number>();
  for (const { name } of contract.tables) {
    let count = 0;
    for (const file of filesOf(name)) count += await estimateRows(file);
    rows.set(name, count);
  }
  const cellsIn = (isCounted: (table: string) => boolean) =>
    contract.tables.reduce(
      (sum, { name, columns }) => sum + (isCounted(name) ? columns.length * rows.get(name)! : 0),
      0,
    );
  if (cellsIn(() => true) <= cellsMax) return 'small';
  const partition = partitionFor(contract, entity, (table) => rows.get(table) ?? 0);
  if (!partition) return 'inseparable';
  const shared = cellsIn((table) => !partition.references.has(table));
  if (shared > cellsMax / 2) return 'shared';
  const share = (cellsMax - shared) / cellsIn((table) => partition.references.has(table));
  return { partition, share, rootRows: rows.get(partition.root)! };
}

/** Where more than this share of the kept rows leads out of the sample too, the references are loose. */
const looseShareMin = 0.001;

/** Draws a share of all keys, evenly. */
export function drawShare(share: number): (key: KeyValue) => boolean {
  return (key) => {
    const bytes = Buffer.from(String(key));
    return (hashText(bytes, 0, bytes.length) >>> 0) / 2 ** 32 < share;
  };
}

/** Reads samples of tables, each after the tables that it refers to. */
export type Sampler = {
  /** The order in which tables must be read. */
  readonly order: readonly string[];
  /** Which rows of a chunk of a table are kept, as `readTable` asks; undefined where all are. */
  keepOf(table: string): ((rows: Rows) => Uint8Array) | undefined;
  /** Takes the rows of a table that were read, to which rows of further tables refer. */
  take(table: string, rows: Rows): void;
  sampled(): Sampled;
  /**
   * Of each table of which not all rows were kept, and that has a time of its own, the first moment of each day with a
   * row (microseconds).
   */
  times(): readonly { readonly time: Float64Array }[];
};

/** Opens the sampler of what hangs on the rows of the root whose keys are drawn. */
export function openSampler(
  { tables }: Contract,
  { root, references }: Partition,
  isDrawn: (key: KeyValue) => boolean,
): Sampler {
  const keyOf = new Map(tables.map(({ name, key }) => [name, key[0]]));
  const order = [...tables.map(({ name }) => name).filter((name) => !references.has(name)), ...references.keys()];
  /** The tables that are still to be read, and of those to which they refer the keys of the rows that were kept. */
  const open = new Set(order);
  const kept = new Map<string, ReadonlySet<KeyValue>>();
  const firstOfDay = new Map<string, Map<number, number>>();
  const leadingOut = new Map<string, { rows: number; of: number }>();
  let [rootRows, rootRowsKept] = [0, 0];
  const keepRoot = ({ rows, columns }: Rows): Uint8Array => {
    const keys = columns.get(keyOf.get(root)!)!;
    const isKept = Uint8Array.from({ length: rows }, (_, row) => {
      const key = keyValue(keys, row);
      return key !== null && isDrawn(key) ? 1 : 0;
    });
    rootRows += rows;
    rootRowsKept += isKept.reduce((sum, one) => sum + one, 0);
    return isKept;
  };
  const keepHanging =
    (table: string, leading: readonly { readonly column: string; readonly to: ReadonlySet<KeyValue> }[]) =>
    ({ rows, columns }: Rows): Uint8Array => {
      const count = leadingOut.get(table) ?? { rows: 0, of: 0 };
      leadingOut.set(table, count);
      const ways = leading.map(({ column, to }) => ({ values: columns.get(column)!, to }));
      return Uint8Array.from({ length: rows }, (_, row) => {
        let [inside, outside] = [false, false];
        for (const { values, to } of ways) {
          const key = keyValue(values, row);
          if (key === null) continue;
          if (to.has(key)) inside = true;
          else outside = true;
        }
        if (!inside) return 0;
        count.of++;
        if (outside) count.rows++;
        return 1;
      });
    };
  return {
    order,
    keepOf(table) {
      const columns = references.get(table);
      if (!columns) return undefined;
      const contract = tables.find(({ name }) => name === table)!;
      const leading = columns.map((column) => {
        const { table: to } = contract.references.find((one) => one.column === column)!;
        return { column, to: kept.get(to)! };
      });
      const keep = table === root ? keepRoot : keepHanging(table, leading);
      const note = openTimes(contract, firstOfDay);
      return (rows) => {
        note(rows);
        return keep(rows);
      };
    },
    take(table, rows) {
      open.delete(table);
      if (open.size === 0) kept.clear();
      const isReferred = tables.some(
        ({ name, references: own }) => open.has(name) && own.some((to) => to.table === table),
      );
      if (!references.has(table) || !isReferred) return;
      const keys = new Set<KeyValue>();
      const column = rows.columns.get(keyOf.get(table) ?? '');
      if (column)
        for (let row = 0; row < rows.rows; row++) {
          const key = keyValue(column, row);
          if (key !== null) keys.add(key);
        }
      kept.set(table, keys);
    },
    sampled: () => ({
      root,
      partitioned: new Set(references.keys()),
      loose: new Set(
        [...leadingOut].flatMap(([table, { rows, of }]) =>
          rows > of * looseShareMin ? references.get(table)!.map((column) => referenceName(table, column)) : [],
        ),
      ),
      rows: rootRowsKept,
      of: rootRows,
    }),
    times: () => Array.from(firstOfDay.values(), (first) => ({ time: Float64Array.from(first.values()) })),
  };
}

/** Notes the first moment of each day with a row, of all that are read of a table. */
function openTimes(table: TableContract, into: Map<string, Map<number, number>>): (rows: Rows) => void {
  const { time } = table;
  if (!time || !('column' in time)) return () => {};
  const first = into.get(table.name) ?? new Map<number, number>();
  into.set(table.name, first);
  return (rows) => {
    for (const moment of momentsOf(table, rows, time.column) ?? []) {
      const day = Math.floor(moment / microsecondsPerDay);
      if (moment < (first.get(day) ?? Number.POSITIVE_INFINITY)) first.set(day, moment);
    }
  };
}

/** What a reference is called among those that are `loose`. */
export const referenceName = (table: string, column: string): string => `${table}.${column}`;
