import { assert } from '../../lib/failure.ts';
import { psi, totalOf } from '../statistics/distributions.ts';
import { type Random, seedRandom } from '../statistics/random.ts';
import { studentQuantile } from '../statistics/student.ts';
import type { AlarmRule, Level } from './alarm.ts';

/** The counts of a signal on one day, by bins; all 0 of a day without rows. */
export type Counts = readonly number[];

export type DriftRule = AlarmRule & {
  /** Chance that a window of one of the signals lies above the upper threshold, where nothing has changed. */
  readonly upper: number;
  /** Chance that a window of one signal lies above the lower threshold. */
  readonly lower: number;
  /** Chance that a day of one of the signals is extreme, where nothing has changed. */
  readonly extreme: number;
  /** A smaller PSI of a window matters to nobody, however certain it is; of an extreme day. */
  readonly least: number;
  readonly extremeLeast: number;
};

/**
 * Chosen by simulation on made-up traffic (`npm run bench -- drift`): of years in which nothing changes, nearly none
 * has an alarm, and half a standard deviation in one of ten columns is told within a week.
 */
export const driftRule: DriftRule = {
  ...{ of: 2, among: 2, clear: 3 },
  ...{ upper: 1e-4, lower: 0.1, extreme: 1e-6 },
  ...{ least: 0.06, extremeLeast: 0.5 },
};

/** Windows of so many days are judged: whole weeks, so that every window has the same days of the week. */
export const windowDays = [7, 14, 28] as const;
/** A window of fewer rows says little; where a week has fewer, windows are longer. */
export const windowRowsMin = 200;
/** A model is held against its first windows. */
export const referenceWindows = 4;

/** A window, judged at the end of its last day. */
export type DriftReading = {
  readonly psi: number;
  /** Above the first an alarm begins to be raised, below the second to be cleared. */
  readonly upper: number;
  readonly lower: number;
  readonly level: Level;
};

/** The length of windows for a model whose first days had so many rows; null: it has too few, or is too young. */
export function windowFor(rows: readonly number[]): number | null {
  const found = windowDays.find((days) => {
    const reference = rows.slice(0, referenceWindows * days);
    return reference.length === referenceWindows * days && totalOf(reference) >= referenceWindows * windowRowsMin;
  });
  return found ?? null;
}

/**
 * Judges signals on days after their reference, oldest first: at the end of each the window that ends there, held
 * against the reference, which is the first `referenceWindows` windows of `length` days. `signals`: the counts of each
 * on all days, its reference before the days that are judged.
 *
 * Thresholds come from the references alone: windows put together of their days are held against their other days, in
 * runs that keep what days have from the days before (the stationary bootstrap of Politis & Romano 1994, each day of a
 * window being drawn from like days). The cube roots of these PSI are about normal (Wilson & Hilferty 1931), whatever
 * sways days beyond the draw of their rows. Four windows tell little of how much a signal sways, and the others of the
 * model sway alike: mean and variance are drawn half way to those of all signals (as Smyth 2004 moderates variances).
 * Thresholds are bounds of prediction of one more window by Student's t, divided among all signals (Bonferroni), which
 * are `divided` where there are others than these. A
 * window of fewer rows may be further off, by what these explain. The newest day is held by itself, too, against how
 * single days of the reference differ: what is broken at once is told at once.
 */
export function judgeDrift(
  signals: readonly (readonly Counts[])[],
  length: number,
  rule: DriftRule = driftRule,
  divided = signals.length,
): DriftReading[][] {
  const days = referenceWindows * length;
  const references = signals.map((own) => own.slice(0, days));
  assert(
    references.every((own) => own.length === days),
    'a reference is of whole windows',
  );
  const bins = signals.map(([first]) => first.length);
  const ofWindows = openBounds(
    references.map((own) => windowRoots(own, length)),
    bins,
    days,
  );
  const ofDays = openBounds(
    references.map((own) => own.map((day) => Math.cbrt(psi(subtract(sumOf(own), day), day)))),
    bins,
    days,
  );
  return signals.map((own, s) => {
    const all = sumOf(references[s]);
    const upper = ofWindows(s, rule.upper / divided);
    const lower = ofWindows(s, rule.lower);
    const extreme = Math.max(rule.extremeLeast, ofDays(s, rule.extreme / divided));
    const rows = totalOf(all) / referenceWindows;
    return own.slice(days).map((day, at) => {
      const window = sumOf(own.slice(days + at + 1 - length, days + at + 1));
      const value = psi(all, window);
      const chance = chanceOf(totalOf(window), rows, all.length);
      const upperOf = Math.max(rule.least, upper + chance);
      const lowerOf = Math.min(upperOf, Math.max(rule.least / 2, lower + chance));
      const usual = rows / length;
      const isWhole = totalOf(day) >= wholeDayShare * usual;
      const isExtreme = isWhole && psi(all, day) > extreme + chanceOf(totalOf(day), usual, all.length);
      const level = totalOf(window) < windowRowsMin ? 'between' : levelOf(value, lowerOf, upperOf, isExtreme);
      return { psi: value, upper: upperOf, lower: lowerOf, level };
    });
  });
}

/** A day of fewer of the usual rows is not judged by itself: its hours may be others than those of whole days. */
const wholeDayShare = 0.5;

/** The 99.9 % point of chi-squared over its mean, of nine degrees of freedom. */
const chanceFactor = 3.1;

/** By how much a PSI is larger for the fewer rows of what is judged. */
function chanceOf(own: number, usual: number, bins: number): number {
  return own < usual ? chanceFactor * (bins - 1) * (1 / Math.max(1, own) - 1 / usual) : 0;
}

function levelOf(value: number, lower: number, upper: number, isExtreme: boolean): Level {
  if (isExtreme) return 'extreme';
  if (value > upper) return 'above';
  return value < lower ? 'below' : 'between';
}

const draws = 200;
/** Chance that the next day of a drawn window comes from another window than the day before. */
const switches = 1 / 3;
const seed = 20240229;

function windowRoots(reference: readonly Counts[], length: number): number[] {
  const all = sumOf(reference);
  const random = seedRandom(seed);
  return Array.from({ length: draws }, () => {
    const drawn = sumOf(drawWindow(reference, length, random));
    return Math.cbrt(psi(subtract(all, drawn), drawn));
  });
}

function drawWindow(reference: readonly Counts[], length: number, random: Random): Counts[] {
  let from = Math.floor(random() * referenceWindows);
  return Array.from({ length }, (_, day) => {
    if (day > 0 && random() < switches) from = Math.floor(random() * referenceWindows);
    return reference[from * length + day];
  });
}

/**
 * Returns the PSI that one more of signal `s` exceeds with a given chance, from the cube roots of PSI of each signal.
 * Shares of two kinds differ less by chance than values in ten bins, so that each have their own mean and variance.
 */
function openBounds(
  roots: readonly (readonly number[])[],
  bins: readonly number[],
  days: number,
): (s: number, chance: number) => number {
  const own = roots.map((values) => {
    const mean = meanOf(values);
    return { mean, variance: meanOf(values.map((root) => (root - mean) ** 2)) };
  });
  return (s, chance) => {
    const alike = own.filter((_, other) => bins[other] > 2 === bins[s] > 2);
    const mean = (own[s].mean + meanOf(alike.map((one) => one.mean))) / 2;
    const variance = (own[s].variance + meanOf(alike.map((one) => one.variance))) / 2;
    const quantile = studentQuantile(1 - chance, days - 1);
    return Math.max(0, mean + quantile * Math.sqrt(variance * (1 + 1 / days))) ** 3;
  };
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function sumOf(days: readonly Counts[]): number[] {
  return days[0].map((_, bin) => days.reduce((sum, counts) => sum + counts[bin], 0));
}

function subtract(sums: readonly number[], counts: Counts): number[] {
  return sums.map((sum, bin) => sum - counts[bin]);
}

/**
 * Whether answers since a version took over are of another distribution than those of the version before, for certain:
 * both counted by the tenths of what they said when they were made. Held against how single days of the version before
 * differ. Null where there are too few answers, or days before.
 */
export function judgeBreak(
  before: readonly Counts[],
  since: Counts,
  rule: DriftRule = driftRule,
): { readonly psi: number; readonly threshold: number; readonly isBroken: boolean } | null {
  const days = before.filter((day) => totalOf(day) >= breakDayRows);
  if (days.length < breakDays || totalOf(since) < windowRowsMin || days[0].length !== since.length) return null;
  const all = sumOf(days);
  const roots = [days.map((day) => Math.cbrt(psi(subtract(all, day), day)))];
  const bound = openBounds(roots, [since.length], days.length)(0, rule.extreme);
  const usual = totalOf(all) / days.length;
  const threshold = Math.max(rule.extremeLeast, bound + chanceOf(totalOf(since), usual, since.length));
  const value = psi(all, since);
  return { psi: value, threshold, isBroken: value > threshold };
}

/** Days of the version before, and their rows, without which nothing is certain. */
const breakDays = 14;
const breakDayRows = 50;
