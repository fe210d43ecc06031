import type { FeatureMatrix } from '../statistics/matrix.ts';
import { averageRanks } from '../statistics/ranks.ts';
import type { Loss } from '../trees/losses.ts';
import { defaultForestOptions } from '../trees/options.ts';
import { binTogether, type ModelTeam } from './learning-team.ts';

/** Seeds whose gains are summed. With a single seed, chance would decide between nearly equal features. */
const seeds = [11, 12, 13];
/** Features with a higher absolute rank correlation are near-duplicates, if the label is hard to predict. */
const likenessMax = 0.98;

/**
 * Ranks features by their gain in a first boosting on the given rows, best first, at most `most`. Constants, features
 * without gain and near-duplicates of better features are left out. Reads only `rows` and their labels.
 */
export async function selectFeatures(
  team: ModelTeam,
  matrix: FeatureMatrix,
  rows: Int32Array,
  labels: Float64Array,
  loss: Loss,
  most: number,
): Promise<number[]> {
  const options = {
    ...defaultForestOptions,
    loss,
    rounds: 100,
    depthMax: 4,
    leavesMax: 12,
    columnSample: 0.12,
    minChildWeight: Math.min(rows.length < 2000 ? 3 : 8, weightOf(labels, loss) * leafShareMin),
  };
  const binned = await binTogether(team, matrix, rows);
  const orders = seeds.map((seed) => ({ binned, labels, options: { ...options, seed } }));
  const gains = new Float64Array(matrix.features);
  for (const gained of await team.each('gains', orders)) for (let f = 0; f < gains.length; f++) gains[f] += gained[f];
  const ranked = Array.from(gains.keys())
    .filter((f) => gains[f] > 0)
    .sort((a, b) => gains[b] - gains[a] || a - b);
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
 * A leaf needs no more than this share of the total weight; otherwise, with few positives, no leaf could be split off.
 */
const leafShareMin = 0.1;

/** The total weight of the rows at the first boosting step, by the second derivative of the loss. */
function weightOf(labels: Float64Array, { kind }: Loss): number {
  if (kind !== 'logistic') return labels.length;
  const yes = labels.reduce((sum, label) => sum + label, 0);
  return yes * (1 - yes / labels.length);
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
