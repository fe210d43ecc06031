import type { MetricName } from './metrics.ts';

/**
 * What is learned of one output: a yes (1) or no (0), a number, or the number of a class; and the metric it is
 * evaluated by.
 */
export type Objective = {
  readonly kind: ObjectiveKind;
  readonly metric: MetricName;
  /** Names of the classes in order of number; empty but for a multiclass objective. */
  readonly classes: readonly string[];
};

export type ObjectiveKind = 'binary' | 'regression' | 'multiclass';

/** Margins and answers per row. */
export function widthOf({ classes }: Objective): number {
  return Math.max(1, classes.length);
}
