import type { KindName } from '../kinds/kinds.ts';
import type { Condition, RowsOf, Threshold } from './condition.ts';

/** A question that the tables answer themselves, once its window has closed. */
export type Question = {
  /** Table of the predicted rows. */
  readonly entity: string;
  readonly kind: KindName;
  readonly target: Target;
  /** Whom to ask about, decided at each anchor by what was known then. */
  readonly population?: Condition;
  readonly anchors?: AnchorLayout;
};

/** Labels made from what the tables say of the days after the anchor. */
export type Target = FutureRows | Delinquency;

/**
 * An aggregate of rows that lead to the entity, over windows of `horizonsDays` (ascending) after the anchor. A row
 * happens at its own time, or when its condition came to be known, where that is later.
 */
export type FutureRows = RowsOf & {
  readonly kind: 'rows';
  /** Something due at `due` and not paid `days` days later happens on that day. */
  readonly overdue?: { readonly due: string; readonly paid: string; readonly days: number };
  /**
   * What the label says of the rows: `first` is the days until the first of them, the whole window where none comes.
   */
  readonly aggregate: 'exists' | 'count' | 'first' | { readonly sum: string } | { readonly next: string };
  /** Of a count or a sum only whether it passes. */
  readonly than?: Threshold;
  readonly horizonsDays: readonly number[];
};

/** A delinquency of a loan: a row of `table`, which leads to the entity by `reference`. */
export type Delinquency = {
  readonly kind: 'delinquency';
  readonly table: string;
  readonly reference?: readonly string[];
  /** Date column of the opening; the loan's event time where none is given. */
  readonly opened?: string;
  readonly rule: DelinquencyRule;
  readonly obligations?: Obligations;
  /**
   * Windows after the anchor in which the delinquency comes about. Absent: each loan is asked about on the day it
   * opens, and labelled at its own observation point.
   */
  readonly horizonsDays?: readonly number[];
};

export type DelinquencyRule =
  /** The obligation due first is not paid `days` days after it was due: observed on that day. */
  | { readonly kind: 'first_payment_default'; readonly days: number }
  /** Something is at least `days` days past due and unpaid on the day `month` months after the opening. */
  | { readonly kind: 'days_past_due'; readonly days: number; readonly month: number }
  /**
   * Charged off on the date in `column`, or when anything is `days` days past due; by month `month`, where it is given.
   */
  | {
      readonly kind: 'charge_off';
      readonly by: { readonly column: string } | { readonly days: number };
      readonly month?: number;
    };

/** What is due of a loan: rows of `table` that lead to it by `reference`. */
export type Obligations = {
  readonly table: string;
  readonly reference?: readonly string[];
  readonly due: string;
  readonly paid: string;
  /** With these, what was paid with less than was due counts as unpaid. */
  readonly amounts?: { readonly due: string; readonly paid: string };
};

/**
 * Where anchors are laid when no label file gives them: every so many days, or once for each entity, on its own day.
 * Microseconds. What is absent follows from the data (`layMoments`).
 */
export type AnchorLayout = {
  readonly everyDays?: number;
  readonly isOnce?: true;
  readonly from?: number;
  readonly until?: number;
};

/** Each horizon is a model of its own. */
export const horizonsMax = 20;

/**
 * Days that a question looks ahead or back, or lies between its anchors, at most: a hundred years, and less than dates
 * span.
 */
export const daysMax = 36_500;

/** Moments of one layout at most: one a day for 50 years. */
export const anchorMomentsMax = 20_000;

/** Days of an average month. */
export const daysPerMonth = 365.25 / 12;

/** Days that a target looks ahead, ascending: of a delinquency at its own observation point, about so many. */
export function horizonsOf(target: Target): readonly number[] {
  if (target.horizonsDays) return target.horizonsDays;
  const { rule } = target as Delinquency;
  if (rule.kind === 'first_payment_default') return [Math.round(daysPerMonth) + rule.days];
  return [Math.round((rule.month ?? 0) * daysPerMonth)];
}

/** Days as text that `parseDays` reads: `30d`, `12h`. */
export function textOfDays(days: number): string {
  const hours = Math.round(days * 24);
  return !Number.isInteger(days) && hours / 24 === days ? `${hours}h` : `${days}d`;
}

/** Days in '30d', '12h', '8w' or a plain number; null when it is none of them or not above zero. */
export function parseDays(text: string): number | null {
  const match = /^(\d+(?:\.\d+)?)\s*(d|h|w|days?)?$/i.exec(text.trim());
  if (!match) return null;
  const unit = match[2]?.toLowerCase();
  const value = unit === 'h' ? Number(match[1]) / 24 : Number(match[1]) * (unit === 'w' ? 7 : 1);
  return value > 0 ? value : null;
}

/** Microseconds at the start of a day given as text, or of a timestamp; NaN when it is neither, as 30 February is. */
export function parseDay(value: unknown): number {
  if (value instanceof Date) return value.getTime() * 1000;
  const text = String(value).trim();
  if (!/^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/.test(text)) return Number.NaN;
  // Of 30 February `Date.parse` makes a day of March.
  const start = Date.parse(text.slice(0, 10));
  if (Number.isNaN(start) || !text.startsWith(new Date(start).toISOString().slice(0, 10))) return Number.NaN;
  const zoned = /(Z|[+-]\d{2}:?\d{2})$/.test(text.slice(10)) ? text : text.length > 10 ? `${text}Z` : text;
  return Date.parse(zoned.replace(' ', 'T')) * 1000;
}

/** A moment as text that `parseDay` reads, to the millisecond. */
export function textOfDay(moment: number): string {
  const text = new Date(moment / 1000).toISOString();
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text;
}
