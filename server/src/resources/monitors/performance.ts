import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import { measurePerformance } from '../../ml/monitoring/performance.ts';
import type { PromisedField } from '../models/read-observed.ts';
import type { FieldPerformance } from './monitor.ts';
import { type ClosedRow, countPredictionsOf, selectClosed } from './sql.ts';

const rowsMax = 20_000;
/** Predictions of so many days are measured together; of more where these have too few outcomes. */
const windowDays = 28;

/** Measures the fields of a version on its newest closed predictions; those with too few outcomes are left out. */
export async function measureFields(
  tx: Tx,
  ctx: Context,
  versionId: string,
  fields: readonly PromisedField[],
  { now, outcomesMin }: { readonly now: Date; readonly outcomesMin: number },
): Promise<FieldPerformance[]> {
  const found: FieldPerformance[] = [];
  for (const { name, kind, classes, probabilities, promised } of fields) {
    if (kind === 'multiclass' && probabilities.includes(null)) continue;
    const byClass =
      kind === 'multiclass' ? Object.fromEntries(classes.map((label, c) => [label, probabilities[c]!])) : null;
    const asked = { field: name, probabilities: byClass };
    const closed = await selectClosed(tx, ctx, versionId, asked, { now, most: rowsMax });
    const rows = newestOf(closed, outcomesMin);
    if (rows.length < outcomesMin) continue;
    const closedIn = { kind, bands: rows.map(({ band }) => band), days: rows.map(({ day }) => day) };
    const measured = measurePerformance(
      {
        ...closedIn,
        predicted: Float64Array.from(rows, ({ predicted }) => predicted!),
        labels: Float64Array.from(rows, ({ label }) => label!),
      },
      promised,
    );
    const span = { from: rows.at(-1)!.prediction_id, to: rows[0].prediction_id };
    found.push({
      ...measured,
      output: name,
      ...{ from: dayText(Math.min(...closedIn.days)), until: dayText(Math.max(...closedIn.days)) },
      coverage: Math.min(1, rows.length / (await countPredictionsOf(tx, ctx, versionId, span))),
    });
  }
  return found;
}

function newestOf(closed: readonly ClosedRow[], least: number): ClosedRow[] {
  const whole = closed.filter(({ predicted, label }) => predicted !== null && label !== null);
  const newest = whole.reduce((day, row) => Math.max(day, row.day), Number.NEGATIVE_INFINITY);
  const recent = whole.filter(({ day }) => day > newest - windowDays);
  return recent.length >= least ? recent : whole.slice(0, least);
}

const dayMs = 24 * 60 * 60 * 1000;

export function dayText(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}

export function dayNumber(day: string): number {
  return Date.parse(day) / dayMs;
}
