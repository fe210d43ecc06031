import type { Rows } from '../../lib/files/column.ts';
import { leavesOwnOut } from '../features/anchors.ts';
import type { Anchors } from '../features/state.ts';
import { endOfDay, lastReadable } from '../graph/as-of/days.ts';
import { findKeys } from '../graph/keys.ts';
import type { Tables } from '../graph/tables.ts';
import { entityTable } from '../tasks/examples.ts';
import type { Version } from '../version/version.ts';
import { newRows } from './new-rows.ts';

/** The moments to predict for: microseconds, one for all rows or one per row. */
export type AskedMoments = {
  /** The moment of rows that name none. */
  readonly asOf: number | Float64Array;
  /** Nothing later is read, whatever the moment of the row. Infinity for no bound. */
  readonly dataUntil: number | Float64Array;
};

/** Turns rows to predict into anchors for the feature program. */
export function anchorsFor(version: Version, tables: Tables, rows: Rows, asked: AskedMoments): Anchors {
  const { task, fresh } = version;
  const table = entityTable(task, tables);
  const keyName = table.contract.key[0];
  const given = rows.columns.get('reference_date');
  const days = given?.kind === 'time' ? endOfDay(given.values) : null;
  const keys = rows.columns.get(keyName);
  const known = keys ? findKeys(keys, rows.rows, table.rowOf) : new Int32Array(rows.rows).fill(-1);
  const own = fresh ? newRows(table, tables, rows) : null;
  const at = new Float64Array(rows.rows);
  const readableUntil = new Float64Array(rows.rows);
  for (let row = 0; row < rows.rows; row++) {
    const until = valueAt(asked.dataUntil, row);
    const day = days ? days[row] : Number.NaN;
    // The moment of a new row is its own time; of a date, the start of the day, as in training, so that nothing of that
    // day is read. A given reference_date bounds what is read and does not change the moment.
    let moment = own ? own.moments[row] : Number.NaN;
    if (Number.isNaN(moment)) moment = Number.isNaN(day) ? valueAt(asked.asOf, row) : day;
    at[row] = moment;
    readableUntil[row] = lastReadable(task, moment, Number.isNaN(day) ? until : Math.min(day, until));
  }
  return {
    table: own ? own.table : table,
    fresh,
    rows: own ? countUp(rows.rows) : known,
    own: leavesOwnOut(task, fresh) ? known : new Int32Array(rows.rows).fill(-1),
    ownTable: task.entity,
    at,
    readableUntil,
  };
}

function countUp(rows: number): Int32Array {
  const numbers = new Int32Array(rows);
  for (let row = 0; row < rows; row++) numbers[row] = row;
  return numbers;
}

function valueAt(values: number | Float64Array, row: number): number {
  return typeof values === 'number' ? values : values[row];
}
