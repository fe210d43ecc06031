import { totalOf } from '../statistics/distributions.ts';
import { alarmAfter } from './alarm.ts';
import type { Bins } from './bins.ts';
import { type Counts, driftRule, judgeDrift, referenceWindows, windowFor } from './drift.ts';

/**
 * What is counted of answers: `score`, the deciding field; `input`, a column that callers send; `feature`, what the
 * model read of whom it was asked about; `unknown`, whether somebody was named who is not in the data.
 */
export type Signal = {
  readonly name: string;
  readonly kind: 'score' | 'input' | 'feature' | 'unknown';
  /** In words, where the name is none that people know. */
  readonly said?: Readonly<Record<'en' | 'pt-BR', string>>;
  readonly bins: Bins;
};

export type CountedDay = {
  /** Days since 1970-01-01. */
  readonly day: number;
  /** The counts of each signal, in order; null of those that were not counted on that day. */
  readonly counts: readonly (Counts | null)[];
};

/** One thing that is watched: the values of a signal, or how much of it is missing. */
export type Watched = {
  /** The position of the signal. */
  readonly signal: number;
  readonly of: 'values' | 'missing';
  /** Days of each window. */
  readonly window: number;
  readonly reference: { readonly from: number; readonly until: number; readonly counts: Counts };
  /** The newest window. */
  readonly current: Counts;
  /** Windows by the day on which they end, oldest first: the newest `seriesDays`. */
  readonly series: readonly {
    readonly day: number;
    readonly psi: number;
    readonly upper: number;
    readonly lower: number;
  }[];
  readonly isRaised: boolean;
};

/** Whether a signal is watched as values, as how much is missing, or as both. A share has no missing values. */
function partsOf({ kind, bins }: Signal): readonly Watched['of'][] {
  if (kind === 'unknown') return ['missing'];
  const values = bins.kind === 'number' ? bins.edges.length > 0 : bins.values.length > 0;
  return values ? ['values', 'missing'] : ['missing'];
}

function partOf(counts: Counts, of: Watched['of']): Counts {
  return of === 'values' ? counts.slice(1) : [counts[0], totalOf(counts.slice(1))];
}

/**
 * Judges all signals of a version by days in order, of which the last may be under way. `referenceFrom`: the first day
 * that is held against; days before it are not looked at. `wasRaised`: whether a thing was beyond its threshold before.
 * Signals that have too few days or rows for a reference are left out.
 */
export function judgeSignals(
  signals: readonly Signal[],
  days: readonly CountedDay[],
  {
    referenceFrom,
    wasRaised,
  }: { readonly referenceFrom: number; wasRaised(signal: Signal, of: Watched['of']): boolean },
): Watched[] {
  const whole = fillDays(days.filter(({ day }) => day >= referenceFrom));
  const found = signals.flatMap((signal, s) => {
    const first = whole.findIndex(({ counts }) => counts[s] != null);
    if (first < 0) return [];
    const own = whole.slice(first);
    const none = own[0].counts[s]!.map(() => 0);
    const counts = own.map((day) => day.counts[s] ?? none);
    // The day under way is no whole day of a reference.
    const window = windowFor(counts.slice(0, -1).map(totalOf));
    if (window === null) return [];
    return partsOf(signal).map((of) => ({
      ...{ signal: s, of, window, days: own.map(({ day }) => day) },
      counts: counts.map((one) => partOf(one, of)),
    }));
  });
  // Signals with windows of one length are judged together; they mostly are all.
  return [...Map.groupBy(found, ({ window }) => window)].flatMap(([window, alike]) => {
    const judged = judgeDrift(
      alike.map(({ counts }) => counts),
      window,
      driftRule,
      found.length,
    );
    return alike.map(({ signal, of, days: numbers, counts }, place): Watched => {
      const length = referenceWindows * window;
      const levels = judged[place].map(({ level }) => level);
      return {
        ...{ signal, of, window },
        reference: { from: numbers[0], until: numbers[length - 1], counts: sumOf(counts.slice(0, length)) },
        current: sumOf(counts.slice(-window)),
        series: judged[place]
          .map(({ psi, upper, lower }, at) => ({
            day: numbers[length + at],
            ...{ psi: round(psi), upper: round(upper), lower: round(lower) },
          }))
          .slice(-seriesDays),
        isRaised: levels.length > 0 && alarmAfter(wasRaised(signals[signal], of), levels, driftRule),
      };
    });
  });
}

/** Days of a series that are kept. */
const seriesDays = 180;
const decimals = 5;

function round(value: number): number {
  return Number(value.toFixed(decimals));
}

/** Days without answers are days, too. */
function fillDays(days: readonly CountedDay[]): CountedDay[] {
  if (days.length === 0) return [];
  const known = new Map(days.map((one) => [one.day, one]));
  const [from, until] = [days[0].day, days.at(-1)!.day];
  return Array.from({ length: until - from + 1 }, (_, at) => known.get(from + at) ?? { day: from + at, counts: [] });
}

function sumOf(days: readonly Counts[]): number[] {
  return days[0].map((_, bin) => days.reduce((sum, counts) => sum + counts[bin], 0));
}
