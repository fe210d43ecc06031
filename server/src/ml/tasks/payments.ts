import { lastVersions } from '../graph/as-of/rows.ts';
import type { Table, Tables } from '../graph/tables.ts';
import { groupRows, ownersOf } from './owners.ts';
import type { Payment } from './target.ts';

/** Half a cent. A smaller difference between amounts is rounding. */
const amountTolerance = 0.005;

/**
 * When what each row of `table` owes was paid in full, microseconds; NaN where it was not. Without amounts the first
 * payment pays all. Payments that are rows of their own are added up in the order of their days, until they reach what
 * is owed; of one sent again the last version counts.
 */
export function paidMoments(table: Table, tables: Tables, { paid, amounts, payments }: Payment): Float64Array {
  const owed = amounts && numbersOf(table, amounts.due);
  const isPaid = (row: number, sum: number) => !owed || sum >= (owed[row] || 0) - amountTolerance;
  const from = payments ? tables.get(payments.table)! : table;
  const paidOn = numbersOf(from, paid);
  const given = amounts && numbersOf(from, amounts.paid);
  if (!payments) return paidOn.map((at, row) => (isPaid(row, given?.[row] || 0) ? at : Number.NaN));
  const leads = ownersOf(tables, from, payments.reference!).rows;
  const owners = new Int32Array(from.rows).fill(-1);
  for (const row of lastVersions(from)) if (!Number.isNaN(paidOn[row])) owners[row] = leads[row];
  const { offsets, order } = groupRows(owners, table.rows, (a, b) => paidOn[a] - paidOn[b] || a - b);
  // Payments lead to the first version of what is owed, and any version may be asked about.
  const { rows: firsts } = ownersOf(tables, table, []);
  return Float64Array.from(firsts, (first, row) => {
    let sum = 0;
    for (let k = offsets[first]; first >= 0 && k < offsets[first + 1]; k++) {
      sum += given?.[order[k]] || 0;
      if (isPaid(row, sum)) return paidOn[order[k]];
    }
    return Number.NaN;
  });
}

function numbersOf(table: Table, column: string): Float64Array {
  return (table.columns.get(column) as { values: Float64Array }).values;
}
