import type { Rows } from '../../lib/files/column.ts';
import { microsecondsPerDay } from '../contract/contract.ts';
import { findKeys } from '../graph/keys.ts';
import { pairOf, pairReference } from '../graph/pairs.ts';
import { isByDay, type ResolvedReference, type Table, type Tables } from '../graph/tables.ts';

/** The rows to predict as a table of their own, with references into the tables, and the start of each row's moment. */
export function newRows(table: Table, tables: Tables, rows: Rows): { table: Table; moments: Float64Array } {
  const references = new Map<string, ResolvedReference>();
  for (const [column, { table: name, values }] of table.references) {
    const pair = pairOf(column);
    if (pair) {
      references.set(column, pairReference({ table: name }, pair, tables, references));
      continue;
    }
    const given = rows.columns.get(column);
    const target = tables.get(name)!;
    references.set(column, {
      table: name,
      rows: given ? findKeys(given, rows.rows, target.rowOf) : new Int32Array(rows.rows).fill(-1),
      ...(values ? { values } : {}),
    });
  }
  const moments = new Float64Array(rows.rows).fill(Number.NaN);
  const { time } = table.contract;
  const inherited = time && 'reference' in time ? references.get(time.reference) : undefined;
  if (inherited) {
    const parent = tables.get(inherited.table)!;
    const offset = (time as { offset: number }).offset - (isByDay(parent, tables) ? microsecondsPerDay - 1 : 0);
    for (let row = 0; row < rows.rows; row++)
      if (inherited.rows[row] >= 0 && parent.time) moments[row] = parent.time[inherited.rows[row]] + offset;
  }
  const dated = time && 'column' in time ? rows.columns.get(time.column) : undefined;
  const clock = time && 'column' in time && time.clock !== undefined ? rows.columns.get(time.clock) : undefined;
  if (dated?.kind === 'time') {
    for (let row = 0; row < rows.rows; row++)
      moments[row] = dated.values[row] + (clock?.kind === 'time' ? clock.values[row] || 0 : 0);
  }
  const isDay = isByDay(table, tables, clock !== undefined);
  const readableFrom = moments.slice();
  // A loop, here and elsewhere in the processing of large files: a function call per row takes longer than its work.
  if (isDay) for (let row = 0; row < rows.rows; row++) readableFrom[row] += microsecondsPerDay - 1;
  return {
    table: {
      contract: table.contract,
      name: table.name,
      rows: rows.rows,
      columns: rows.columns,
      rowOf: new Map(),
      references,
      time: readableFrom,
    },
    moments,
  };
}
