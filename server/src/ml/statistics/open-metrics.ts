import { type MetricName, prepareMetric } from './metrics.ts';
import type { ObjectiveKind } from './objective.ts';
import { sortedOrder } from './ranks.ts';

/** Predictions with what came. `values`: one per row, or rows × classes; labels are known. */
type Predicted = { readonly labels: Float64Array; readonly values: Float64Array };

/** Prepares metrics of the same rows for weights of all kinds. */
export function openMetrics(
  names: readonly MetricName[],
  kind: ObjectiveKind,
  { labels, values }: Predicted,
): (weights: Float64Array | null) => number[] {
  if (kind !== 'binary') {
    const prepared = names.map((name) => prepareMetric(name, labels, values));
    return (weights) => prepared.map((evaluate) => evaluate(weights));
  }
  // Metrics of ranks sort: rows that are sorted once need not be sorted for each draw.
  const order = sortedOrder(values);
  const inOrder = (numbers: Float64Array) => {
    const ordered = new Float64Array(order.length);
    for (let at = 0; at < order.length; at++) ordered[at] = numbers[order[at]];
    return ordered;
  };
  const [sortedLabels, sortedValues] = [inOrder(labels), inOrder(values)];
  const prepared = names.map((name) => prepareMetric(name, sortedLabels, sortedValues));
  return (weights) => {
    const own = weights && inOrder(weights);
    return prepared.map((evaluate) => evaluate(own));
  };
}
