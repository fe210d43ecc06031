import type { Feature } from '../features/feature.ts';
import { allTable, labelsTable } from '../features/feature.ts';
import type { FeatureMatrix } from '../statistics/matrix.ts';
import { auroc } from '../statistics/metrics.ts';
import { averageRanks } from '../statistics/ranks.ts';

/** Feature values and labels of training questions. All arrays have one length and order. */
export type Evidence = {
  readonly features: readonly Feature[];
  /** Feature values as of each question's moment. */
  readonly now: FeatureMatrix;
  /** Feature values if nothing of the last `earlierDays` days could be read. */
  readonly earlier: FeatureMatrix;
  /** Class numbers, or numbers. */
  readonly labels: Float64Array;
  readonly isNumber: boolean;
  /** Each question's row in its table, and its moment. */
  readonly rows: Int32Array;
  readonly at: Float64Array;
};

export type Leak = {
  /**
   * `tells_label`: a feature is nearly the label itself. `lift_collapses`: a feature explains much, but next to nothing
   * when read a day earlier. `order_tells_label`: rows are in the order of their labels. `twins_across_time`: later
   * rows repeat earlier ones.
   */
  readonly rule: 'tells_label' | 'lift_collapses' | 'order_tells_label' | 'twins_across_time';
  /** Whether learning must stop until a person has checked it. */
  readonly isCertain: boolean;
  /** The feature's index; null where the leak is about whole rows. */
  readonly feature: number | null;
  /**
   * 0: unrelated to the label, 1: determines it. |2 AUROC - 1| of the class it predicts best, or |rank correlation|.
   */
  readonly lift: number;
  readonly liftEarlier: number;
  /** Questions that show the leak. */
  readonly examples: readonly number[];
};

export const earlierDays = 1;

/** With fewer rows, or fewer rows of a class, chance could look like a leak. */
const classRowsMin = 25;
const rowsMin = 200;
/** From these lifts on a leak is certain. */
export const certainLift = { classes: 0.99, numbers: 0.9995 };
/** From these lifts on a leak is told. */
export const suspectLift = { classes: 0.95, numbers: 0.98 };
/** If a lift from `from` on falls to at most `share` of itself a day earlier, the value was written at the outcome. */
const collapse = { from: 0.5, share: 0.3, certainFrom: 0.97 };
const orderLift = 0.8;
const strata = 4;
const twins = { columnsMin: 4, share: 0.2, agreement: 0.95, agreementGain: 0.1 };
const examplesShown = 3;

/**
 * Finds what in the training questions tells more about the label than can have been known. Leaks of features come
 * first, by descending lift.
 */
export function findLeaks(evidence: Evidence): Leak[] {
  const { labels } = evidence;
  if (labels.length < rowsMin) return [];
  const lift = openLift(evidence);
  const limits = evidence.isNumber
    ? { certain: certainLift.numbers, suspect: suspectLift.numbers }
    : { certain: certainLift.classes, suspect: suspectLift.classes };
  const found: Leak[] = [];
  evidence.features.forEach((feature, f) => {
    if (!isOwn(feature)) return;
    const now = lift(columnOf(evidence.now, f));
    if (now < collapse.from) return;
    const before = lift(columnOf(evidence.earlier, f));
    const collapses = before <= now * collapse.share;
    const say = (rule: Leak['rule'], isCertain: boolean) =>
      found.push({ rule, isCertain, feature: f, lift: now, liftEarlier: before, examples: extremes(evidence, f) });
    if (now >= limits.suspect) say('tells_label', now >= limits.certain);
    else if (collapses) say('lift_collapses', now >= collapse.certainFrom);
  });
  found.sort((a, b) => b.lift - a.lift || a.feature! - b.feature!);
  return [...found, ...orderLeak(evidence), ...twinLeak(evidence)];
}

/**
 * Whether a feature can leak. Known labels are safe because their windows have closed; values that all rows share do
 * not tell rows apart.
 */
function isOwn({ focus, read }: Feature): boolean {
  if (focus.kind === 'all' || read.kind === 'calendar' || read.kind === 'data_age') return false;
  return !('events' in read) || (read.events.table !== labelsTable && read.events.table !== allTable);
}

function columnOf({ values, rows }: FeatureMatrix, f: number): Float32Array {
  return values.subarray(f * rows, (f + 1) * rows);
}

/** Prepares the lift of a feature's values: how much they, or their being missing, tell about the labels. */
function openLift({ labels, isNumber }: Pick<Evidence, 'labels' | 'isNumber'>): (values: ArrayLike<number>) => number {
  if (isNumber) {
    const ranks = averageRanks(labels);
    return (values) => Math.abs(correlation(averageRanks(filled(values)), ranks));
  }
  const classes = [...new Set(labels)].sort((a, b) => a - b);
  const targets = classes
    .map((name) => Float64Array.from(labels, (label) => (label === name ? 1 : 0)))
    .filter((target) => {
      const ones = target.reduce((sum, one) => sum + one, 0);
      return ones >= classRowsMin && target.length - ones >= classRowsMin;
    });
  const shown = classes.length === 2 ? targets.slice(0, 1) : targets;
  return (values) => {
    const missing = Float64Array.from(values, (value) => (Number.isNaN(value) ? 1 : 0));
    const complete = filled(values);
    return shown.reduce(
      (most, target) => Math.max(most, ...[complete, missing].map((scores) => Math.abs(2 * auroc(target, scores) - 1))),
      0,
    );
  };
}

/** Replaces missing values by the median of the others, which is neutral. */
function filled(values: ArrayLike<number>): Float64Array {
  const known = Float64Array.from(values)
    .filter((value) => !Number.isNaN(value))
    .sort();
  const middle = known.length === 0 ? 0 : known[known.length >> 1];
  return Float64Array.from(values, (value) => (Number.isNaN(value) ? middle : value));
}

function correlation(a: Float64Array, b: Float64Array): number {
  const mean = (a.length + 1) / 2;
  let [ab, aa, bb] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    ab += (a[i] - mean) * (b[i] - mean);
    aa += (a[i] - mean) ** 2;
    bb += (b[i] - mean) ** 2;
  }
  return aa > 0 && bb > 0 ? ab / Math.sqrt(aa * bb) : 0;
}

/** The questions with the lowest known value, the highest, and the median one. */
function extremes({ now, labels }: Evidence, f: number): number[] {
  const values = columnOf(now, f);
  const known = Array.from(labels.keys())
    .filter((row) => !Number.isNaN(values[row]))
    .sort((a, b) => values[a] - values[b] || a - b);
  return [...new Set([known[0], known.at(-1), known[known.length >> 1]])]
    .flatMap((row) => row ?? [])
    .slice(0, examplesShown);
}

/**
 * Checks whether files are sorted by outcome, or keys were given in its order. It is measured within stretches of time,
 * since time itself may predict the label.
 */
function orderLeak({ rows, at, labels, isNumber }: Evidence): Leak[] {
  const order = Array.from(rows.keys())
    .filter((i) => rows[i] >= 0)
    .sort((a, b) => at[a] - at[b] || a - b);
  if (new Set(order.map((i) => rows[i])).size < rowsMin) return [];
  const size = Math.ceil(order.length / strata);
  const lifts = Array.from({ length: strata }, (_, s) => {
    const part = order.slice(s * size, (s + 1) * size);
    const own = Float64Array.from(part, (i) => labels[i]);
    return openLift({ labels: own, isNumber })(part.map((i) => rows[i]));
  });
  const lift = lifts.reduce((sum, value) => sum + value, 0) / strata;
  if (!(lift >= orderLift)) return [];
  const ends = [order[0], order.at(-1)!];
  return [{ rule: 'order_tells_label', isCertain: false, feature: null, lift, liftEarlier: lift, examples: ends }];
}

/**
 * Checks for rows of the later half that repeat all own values of an earlier row, and its label more often than by
 * chance.
 */
function twinLeak({ features, now, labels, at }: Evidence): Leak[] {
  const own = features.flatMap(({ focus, read }, f) =>
    focus.kind === 'root' && (read.kind === 'attribute' || read.kind === 'attribute_is' || read.kind === 'length')
      ? [f]
      : [],
  );
  if (own.length < twins.columnsMin) return [];
  const order = Array.from(labels.keys()).sort((a, b) => at[a] - at[b] || a - b);
  const half = order.length >> 1;
  const textOf = (row: number) => own.map((f) => columnOf(now, f)[row]).join(' ');
  const earlier = new Map<string, number>();
  for (const row of order.slice(0, half)) earlier.set(textOf(row), row);
  const later = order.slice(half).filter((row) => at[row] > at[order[half - 1]]);
  const pairs = later.flatMap((row) => {
    const twin = earlier.get(textOf(row));
    return twin === undefined ? [] : [[row, twin] as const];
  });
  if (later.length === 0 || pairs.length < classRowsMin || pairs.length / later.length < twins.share) return [];
  const agreement = pairs.filter(([row, twin]) => labels[row] === labels[twin]).length / pairs.length;
  const usual = chanceOfAgreement(labels);
  if (agreement < twins.agreement || agreement < usual + twins.agreementGain) return [];
  const [first] = pairs;
  return [
    {
      rule: 'twins_across_time',
      isCertain: false,
      feature: null,
      lift: (agreement - usual) / (1 - usual),
      liftEarlier: 0,
      examples: [...first!],
    },
  ];
}

/** The probability that two random rows have the same label. */
function chanceOfAgreement(labels: Float64Array): number {
  const counts = new Map<number, number>();
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
  return [...counts.values()].reduce((sum, count) => sum + (count / labels.length) ** 2, 0);
}
