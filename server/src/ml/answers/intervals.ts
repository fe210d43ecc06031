import { type Interval, intervalOf } from '../calibration/interval.ts';
import { headRulesOf, kindNamed } from '../kinds/kinds.ts';
import type { Task } from '../tasks/task.ts';
import { agreeing, isOneEvent } from './horizons.ts';

/** An output with its interval. `range`: the range of the training labels. */
type Sure = { readonly name: string; readonly interval: Interval | null; readonly range: readonly [number, number] };

export type Bounds = { readonly lower: number; readonly upper: number };

/**
 * Per row the bounds of each number of the answer, by field name: Venn–Abers bounds for probabilities, 90 % conformal
 * bounds for numbers. Outputs without an interval are left out. `margins` and `values`: per output.
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
  const { score } = kindNamed(task.kind);
  const calledAs = new Map(headRulesOf(task.kind).map(({ name, bounds }) => [name, bounds ?? name]));
  return Array.from({ length: rows }, (_, row) => {
    const told: Record<string, Bounds> = {};
    for (const [o, { name }] of outputs.entries()) {
      const [from, to] = [lower[o], upper[o]];
      if (from && to) told[calledAs.get(name) ?? name] = { lower: from[row], upper: to[row] };
    }
    const [from, to] = [lower[last], upper[last]];
    // The score falls as the probability rises, so its bounds are swapped.
    if (score && from && to) told[score.field] = { lower: score.of(to[row]), upper: score.of(from[row]) };
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
  // If no training label is negative, the lower bound is at least 0.
  const floor = interval.kind === 'conformal' && least >= 0 ? 0 : Number.NEGATIVE_INFINITY;
  return {
    lower: Float64Array.from(pairs, ([lower]) => Math.max(floor, lower)),
    upper: Float64Array.from(pairs, ([, upper]) => upper),
  };
}
