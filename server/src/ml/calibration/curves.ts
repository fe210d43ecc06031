import { sortedOrder } from '../statistics/ranks.ts';
import { rateInterval } from '../statistics/standard-errors.ts';
import type { ReliabilityBin } from './reliability.ts';

/** About a tenth of the rows: equal predictions stay together. Bounds are of the observed rate (Wilson, 95 %). */
export type ReliabilityRow = {
  readonly rows: number;
  readonly from: number;
  readonly to: number;
  readonly mean_predicted: number;
  readonly observed: number;
  readonly observed_low: number;
  readonly observed_high: number;
};

/**
 * About a tenth of the rows, and all rows down to it. `lift`: the observed rate over that of all rows;
 * `captured`: the share of all positives among the rows down to here, `share` of all rows.
 */
export type GainsRow = {
  readonly rows: number;
  readonly positives: number;
  readonly from: number;
  readonly observed: number;
  readonly lift: number;
  readonly share: number;
  readonly captured: number;
  readonly cumulative_lift: number;
};

/** Rows whose value is from `from` to before `to`; of the last bin also `to` itself. */
export type HistogramBin = { readonly from: number; readonly to: number; readonly rows: number };

/** What would have come of acting on every row with at least this probability. */
export type Threshold = {
  readonly threshold: number;
  /** Share of the rows that are acted on. */
  readonly rate: number;
  /** Share of those acted on that are positive. */
  readonly precision: number;
  /** Share of the positives that are acted on; null where there are none. */
  readonly recall: number | null;
  /** Share of the negatives that are acted on; null where there are none. */
  readonly false_positive_rate: number | null;
};

/** Makes rows of the table that `reliability` made. */
export function reliabilityRows(table: readonly ReliabilityBin[]): ReliabilityRow[] {
  return table.map((bin) => {
    const { low, high } = rateInterval(positivesIn(bin), bin.rows);
    return {
      rows: bin.rows,
      from: bin.low,
      to: bin.high,
      mean_predicted: bin.meanProbability,
      observed: bin.observedRate,
      observed_low: low,
      observed_high: high,
    };
  });
}

/** Gains by descending prediction, of the table that `reliability` made of rows with these labels. */
export function gainsOf(table: readonly ReliabilityBin[], labels: ArrayLike<number>): GainsRow[] {
  const all = sumOf(labels);
  let [rows, positives] = [0, 0];
  return table.toReversed().map((bin): GainsRow => {
    rows += bin.rows;
    positives += positivesIn(bin);
    return {
      rows: bin.rows,
      positives: positivesIn(bin),
      from: bin.low,
      observed: bin.observedRate,
      lift: bin.observedRate / (all / labels.length),
      share: rows / labels.length,
      captured: positives / all,
      cumulative_lift: positives / rows / (all / labels.length),
    };
  });
}

const binsMade = 20;

/** Counts values in twenty bins of equal width from `low` to `high`; in one where these are the same. */
export function histogramOf(values: ArrayLike<number>, low: number, high: number): HistogramBin[] {
  if (!(high > low)) return [{ from: low, to: high, rows: values.length }];
  const counts = new Int32Array(binsMade);
  for (let i = 0; i < values.length; i++) {
    const bin = Math.floor(((values[i] - low) / (high - low)) * binsMade);
    counts[Math.min(Math.max(bin, 0), binsMade - 1)]++;
  }
  const edge = (bin: number) => low + ((high - low) * bin) / binsMade;
  return Array.from(counts, (rows, bin) => ({ from: edge(bin), to: edge(bin + 1), rows }));
}

/** Shares of the rows, the most probable first, at which thresholds are laid. */
const shares = [0.01, 0.02, ...Array.from({ length: 20 }, (_, k) => (k + 1) / 20)];

/**
 * Lays thresholds where about so many of the rows would be acted on, the highest first. Rows of one probability are
 * acted on together, so that there are fewer thresholds where many rows are alike. labels: 0 or 1.
 */
export function thresholdsOf(labels: ArrayLike<number>, probabilities: ArrayLike<number>): Threshold[] {
  const order = sortedOrder(probabilities).toReversed();
  const rows = order.length;
  const positives = sumOf(labels);
  const found: Threshold[] = [];
  let [end, hits] = [0, 0];
  for (const share of shares) {
    const wanted = Math.max(1, Math.round(share * rows));
    if (rows === 0 || wanted <= end) continue;
    const threshold = probabilities[order[wanted - 1]];
    for (; end < rows && probabilities[order[end]] >= threshold; end++) hits += labels[order[end]];
    found.push({
      threshold,
      rate: end / rows,
      precision: hits / end,
      recall: positives === 0 ? null : hits / positives,
      false_positive_rate: positives === rows ? null : (end - hits) / (rows - positives),
    });
  }
  return found;
}

function positivesIn({ rows, observedRate }: ReliabilityBin): number {
  return Math.round(observedRate * rows);
}

function sumOf(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i];
  return sum;
}
