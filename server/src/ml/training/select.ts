import type { FeatureMatrix } from '../statistics/matrix.ts';
import { averageRanks } from '../statistics/ranks.ts';
import { binFeatures } from '../trees/binning.ts';
import { forestGains } from '../trees/forest.ts';
import type { Loss } from '../trees/losses.ts';
import { defaultForestOptions } from '../trees/options.ts';
import { trainForest } from '../trees/train.ts';

/** Seeds of the gain pass: one alone would pick by luck among features that say nearly the same. */
const seeds = [11, 12, 13];
/** Features more alike than this in rank, either way, say the same of a label that nothing tells much of. */
const likenessMax = 0.98;

/**
 * Ranks features by the gain they bring to a first boosting on the given rows, best first, at most `most`. Constants,
 * features without gain and near-duplicates of better ones are left out. Only `rows` and their labels are read.
 */
export function selectFeatures(
  matrix: FeatureMatrix,
  rows: Int32Array,
  labels: Float64Array,
  loss: Loss,
  most: number,
): number[] {
  const binned = binFeatures(matrix, rows);
  const gains = new Float64Array(matrix.features);
  for (const seed of seeds) {
    const forest = trainForest(binned, labels, null, {
      ...defaultForestOptions,
      loss,
      rounds: 100,
      depthMax: 4,
      leavesMax: 12,
      columnSample: 0.12,
      minChildWeight: Math.min(rows.length < 2000 ? 3 : 8, weightOf(labels, loss) * leafShareMin),
      seed,
    });
    const gained = forestGains(forest);
    for (let f = 0; f < gains.length; f++) gains[f] += gained[f];
  }
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
 * How many of the best features are asked how much one alone tells of the label, and how much at most counts: copies
 * are not told apart.
 */
const tellingMax = 20;
const toldMax = 0.99;

/**
 * How alike two features may be. What sets them apart is held against what the most telling one leaves of the label:
 * where levels differ widely (sales of shops), all sums and means rank alike, and the small rest between them is what
 * tells.
 */
function likenessLimit(labels: Float64Array, { kind }: Loss, columns: readonly Float64Array[]): number {
  if (kind === 'softmax') return likenessMax;
  const wanted = standardRanks(labels);
  const told = Math.max(0, ...columns.map((column) => dot(standardRanks(column), wanted) ** 2));
  return Math.sqrt(1 - (1 - likenessMax ** 2) * (1 - Math.min(told, toldMax)));
}

/**
 * Of labels of which few are a yes, so large a share of all weight is enough for a leaf: else none could be split off.
 */
const leafShareMin = 0.1;

/** What all rows weigh at the first step of a boosting, by the second derivative of the loss. */
function weightOf(labels: Float64Array, { kind }: Loss): number {
  if (kind !== 'logistic') return labels.length;
  const yes = labels.reduce((sum, label) => sum + label, 0);
  return yes * (1 - yes / labels.length);
}

/**
 * Ranks of a column, missing at the middle, centred and scaled to length 1: their dot product is the rank correlation.
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
