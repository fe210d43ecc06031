import type { FeatureMatrix } from '../statistics/matrix.ts';
import { openKernel } from './kernel/kernel.ts';

/** Rows in bins, feature by feature: bin 0 is missing, value bins are numbered from 1. */
export type Binned = {
  readonly rows: number;
  readonly features: number;
  /** Column-major, `bins[f * rows + i]` for the i-th of the rows asked for. */
  readonly bins: Uint8Array;
  /**
   * Cuts of each feature, ascending. A value's bin is 1 + the number of cuts below it, so `value <= cut` is left of the
   * cut.
   */
  readonly cuts: readonly Float32Array[];
  /** For each feature, whether one of the rows misses it. */
  readonly hasMissing: readonly boolean[];
};

const valueBinsMax = 255;
// Quantiles of 200,000 rows are within a fraction of a bin of those of all.
const quantileRowsMax = 200_000;
// Three digits of up to 11 bits.
const sortCountsBytes = 3 * 2048 * 4;
const float32Max = 3.4028234663852886e38;

/**
 * Cuts the values of the given rows into at most 255 bins with about equally many rows each, or one bin per value when
 * there are few values. rows: row numbers of the matrix, the training rows; nothing is learned from other rows. Above
 * 200,000 rows the cuts come from evenly spaced rows. −0 and 0 are one value; ±Infinity are the outermost values.
 */
export function binFeatures(matrix: FeatureMatrix, rows: Int32Array): Binned {
  const kernel = openKernel();
  const count = rows.length;
  const stride = Math.max(1, Math.ceil(count / quantileRowsMax));
  const sampleCount = Math.ceil(count / stride);
  const valuesAt = kernel.reserve(count * 4);
  const sampleAt = kernel.reserve(sampleCount * 4);
  const scratchAt = kernel.reserve(sampleCount * 4);
  const countsAt = kernel.reserve(sortCountsBytes);
  const cutsAt = kernel.reserve(valueBinsMax * 4);
  const binsAt = kernel.reserve(count);
  const column = new Float32Array(kernel.memory.buffer, valuesAt, count);
  const sample = new Float32Array(kernel.memory.buffer, sampleAt, sampleCount);
  const paddedCuts = new Float32Array(kernel.memory.buffer, cutsAt, valueBinsMax);
  const columnBins = new Uint8Array(kernel.memory.buffer, binsAt, count);

  const bins = new Uint8Array(count * matrix.features);
  const cuts: Float32Array[] = [];
  const hasMissing: boolean[] = [];
  for (let f = 0; f < matrix.features; f++) {
    const base = f * matrix.rows;
    let missing = 0;
    for (let i = 0; i < count; i++) {
      const value = matrix.values[base + rows[i]];
      column[i] = value;
      if (Number.isNaN(value)) missing++;
    }
    for (let i = 0; i < sampleCount; i++) sample[i] = column[i * stride];
    kernel.sortFloats(sampleAt, sampleCount, scratchAt, countsAt);
    const featureCuts = findCuts(sample);
    paddedCuts.fill(Number.POSITIVE_INFINITY);
    paddedCuts.set(featureCuts);
    kernel.binColumn(valuesAt, count, cutsAt, binsAt);
    bins.set(columnBins, f * count);
    cuts.push(featureCuts);
    hasMissing.push(missing > 0);
  }
  return { rows: count, features: matrix.features, bins, cuts, hasMissing };
}

/** sample: ascending, NaN last. */
function findCuts(sample: Float32Array): Float32Array {
  let present = sample.length;
  while (present > 0 && Number.isNaN(sample[present - 1])) present--;

  let distinct = 0;
  for (let i = 0; i < present; i++) if (i === 0 || sample[i] !== sample[i - 1]) distinct++;
  const cuts: number[] = [];
  if (distinct <= valueBinsMax) {
    for (let i = 1; i < present; i++) if (sample[i] !== sample[i - 1]) cuts.push(cutBetween(sample[i - 1], sample[i]));
    return Float32Array.from(cuts);
  }
  // A bin closes when it has an even share of the remaining rows, or before a value that has such a share by itself.
  // Thus frequent values get bins of their own and do not use up the bins of others.
  let binStart = 0;
  for (let i = 0, next: number; i < present && cuts.length < valueBinsMax - 1; i = next) {
    next = endOfRun(sample, i, present);
    if (next === present) break;
    const share = (present - binStart) / (valueBinsMax - cuts.length);
    if (next - binStart < share && endOfRun(sample, next, present) - next < share) continue;
    cuts.push(cutBetween(sample[i], sample[next]));
    binStart = next;
  }
  return Float32Array.from(cuts);
}

/** The end of the run of values equal to the one at `start`. */
function endOfRun(sorted: Float32Array, start: number, end: number): number {
  let next = start + 1;
  while (next < end && sorted[next] === sorted[start]) next++;
  return next;
}

/** A float32 t with low ≤ t < high, in the middle when possible. */
function cutBetween(low: number, high: number): number {
  const from = Math.max(low, -float32Max);
  const to = Math.min(high, float32Max);
  const middle = Math.fround(from + (to - from) / 2);
  return middle >= low && middle < high ? middle : low;
}
