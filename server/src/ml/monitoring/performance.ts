import { reliability } from '../calibration/reliability.ts';
import { auroc, brier, logLoss } from '../statistics/metrics.ts';
import { aurocStandardError, rateInterval } from '../statistics/standard-errors.ts';
import type { AlarmRule, Level } from './alarm.ts';

/** Predictions whose labels are known, all of one output. */
export type Closed = {
  readonly kind: 'binary' | 'multiclass' | 'regression';
  /** Probabilities, of a class the one that was said to be likeliest; or numbers. */
  readonly predicted: Float64Array;
  /** 0 or 1, of classes whether the likeliest was right; or numbers. */
  readonly labels: Float64Array;
  /** The name of a band of the score where answers have one. */
  readonly bands: readonly (string | null)[];
  /** A number for each day; what happens on one day is not independent. */
  readonly days: ArrayLike<number>;
};

/** What a version was worth when it was made, on rows later than what it had learned from; null: it does not say. */
export type Promised = {
  readonly auroc: number | null;
  readonly auroc_error: number | null;
  readonly mae: number | null;
  /** Standard deviation of the log-odds of whole periods about what was predicted for them, beyond chance. */
  readonly swing: number;
};

/** Predictions of one band: what was expected of them and what came, with its 95 % interval (Wilson). */
export type BandRow = {
  readonly band: string | null;
  /** Least and greatest prediction. */
  readonly from: number;
  readonly to: number;
  readonly rows: number;
  readonly expected: number;
  readonly observed: number;
  readonly observed_low: number;
  readonly observed_high: number;
};

export type FigureName = 'calibration' | 'discrimination' | 'error';

/** One figure held against what was promised. */
export type Figure = {
  readonly name: FigureName;
  /** Observed over expected; AUROC; mean absolute error. */
  readonly value: number;
  readonly promised: number;
  /** By how many standard errors it is worse; of calibration, by how many it is off either way. */
  readonly z: number;
  readonly level: Level;
};

export type Performance = {
  readonly rows: number;
  readonly expected: number;
  readonly observed: number;
  readonly bands: readonly BandRow[];
  readonly metrics: Readonly<Record<string, number>>;
  readonly figures: readonly Figure[];
};

/** Chosen by simulation (`npm run bench -- drift`). Windows of outcomes change little from day to day. */
export const performanceRule: AlarmRule = { of: 2, among: 2, clear: 3 };
const upperZ = 4;
const lowerZ = 2;
/** Less matters to nobody, however certain it is: of ratios, and of the AUROC. */
const ratioMin = 1.25;
const dropMin = 0.05;
/** With fewer rows of either label an AUROC has no standard error worth the name. */
const labelsMin = 10;
const tenths = 10;

/** Measures predictions whose labels are known and holds them against what the version promised. */
export function measurePerformance(closed: Closed, promised: Promised): Performance {
  const { kind, predicted, labels } = closed;
  const [expected, observed] = [sumOf(predicted), sumOf(labels)];
  const figures =
    kind === 'regression' ? errorFigures(closed, promised) : rateFigures(closed, promised, expected, observed);
  return {
    rows: labels.length,
    expected: expected / labels.length,
    observed: observed / labels.length,
    bands: kind === 'regression' ? [] : bandsOf(closed),
    metrics: metricsOf(closed),
    figures,
  };
}

/** By the bands of the score where answers have one, the worst first; else by tenths of the predictions. */
function bandsOf({ predicted, labels, bands }: Closed): BandRow[] {
  const named = Map.groupBy(bands.keys(), (row) => bands[row]);
  if (!named.has(null)) {
    const rows = Array.from(named, ([band, own]) => {
      const mine = [...own];
      const values = mine.map((row) => predicted[row]);
      const count = mine.reduce((sum, row) => sum + labels[row], 0);
      return bandRow(band, [Math.min(...values), Math.max(...values)], sumOf(values) / mine.length, count, mine.length);
    });
    return rows.sort((a, b) => b.expected - a.expected);
  }
  const table = reliability(labels, predicted, { bins: tenths, binning: 'equal_count' });
  return table.bins.map(({ low, high, meanProbability, observedRate, rows }) =>
    bandRow(null, [low, high], meanProbability, Math.round(observedRate * rows), rows),
  );
}

function bandRow(
  band: string | null,
  [from, to]: readonly [number, number],
  expected: number,
  count: number,
  rows: number,
): BandRow {
  const { low, high } = rateInterval(count, rows);
  return { band, from, to, rows, expected, observed: count / rows, observed_low: low, observed_high: high };
}

function metricsOf({ kind, predicted, labels }: Closed): Record<string, number> {
  if (kind === 'regression') return { mae: meanAbsolute(predicted, labels) };
  if (kind === 'multiclass') return { accuracy: sumOf(labels) / labels.length };
  const loss = { log_loss: logLoss(labels, predicted), brier: brier(labels, predicted) };
  return hasBoth(labels) ? { auroc: auroc(labels, predicted), ...loss } : loss;
}

/**
 * Observed against expected: by chance the number differs by the variance of the draws, and by what rates of whole
 * periods swung about the predictions when the version was made. And the AUROC against that of later rows then.
 */
function rateFigures(
  { kind, predicted, labels }: Closed,
  promised: Promised,
  expected: number,
  observed: number,
): Figure[] {
  const variance = predicted.reduce((sum, p) => sum + p * (1 - p), 0);
  const z = (observed - expected) / Math.sqrt(variance + (promised.swing * variance) ** 2);
  const ratio = observed / expected;
  const isFar = ratio > ratioMin || ratio < 1 / ratioMin;
  const calibration: Figure = {
    ...{ name: 'calibration', value: ratio, promised: 1, z: Math.abs(z), level: levelOf(Math.abs(z), isFar) },
  };
  const { auroc: was, auroc_error: error } = promised;
  if (kind !== 'binary' || was === null || error === null || !hasBoth(labels)) return [calibration];
  const value = auroc(labels, predicted);
  const drop = (was - value) / Math.hypot(error, aurocStandardError(labels, predicted));
  return [
    calibration,
    { name: 'discrimination', value, promised: was, z: drop, level: levelOf(drop, was - value > dropMin) },
  ];
}

/** The mean absolute error against that of later rows then, its standard error by days. */
function errorFigures({ predicted, labels, days }: Closed, { mae }: Promised): Figure[] {
  if (mae === null || mae === 0) return [];
  const value = meanAbsolute(predicted, labels);
  const perDay = new Map<number, { excess: number }>();
  for (let row = 0; row < labels.length; row++) {
    const day = perDay.get(days[row]) ?? { excess: 0 };
    day.excess += Math.abs(predicted[row] - labels[row]) - value;
    perDay.set(days[row], day);
  }
  const n = perDay.size;
  if (n < 2) return [];
  const variance = ([...perDay.values()].reduce((sum, { excess }) => sum + excess ** 2, 0) * n) / (n - 1);
  const z = (value - mae) / (Math.sqrt(variance) / labels.length);
  return [{ name: 'error', value, promised: mae, z, level: levelOf(z, value > ratioMin * mae) }];
}

function levelOf(z: number, isFar: boolean): Level {
  if (z > upperZ && isFar) return 'above';
  return z < lowerZ || !isFar ? 'below' : 'between';
}

function hasBoth(labels: Float64Array): boolean {
  const positives = sumOf(labels);
  return Math.min(positives, labels.length - positives) >= labelsMin;
}

function meanAbsolute(predicted: Float64Array, labels: Float64Array): number {
  return predicted.reduce((sum, value, row) => sum + Math.abs(value - labels[row]), 0) / labels.length;
}

function sumOf(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i];
  return sum;
}
