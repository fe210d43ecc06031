import { calibrationLine } from '../calibration/reliability.ts';
import { riskBands } from '../calibration/score.ts';
import { type Comparison, compareRows } from '../evaluation/compare.ts';
import { type Measured, measureRows } from '../evaluation/measure.ts';
import { pickRows, type SegmentedRows } from '../evaluation/segments.ts';
import { isHigherBetter, type MetricName } from '../statistics/metrics.ts';
import type { Objective, ObjectiveKind } from '../statistics/objective.ts';
import { openMetrics } from '../statistics/open-metrics.ts';
import { bootstrapEstimates, type Estimate, rateInterval, resamplingOf } from '../statistics/standard-errors.ts';
import { checkRules } from './checks.ts';
import type { Bands } from './distribution.ts';
import type { BandRow, PartRow } from './report.ts';

/** With fewer rows, or fewer of either label, nothing is said by labels. */
const rowsMin = 100;
const labelsMin = 10;
const monthsMax = 12;
const normal95 = 1.959963984540054;

export type ByLabels = {
  readonly model: Measured;
  readonly compareWith: Measured | null;
  /** By metric, positive where the version is better. */
  readonly gains: Comparison['gains'] | null;
  /** What came as a share of what was predicted; null for classes. */
  readonly level: Beside | null;
  /** Cox's slope; null unless labels are yes or no. */
  readonly slope: Beside | null;
};

/** What was measured of a version, and the same of the version before. */
export type Beside = { readonly own: Estimate; readonly before: number | null };

/** Whether rows are enough to say something by their labels. */
export function isTold({ labels }: Pick<SegmentedRows, 'labels'>, { kind }: Objective): boolean {
  if (labels.length < rowsMin) return false;
  return kind !== 'binary' || Math.min(positivesOf(labels), labels.length - positivesOf(labels)) >= labelsMin;
}

/** Measures judged rows by their labels, beside the predictions of the version before. There must be enough of them. */
export function measureByLabels(objective: Objective, own: SegmentedRows, before: SegmentedRows | null): ByLabels {
  const resampling = resamplingOf(own.at, own.entities);
  const slopeOf = ({ labels, values }: SegmentedRows) => calibrationLine(labels, values, resampling.groups);
  const line = objective.kind === 'binary' ? slopeOf(own) : null;
  const levelOf = ({ labels, values }: SegmentedRows) =>
    bootstrapEstimates((weights) => [shareOf(labels, weights) / shareOf(values, weights)], resampling)[0];
  const isNumber = objective.kind !== 'multiclass';
  return {
    model: measureRows(objective, own, resampling),
    compareWith: before && measureRows(objective, before, resampling),
    gains: before && compareRows(objective, own, before, resampling, null).gains,
    level: isNumber ? { own: levelOf(own), before: before && levelOf(before).value } : null,
    slope: line && {
      own: {
        value: line.slope,
        low: line.slope - normal95 * line.slopeError,
        high: line.slope + normal95 * line.slopeError,
      },
      before: before && slopeOf(before).slope,
    },
  };
}

/** What decides whether probabilities, or numbers, are nearer to what came. */
export function lossOf(kind: ObjectiveKind): MetricName {
  return { binary: 'log_loss', multiclass: 'multiclass_log_loss', regression: 'mae' }[kind] as MetricName;
}

/** A gain that means the same for all tasks: of errors, whose unit is that of the labels, a share of those before. */
export function comparableGain(name: MetricName, { gains, compareWith }: ByLabels): Estimate | null {
  const [gain, before] = [gains?.[name], compareWith?.metrics[name]?.value];
  if (!gain || before === undefined) return null;
  const unit = isHigherBetter(name) ? 1 : before;
  return { value: gain.value / unit, low: gain.low / unit, high: gain.high / unit };
}

/** Rows that both versions predict unflattered. */
export type JudgedRows = {
  readonly own: SegmentedRows;
  readonly before: SegmentedRows | null;
  /** Whether each may be ranked among the others: it was not drawn, or left out, by its label. */
  readonly isRanked: (row: number) => boolean;
};

/** The judged rows of each of the newest months, by both versions. */
export function monthsOf(objective: Objective, judged: JudgedRows): PartRow[] {
  const { own } = judged;
  const byMonth = Map.groupBy(own.at.keys(), (row) => new Date(own.at[row] / 1000).toISOString().slice(0, 7));
  const newest = [...byMonth].sort(([a], [b]) => (a < b ? -1 : 1)).slice(-monthsMax);
  return newest.map(([month, rows]) => partRow(month, rows, objective, judged));
}

/** Measures a part of the judged rows by both versions: rates by all of them, the metric by those that are ranked. */
export function partRow(
  name: string | null,
  rows: readonly number[],
  objective: Objective,
  judged: JudgedRows,
): PartRow {
  const all = pickRows(judged.own, rows);
  const ranked = rows.filter(judged.isRanked);
  const [own, before] = [pickRows(judged.own, ranked), judged.before && pickRows(judged.before, ranked)];
  const { metric, kind } = objective;
  const isEnough = isTold(own, objective);
  const metricOf = (judged: SegmentedRows) => openMetrics([metric], kind, judged);
  const sign = isHigherBetter(metric) ? 1 : -1;
  const gain = () => {
    const [ofOwn, ofBefore] = [metricOf(own), metricOf(before!)];
    return bootstrapEstimates(
      (weights) => [sign * (ofOwn(weights)[0] - ofBefore(weights)[0])],
      resamplingOf(own.at, own.entities),
    )[0];
  };
  const unit = isEnough && before && sign < 0 ? metricOf(before)(null)[0] : 1;
  const told = isEnough && before ? gain() : null;
  return {
    name,
    rows: rows.length,
    positives: kind === 'binary' ? positivesOf(all.labels) : null,
    mean_predicted: kind === 'multiclass' ? null : shareOf(all.values, null),
    mean_observed: kind === 'multiclass' ? null : shareOf(all.labels, null),
    model: isEnough ? metricOf(own)(null)[0] : null,
    compare_with: isEnough && before ? metricOf(before)(null)[0] : null,
    gain: told && { value: told.value / unit, low: told.low / unit, high: told.high / unit },
  };
}

/**
 * The judged rows by the band of their score: the probabilities that the band means, and the rate that came, with its
 * Wilson interval of as many independent rows as there are entities.
 */
export function bandRows(
  { labels, values, entities }: SegmentedRows,
  { names, of }: Bands,
  score: (p: number) => number,
): BandRow[] {
  const rowsOf = Map.groupBy(values.keys(), (row) => of(values[row]));
  return [...rowsOf]
    .sort(([a], [b]) => a - b)
    .map(([band, rows]) => {
      const different = new Set(rows.map((row) => entities[row])).size;
      const observed = rows.reduce((sum, row) => sum + labels[row], 0) / rows.length;
      const { low, high } = rateInterval(observed * different, different);
      const [from, to] = meaningOf(names[band], score);
      return {
        name: names[band],
        rows: rows.length,
        mean_predicted: rows.reduce((sum, row) => sum + values[row], 0) / rows.length,
        ...{ observed, observed_low: low, observed_high: high, means_from: from, means_to: to },
      };
    });
}

/** The bands of a score by ascending probability, the safest first. */
export function bandsOfScore(score: (probability: number) => number): Bands {
  return {
    names: riskBands.map(({ name }) => name),
    of: (probability) => riskBands.findIndex(({ from }) => score(probability) >= from),
  };
}

/** The probabilities of a band. Scores fall as probabilities rise, so that halving finds where the band ends. */
function meaningOf(name: string, score: (probability: number) => number): readonly [from: number, to: number] {
  const place = riskBands.findIndex((band) => band.name === name);
  const probabilityAt = (least: number) => {
    let [low, high] = [0, 1];
    for (let step = 0; step < 50; step++) {
      const middle = (low + high) / 2;
      if (score(middle) >= least) low = middle;
      else high = middle;
    }
    return low;
  };
  const above = riskBands[place - 1];
  return [
    above ? probabilityAt(above.from) : 0,
    place === riskBands.length - 1 ? 1 : probabilityAt(riskBands[place].from),
  ];
}

/** How far the rate of a band may be off what it means, as that of all rows together. */
const bandFactor = checkRules.calibration_level.threshold;

/** The share of rows in bands whose rate is surely another one than the band means. */
export function offMeaning(bands: readonly BandRow[]): number {
  const isOff = ({ observed_low, observed_high, means_from, means_to }: BandRow) =>
    observed_low > means_to * bandFactor || observed_high < means_from / bandFactor;
  const rows = bands.reduce((sum, band) => sum + band.rows, 0);
  return bands.filter(isOff).reduce((sum, band) => sum + band.rows, 0) / rows;
}

function positivesOf(labels: Float64Array): number {
  return labels.reduce((sum, label) => sum + label, 0);
}

/** The mean of values, each counted as often as its weight says. */
function shareOf(values: Float64Array, weights: Float64Array | null): number {
  let [sum, count] = [0, 0];
  for (let row = 0; row < values.length; row++) {
    const weight = weights === null ? 1 : weights[row];
    sum += weight * values[row];
    count += weight;
  }
  return sum / count;
}
