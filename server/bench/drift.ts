// Years of made-up traffic and outcomes that only seem to change, and shifts planted in them: how often a drift is told
// that is none, and how soon one that is. The rules were chosen on seeds below `seedsFrom`.
import { type AlarmRule, alarmAfter, type Level } from '../src/ml/monitoring/alarm.ts';
import { type Bins, countsOf, layNumberBins, layTextBins, placeOf } from '../src/ml/monitoring/bins.ts';
import { type Counts, driftRule, judgeDrift, windowFor } from '../src/ml/monitoring/drift.ts';
import { measurePerformance, type Promised, performanceRule } from '../src/ml/monitoring/performance.ts';
import { totalOf } from '../src/ml/statistics/distributions.ts';
import { sigmoid } from '../src/ml/statistics/logistic.ts';
import { type Random, seedRandom } from '../src/ml/statistics/random.ts';
import { normalQuantile } from '../src/ml/statistics/ranks.ts';
import { compareFigures, type Row } from './figures.ts';

const seedsFrom = 2_000_000;

const numberColumns = 8;
const textColumns = 2;
const columns = numberColumns + textColumns;
const categories = 8;

type Traffic = {
  readonly seed: number;
  /** Predictions a day, on average over a week. */
  readonly rows: number;
  readonly days: number;
  /** How much columns differ from day to day, in standard deviations. */
  readonly spread?: number;
  /** Standard deviations by which the first column moves from a day on. */
  readonly shift?: { readonly from: number; readonly by: number };
};

const weekendShare = 0.4;
/** So that days have so many on average. */
const weekdayShare = 7 / (5 + 2 * weekendShare);
/** In standard deviations: how much the first three columns differ at weekends. */
const weekendShift = 0.4;
const calm = 0.1;
const restless = 0.25;
/** What of a day's deviation stays on the next. */
const dayMemory = 0.3;
const sharedFactor = 0.6;

/** Draws days of traffic and counts them: of each column its values and what is missing, and the score. */
function drawDays({ seed, rows, days, spread = calm, shift }: Traffic): number[][][] {
  const random = seedRandom(seed);
  const normal = () => normalQuantile(Math.min(Math.max(random(), 1e-12), 1 - 1e-12));
  const deviations = new Float64Array(columns + 1);
  let bins: Bins[] | null = null;
  const counted: number[][][] = [];
  for (let day = 0; day < days; day++) {
    const isWeekend = day % 7 >= 5;
    for (let c = 0; c <= columns; c++)
      deviations[c] = dayMemory * deviations[c] + Math.sqrt(1 - dayMemory ** 2) * spread * normal();
    const moved = shift && day >= shift.from ? shift.by : 0;
    const count = Math.max(
      1,
      Math.round(rows * weekdayShare * (isWeekend ? weekendShare : 1) * Math.exp(0.15 * normal())),
    );
    const drawn = Array.from({ length: count }, () => drawRow(normal, random, deviations, isWeekend, moved));
    bins ??= layAll(drawn);
    counted.push(countAll(bins, drawn));
  }
  return counted;
}

type Value = number | string | null;

function drawRow(
  normal: () => number,
  random: Random,
  deviations: Float64Array,
  isWeekend: boolean,
  moved: number,
): Value[] {
  const shared = normal();
  const values: Value[] = [];
  let margin = -2;
  for (let c = 0; c < columns; c++) {
    const usual = deviations[c] + (isWeekend && c < 3 ? weekendShift : 0) + (c === 0 ? moved : 0);
    const value = usual + sharedFactor * shared + Math.sqrt(1 - sharedFactor ** 2) * normal();
    margin += value * (c === 0 ? 0.8 : 0.15);
    const isMissing = random() < sigmoid(-4 + 0.3 * c + 2 * deviations[(c + 1) % columns]);
    values.push(
      isMissing ? null : c < numberColumns ? Math.exp(value) : `K${Math.floor(sigmoid(1.5 * value) * categories)}`,
    );
  }
  return [...values, sigmoid(margin), random() < sigmoid(-4 + 3 * deviations[columns]) ? 1 : 0];
}

function layAll(rows: readonly Value[][]): Bins[] {
  return Array.from({ length: columns + 1 }, (_, c) => {
    const own = rows.map((row) => row[c]);
    return c >= numberColumns && c < columns
      ? layTextBins(own as (string | null)[])
      : layNumberBins(own.map((value) => (value === null ? Number.NaN : (value as number))));
  });
}

function countAll(bins: readonly Bins[], rows: readonly Value[][]): number[][] {
  const counts = bins.map((own) => new Array<number>(countsOf(own)).fill(0));
  let unknown = 0;
  for (const row of rows) {
    for (const [c, own] of bins.entries()) counts[c][placeOf(own, row[c])]++;
    unknown += row[columns + 1] as number;
  }
  return [...counts, [unknown, rows.length - unknown]];
}

/** The counts of each signal by days: of a column its values, and what of it is missing. */
function signalsOf(days: readonly number[][][]): Counts[][] {
  return days[0].flatMap((counts, s) => {
    const of = (pick: (counts: Counts) => Counts) => days.map((day) => pick(day[s]));
    if (s > columns) return [of((own) => own)];
    const missing = of(([none, ...rest]) => [none, totalOf(rest)]);
    return counts.length > 2 ? [of((own) => own.slice(1)), missing] : [missing];
  });
}

/** Whether an alarm of any signal is on after each day that is judged. */
function judgeDays(days: readonly number[][][]): boolean[] {
  const length = windowFor(days.map((day) => totalOf(day.at(-1)!)))!;
  const signals = signalsOf(days);
  const judged = judgeDrift(signals, length).map((own) =>
    alarmsAfter(
      own.map(({ level }) => level),
      driftRule,
    ),
  );
  return judged[0].map((_, at) => judged.some((own) => own[at]));
}

/** Whether an alarm is on after each reading, the oldest first; off before the first. */
function alarmsAfter(levels: readonly Level[], rule: AlarmRule): boolean[] {
  const states: boolean[] = [];
  for (const at of levels.keys()) states.push(alarmAfter(states[at - 1] ?? false, levels.slice(0, at + 1), rule));
  return states;
}

const referenceDays = 28;

/** Alarms of all signals together in a year without change. */
function alarmsInYear(rows: number, seed: number, spread: number): number {
  const states = judgeDays(drawDays({ seed, rows, spread, days: referenceDays + 365 }));
  return states.filter((isOn, at) => isOn && !states[at - 1]).length;
}

/** Days from a shift to its alarm; Infinity where it is not told within `most`. */
function daysToTell(rows: number, by: number, seed: number, most: number): number {
  const from = referenceDays + (seed % 14);
  const states = judgeDays(drawDays({ seed, rows, days: from + most, shift: { from, by } }));
  const told = states.findIndex((isOn, at) => isOn && referenceDays + at >= from);
  return told < 0 ? Number.POSITIVE_INFINITY : referenceDays + told - from + 1;
}

const years = { 200: 60, 1000: 20, 5000: 5 } as const;
const trials = { 200: 100, 1000: 60, 5000: 20 } as const;
const told = 7;

/** About four minutes. */
export async function benchDrift(): Promise<Row[]> {
  let seed = seedsFrom;
  const yearsOf = (rows: keyof typeof years, spread: number, share: number): number[] =>
    Array.from({ length: Math.ceil(years[rows] * share) }, () => alarmsInYear(rows, seed++, spread));
  const falseAlarms = (name: string, alarms: readonly number[]): Row =>
    compareFigures(`false alarms a year, ${name}`, meanOf(alarms), 1, {
      ...{ unit: 'alarms', target: 1, note: `${alarms.length} years` },
    });
  const found: Row[] = [];
  for (const rows of [200, 1_000, 5_000] as const) {
    found.push(falseAlarms(`${rows} predictions a day`, yearsOf(rows, calm, 1)));
    found.push(falseAlarms(`${rows} a day that differ much`, yearsOf(rows, restless, 0.5)));
    for (const by of [0.5, 0.4, 0.3]) {
      const days = Array.from({ length: trials[rows] }, () => daysToTell(rows, by, seed++, 2 * told)).sort(
        (a, b) => a - b,
      );
      const share = days.filter((one) => one <= told).length / days.length;
      found.push(
        compareFigures(`shifts of ${by} sd told within ${told} days, ${rows} a day`, 100 * share, 95, {
          ...{ unit: '%', better: 'more', note: `half of them in ${days[days.length >> 1]} days` },
          ...(by === 0.5 && { target: 1 }),
        }),
      );
    }
  }
  found.push(
    falseAlarms(
      'of outcomes',
      Array.from({ length: outcomeYears }, () => outcomeAlarms(seed++)),
    ),
  );
  const days = Array.from({ length: outcomeTrials }, () => daysToTellOdds(seed++)).sort((a, b) => a - b);
  found.push(
    compareFigures('days until doubled odds are told', days[days.length >> 1], outcomeWindow, {
      ...{ unit: 'days', note: `median of ${days.length}, the slowest ${days.at(-1)}` },
    }),
  );
  return found;
}

const outcomeYears = 60;
const outcomeTrials = 40;
const outcomesPerDay = 50;
const outcomeWindow = 28;
const promised: Promised = { auroc: 0.75, auroc_error: 0.015, mae: null, swing: 0.15 };

/** Draws outcomes by days whose odds swing as the version knows them to, for four weeks each; from a day on more. */
function drawOutcomes(days: number, seed: number, from = Number.POSITIVE_INFINITY, by = 1) {
  const random = seedRandom(seed);
  const normal = () => normalQuantile(Math.max(random(), 1e-12));
  let swing = 0;
  return Array.from({ length: days }, (_, day) => {
    if (day % outcomeWindow === 0) swing = promised.swing * normal();
    const predicted = Array.from({ length: outcomesPerDay }, () => sigmoid(-2.6 + 0.95 * normal()));
    const moved = swing + (day >= from ? Math.log(by) : 0);
    const labels = predicted.map((p) => Number(random() < sigmoid(Math.log(p / (1 - p)) + moved)));
    return { predicted, labels };
  });
}

function judgeOutcomes(days: ReturnType<typeof drawOutcomes>): boolean[] {
  const levels = days.slice(outcomeWindow).map((_, at) => {
    const window = days.slice(at + 1, at + 1 + outcomeWindow);
    const predicted = Float64Array.from(window.flatMap((day) => day.predicted));
    const labels = Float64Array.from(window.flatMap((day) => day.labels));
    const numbers = Int32Array.from(window.flatMap((day, d) => day.labels.map(() => d)));
    const closed = { kind: 'binary', predicted, labels, days: numbers, bands: Array.from(labels, () => null) } as const;
    return measurePerformance(closed, promised).figures;
  });
  const states = levels[0].map((_, f) =>
    alarmsAfter(
      levels.map((figures) => figures[f].level),
      performanceRule,
    ),
  );
  return levels.map((_, at) => states.some((own) => own[at]));
}

function outcomeAlarms(seed: number): number {
  const states = judgeOutcomes(drawOutcomes(365 + outcomeWindow, seed));
  return states.filter((isOn, at) => isOn && !states[at - 1]).length;
}

function daysToTellOdds(seed: number): number {
  const at = judgeOutcomes(drawOutcomes(4 * outcomeWindow, seed, outcomeWindow, 2)).indexOf(true);
  return at < 0 ? Number.POSITIVE_INFINITY : at + 1;
}

function meanOf(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0) / values.length;
}
