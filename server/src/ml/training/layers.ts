import type { Feature, Focus } from '../features/feature.ts';
import type { Graph } from '../features/graph.ts';
import { evaluateMetric, type MetricName } from '../statistics/metrics.ts';
import type { Objective } from '../statistics/objective.ts';
import { bootstrapDifference } from '../statistics/standard-errors.ts';
import { type Learned, learn } from './learn.ts';
import type { LearningData, Progress } from './learning-data.ts';
import type { Regime } from './questions.ts';

/**
 * What a model reads, each layer with all of those before it: a row's own columns and events; the rows it refers to and
 * those it met; the pre-trained encoder of its table; vectors of a graph model.
 */
export type LayerName = 'features' | 'neighbors' | 'rfm' | 'gfm';

export type Layer = { readonly name: LayerName; readonly data: LearningData; readonly learned: Learned };

/** What a layer brings to the one before it. */
export type LayerReport = {
  readonly layer: LayerName;
  /** The task's metric. */
  readonly value: number;
  /** Absent for the first. */
  readonly added?: {
    /** By how much the metric is better, whichever way it points; with the bounds of 95 % of the draws. */
    readonly gain: number;
    readonly low: number;
    readonly high: number;
    /** What is drawn with replacement: moments where there are many, else the rows that are asked about. */
    readonly drawn: 'moments' | 'entities';
  };
};

/**
 * Learns what each layer before the last would have been: the same way, from the same pool, reading less. `learned`: of
 * the data as they are. Features are chosen anew for a row's own alone, as what is left out may have stood for
 * something near to it.
 */
export function learnLayers(
  data: LearningData,
  learned: Learned,
  pool: Int32Array,
  regime: Regime,
  progress: Progress,
): Layer[] {
  const { foldGraph: _, ...rest } = data;
  const { encoder, vectors, ...graph } = data.graph;
  const plain = { ...rest, graph };
  const isOwn = (feature: Feature) => isOfOwn(graph, data.task.entity, feature.focus);
  const steps: { name: LayerName; data: LearningData }[] = [
    { name: 'neighbors', data: plain },
    ...(encoder ? [{ name: 'rfm', data: { ...data, graph: { ...graph, encoder } } } as const] : []),
    ...(vectors ? [{ name: 'gfm', data } as const] : []),
  ];
  const unread = () => {};
  const layers = steps.map(({ name, data: read }, s): Layer => {
    const isWhole = s === steps.length - 1;
    return {
      ...{ name, data: isWhole ? data : read },
      learned: isWhole ? learned : learn(read, pool, regime, progress, unread, unread, learned.choice),
    };
  });
  const own = { ...plain, mayRead: isOwn };
  const isAlone = learned.choice.features.every(isOwn);
  const alone = isAlone ? layers[0].learned : learn(own, pool, regime, progress);
  return [{ name: 'features', data: own, learned: alone }, ...layers];
}

/**
 * Whether a feature reads the row itself, its events, what all rows have in common, or what its own values stand for.
 */
function isOfOwn(graph: Graph, entity: string, focus: Focus): boolean {
  switch (focus.kind) {
    case 'root':
    case 'all':
      return true;
    case 'parent':
      return focus.of.kind === 'root' && graph.table(entity).references.get(focus.reference)?.values !== undefined;
    case 'last':
    case 'recent':
      return focus.of.kind === 'root' && graph.table(focus.events.table).references.get(focus.to)?.values !== undefined;
  }
}

/** Moments from which they are many enough to be drawn. */
const momentsMin = 20;
/** Draws of a comparison: fewer where a metric of very many rows takes its time. */
const replicatesOf = (rows: number) => (rows > 10_000 ? 300 : 1_000);
const seed = 1;

/** Predictions of the same rows (rows × classes where the objective has classes) by each layer, in order. */
export type LayerPredictions = readonly { readonly layer: LayerName; readonly predictions: Float64Array }[];

/** What each layer adds to the one before it. `at` and `entities`: the moment and the row each label is of. */
export function compareLayers(
  objective: Objective,
  labels: Float64Array,
  layers: LayerPredictions,
  at: readonly number[],
  entities: readonly number[],
): LayerReport[] {
  const drawn = new Set(at).size >= momentsMin ? 'moments' : 'entities';
  const metric = metricOf(objective.metric);
  const { higherIsBetter } = evaluateMetric(objective.metric, [0, 1], [0, 1]);
  return layers.map(({ layer, predictions }, l): LayerReport => {
    const value = metric(labels, predictions);
    const before = layers[l - 1];
    if (!before) return { layer, value };
    const { difference, low, high } = bootstrapDifference(
      metric,
      labels,
      before.predictions,
      predictions,
      drawn === 'moments' ? at : entities,
      { replicates: replicatesOf(labels.length), seed },
    );
    const [gain, least, most] = higherIsBetter ? [difference, low, high] : [-difference, -high, -low];
    return { layer, value, added: { gain, low: least, high: most, drawn } };
  });
}

function metricOf(name: MetricName) {
  return (labels: ArrayLike<number>, predictions: ArrayLike<number>) => evaluateMetric(name, labels, predictions).value;
}

/** A line for each layer: `+ neighbors  auroc 0.7434, gain 0.0311 (0.0102 to 0.0520)`. */
export function describeLayers(metric: string, layers: readonly LayerReport[]): string[] {
  return layers.map(({ layer, value, added }) => {
    const said = `${metric} ${value.toFixed(4)}`;
    if (!added) return `    ${layer.padEnd(9)} ${said}`;
    const { gain, low, high } = added;
    return `  + ${layer.padEnd(9)} ${said}, gain ${gain.toFixed(4)} (${low.toFixed(4)} to ${high.toFixed(4)})`;
  });
}
