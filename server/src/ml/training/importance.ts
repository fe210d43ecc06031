import type { Head, Model } from '../heads/head.ts';
import { linearContributions } from '../linear/linear.ts';
import type { FeatureMatrix } from '../statistics/matrix.ts';
import { forestGains } from '../trees/forest.ts';

/**
 * The share of each feature in what the models rest on: of trees in their gain, of linear parts in the mean absolute
 * contribution over the rows of the matrix. Outputs count alike, and so do the parts of each. The shares sum to 1; all
 * are 0 where the models read nothing.
 */
export function importanceOf(heads: readonly Head[], matrix: FeatureMatrix): Float64Array {
  const sums = new Float64Array(matrix.features);
  for (const head of heads) {
    const parts = head.map((model) => shares(partOf(model, matrix))).filter((part) => part !== null);
    for (const part of parts) for (let f = 0; f < part.length; f++) sums[f] += part[f] / parts.length;
  }
  return shares(sums) ?? sums;
}

function partOf(model: Model, matrix: FeatureMatrix): Float64Array {
  if (model.kind === 'trees') return forestGains(model.forest);
  const moved = new Float64Array(matrix.features);
  const { values } = linearContributions(model.linear, matrix);
  model.linear.terms.forEach(({ feature }, t) => {
    for (let row = 0; row < matrix.rows; row++) moved[feature] += Math.abs(values[t * matrix.rows + row]);
  });
  return moved;
}

function shares(values: Float64Array): Float64Array | null {
  const total = values.reduce((sum, value) => sum + value, 0);
  return total > 0 ? values.map((value) => value / total) : null;
}

/** The share of the rows, by weight, on which each feature has a value. */
export function coverageOf({ rows, features, values }: FeatureMatrix, weights: ArrayLike<number>): Float64Array {
  let total = 0;
  for (let row = 0; row < rows; row++) total += weights[row];
  return Float64Array.from({ length: features }, (_, f) => {
    let filled = 0;
    for (let row = 0; row < rows; row++) if (!Number.isNaN(values[f * rows + row])) filled += weights[row];
    return filled / total;
  });
}
