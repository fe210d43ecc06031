import type { Feature, Focus } from '../features/feature.ts';
import type { Graph } from '../features/graph.ts';
import { evaluateMetric, isHigherBetter, type MetricName } from '../statistics/metrics.ts';
import type { Objective } from '../statistics/objective.ts';
import { bootstrapDifference, resamplingOf } from '../statistics/standard-errors.ts';
import { type Learned, learn } from './learn.ts';
import type { LearningData, Progress } from './learning-data.ts';
import type { Regime } from './questions.ts';

/**
 * What a model reads. Each layer includes those before it. 'features': a row's own columns and events; 'neighbors': the
 * rows it refers to and those it met; 'rfm': the pre-trained encoder of its table; 'gfm': vectors of a graph model.
 */
export type LayerName = 'features' | 'neighbors' | 'rfm' | 'gfm';

export type Layer = { readonly name: LayerName; readonly data: LearningData; readonly learned: Learned };

/** How much a layer improves on the one before it. */
export type LayerReport = {
  readonly layer: LayerName;
  /** The task's metric. */
  readonly value: number;
  /** Absent for the first layer. */
  readonly added?: {
    /**
     * Improvement of the metric (positive is better, whichever way the metric points), with the bounds of 95 % of the
     * bootstrap draws.
     */
    readonly gain: number;
    readonly low: number;
    readonly high: number;
    /** What is resampled with replacement: moments where there are enough, else the entities. */
    readonly drawn: 'moments' | 'entities';
  };
};

/**
 * Learns the model of each layer before the last: in the same way, from the same pool, reading less. `learned` is the
 * model of the complete data. For the row's own features alone, features are chosen anew, since a feature that is now
 * left out may have replaced a similar one.
 */
export async function learnLayers(
  data: LearningData,
  learned: Learned,
  pool: Int32Array,
  regime: Regime,
  progress: Progress,
): Promise<Layer[]> {
  const { foldGraph: _, ...rest } = data;
  const { encoder, vectors, ...graph } = data.graph;
  const plain = { ...rest, graph };
  const { mayRead = () => true } = data;
  const isOwn = (feature: Feature) => mayRead(feature) && isOfOwn(graph, data.task.entity, feature.focus);
  const steps: { name: LayerName; data: LearningData }[] = [
    { name: 'neighbors', data: plain },
    ...(encoder ? [{ name: 'rfm', data: { ...data, graph: { ...graph, encoder } } } as const] : []),
    ...(vectors ? [{ name: 'gfm', data } as const] : []),
  ];
  const layers: Layer[] = [];
  for (const [s, { name, data: read }] of steps.entries()) {
    const isWhole = s === steps.length - 1;
    layers.push({
      ...{ name, data: isWhole ? data : read },
      learned: isWhole ? learned : await learn(read, pool, regime, progress, () => {}, learned.choice),
    });
  }
  const own = { ...plain, mayRead: isOwn, isPart: true } as const;
  const isAlone = [...learned.choice.features, ...learned.choice.categories].every(isOwn);
  const alone = isAlone ? layers[0].learned : await learn(own, pool, regime, progress);
  return [{ name: 'features', data: own, learned: alone }, ...layers];
}

/** Whether a feature reads the row itself, its events, all rows together, or the values of its own columns. */
function isOfOwn(graph: Graph, entity: string, focus: Focus): boolean {
  switch (focus.kind) {
    case 'root':
    case 'all':
      return true;
    case 'parent':
      return focus.of.kind === 'root' && graph.table(entity).references.get(focus.reference)?.values !== undefined;
    case 'apart':
      return false;
    case 'last':
    case 'recent':
      return focus.of.kind === 'root' && graph.table(focus.events.table).references.get(focus.to)?.values !== undefined;
  }
}

/** Predictions of the same rows by each layer, in order; rows × classes where the objective has classes. */
export type LayerPredictions = readonly { readonly layer: LayerName; readonly predictions: Float64Array }[];

/** What each layer adds to the one before it. `at` and `entities`: the moment and the entity of each label. */
export function compareLayers(
  objective: Objective,
  labels: Float64Array,
  layers: LayerPredictions,
  at: readonly number[],
  entities: readonly number[],
): LayerReport[] {
  const resampling = resamplingOf(at, entities);
  const { drawn, groups } = resampling;
  const metric = metricOf(objective.metric);
  return layers.map(({ layer, predictions }, l): LayerReport => {
    const value = metric(labels, predictions);
    const before = layers[l - 1];
    if (!before) return { layer, value };
    const { difference, low, high } = bootstrapDifference(
      metric,
      labels,
      before.predictions,
      predictions,
      groups,
      resampling,
    );
    const [gain, least, most] = isHigherBetter(objective.metric) ? [difference, low, high] : [-difference, -high, -low];
    return { layer, value, added: { gain, low: least, high: most, drawn } };
  });
}

function metricOf(name: MetricName) {
  return (labels: ArrayLike<number>, predictions: ArrayLike<number>) => evaluateMetric(name, labels, predictions).value;
}

/** One line per layer: `+ neighbors auroc 0.7434, gain 0.0311 (0.0102 to 0.0520)`. */
export function describeLayers(metric: string, layers: readonly LayerReport[]): string[] {
  return layers.map(({ layer, value, added }) => {
    const said = `${metric} ${value.toFixed(4)}`;
    if (!added) return `    ${layer.padEnd(9)} ${said}`;
    const { gain, low, high } = added;
    return `  + ${layer.padEnd(9)} ${said}, gain ${gain.toFixed(4)} (${low.toFixed(4)} to ${high.toFixed(4)})`;
  });
}
