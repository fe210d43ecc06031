import { type Aggregate, type Season, type Span, yearDays } from '../features/feature.ts';
import { daysPerMonth } from '../tasks/target.ts';

/** The rows that a feature describes, with readable names. */
export type Whose =
  | { readonly kind: 'own' }
  | { readonly kind: 'all' }
  | { readonly kind: 'parent'; readonly one: string; readonly of: Whose }
  /** All rows that have the value of a category that `of` has. */
  | { readonly kind: 'alike'; readonly column: string; readonly of: Whose }
  /** The newest event, or the recent ones: what others are alike. */
  | { readonly kind: 'event'; readonly which: 'last' | 'recent'; readonly events: EventWords; readonly of: Whose }
  | {
      readonly kind: 'last' | 'recent';
      readonly one: string;
      readonly many: string;
      readonly events: EventWords;
      readonly of: Whose;
      /** Whether the name alone tells in which events they were met. */
      readonly isPlain: boolean;
    };

/** Names of a table of events. */
export type EventWords = {
  readonly many: string;
  readonly one: string;
  /** What all of them have, after the noun and its owner: ` with status open`. */
  readonly having: string;
  /** How they lead to what is described: in which of several roles, or through which table. */
  readonly role: { readonly kind: 'as' | 'through'; readonly name: string } | undefined;
  readonly isDated: boolean;
  /** Whether the events are earlier answers whose outcome is known. */
  readonly isOutcome: boolean;
  /** Whether they are told as since the fourth form of reasons. */
  readonly isFourth?: true;
};

/** What a task predicts. `days`: the window. */
export type PredictedWords =
  | { readonly kind: 'label'; readonly name: string }
  | { readonly kind: 'delinquency'; readonly many: string; readonly days: number | undefined }
  | {
      readonly kind: 'rows';
      readonly as: 'exists' | 'count' | 'first' | 'sum' | 'next';
      readonly many: string;
      readonly one: string;
      /** The column that is summed, or taken from the next row. */
      readonly column: string;
      readonly days: number | undefined;
      readonly overdueDays: number | undefined;
      /** Whether only rows that meet a condition are counted. */
      readonly isNarrowed: boolean;
      /** Whether it is told as since the fourth form of reasons. */
      readonly isFourth?: true;
      /** A threshold, if only whether the count or sum exceeds it is predicted: `> 2`. */
      readonly than: string | undefined;
    };

/** A column of a row, or of a row it refers to. */
export type ColumnWords = { readonly kind: 'column'; readonly name: string; readonly of: string | undefined };

/** A date that rows have. `isPlain`: the name itself tells that it is a date. */
export type DateWords = { readonly name: string; readonly isPlain: boolean };

/**
 * What is read of each event. `outcome`: the label of an earlier answer; `isSentence`: it is told as a sentence, where
 * there is one; `isOfNew`: each is of another row. `isYesNo`: its value is 1 or 0.
 */
export type SignalWords =
  /** `isRate`: its sum is told as one of rates. */
  | (ColumnWords & { readonly word?: string; readonly isYesNo: boolean; readonly isRate?: true })
  /** `from`: the event's date that they are counted from, else its time. `of`: what has the date, if not the event. */
  | {
      readonly kind: 'days';
      readonly from?: DateWords;
      readonly to: DateWords;
      readonly of?: string;
      readonly isYesNo: false;
    }
  | {
      readonly kind: 'rank';
      readonly name: string;
      readonly within: string;
      readonly as: 'percentile' | 'deviation';
      readonly isYesNo: false;
    }
  | { readonly kind: 'reference'; readonly one: string; readonly many: string; readonly isYesNo: false }
  | {
      readonly kind: 'outcome';
      readonly of: PredictedWords | undefined;
      readonly isYesNo: boolean;
      readonly isSentence?: true;
      readonly isOfNew?: true;
    };

/** Why there is no value: not known, no events with one, no events (ever, or in the span), or too few. */
export type Missing = 'unknown' | 'none_known' | 'none' | 'none_in_span' | 'few';

/**
 * What a factor does to the answer. `size`: by how much, written with its unit; undefined where it is next to nothing.
 * `points`: of the score, which falls as the risk rises.
 */
export type Move = {
  readonly what: 'risk' | 'chance' | 'estimate';
  /** What is estimated, where it has a name. */
  readonly name: string | undefined;
  readonly isUp: boolean;
  /** Whether it is said against what the answer is moved, as of a usual value. */
  readonly isAgainstAverage: boolean;
  readonly size: { readonly kind: 'points' | 'percentage_points' | 'amount'; readonly text: string } | undefined;
};

/** A language: noun phrases for every kind of feature, and the parts of sentences. */
export type Phrases = {
  readonly decimal: string;
  readonly thousands: string;
  /** A value of a category that is none of those told apart. */
  readonly anotherValue: string;
  readonly yes: string;
  readonly no: string;
  /** A text of blanks only. */
  readonly blank: string;
  readonly months: readonly string[];
  /** Sunday first. */
  readonly weekdays: readonly string[];
  date(day: number, month: number, year: number): string;
  money(amount: string, unit: string): string;
  unit(amount: string, unit: string): string;
  time(amount: string, unit: 'hours' | 'days' | 'years'): string;
  deviations(amount: string): string;
  /** A pace, as a multiple of that in the long run. */
  ofLongRun(times: string): string;
  /** A pace of some weeks, as a multiple of that of their year. */
  ofThatYear(times: string): string;
  /** The share of others that a value is higher than. */
  higherThan(share: string): string;
  /** A value that is higher, or lower, than nearly all others. */
  extreme(end: 'highest' | 'lowest'): string;
  /** How far a value lies above (sign 1) or below (-1) another; 0: they are equal. */
  apart(amount: string, sign: number): string;
  perMonth(change: string): string;
  /** Of a date that was that long ago, where it is told how long it is until it comes. */
  passed(time: string): string;
  /** How long after (sign 1) or before (-1) a planned date something was; 0: on the day. */
  late(time: string, sign: number): string;
  /** How far values lie from their mean, either way. */
  spread(amount: string): string;
  /** A variety, as a number of values that are equally common. */
  kinds(amount: string): string;

  /** Earlier answers whose outcome is known. `of`: the rows answered about, where each is asked about once. */
  outcomes(of: { readonly many: string; readonly one: string } | undefined): {
    readonly many: string;
    readonly one: string;
  };
  /** What events have that are restricted to one value of a category. */
  narrowed(column: ColumnWords, value: string): string;
  /** Two names together. */
  both(first: string, second: string): string;
  /** A readable name in this language, where it has its own: of a column, or of one row of a table; of a date. */
  translate(name: string, as: 'thing' | 'date'): string | undefined;
  /** Of what people call a table or a role: one of its rows, or several. */
  singular(many: string): string;
  plural(one: string): string;
  attribute(column: string, whose: Whose): string;
  /** Share of neighbors with a true yes-or-no column, or with one value of a text. */
  neighborShare(column: string, value: string | undefined, whose: Whose): string;
  length(column: string, whose: Whose): string;
  word(column: string, word: string, whose: Whose): string;
  /** Outcomes of rows whose text has the same words. */
  words(
    as: 'mean' | 'sum' | 'highest' | 'lowest',
    column: string,
    of: PredictedWords | undefined,
    whose: Whose,
  ): string;
  sinceDate(date: DateWords, whose: Whose): string;
  untilDate(date: DateWords, whose: Whose): string;
  age(whose: Whose): string;
  count(events: EventWords, span: Span, whose: Whose): string;
  rate(events: EventWords, span: Span, whose: Whose): string;
  since(events: EventWords, which: 'last' | 'first', whose: Whose): string;
  gap(events: EventWords, as: 'mean' | 'sd', whose: Whose): string;
  number(aggregate: Aggregate, signal: SignalWords, events: EventWords, span: Span, whose: Whose): string;
  /** Share of events with one value of a category. */
  share(signal: SignalWords, value: string, events: EventWords, span: Span, whose: Whose): string;
  /** The value of the newest event. */
  last(signal: SignalWords, events: EventWords, whose: Whose): string;
  variety(
    as: 'distinct' | 'entropy' | 'changes',
    signal: SignalWords,
    events: EventWords,
    span: Span,
    whose: Whose,
  ): string;
  /**
   * A row's number compared with earlier rows of its parent: the difference from their mean, or that in standard
   * deviations.
   */
  against(column: string, as: 'difference' | 'deviation', events: EventWords, span: Span, parent: Whose): string;
  /** Share of the earlier rows of the parent that have the row's own category. */
  same(column: string, events: EventWords, span: Span, parent: Whose): string;
  /** How strong a row is by earlier outcomes; by those of one class, where `value` is given. */
  rating(as: 'lasting' | 'recent', events: EventWords, value: string | undefined, whose: Whose): string;
  /** What is read of one row, compared with the same of another. */
  apartFrom(read: string, other: Whose): string;
  calendar(part: 'month' | 'weekday' | 'time'): string;
  dataAge(): string;
  /** A number of the encoder's embedding of the history. */
  embedding(): string;
  /** A number of the graph model's vector of the row. */
  graph(): string;

  whether(statement: string): string;
  is(subject: string, value: string): string;
  /** Any other value than this one, or than the one that stands before. */
  not(value?: string): string;
  usual(value: string): string;
  /** More than half have this value, which is zero. */
  mostly(zero: string): string;
  /** The value is the usual one; `isMoving`: and it is said all the same that it moves the answer. */
  asUsual(isMoving: boolean): string;
  missing(why: Missing, events: string): string;
  move(move: Move): string;
};

export function daysIn(span: { readonly days: number }): { count: number; unit: 'hours' | 'days' | 'years' } {
  if (span.days < 1) return { count: Math.round(span.days * 24), unit: 'hours' };
  if (span.days % 365 === 0) return { count: span.days / 365, unit: 'years' };
  // Two years of twelve months of thirty days, and so on.
  if (span.days >= 720 && span.days % 360 === 0) return { count: span.days / 360, unit: 'years' };
  return { count: span.days, unit: 'days' };
}

/** How many years ago a season was; 0 if it was a week ago. */
export function yearsAgo({ ago }: Season): number {
  return Math.round(ago / yearDays);
}

/** The days of half a year and more are told in months where whole months are at most this share longer or shorter. */
const monthsTolerance = 0.02;

/** A stretch of the past in the unit that a reader would choose: of 360 days, 12 months. */
export function spanOf(span: { readonly days: number }): {
  count: number;
  unit: 'hours' | 'days' | 'months' | 'years';
} {
  const exact = daysIn(span);
  if (exact.unit !== 'days' || span.days < 150) return exact;
  const months = Math.round(span.days / daysPerMonth);
  return Math.abs(months * daysPerMonth - span.days) <= monthsTolerance * span.days
    ? { count: months, unit: 'months' }
    : exact;
}

/** Whether a number is of several rows, so that it is their average. */
export function isAveraged(whose: Whose): boolean {
  if (whose.kind === 'recent') return true;
  if (whose.kind === 'event') return whose.which === 'recent' || isAveraged(whose.of);
  return 'of' in whose && isAveraged(whose.of);
}
