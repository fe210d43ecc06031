import type { MetricName } from './metrics.ts';

/** What is learned for one output: yes (1) or no (0), a number, or a class number; and the metric that evaluates it. */
export type Objective = {
  readonly kind: ObjectiveKind;
  readonly metric: MetricName;
  /** Names of the classes in order of class number; empty unless the objective is multiclass. */
  readonly classes: readonly string[];
};

export type ObjectiveKind = 'binary' | 'regression' | 'multiclass';

/** Number of margins, and of predicted values, per row. */
export function widthOf({ classes }: Objective): number {
  return Math.max(1, classes.length);
}
