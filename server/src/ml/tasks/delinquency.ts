import { microsecondsPerDay } from '../contract/contract.ts';
import { momentsOf } from '../graph/as-of/days.ts';
import { lastVersions, readableSince } from '../graph/as-of/rows.ts';
import type { Table, Tables } from '../graph/tables.ts';
import { startsOf } from './events.ts';
import { ownersOf } from './owners.ts';
import { paidMoments } from './payments.ts';
import type { Delinquency, Obligations } from './target.ts';

/**
 * For each row of the table of loans: `dates`, the moment at which the delinquency had happened and was known (NaN when
 * it did not happen); `observed`, the moment at which that is decided (NaN when it never is). Microseconds; days count
 * to their end.
 */
export type Delinquencies = { readonly dates: Float64Array; readonly observed: Float64Array };

/** An obligation of a loan, in days since 1970. If it is not fully paid, `paid` is Infinity. */
type Due = {
  readonly due: number;
  readonly paid: number;
  /** The moment from which the row is readable. An obligation that is not on the books yet is not late. */
  readonly since: number;
};

/**
 * When each loan became delinquent by the target's rule. An obligation due on day d and unpaid is n days past due from
 * the end of day d + n on; it is not if it is paid on that day. A month on book is a calendar month after the opening;
 * when that month is too short, its last day counts.
 */
export function delinquencies(target: Delinquency, tables: Tables): Delinquencies {
  const table = tables.get(target.table)!;
  const { rule, obligations, opened } = target;
  const dues = obligations ? duesOf(obligations, tables, table.rows) : [];
  const openings = startsOf(table, tables, opened);
  const dates = new Float64Array(table.rows).fill(Number.NaN);
  const observed = new Float64Array(table.rows).fill(Number.NaN);
  const month = rule.kind === 'first_payment_default' ? undefined : rule.month;
  const chargedOff = rule.kind === 'charge_off' && 'column' in rule.by ? newestMoments(table, rule.by.column) : null;
  for (let loan = 0; loan < table.rows; loan++) {
    const own = dues[loan] ?? [];
    const observation = month === undefined ? Number.POSITIVE_INFINITY : endOf(monthsAfter(openings[loan], month));
    if (rule.kind === 'first_payment_default') firstPayment(own, rule.days, loan, dates, observed);
    else if (rule.kind === 'days_past_due') {
      const known = own.filter(({ due, since }) => since <= observation && endOf(due) <= observation);
      // A loan of which nothing was due has no label.
      if (known.length === 0) continue;
      observed[loan] = observation;
      if (known.some(({ due, paid }) => endOf(due + rule.days) <= observation && endOf(paid) > observation))
        dates[loan] = observation;
    } else {
      const date = chargedOff ? chargedOff[loan] : firstPastDue(own, (rule.by as { days: number }).days);
      observed[loan] = observation;
      if (date <= observation) dates[loan] = date;
    }
  }
  return { dates, observed };
}

function firstPayment(own: readonly Due[], days: number, loan: number, dates: Float64Array, observed: Float64Array) {
  const known = own.filter(({ due, since }) => since <= endOf(due + days));
  if (known.length === 0) return;
  const first = known.reduce((least, { due }) => Math.min(least, due), Number.POSITIVE_INFINITY);
  observed[loan] = endOf(first + days);
  if (known.some(({ due, paid }) => due === first && paid > first + days)) dates[loan] = observed[loan];
}

/** The first moment at which an obligation was `days` days past due; NaN when none was. */
function firstPastDue(own: readonly Due[], days: number): number {
  let first = Number.POSITIVE_INFINITY;
  for (const { due, paid, since } of own) {
    const date = Math.max(endOf(due + days), since);
    if (endOf(paid) > date) first = Math.min(first, date);
  }
  return Number.isFinite(first) ? first : Number.NaN;
}

function duesOf(obligations: Obligations, tables: Tables, loans: number): Due[][] {
  const table = tables.get(obligations.table)!;
  const { rows: owners, since: linked } = ownersOf(tables, table, obligations.reference!);
  const { rows: entities } = ownersOf(tables, table, []);
  const due = (table.columns.get(obligations.due) as { values: Float64Array }).values;
  const paid = paidMoments(table, tables, obligations);
  const found = Array.from({ length: loans }, (): Due[] => []);
  for (const row of lastVersions(table)) {
    if (owners[row] < 0 || Number.isNaN(due[row])) continue;
    const link = linked?.[row] ?? Number.NEGATIVE_INFINITY;
    if (Number.isNaN(link)) continue;
    const since = readableSince(table, entities[row]);
    found[owners[row]].push({
      due: dayOf(due[row]),
      paid: Number.isNaN(paid[row]) ? Number.POSITIVE_INFINITY : dayOf(paid[row]),
      since: Number.isNaN(since) ? link : Math.max(since, link),
    });
  }
  return found;
}

/** The moments of a date column; for rows sent again, those of the last version. */
function newestMoments(table: Table, column: string): Float64Array {
  const moments = momentsOf(table.contract, table, column)!;
  const { versions } = table;
  if (!versions) return moments;
  const newest = new Float64Array(table.rows).fill(Number.NaN);
  for (let loan = 0; loan < table.rows; loan++)
    for (let k = versions.offsets[loan]; k < versions.offsets[loan + 1]; k++) newest[loan] = moments[versions.rows[k]];
  return newest;
}

function dayOf(moment: number): number {
  return Math.floor(moment / microsecondsPerDay);
}

/** The last moment of a day. */
function endOf(day: number): number {
  return day * microsecondsPerDay + microsecondsPerDay - 1;
}

/** The day that is `months` calendar months after a moment; the last day of the month when that month is shorter. */
function monthsAfter(moment: number, months: number): number {
  if (Number.isNaN(moment)) return Number.NaN;
  const from = new Date(moment / 1000);
  const to = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months, 1));
  const length = new Date(Date.UTC(to.getUTCFullYear(), to.getUTCMonth() + 1, 0)).getUTCDate();
  to.setUTCDate(Math.min(from.getUTCDate(), length));
  return dayOf(to.getTime() * 1000);
}
