import { type Interval, intervalOf } from '../calibration/interval.ts';
import { headRulesOf, kindNamed } from '../kinds/kinds.ts';
import type { Limits } from '../tasks/label-limits.ts';
import type { Task } from '../tasks/task.ts';
import { agreeing, isOneEvent } from './horizons.ts';

/** An output with its interval. `range`: of the training labels; `limits`: of all labels, by their definition. */
export type SureOutput = {
  readonly name: string;
  readonly interval: Interval | null;
  readonly range: readonly [number, number];
  readonly limits: Limits;
};

export type Bounds = { readonly lower: number; readonly upper: number };

/**
 * Per row the bounds of each number of the answer, by field name: for probabilities where the rate of like rows lies,
 * for numbers 90 % conformal bounds. Outputs without an interval are left out. `margins` and `values`: per output.
 */
export function intervalsOf(
  task: Task,
  outputs: readonly SureOutput[],
  margins: readonly Float64Array[],
  values: readonly Float64Array[],
  rows: number,
): Readonly<Record<string, Bounds>>[] {
  const bounds = answeredBounds(task, outputs, margins, values, rows);
  const last = outputs.length - 1;
  const { score } = kindNamed(task.kind);
  const calledAs = new Map(headRulesOf(task.kind).map(({ name, bounds }) => [name, bounds ?? name]));
  return Array.from({ length: rows }, (_, row) => {
    const told: Record<string, Bounds> = {};
    for (const [o, { name }] of outputs.entries()) {
      const own = bounds[o];
      if (own) told[calledAs.get(name) ?? name] = { lower: own.lower[row], upper: own.upper[row] };
    }
    const own = bounds[last];
    // The score falls as the probability rises, so its bounds are swapped.
    if (score && own) told[score.field] = { lower: score.of(own.upper[row]), upper: score.of(own.lower[row]) };
    return told;
  });
}

/** Bounds of rows, in two columns. */
export type BoundsOfRows = { readonly lower: Float64Array; readonly upper: Float64Array };

/** Per output the bounds of its answers; null without an interval. `margins` and `values`: per output. */
export function answeredBounds(
  task: Task,
  outputs: readonly SureOutput[],
  margins: readonly Float64Array[],
  values: readonly Float64Array[],
  rows: number,
): readonly (BoundsOfRows | null)[] {
  const bounds = outputs.map(
    (output, o) => output.interval && boundsOf(output.interval, output, margins[o], values[o]),
  );
  if (!isOneEvent(task) || bounds.includes(null)) return bounds;
  const agreed = (side: 'lower' | 'upper') =>
    agreeing(
      task,
      bounds.map((own) => own![side]),
      rows,
    );
  const [lower, upper] = [agreed('lower'), agreed('upper')];
  return bounds.map((_, o) => ({ lower: lower[o], upper: upper[o] }));
}

function boundsOf(
  interval: Interval,
  { range: [least], limits: [lowest, highest] }: SureOutput,
  margins: Float64Array,
  values: Float64Array,
): BoundsOfRows {
  const pairs = Array.from(values, (value, row) => intervalOf(interval, margins[row], value));
  // If no training label is negative, the lower bound is at least 0.
  const isNumber = interval.kind === 'conformal';
  const floor = isNumber ? Math.max(lowest, least >= 0 ? 0 : Number.NEGATIVE_INFINITY) : 0;
  const ceiling = isNumber ? highest : 1;
  return {
    lower: Float64Array.from(pairs, ([lower]) => Math.max(floor, lower)),
    upper: Float64Array.from(pairs, ([, upper]) => Math.min(ceiling, upper)),
  };
}
