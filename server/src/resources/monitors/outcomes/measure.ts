import type { Context } from '../../../access/context.ts';
import type { Tx } from '../../../access/transactions.ts';
import { measurePerformance, type Performance } from '../../../ml/monitoring/performance.ts';
import type { PromisedField } from '../../models/read-observed.ts';
import type { FieldPerformance } from '../monitor.ts';
import { type AnsweredAlias, type ClosedRow, countPredictionsOf, selectClosed } from './sql.ts';

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
  for (const field of fields) {
    const rows = newestOf(await newestClosed(tx, ctx, versionId, field, { now, among: null }), outcomesMin);
    if (rows.length < outcomesMin) continue;
    const days = rows.map(({ day }) => day);
    const span = { from: rows.at(-1)!.prediction_id, to: rows[0].prediction_id };
    found.push({
      ...measureRows(field, rows),
      output: field.name,
      ...{ from: dayText(Math.min(...days)), until: dayText(Math.max(...days)) },
      coverage: Math.min(1, rows.length / (await countPredictionsOf(tx, ctx, versionId, span))),
    });
  }
  return found;
}

/** A closed prediction of which both what was said and what came is known. */
export type MeasuredRow = ClosedRow & { readonly predicted: number; readonly label: number };

/**
 * The newest closed predictions of a field of a version, newest first: all, or those that answered an alias. None of
 * classes whose probabilities answers do not have.
 */
export async function newestClosed(
  tx: Tx,
  ctx: Context,
  versionId: string,
  { name, kind, classes, probabilities }: PromisedField,
  { now, among }: { readonly now: Date; readonly among: AnsweredAlias | null },
): Promise<MeasuredRow[]> {
  if (kind === 'multiclass' && probabilities.includes(null)) return [];
  const byClass =
    kind === 'multiclass' ? Object.fromEntries(classes.map((label, c) => [label, probabilities[c]!])) : null;
  const asked = { field: name, probabilities: byClass };
  const closed = await selectClosed(tx, ctx, versionId, asked, { now, among, most: rowsMax });
  return closed.filter((row): row is MeasuredRow => row.predicted !== null && row.label !== null);
}

/** Measures closed predictions of a field. */
export function measureRows({ kind, promised }: PromisedField, rows: readonly MeasuredRow[]): Performance {
  return measurePerformance(
    {
      ...{ kind, bands: rows.map(({ band }) => band), days: rows.map(({ day }) => day) },
      predicted: Float64Array.from(rows, ({ predicted }) => predicted),
      labels: Float64Array.from(rows, ({ label }) => label),
    },
    promised,
  );
}

function newestOf(whole: readonly MeasuredRow[], least: number): readonly MeasuredRow[] {
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
