import type { Reading } from '../contract/yaml.ts';
import { decidingObjective, type KindName, kindNamed } from '../kinds/kinds.ts';
import { type MetricName, metricNames } from '../statistics/metrics.ts';

/** Reads the field `metric`, by default the one of the kind. Returns undefined after a problem. */
export function readMetric(
  reading: Reading,
  given: string | undefined,
  kind: KindName | undefined,
): MetricName | undefined {
  const metric = given === undefined ? defaultMetric(kind ?? 'binary') : metricOfTask(given, kind ?? 'binary');
  const allowed = kindNamed(kind ?? 'binary').metrics;
  if (kind && !(metric && allowed.includes(metric)))
    reading.problem(['metric'], `must be one of ${allowed.join(', ')} for a ${kind} task`);
  return metric;
}

/** The default metric of a kind. */
export function defaultMetric(kind: KindName): MetricName {
  return kindNamed(kind).metrics[0];
}

/** The metric with the name a task gives it. For multiclass kinds the names mean the multiclass metrics. */
function metricOfTask(given: string, kind: KindName): MetricName | undefined {
  const plain = otherNames.get(given) ?? given;
  const named =
    decidingObjective(kind) === 'multiclass'
      ? `multiclass_${plain.replace(/^(multiclass_)?(f1|macro_f1)$/, 'macro_f1').replace(/^multiclass_/, '')}`
      : plain;
  return metricNames.find((known) => known === named);
}

const otherNames = new Map([
  ['ap', 'average_precision'],
  ['roc_auc', 'auroc'],
]);
