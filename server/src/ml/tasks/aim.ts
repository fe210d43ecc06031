import type { MetricName } from '../statistics/metrics.ts';

/** What is learned of one output: a yes (1) or no (0), a number, or the number of a class; and what judges it. */
export type Aim = {
  readonly kind: AimKind;
  readonly metric: MetricName;
  /** Names of the classes in order of number; empty but for a multiclass aim. */
  readonly classes: readonly string[];
};

export type AimKind = 'binary' | 'regression' | 'multiclass';

/** Margins and answers per row. */
export function widthOf({ classes }: Aim): number {
  return Math.max(1, classes.length);
}
