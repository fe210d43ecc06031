import type { Reading } from '../contract/yaml.ts';
import { decidingObjective, type KindName, kindNamed } from '../kinds/kinds.ts';
import { type MetricName, metricNames } from '../statistics/metrics.ts';

/** The field `metric`, or what its kind is evaluated by where it says none; undefined after a problem. */
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

/** What a kind is evaluated by where nobody says. */
export function defaultMetric(kind: KindName): MetricName {
  return kindNamed(kind).metrics[0];
}

/** The metric by the task's name for it; of several classes the names mean their multiclass forms. */
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
