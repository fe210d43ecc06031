import type { Reading } from '../contract/yaml.ts';
import { type MetricName, metricNames } from '../statistics/metrics.ts';
import type { TaskKind } from './target.ts';

/** The field `metric`, or what its kind is evaluated by where it says none; undefined after a problem. */
export function readMetric(
  reading: Reading,
  given: string | undefined,
  kind: TaskKind | undefined,
): MetricName | undefined {
  const metric = given === undefined ? defaultMetric(kind ?? 'binary') : metricOfTask(given, kind ?? 'binary');
  if (kind && !(metric && metricsOf[kind].includes(metric)))
    reading.problem(['metric'], `must be one of ${metricsOf[kind].join(', ')} for a ${kind} task`);
  return metric;
}

/** What a kind is evaluated by where nobody says. */
export function defaultMetric(kind: TaskKind): MetricName {
  return kind === 'regression' ? 'mae' : kind === 'multiclass' ? 'multiclass_accuracy' : 'auroc';
}

/** The metric by the task's name for it; of several classes the names mean their multiclass forms. */
function metricOfTask(given: string, kind: TaskKind): MetricName | undefined {
  const plain = otherNames.get(given) ?? given;
  const named =
    kind === 'multiclass'
      ? `multiclass_${plain.replace(/^(multiclass_)?(f1|macro_f1)$/, 'macro_f1').replace(/^multiclass_/, '')}`
      : plain;
  return metricNames.find((known) => known === named);
}

const otherNames = new Map([
  ['ap', 'average_precision'],
  ['roc_auc', 'auroc'],
]);

const probabilityMetrics: readonly MetricName[] = [
  'auroc',
  'average_precision',
  'kolmogorov_smirnov',
  'log_loss',
  'brier',
  'accuracy',
  'f1',
];

/** The metrics a kind of task can be evaluated by. */
const metricsOf: Readonly<Record<TaskKind, readonly MetricName[]>> = {
  binary: probabilityMetrics,
  credit: probabilityMetrics,
  regression: ['mae', 'rmse', 'r2'],
  multiclass: ['multiclass_accuracy', 'multiclass_macro_f1', 'multiclass_log_loss'],
  fraud: probabilityMetrics,
  lead_scoring: probabilityMetrics,
  field_sales: probabilityMetrics,
  paid_media: probabilityMetrics,
};
