import type { FeatureMatrix } from '../statistics/matrix.ts';
import { averageRanks } from '../statistics/ranks.ts';
import type { Loss } from '../trees/losses.ts';

/** Features with a higher absolute rank correlation are near-duplicates, if the label is hard to predict. */
const likenessMax = 0.98;

/** The rows that tell whether features are alike, their labels, and the loss by which these are learned. */
export type DistinctOrder = {
  readonly matrix: FeatureMatrix;
  readonly rows: Int32Array;
  readonly labels: Float64Array;
  readonly loss: Loss;
  /** Features, best first, and how many of them to keep at most. */
  readonly ranked: readonly number[];
  readonly most: number;
};

/** The ranked features without near-duplicates of better ones. */
export function keepDistinct({ matrix, rows, labels, loss, ranked, most }: DistinctOrder): number[] {
  const columnOf = (f: number) => Float64Array.from(rows, (row) => matrix.values[f * matrix.rows + row]);
  const limit = likenessLimit(labels, loss, ranked.slice(0, tellingMax).map(columnOf));
  const kept: number[] = [];
  const standings: Float32Array[] = [];
  for (const f of ranked) {
    if (kept.length >= most) break;
    const standing = standardRanks(columnOf(f));
    if (standings.some((other) => Math.abs(dot(standing, other)) > limit)) continue;
    kept.push(f);
    standings.push(standing);
  }
  return kept;
}

/**
 * How many of the best features are tested for how much each alone explains of the label, and the largest share that
 * counts. The share is limited so that exact copies of a feature are always dropped.
 */
const tellingMax = 20;
const toldMax = 0.99;

/**
 * The rank correlation above which two features are near-duplicates. The difference between two features is compared
 * with what the best single feature leaves unexplained of the label. Where levels differ widely (sales of shops), all
 * sums and means rank alike, and the small difference between them is what matters.
 */
function likenessLimit(labels: Float64Array, { kind }: Loss, columns: readonly Float64Array[]): number {
  if (kind === 'softmax') return likenessMax;
  const wanted = standardRanks(labels);
  const told = Math.max(0, ...columns.map((column) => dot(standardRanks(column), wanted) ** 2));
  return Math.sqrt(1 - (1 - likenessMax ** 2) * (1 - Math.min(told, toldMax)));
}

/**
 * Ranks of a column, centred and scaled to length 1; missing values are at the middle. Their dot product is the rank
 * correlation.
 */
function standardRanks(values: Float64Array): Float32Array {
  const filled = Array.from(values.keys()).filter((i) => !Number.isNaN(values[i]));
  const ranks = averageRanks(Float64Array.from(filled, (i) => values[i]));
  const middle = (filled.length + 1) / 2;
  const standing = new Float32Array(values.length);
  let length = 0;
  for (let k = 0; k < filled.length; k++) {
    standing[filled[k]] = ranks[k] - middle;
    length += (ranks[k] - middle) ** 2;
  }
  const scale = length > 0 ? 1 / Math.sqrt(length) : 0;
  return standing.map((value) => value * scale);
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}
