import { type Column, type Rows, sameText, textColumn } from '../../lib/files/column.ts';

/** A value of an input: a number, or a moment in microseconds, or a text; null: missing. */
export type InputValue = number | string | null;

/** The value that the only row has in a column. */
export function valueIn({ columns }: Rows, name: string): InputValue {
  const column = columns.get(name);
  if (!column) return null;
  if (column.kind === 'text') return column.codes[0] < 0 ? null : column.dictionary[column.codes[0]];
  return Number.isNaN(column.values[0]) ? null : column.values[0];
}

/** The one row of `base` several times, with a value in place of its own for each change of an input by name. */
export function changedRows(
  base: Rows,
  kindOf: (name: string) => Column['kind'],
  changes: readonly ReadonlyMap<string, InputValue>[],
): Rows {
  const names = new Set(changes.flatMap((change) => [...change.keys()]));
  const columns = new Map<string, Column>();
  for (const [name, column] of base.columns) if (!names.has(name)) columns.set(name, repeated(column, changes.length));
  for (const name of names) {
    const own = valueIn(base, name);
    const values = changes.map((change) => (change.has(name) ? change.get(name)! : own));
    columns.set(name, columnOf(kindOf(name), values));
  }
  return { rows: changes.length, columns };
}

function repeated(column: Column, rows: number): Column {
  if (column.kind !== 'text') return { kind: column.kind, values: new Float64Array(rows).fill(column.values[0]) };
  return column.codes[0] < 0
    ? { kind: 'text', codes: new Int32Array(rows).fill(-1), dictionary: [] }
    : sameText(rows, column.dictionary[column.codes[0]]);
}

function columnOf(kind: Column['kind'], values: readonly InputValue[]): Column {
  if (kind === 'text') return textColumn(values as readonly (string | null)[]);
  return { kind, values: Float64Array.from(values, (value) => (value === null ? Number.NaN : (value as number))) };
}
