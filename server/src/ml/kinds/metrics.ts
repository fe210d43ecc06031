import type { MetricName } from '../statistics/metrics.ts';

/** Metrics for kinds whose deciding output is a probability, a number or a class. The first of each is the default. */
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
