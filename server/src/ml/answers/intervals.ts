import { type Interval, intervalOf } from '../calibration/interval.ts';
import { creditScore } from '../calibration/score.ts';
import type { Task } from '../tasks/task.ts';
import { agreeing, isOneEvent } from './horizons.ts';

/** An output with how sure a version is of it. `range`: of the training labels. */
type Sure = { readonly name: string; readonly interval: Interval | null; readonly range: readonly [number, number] };

export type Bounds = { readonly lower: number; readonly upper: number };

/** What the answer calls the outputs of heads; others are called as they are. */
const fieldNames: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  fraud: { fraud: 'fraud_score' },
  lead_scoring: { conversion: 'conversion_probability', value: 'ltv' },
  field_sales: { propensity: 'propensity_score' },
  paid_media: { lead: 'lead_score', value: 'ltv_forecast', churn: 'churn_risk' },
};

/**
 * Per row the bounds of each number of the answer, by the name of its field: of probabilities Venn–Abers, of numbers those
 * that hold nine of ten later rows. What has no interval is left out. `margins` and `values`: per output.
 */
export function intervalsOf(
  task: Task,
  outputs: readonly Sure[],
  margins: readonly Float64Array[],
  values: readonly Float64Array[],
  rows: number,
): Readonly<Record<string, Bounds>>[] {
  const bounds = outputs.map(({ interval, range }, o) => interval && boundsOf(interval, range, margins[o], values[o]));
  const isAgreed = isOneEvent(task) && bounds.every((own) => own !== null);
  const agreed = (side: 'lower' | 'upper') =>
    isAgreed
      ? agreeing(
          task,
          bounds.map((own) => own![side]),
          rows,
        )
      : bounds.map((own) => own?.[side]);
  const [lower, upper] = [agreed('lower'), agreed('upper')];
  const last = outputs.length - 1;
  return Array.from({ length: rows }, (_, row) => {
    const told: Record<string, Bounds> = {};
    for (const [o, { name }] of outputs.entries()) {
      const [from, to] = [lower[o], upper[o]];
      if (from && to) told[fieldNames[task.kind]?.[name] ?? name] = { lower: from[row], upper: to[row] };
    }
    const [from, to] = [lower[last], upper[last]];
    // More default is less score.
    if (task.kind === 'credit' && from && to)
      told.score = { lower: creditScore(to[row]), upper: creditScore(from[row]) };
    return told;
  });
}

function boundsOf(
  interval: Interval,
  [least]: readonly [number, number],
  margins: Float64Array,
  values: Float64Array,
): { lower: Float64Array; upper: Float64Array } {
  const pairs = Array.from(values, (value, row) => intervalOf(interval, margins[row], value));
  // What has never been negative is not expected to be.
  const floor = interval.kind === 'conformal' && least >= 0 ? 0 : Number.NEGATIVE_INFINITY;
  return {
    lower: Float64Array.from(pairs, ([lower]) => Math.max(floor, lower)),
    upper: Float64Array.from(pairs, ([, upper]) => upper),
  };
}
