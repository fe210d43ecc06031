import { Failure } from '../../lib/failure.ts';
import type { Rows } from '../../lib/files/column.ts';
import type { Contract, TableContract } from '../contract/contract.ts';
import { momentsOf } from './as-of/days.ts';
import type { ResolvedReference } from './tables.ts';

/**
 * Returns a function that gives the moments from which the rows of a table are known, computed on first use. They come
 * from a column of the table or from the row it refers to; undefined for tables without time. Throws Failure 'invalid'
 * when the column holds no dates or when tables take their time from each other in a circle.
 */
export function openTimes(
  contract: Contract,
  rowsOf: ReadonlyMap<string, Rows>,
  references: ReadonlyMap<string, ReadonlyMap<string, ResolvedReference>>,
): (name: string) => Float64Array | undefined {
  const times = new Map<string, Float64Array | undefined>();
  const timeOf = (name: string, seen: readonly string[]): Float64Array | undefined => {
    if (times.has(name)) return times.get(name);
    if (seen.includes(name))
      throw new Failure('invalid', `event time goes round in a circle: ${[...seen, name].join(' → ')}`);
    const table = contract.tables.find((t) => t.name === name);
    const rows = rowsOf.get(name);
    let time: Float64Array | undefined;
    if (table?.time && rows) {
      time =
        'column' in table.time
          ? ownTime(table, rows, table.time.column, table.time.clock)
          : inheritedTime(
              references.get(name)?.get(table.time.reference),
              table.time.offset,
              (target) => timeOf(target, [...seen, name]),
              rows.rows,
            );
    }
    times.set(name, time);
    return time;
  };
  return (name) => timeOf(name, []);
}

function ownTime(table: TableContract, rows: Rows, name: string, clock: string | undefined): Float64Array {
  const moments = momentsOf(table, rows, name);
  if (!moments)
    throw new Failure('invalid', `table ${table.name}: event time column ${name} is not a date or timestamp`);
  const clockColumn = clock === undefined ? undefined : rows.columns.get(clock);
  if (clockColumn?.kind !== 'time') return moments;
  const days = rows.columns.get(name) as { values: Float64Array };
  // A row without a time of day counts as known at the end of its day.
  return moments.map((moment, row) =>
    Number.isNaN(clockColumn.values[row]) ? moment : days.values[row] + clockColumn.values[row],
  );
}

function inheritedTime(
  reference: ResolvedReference | undefined,
  offset: number,
  timeOf: (table: string) => Float64Array | undefined,
  rows: number,
): Float64Array | undefined {
  if (!reference) return undefined;
  const parent = timeOf(reference.table);
  const time = new Float64Array(rows).fill(Number.NaN);
  if (parent)
    for (let row = 0; row < rows; row++) if (reference.rows[row] >= 0) time[row] = parent[reference.rows[row]] + offset;
  return time;
}
