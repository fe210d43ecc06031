import { openProgram } from '../features/evaluate.ts';
import type { Feature } from '../features/feature.ts';
import { openStates } from '../features/focus.ts';
import type { Graph } from '../features/graph.ts';
import type { Anchors } from '../features/state.ts';
import { fitPart, growPart, type Model, type PartInput, scoreModel } from '../heads/head.ts';
import type { FeatureMatrix } from '../statistics/matrix.ts';
import { type Binned, binFeatures } from '../trees/binning.ts';
import { type Forest, forestGains } from '../trees/forest.ts';
import type { ForestOptions } from '../trees/options.ts';
import { trainForest } from '../trees/train.ts';
import { type DistinctOrder, keepDistinct } from './keep-distinct.ts';

/** The work that the threads of one training share out. Large arrays lie in memory that they share. */
export type LearningCalls = ModelCalls & {
  /** Evaluates features at anchors and writes them to the columns `places` of a matrix of `rows`. */
  evaluate(order: FeatureOrder): void;
};

/** What is done with matrices alone. */
export type ModelCalls = {
  /** Bins columns of a matrix, and writes the bins to their place among those of all columns. */
  bin(order: BinOrder): Pick<Binned, 'cuts' | 'hasMissing'>;
  /** Of ranked features those that are no near-duplicates of better ones. */
  distinct(order: DistinctOrder): number[];
  /** The gain of each feature in one forest. */
  gains(order: ForestOrder): Float64Array;
  /** Trains a part and answers the rows `asked`. */
  margins(order: PartOrder & { readonly asked: FeatureMatrix }): Float64Array;
  /** Trains a linear part, or the forests of one of trees. */
  train(order: PartOrder): Model | Forest[];
};

export type FeatureOrder = {
  readonly features: readonly Feature[];
  readonly places: readonly number[];
  /** The anchors without their table, in batches that stand one after the other in the matrix. */
  readonly batches: readonly Omit<Anchors, 'table'>[];
  readonly rows: number;
  readonly values: Float32Array;
};
export type BinOrder = {
  readonly matrix: FeatureMatrix;
  readonly rows: Int32Array;
  readonly from: number;
  readonly to: number;
  readonly bins: Uint8Array;
};
export type ForestOrder = { readonly binned: Binned; readonly labels: Float64Array; readonly options: ForestOptions };
export type PartOrder = { readonly input: PartInput; readonly seeds: readonly number[] };

export const modelCalls: ModelCalls = {
  bin({ matrix, rows, from, to, bins }) {
    const values = matrix.values.subarray(from * matrix.rows, to * matrix.rows);
    const binned = binFeatures({ rows: matrix.rows, features: to - from, values }, rows);
    bins.set(binned.bins, from * rows.length);
    return { cuts: binned.cuts, hasMissing: binned.hasMissing };
  },
  distinct: keepDistinct,
  gains: ({ binned, labels, options }) => forestGains(trainForest(binned, labels, null, options)),
  margins: ({ input, seeds, asked }) => scoreModel(fitPart(input, seeds), asked),
  train: ({ input, seeds }) => (input.part.kind === 'linear' ? fitPart(input, seeds) : growPart(input, seeds)),
};

/** The calls of one thread, over its own graph of the tables. `entity`: the table of the task. */
export function openLearningCalls(graph: Graph, entity: string): LearningCalls {
  const states = openStates(graph);
  const table = graph.table(entity);
  const placed = new WeakMap<object, Anchors>();
  const anchorsOf = (batch: Omit<Anchors, 'table'>): Anchors => {
    // The rows that features lead to are found once for each set of anchors.
    let anchors = placed.get(batch);
    if (!anchors) placed.set(batch, (anchors = { ...batch, table }));
    return anchors;
  };
  return {
    evaluate({ features, places, batches, rows, values }) {
      const program = openProgram(graph, features, states);
      let from = 0;
      for (const batch of batches) {
        const part = program(anchorsOf(batch));
        for (const [f, place] of places.entries())
          values.set(part.values.subarray(f * part.rows, (f + 1) * part.rows), place * rows + from);
        from += part.rows;
      }
      // The next part reads mostly other signals, and all at once would be many times the tables.
      graph.forget();
    },
    ...modelCalls,
  };
}
