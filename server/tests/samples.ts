/** Small relational data made up by tests: tables as lists of plain rows, and the contract that describes them. */
import { type Column, type LogicalType, type Rows, textColumn } from '../src/lib/files/column.ts';
import type { ColumnContract, Contract, EntityKind, EventTime, TableContract } from '../src/ml/contract/contract.ts';
import { linkTables } from '../src/ml/graph/link.ts';
import type { Tables } from '../src/ml/graph/tables.ts';

/** Numbers, text, and times as microseconds; null is missing. */
export type Value = number | string | null;
export type Row = Readonly<Record<string, Value>>;
export type Data = Readonly<Record<string, readonly Row[]>>;

export type TableSample = {
  readonly name: string;
  readonly key?: string;
  readonly time?: EventTime | string;
  readonly knownAt?: string;
  readonly entityKind?: EntityKind;
  /** Column to the table whose key it holds. */
  readonly references?: Readonly<Record<string, string>>;
  readonly columns: Readonly<Record<string, LogicalType | ColumnSample>>;
};
type ColumnSample = {
  readonly type: LogicalType;
  readonly knownFrom?: string;
  readonly planned?: boolean;
  readonly mutable?: boolean;
  readonly pii?: boolean;
  readonly graphKey?: boolean;
  readonly enum?: readonly string[];
};

export const day = 86_400_000_000;

/** Microseconds at the start of a day. */
export function at(date: string): number {
  return Date.parse(date) * 1000;
}

export function sampleContract(samples: readonly TableSample[]): Contract {
  const keyOf = (name: string) => samples.find((sample) => sample.name === name)!.key!;
  const tables = samples.map(
    ({ name, key, time, knownAt, entityKind, references = {}, columns }): TableContract => ({
      name,
      key: key === undefined ? [] : [key],
      references: Object.entries(references).map(([column, table]) => ({ column, table, key: keyOf(table) })),
      ...(time === undefined ? {} : { time: typeof time === 'string' ? { column: time } : time }),
      ...(knownAt === undefined ? {} : { knownAt }),
      ...(entityKind === undefined ? {} : { entityKind }),
      columns: Object.entries(columns).map(([column, given]): ColumnContract => {
        const sample = typeof given === 'string' ? { type: given } : given;
        return { required: false, unique: false, planned: false, mutable: false, pii: false, ...sample, name: column };
      }),
    }),
  );
  return { id: 'sample', version: '1.0.0', tables };
}

/** Rows as columns, with dictionaries in order of first appearance as files are read. */
export function sampleRows(table: TableContract, rows: readonly Row[]): Rows {
  const columns = new Map(
    table.columns.map(({ name, type }): [string, Column] => {
      const values = rows.map((row) => row[name] ?? null);
      if (type === 'string') return [name, textColumn(values.map((value) => (value === null ? null : String(value))))];
      const kind = type === 'date' || type === 'timestamp' || type === 'time' ? 'time' : 'number';
      return [name, { kind, values: Float64Array.from(values, (value) => (value === null ? Number.NaN : +value)) }];
    }),
  );
  return { rows: rows.length, columns };
}

export function sampleTables(contract: Contract, data: Data): Tables {
  return linkTables(
    contract,
    new Map(contract.tables.map((table) => [table.name, sampleRows(table, data[table.name] ?? [])])),
    [],
  );
}

/** Draws for made-up data: mulberry32. */
export type Draw = {
  /** In [0, 1). */
  next(): number;
  /** A whole number in [from, to]. */
  between(from: number, to: number): number;
  pick<T>(from: readonly T[]): T;
  /** The value, or null with this chance. */
  maybe<T>(chance: number, value: T): T | null;
  shuffle<T>(items: readonly T[]): T[];
};

export function draws(seed: number): Draw {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  return {
    next,
    between,
    pick: (from) => from[between(0, from.length - 1)],
    maybe: (chance, value) => (next() < chance ? null : value),
    shuffle(items) {
      const mixed = [...items];
      for (let i = mixed.length - 1; i > 0; i--) {
        const j = between(0, i);
        [mixed[i], mixed[j]] = [mixed[j], mixed[i]];
      }
      return mixed;
    },
  };
}
