import { assert } from '../../lib/failure.ts';
import { averageMargins, type Head, type Model } from '../heads/head.ts';
import { type LinearModel, linearContributions, scoreLinear } from '../linear/linear.ts';
import type { FeatureMatrix } from '../statistics/matrix.ts';
import { type Forest, joinForests } from '../trees/forest.ts';
import { maskBytes } from '../trees/leaves.ts';
import { loadForest } from '../trees/scorer.ts';

/** A head ready to score and to explain rows. A row's results do not depend on the other rows, to the last bit. */
export type OpenHead = {
  /** Margins per row: 1, or one per class. */
  readonly outputs: number;
  /**
   * Margins of rows [from, to), row-major rows × outputs. Gives the same bits as `averageMargins` over `scoreModel`.
   */
  readonly score: (matrix: FeatureMatrix, from: number, to: number) => Float64Array;
  /**
   * The contribution of each feature to the margin, for rows [from, to): row-major rows × (features + 1); the last
   * column is the expected margin. A row sums to its margin, up to rounding. Only for heads with one output.
   */
  readonly contributions: (matrix: FeatureMatrix, from: number, to: number) => Float64Array;
  /** Frees the memory; the head cannot be used afterwards. */
  readonly close: () => void;
};

/** Models of a head that are scored together. */
type OpenModels = {
  /** Their indices in the head. */
  readonly places: readonly number[];
  /** Margins of rows [from, to), row-major rows × models × outputs. */
  readonly score: (matrix: FeatureMatrix, from: number, to: number) => Float64Array;
  /** Adds the models' contributions to `sums`, rows × (features + 1). */
  readonly add: (matrix: FeatureMatrix, from: number, to: number, sums: Float64Array) => void;
  readonly close: () => void;
};

/** Prepares a head for many calls. Throws Failure 'limit_exceeded' when a forest's tables exceed 4 GiB. */
export function openHead(head: Head): OpenHead {
  assert(head.length > 0, 'a head has models');
  const outputs = outputsOf(head[0]);
  assert(
    head.every((model) => outputsOf(model) === outputs),
    'the models of a head have the same outputs',
  );
  const groups = openModels(head);
  return {
    outputs,
    score: (matrix, from, to) => {
      const margins = new Array<Float64Array>(head.length);
      for (const { places, score } of groups) {
        const values = score(matrix, from, to);
        places.forEach((place, model) => {
          margins[place] = pickModel(values, places.length, model, outputs);
        });
      }
      return averageMargins(margins);
    },
    contributions: (matrix, from, to) => {
      assert(outputs === 1, 'contributions are of heads with one output');
      const sums = new Float64Array((to - from) * (matrix.features + 1));
      for (const group of groups) group.add(matrix, from, to, sums);
      for (let i = 0; i < sums.length; i++) sums[i] /= head.length;
      return sums;
    },
    close: () => {
      for (const group of groups) group.close();
    },
  };
}

function outputsOf(model: Model): number {
  return model.kind === 'linear' ? 1 : model.forest.outputs;
}

/**
 * Opens the models of a head. Forests whose trees have masks of the same size are scored as one forest, so that per-row
 * work is done once.
 */
function openModels(head: Head): OpenModels[] {
  const groups = Map.groupBy(head.keys(), (place) => {
    const model = head[place];
    return model.kind === 'linear' ? `linear ${place}` : maskBytes(model.forest.trees);
  });
  return Array.from(groups.values(), (places) => {
    const [first] = places.map((place) => head[place]);
    if (first.kind === 'linear') return { places, ...openLinear(first.linear) };
    const forests = places.flatMap((place) => {
      const model = head[place];
      return model.kind === 'trees' ? [model.forest] : [];
    });
    return { places, ...openForests(forests) };
  });
}

function openLinear(linear: LinearModel): Omit<OpenModels, 'places'> {
  return {
    score: (matrix, from, to) => scoreLinear(linear, matrix, from, to),
    add: (matrix, from, to, sums) => {
      const { expected, values } = linearContributions(linear, matrix, from, to);
      const rows = to - from;
      const width = matrix.features + 1;
      linear.terms.forEach(({ feature }, t) => {
        for (let r = 0; r < rows; r++) sums[r * width + feature] += values[t * rows + r];
      });
      for (let r = 0; r < rows; r++) sums[r * width + matrix.features] += expected;
    },
    close: () => {},
  };
}

function openForests(forests: readonly Forest[]): Omit<OpenModels, 'places'> {
  const scorer = loadForest(forests.length === 1 ? forests[0] : joinForests(forests));
  return {
    score: scorer.score,
    add: (matrix, from, to, sums) => {
      const values = scorer.contributions(matrix, from, to);
      const width = matrix.features + 1;
      for (let r = 0, at = 0; r < to - from; r++)
        for (let k = 0; k < forests.length; k++, at += width)
          for (let f = 0; f < width; f++) sums[r * width + f] += values[at + f];
    },
    close: scorer.close,
  };
}

/** Picks the outputs of one model from row-major rows × models × outputs. */
function pickModel(values: Float64Array, models: number, model: number, outputs: number): Float64Array {
  if (models === 1) return values;
  const picked = new Float64Array(values.length / models);
  for (let from = model * outputs, to = 0; to < picked.length; from += models * outputs)
    for (let o = 0; o < outputs; o++) picked[to++] = values[from + o];
  return picked;
}
