import { assert } from '../../lib/failure.ts';
import { averageMargins, type Head } from '../training/head.ts';
import { linearContributions, scoreLinear } from '../training/linear.ts';
import type { FeatureMatrix } from '../trees/matrix.ts';
import { loadForest } from '../trees/scorer.ts';

/** A head ready to score and to be taken apart. A row's results do not depend on the rows around it, to the last bit. */
export type OpenHead = {
  /** Margins per row: 1, or one per class. */
  readonly outputs: number;
  /** Margins of rows [from, to), row-major rows × outputs: the same bits as `averageMargins` over `scoreModel`. */
  readonly score: (matrix: FeatureMatrix, from: number, to: number) => Float64Array;
  /**
   * What each feature adds to the margin of rows [from, to): row-major rows × (features + 1), the last being the expected
   * margin. A row adds up to its margin, to rounding. Only for heads of one output.
   */
  readonly contributions: (matrix: FeatureMatrix, from: number, to: number) => Float64Array;
  /** Lets go of the memory; the head cannot be used again. */
  readonly close: () => void;
};

type OpenModel = {
  readonly outputs: number;
  readonly score: (matrix: FeatureMatrix, from: number, to: number) => Float64Array;
  /** Adds the model's contributions to `sums`, rows × (features + 1). */
  readonly add: (matrix: FeatureMatrix, from: number, to: number, sums: Float64Array) => void;
  readonly close: () => void;
};

/** Prepares a head for many calls. Throws: Failure 'limit_exceeded' when a forest's tables exceed 4 GiB. */
export function openHead(head: Head): OpenHead {
  assert(head.length > 0, 'a head has models');
  const models = head.map(openModel);
  const { outputs } = models[0];
  assert(
    models.every((model) => model.outputs === outputs),
    'the models of a head have the same outputs',
  );
  return {
    outputs,
    score: (matrix, from, to) => averageMargins(models.map((model) => model.score(matrix, from, to))),
    contributions: (matrix, from, to) => {
      assert(outputs === 1, 'contributions are of heads with one output');
      const sums = new Float64Array((to - from) * (matrix.features + 1));
      for (const model of models) model.add(matrix, from, to, sums);
      for (let i = 0; i < sums.length; i++) sums[i] /= models.length;
      return sums;
    },
    close: () => {
      for (const model of models) model.close();
    },
  };
}

/** The contributions of `OpenHead` for one use. */
export function headContributions(head: Head, matrix: FeatureMatrix, from = 0, to = matrix.rows): Float64Array {
  const open = openHead(head);
  try {
    return open.contributions(matrix, from, to);
  } finally {
    open.close();
  }
}

function openModel(model: Head[number]): OpenModel {
  if (model.kind === 'linear') {
    const { linear } = model;
    return {
      outputs: 1,
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
  const scorer = loadForest(model.forest);
  return {
    outputs: scorer.outputs,
    score: scorer.score,
    add: (matrix, from, to, sums) => {
      const values = scorer.contributions(matrix, from, to);
      for (let i = 0; i < sums.length; i++) sums[i] += values[i];
    },
    close: scorer.close,
  };
}
