import type { FeatureMatrix } from '../statistics/matrix.ts';
import { applyRankMap, fitRankMap, quantileOfSorted, type RankMap } from '../statistics/ranks.ts';

/** How the raw values of a feature become the column that the linear head reads. Saved with the model. */
export type ColumnMap =
  | ({ readonly kind: 'rank' } & RankMap)
  /** (clip(x, low, high) - centre) / deviation; deviation 0 for a constant column, which maps to 0. */
  | {
      readonly kind: 'winsor';
      readonly low: number;
      readonly high: number;
      readonly centre: number;
      readonly deviation: number;
    }
  /** The unchanged value, for columns of one vector whose scales show how much each matters. */
  | { readonly kind: 'plain' }
  /** The effect of each value of a category, by its place; 0 of any other. */
  | { readonly kind: 'effects'; readonly effects: readonly number[] };

export type Scaling = Exclude<ColumnMap['kind'], 'effects'>;

/** Quantiles are taken of at most this many evenly spaced rows. More would cost sorting time and hardly move a knot. */
const quantileRowsMax = 100_000;
const knotsMax = 255;
const normalScoreMax = 3;
const winsorShare = 0.01;
/** A feature that is missing less often gets no flag, whose coefficient would rest on a handful of rows. */
const flagShareMin = 0.01;

/** Fits the map of one feature to the training rows, and decides whether it gets a column "is missing". */
export function fitColumnMap(
  matrix: FeatureMatrix,
  feature: number,
  rows: Int32Array,
  scaling: Scaling,
): { map: ColumnMap; hasFlag: boolean } {
  if (scaling === 'plain') return { map: { kind: 'plain' }, hasFlag: false };
  const start = feature * matrix.rows;
  const sample = Math.min(rows.length, quantileRowsMax);
  const values = new Float32Array(sample);
  let present = 0;
  let missing = 0;
  for (let i = 0; i < sample; i++) {
    const value = matrix.values[start + rows[Math.floor((i * rows.length) / sample)]];
    if (Number.isNaN(value)) missing++;
    else if (Number.isFinite(value)) values[present++] = value;
  }
  const sorted = values.subarray(0, present).sort();
  return {
    map: scaling === 'rank' ? fitRank(sorted) : fitWinsor(sorted),
    hasFlag: missing >= flagShareMin * sample && missing < sample,
  };
}

/**
 * The scaled value of a raw one, rounded to float32, so that training on stored columns and scoring a single row see
 * the same number. A missing value (NaN) is 0, the middle. Infinities count as the outermost training values.
 */
export function scaleValue(map: ColumnMap, value: number): number {
  if (Number.isNaN(value)) return 0;
  if (map.kind === 'rank') return Math.fround(applyRankMap(map, value));
  if (map.kind === 'plain') return Math.fround(value);
  if (map.kind === 'effects') return map.effects[value] ?? 0;
  if (map.deviation === 0) return 0;
  const clipped = Math.min(Math.max(value, map.low), map.high);
  return Math.fround((clipped - map.centre) / map.deviation);
}

function fitRank(sorted: Float32Array): ColumnMap {
  return { kind: 'rank', ...fitRankMap(sorted, { knotsMax, scoreMax: normalScoreMax }) };
}

function fitWinsor(sorted: Float32Array): ColumnMap {
  if (sorted.length === 0) return { kind: 'winsor', low: 0, high: 0, centre: 0, deviation: 0 };
  let low = quantileOfSorted(sorted, winsorShare);
  let high = quantileOfSorted(sorted, 1 - winsorShare);
  // A rare indicator has equal percentiles. Clipping there would remove its information.
  if (low === high) {
    low = sorted[0];
    high = sorted[sorted.length - 1];
  }
  let sum = 0;
  for (const value of sorted) sum += Math.min(Math.max(value, low), high);
  const centre = sum / sorted.length;
  let squares = 0;
  for (const value of sorted) squares += (Math.min(Math.max(value, low), high) - centre) ** 2;
  const deviation = low === high ? 0 : Math.sqrt(squares / sorted.length);
  return { kind: 'winsor', low, high, centre, deviation };
}
