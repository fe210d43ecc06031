import { assert } from '../../lib/failure.ts';
import { firstAbove, firstAtLeast, sortedOrder } from '../statistics/ranks.ts';
import { boundProbability } from './bounds.ts';

/**
 * A fitted inductive Venn–Abers predictor as two step functions; plain data, kept as JSON without loss. A step of
 * `lower` holds from its margin up to the next one; a step of `upper` holds from the previous margin (exclusive) up to
 * its own.
 */
export type VennAbers = { readonly lower: Steps; readonly upper: Steps };

type Steps = { readonly margins: readonly number[]; readonly probabilities: readonly number[] };

/** Cumulative rows and positives: the points of Vovk, Petej & Fedorova's cumulative sum diagram. */
type Point = { readonly x: number; readonly y: number };

/**
 * Precomputes p0 and p1 for every possible margin: the isotonic fit at the margin when the row to predict is added to
 * the calibration rows with label 0 and with label 1. One of the two is perfectly calibrated for any distribution.
 * Source: Vovk, Petej & Fedorova, "Large-scale probabilistic predictors" (2015), algorithms 1 to 6. O(n log n). labels:
 * 0 or 1, one per margin.
 */
export function fitVennAbers(margins: Float64Array, labels: ArrayLike<number>): VennAbers {
  assert(margins.length > 0 && margins.length === labels.length, 'a Venn–Abers predictor needs one label per margin');
  const order = sortedOrder(margins);
  const distinct: number[] = [];
  const rows: number[] = [];
  const positives: number[] = [];
  for (const row of order) {
    if (distinct.length === 0 || distinct[distinct.length - 1] !== margins[row]) {
      distinct.push(margins[row]);
      rows.push(0);
      positives.push(0);
    }
    rows[rows.length - 1]++;
    positives[positives.length - 1] += labels[row];
  }
  const upper = fitsWithPositive(rows, positives);
  // Label 0 is label 1 with order and labels reversed.
  const negatives = rows.map((count, i) => count - positives[i]);
  const lower = fitsWithPositive([...rows].reverse(), negatives.reverse())
    .reverse()
    .map((p) => 1 - p);
  return {
    lower: keepSteps(distinct, lower, (i) => i === 0 || lower[i] !== lower[i - 1]),
    upper: keepSteps(distinct, upper, (i) => i === upper.length - 1 || upper[i] !== upper[i + 1]),
  };
}

/** p0 and p1 for one margin: 0 ≤ p0 ≤ p1 ≤ 1. O(log n). */
export function applyVennAbers(predictor: VennAbers, margin: number): { p0: number; p1: number } {
  const { lower, upper } = predictor;
  // A negative between two calibration rows pools with the one below, a positive with the one above.
  const below = firstAbove(lower.margins, margin) - 1;
  const above = firstAtLeast(upper.margins, margin);
  return {
    p0: below < 0 ? 0 : lower.probabilities[below],
    p1: above === upper.margins.length ? 1 : upper.probabilities[above],
  };
}

/**
 * The interval shown with a calibrated probability: [p0, p1] within the service's bounds. It is widened to contain the
 * probability, which comes from another calibrator.
 */
export function probabilityInterval(predictor: VennAbers, margin: number, probability: number): [number, number] {
  const { p0, p1 } = applyVennAbers(predictor, margin);
  return [Math.min(boundProbability(p0), probability), Math.max(boundProbability(p1), probability)];
}

/**
 * For each tie group i, the isotonic fit at it with one more positive row in it: the slope, across the group's step, of
 * the greatest convex minorant of the points before it moved by (-1, -1) and the points from it on. Groups move from
 * the right to the left part one at a time; the stack holds the minorant's corners from that step on, the leftmost on
 * top.
 */
function fitsWithPositive(rows: readonly number[], positives: readonly number[]): number[] {
  const points: Point[] = [];
  let x = 0;
  let y = 0;
  for (let i = 0; i < rows.length; i++) {
    x += rows[i];
    y += positives[i];
    points.push({ x, y });
  }
  const corners: Point[] = [{ x: -1, y: -1 }];
  for (const point of points) {
    while (corners.length > 1 && turn(corners[corners.length - 2], corners[corners.length - 1], point) <= 0)
      corners.pop();
    corners.push(point);
  }
  corners.reverse();
  const fits: number[] = [];
  for (const point of points) {
    const top = corners[corners.length - 1];
    const next = corners[corners.length - 2];
    fits.push((next.y - top.y) / (next.x - top.x));
    const moved = { x: point.x - 1, y: point.y - 1 };
    if (fits.length === points.length || turn(top, next, moved) >= 0) continue;
    corners.pop();
    while (corners.length > 1 && turn(moved, corners[corners.length - 1], corners[corners.length - 2]) <= 0)
      corners.pop();
    corners.push(moved);
  }
  return fits;
}

/** Above 0 when the path a, b, c turns left. Counts are integers, so the result is exact. */
function turn(a: Point, b: Point, c: Point): number {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

function keepSteps(margins: readonly number[], probabilities: readonly number[], keep: (i: number) => boolean): Steps {
  return {
    margins: margins.filter((_, i) => keep(i)),
    probabilities: probabilities.filter((_, i) => keep(i)),
  };
}
