import type { Feature } from '../features/feature.ts';
import type { FeatureMatrix } from '../statistics/matrix.ts';
import { applyRankMap, fitRankMap, type RankMap } from '../statistics/ranks.ts';

/** How features become inputs of a network: the score of each feature, then flags for missing values. */
export type Inputs = {
  readonly features: readonly Feature[];
  /** Per feature its quantiles on the pre-training rows; fixed after pre-training. */
  readonly maps: readonly RankMap[];
  /** Features with a flag for missing values. Features that are missing on the same rows share one. */
  readonly flags: readonly number[];
};

/** Scores are in [-3, 3]; a missing value has score 0, the score of the median. */
const scoreMax = 3;
const knotsMax = 64;
/** Most inputs; those with least correlation to a target are dropped first. */
const inputsMax = 400;
/** Of two features with a higher absolute correlation the second is dropped. */
const sameMin = 0.98;
/** Features with values on a smaller share of rows are dropped. */
const filledMin = 0.01;
const flagShareMin = 0.01;

export function inputColumns({ features, flags }: Inputs): number {
  return features.length + flags.length;
}

/** Features, and the column of each for the rows of a sample. */
export type Sampled = { readonly features: readonly Feature[]; readonly columns: readonly Float32Array[] };

/**
 * Chooses inputs among the features of a sample, by the highest correlation of each with any of the `objectives`
 * (columns of the same rows, NaN for missing), and fixes their scalings. All features of `vectors` (same rows) follow,
 * since a single one says little.
 */
export function chooseInputs(
  { features, columns }: Sampled,
  vectors: Sampled,
  objectives: readonly Float32Array[],
  rows: number,
): Inputs {
  const maps = columns.map((column) => fitMap(column, rows));
  const scores = columns.map((column, f) => (maps[f] ? standardise(column, maps[f]) : null));
  const wanted = objectives.map((objective) => {
    const map = fitMap(objective, rows);
    return map ? standardise(objective, map) : null;
  });
  const telling = scores.map((score) =>
    score
      ? wanted.reduce((best, objective) => (objective ? Math.max(best, Math.abs(product(score, objective))) : best), 0)
      : -1,
  );
  const order = Array.from(features.keys())
    .filter((f) => scores[f] !== null)
    .sort((a, b) => telling[b] - telling[a] || a - b);
  const kept: number[] = [];
  for (const f of order) {
    if (kept.length >= inputsMax) break;
    if (kept.some((other) => Math.abs(product(scores[f]!, scores[other]!)) > sameMin)) continue;
    kept.push(f);
  }
  kept.sort((a, b) => a - b);
  const vectorMaps = vectors.columns.map((column) => fitMap(column, rows));
  const filled = Array.from(vectorMaps.keys()).filter((f) => vectorMaps[f] !== null);
  return {
    features: [...kept.map((f) => features[f]), ...filled.map((f) => vectors.features[f])],
    maps: [...kept.map((f) => maps[f]!), ...filled.map((f) => vectorMaps[f]!)],
    flags: chooseFlags([...kept.map((f) => columns[f]), ...filled.map((f) => vectors.columns[f])]),
  };
}

function fitMap(column: Float32Array, rows: number): RankMap | null {
  const sorted = column.filter(Number.isFinite).sort();
  if (sorted.length < rows * filledMin) return null;
  const map = fitRankMap(sorted, { knotsMax, scoreMax });
  return map.knots.length < 2 ? null : map;
}

/** Scores with mean 0 and length 1, so that their dot products are correlations; missing values are at the mean. */
function standardise(column: Float32Array, map: RankMap): Float32Array | null {
  let sum = 0;
  let filled = 0;
  const scores = column.map((value) => {
    if (!Number.isFinite(value)) return Number.NaN;
    const score = applyRankMap(map, value);
    sum += score;
    filled++;
    return score;
  });
  const mean = sum / filled;
  let squares = 0;
  for (let i = 0; i < scores.length; i++) {
    scores[i] = Number.isNaN(scores[i]) ? 0 : scores[i] - mean;
    squares += scores[i] ** 2;
  }
  if (squares === 0) return null;
  const scale = 1 / Math.sqrt(squares);
  return scores.map((score) => score * scale);
}

function product(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

function chooseFlags(columns: readonly Float32Array[]): number[] {
  const seen = new Set<string>();
  return Array.from(columns.keys()).filter((f) => {
    const gaps = Uint8Array.from(columns[f], (value) => Number(!Number.isFinite(value)));
    const missing = gaps.reduce((count, gap) => count + gap, 0);
    if (missing < gaps.length * flagShareMin || missing > gaps.length * (1 - flagShareMin)) return false;
    const key = Buffer.from(gaps).toString('latin1');
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** The inputs of all rows of a feature matrix, row by row. */
export function scoreInputs(inputs: Inputs, { rows, values }: FeatureMatrix): Float32Array {
  const { features, maps, flags } = inputs;
  const columns = inputColumns(inputs);
  const scored = new Float32Array(rows * columns);
  for (let f = 0; f < features.length; f++) {
    for (let i = 0; i < rows; i++) {
      const value = values[f * rows + i];
      if (Number.isFinite(value)) scored[i * columns + f] = applyRankMap(maps[f], value);
    }
  }
  for (const [k, f] of flags.entries()) {
    for (let i = 0; i < rows; i++)
      if (!Number.isFinite(values[f * rows + i])) scored[i * columns + features.length + k] = 1;
  }
  return scored;
}
