import type { MetricName } from '../statistics/metrics.ts';

/** What kinds are evaluated by whose deciding output is a probability, a number or a class; the usual one first. */
export const probabilityMetrics = [
  'auroc',
  'average_precision',
  'kolmogorov_smirnov',
  'log_loss',
  'brier',
  'accuracy',
  'f1',
] as const satisfies readonly MetricName[];
export const numberMetrics = ['mae', 'rmse', 'r2'] as const satisfies readonly MetricName[];
export const classMetrics = [
  'multiclass_accuracy',
  'multiclass_macro_f1',
  'multiclass_log_loss',
] as const satisfies readonly MetricName[];
