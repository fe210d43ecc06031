import type { Schemas } from '@lastro/sdk';
import { type LabelRate, labelRatesOf } from '../training-runs/every-month.ts';
import type { Format } from '../words/format.ts';

/** How good one output was, as a version or a run under way tells it. */
export type Figures = {
  readonly name: string;
  readonly rows: number | null;
  /** The first and the last day that these rows were asked about; null where it is not told. */
  readonly days: Days | null;
  /** What the version learned from in the end, these rows too; null where it is not told. */
  readonly learned: Learned | null;
  /** Of yes or no: rows of which it came; null where it is not told. */
  readonly positives: number | null;
  readonly value: number | null;
  readonly standardError: number | null;
  readonly metric: string | null;
  readonly recipe: string | null;
  readonly others: Readonly<Record<string, number>>;
  readonly naive: Naive | null;
  /** How its probabilities were held against what came; null where they were not. */
  readonly checked: Checked | null;
  /** How many outcomes are known of each month, and how often it came; none where that is told of another output. */
  readonly months: readonly LabelRate[];
  /** Of numbers: the share of what came within their bounds, and what these promise. */
  readonly bounds: { readonly observed: number; readonly expected: number } | null;
  /** Whether a score is computed from it. */
  readonly isOfScore: boolean;
};
export type Days = Schemas['MetricsDays'];
export type Learned = Schemas['MetricsLearned'];
export type Naive = Schemas['NaiveMetric'];

/** How probabilities were held against what came. */
export type Checked = {
  readonly rows: number;
  readonly days: Days | null;
  /** On average, and the share of rows of which it came. */
  readonly said: number;
  readonly came: number;
  readonly slope: number | null;
  readonly slopeError: number | null;
  /** The calibration error, and that which right probabilities stay below 19 of 20 times. */
  readonly error: number;
  readonly errorMax: number;
  readonly z: number;
  /** About a tenth of the rows each, from those of the lowest probabilities to those of the highest. */
  readonly bins: readonly CheckedBin[];
};
export type CheckedBin = { readonly rows: number; readonly said: number; readonly came: number };

type Loose = Readonly<Record<string, unknown>>;
const objectOf = (value: unknown): Loose => (typeof value === 'object' && value !== null ? (value as Loose) : {});
const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);

/** Reads `metrics` of a version or a run, whose form is open: what is not as expected is left out. */
export function figuresOf(metrics: unknown): readonly Figures[] {
  const { outputs, label_output: first } = objectOf(metrics);
  // The task's first output leads, in whatever order they are stored.
  const told = Object.entries(objectOf(outputs)).sort(
    ([one], [other]) => Number(other === first) - Number(one === first),
  );
  const isOne = told.length === 1;
  return told.map(([name, told]) => {
    const output = objectOf(told);
    const value = numberOf(output.value);
    const others = Object.fromEntries(
      Object.entries(objectOf(output.others)).filter((entry): entry is [string, number] => numberOf(entry[1]) !== null),
    );
    return {
      name,
      value,
      others,
      rows: numberOf(output.rows),
      days: daysOf(output.days),
      learned: learnedOf(objectOf(output.learned)),
      positives: numberOf(output.positives),
      standardError: numberOf(output.standard_error),
      // The one of the usual metrics by which the output was chosen, since only its value is told.
      metric: Object.keys(others).find((metric) => others[metric] === value) ?? null,
      recipe: typeof output.recipe === 'string' ? output.recipe : null,
      naive: output.naive ? (output.naive as Naive) : null,
      checked: checkedOf(objectOf(output.calibration), objectOf(output.reliability).bins, daysOf(output.checked)),
      months: name === first || isOne ? labelRatesOf(metrics) : [],
      bounds: boundsOf(objectOf(output.sureness)),
      isOfScore: output.cutoffs !== undefined && output.cutoffs !== null,
    };
  });
}

function daysOf(days: unknown): Days | null {
  const { from, to } = objectOf(days);
  return typeof from === 'string' && typeof to === 'string' ? { from, to } : null;
}

function learnedOf({ rows, days: told }: Loose): Learned | null {
  const days = daysOf(told);
  return typeof rows === 'number' && days !== null ? { rows, days } : null;
}

function boundsOf({ kind, observed, expected }: Loose): Figures['bounds'] {
  if (kind !== 'conformal' || typeof observed !== 'number' || typeof expected !== 'number') return null;
  return { observed, expected };
}

function checkedOf(calibration: Loose, bins: unknown, days: Days | null): Checked | null {
  const [rows, error, z] = [calibration.rows, calibration.expected_calibration_error, calibration.spiegelhalter_z];
  const errorMax = numberOf(objectOf(calibration.of_perfect).high);
  if (typeof rows !== 'number' || typeof error !== 'number' || typeof z !== 'number' || errorMax === null) return null;
  const told = (Array.isArray(bins) ? bins.map(objectOf) : []).map(
    (bin): CheckedBin => ({
      rows: numberOf(bin.rows) ?? 0,
      said: numberOf(bin.meanProbability) ?? 0,
      came: numberOf(bin.observedRate) ?? 0,
    }),
  );
  const mean = (of: 'said' | 'came') => told.reduce((sum, bin) => sum + (bin.rows * bin[of]) / rows, 0);
  return {
    ...{ rows, days, error, errorMax, z, said: mean('said'), came: mean('came'), bins: told },
    slope: numberOf(calibration.slope),
    slopeError: numberOf(calibration.slope_standard_error),
  };
}

/** The output by which a version is judged in one number: what its score is made of, else the first that is known. */
export function mainOf<T extends { readonly value: number | null; readonly isOfScore: boolean }>(
  outputs: readonly T[],
): T | undefined {
  return (
    outputs.find(({ isOfScore, value }) => isOfScore && value !== null) ?? outputs.find(({ value }) => value !== null)
  );
}

const lowerIsBetter = new Set(['log_loss', 'brier', 'mae', 'rmse', 'multiclass_log_loss']);
/** 1 where more is better, −1 where less is. */
export const directionOf = (metric: string | null): 1 | -1 => (metric && lowerIsBetter.has(metric) ? -1 : 1);

/** Of the normal distribution, for an interval that holds nineteen times of twenty. */
const standardErrors = 1.96;

/** The 95 % interval of a metric; null where its error is not known. */
export function intervalOf(value: number | null, standardError: number | null): readonly [number, number] | null {
  if (value === null || standardError === null) return null;
  return [value - standardErrors * standardError, value + standardErrors * standardError];
}

/** The best of the answers that take no learning; null where there is none. */
export function bestNaive(naive: Naive | null, metric: string | null): { kind: NaiveKind; value: number } | null {
  const known = naiveKinds.flatMap((kind) => {
    const value = naive?.[kind];
    return typeof value === 'number' ? [{ kind, value }] : [];
  });
  const direction = directionOf(metric);
  return known.sort((one, other) => direction * (other.value - one.value))[0] ?? null;
}

export const naiveKinds = ['constant', 'own_mean', 'own_last', 'referred_mean'] as const;
export type NaiveKind = (typeof naiveKinds)[number];

/** A metric as it is read: three digits for those between 0 and 1. */
export function sayMetric(value: number | null | undefined, format: Format): string {
  if (value === null || value === undefined) return '—';
  return Math.abs(value) <= 1 ? format.thousandths(value) : format.number(value);
}

/** How months are said between which cases lie: ` of Jan 2024 to Jun 2025`. */
export type OfMonths = (from: string, to: string) => string;

/** The months of days; nothing where they are not told. */
export function sayMonths(days: Days | null, format: Pick<Format, 'month'>, say: OfMonths): string {
  return days === null ? '' : say(format.month(days.from), format.month(days.to));
}

/** The difference of two metrics as they are shown, with its sign. `most`: that whose digits it has. */
export function sayChange(
  before: number,
  after: number,
  format: Format,
  most = Math.max(Math.abs(before), Math.abs(after)),
): string {
  const digits = most <= 1 ? 3 : Math.max(0, 3 - Math.floor(Math.log10(most)));
  return format.difference(before, after, digits);
}

/** The difference of two shares as they are shown, in percentage points. */
export function sayShareChange(before: number, after: number, format: Format): string {
  return format.difference(100 * before, 100 * after, Math.max(before, after) >= 0.1 ? 1 : 2);
}
