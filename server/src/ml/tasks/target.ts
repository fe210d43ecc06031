import type { KindName } from '../kinds/kinds.ts';
import type { Condition, RowsOf, Threshold } from './condition.ts';

/** A question whose labels come from the tables themselves, once its window has closed. */
export type Question = {
  /** Table of the predicted rows. */
  readonly entity: string;
  readonly kind: KindName;
  readonly target: Target;
  /** Whom to ask about, decided at each anchor from what was known then. */
  readonly population?: Condition;
  readonly anchors?: AnchorLayout;
};

/** Labels made from what the tables say about the days after the anchor. */
export type Target = FutureRows | Delinquency;

/**
 * An aggregate of rows that lead to the entity, over windows of `horizonsDays` (ascending) after the anchor. A row
 * happens at its own time, or when its condition became known, if that is later.
 */
export type FutureRows = RowsOf & {
  readonly kind: 'rows';
  /** An obligation due at `due` and not paid `days` days later happens on that later day. */
  readonly overdue?: Payment & { readonly days: number };
  /** What the label is. `first`: days until the first row; the length of the window when none comes. */
  readonly aggregate: 'exists' | 'count' | 'first' | { readonly sum: string } | { readonly next: string };
  /** With this, the label is only whether the count or sum passes the threshold. */
  readonly than?: Threshold;
  readonly horizonsDays: readonly number[];
};

/** A delinquency of a loan. The loan is a row of `table`, which leads to the entity by `reference`. */
export type Delinquency = {
  readonly kind: 'delinquency';
  readonly table: string;
  readonly reference?: readonly string[];
  /** Date column of the opening; by default the loan's event time. */
  readonly opened?: string;
  readonly rule: DelinquencyRule;
  readonly obligations?: Obligations;
  /**
   * Windows after the anchor in which the delinquency may happen. Absent: each loan is asked about on the day it opens,
   * and labelled at its own observation point.
   */
  readonly horizonsDays?: readonly number[];
};

export type DelinquencyRule =
  /** The obligation due first is not paid `days` days after it was due. Observed on that day. */
  | { readonly kind: 'first_payment_default'; readonly days: number }
  /** An obligation is at least `days` days past due and unpaid on the day `month` months after the opening. */
  | { readonly kind: 'days_past_due'; readonly days: number; readonly month: number }
  /**
   * The loan is charged off on the date in `column`, or when an obligation is `days` days past due; by month `month`,
   * when given.
   */
  | {
      readonly kind: 'charge_off';
      readonly by: { readonly column: string } | { readonly days: number };
      readonly month?: number;
    };

/** The obligations of a loan: rows of `table` that lead to it by `reference`. */
export type Obligations = Payment & { readonly table: string; readonly reference?: readonly string[] };

/** The columns that tell when what is owed is due, and when it was paid. */
export type Payment = {
  readonly due: string;
  readonly paid: string;
  /** With these columns, what is paid with less than was due counts as unpaid. */
  readonly amounts?: { readonly due: string; readonly paid: string };
  /**
   * The table of payments, where these are rows of their own that lead to what is owed by `reference`: `paid` and
   * `amounts.paid` are its columns then.
   */
  readonly payments?: { readonly table: string; readonly reference?: readonly string[] };
};

/**
 * Where anchors are laid when no label file gives them: every `everyDays` days, or once for each entity on its own day.
 * `from` and `until` are microseconds. What is absent follows from the data (`layMoments`).
 */
export type AnchorLayout = {
  readonly everyDays?: number;
  readonly isOnce?: true;
  readonly from?: number;
  readonly until?: number;
};

/** Horizons of a task at most: each has a model of its own. */
export const horizonsMax = 20;

/**
 * The most days that a question looks ahead or back, or that lie between its anchors: a hundred years, less than the
 * range of dates.
 */
export const daysMax = 36_500;

/** The most moments of one layout: one a day for 50 years. */
export const anchorMomentsMax = 20_000;

/** Days of an average month. */
export const daysPerMonth = 365.25 / 12;

/**
 * Days that a target looks ahead, ascending. For a delinquency with its own observation point, approximate days until
 * it.
 */
export function horizonsOf(target: Target): readonly number[] {
  if (target.horizonsDays) return target.horizonsDays;
  const { rule } = target as Delinquency;
  if (rule.kind === 'first_payment_default') return [Math.round(daysPerMonth) + rule.days];
  return [Math.round((rule.month ?? 0) * daysPerMonth)];
}

/** Days as text in the form that `parseDays` reads: `30d`, `12h`. */
export function textOfDays(days: number): string {
  const hours = Math.round(days * 24);
  return !Number.isInteger(days) && hours / 24 === days ? `${hours}h` : `${days}d`;
}

/** Days of so many units. Hours are divided, as `textOfDays` multiplies them, to be the same number again. */
const hours = (value: number) => value / 24;
const days = (value: number) => value;
const weeks = (value: number) => value * 7;
const exactUnits = { h: hours, hour: hours, hours, d: days, day: days, days, w: weeks, week: weeks, weeks };

/** Units that differ in length, with the days that are mostly meant. */
const months = (value: number) => value * 30;
const quarters = (value: number) => value * 90;
const years = (value: number) => value * 365;
const looseUnits = {
  m: months,
  mo: months,
  month: months,
  months,
  quarter: quarters,
  quarters,
  y: years,
  year: years,
  years,
};

/** Days in '30d', '12h', '8 weeks' or a plain number; null for any other text or when not above zero. */
export function parseDays(text: string): number | null {
  return parseDuration(text) || null;
}

/** As `parseDays`, and zero of nothing. */
export function parseDuration(text: string): number | null {
  return daysOf(text, exactUnits);
}

/** The days that are mostly meant by months or years; null for other texts. */
export function meantDays(text: string): number | null {
  const days = daysOf(text, looseUnits);
  return days ? Math.round(days) : null;
}

/** Whether a word is a unit of time, also one that `parseDays` does not take. */
export function isUnit(word: string): boolean {
  return parseDays(`1${word}`) !== null || meantDays(`1${word}`) !== null;
}

function daysOf(text: string, units: Readonly<Record<string, (value: number) => number>>): number | null {
  const match = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(text.trim());
  const unit = match && new Map(Object.entries(units)).get(match[2].toLowerCase() || 'd');
  return match && unit ? unit(Number(match[1])) : null;
}

/**
 * Microseconds at the start of a day, or of a timestamp, given as text; NaN when it is neither, such as 30 February.
 */
export function parseDay(value: unknown): number {
  if (value instanceof Date) return value.getTime() * 1000;
  const text = String(value).trim();
  if (!/^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/.test(text)) return Number.NaN;
  // `Date.parse` turns 30 February into a day of March.
  const start = Date.parse(text.slice(0, 10));
  if (Number.isNaN(start) || !text.startsWith(new Date(start).toISOString().slice(0, 10))) return Number.NaN;
  const zoned = /(Z|[+-]\d{2}:?\d{2})$/.test(text.slice(10)) ? text : text.length > 10 ? `${text}Z` : text;
  return Date.parse(zoned.replace(' ', 'T')) * 1000;
}

/** A moment as text in the form that `parseDay` reads, to the millisecond. */
export function textOfDay(moment: number): string {
  const text = new Date(moment / 1000).toISOString();
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text;
}
