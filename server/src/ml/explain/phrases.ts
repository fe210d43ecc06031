import type { Aggregate, Span } from '../features/feature.ts';

/** The rows that a feature describes, with readable names. */
export type Whose =
  | { readonly kind: 'own' }
  /** `entity`: plural name of the rows; undefined when not known. */
  | { readonly kind: 'all'; readonly entity: string | undefined }
  | { readonly kind: 'parent'; readonly one: string; readonly of: Whose }
  | {
      readonly kind: 'last' | 'recent';
      readonly one: string;
      readonly many: string;
      readonly events: string;
      readonly of: Whose;
    };

/** Names of a table of events. */
export type EventWords = {
  readonly many: string;
  readonly one: string;
  readonly role: { readonly kind: 'as' | 'through'; readonly name: string } | undefined;
  readonly isDated: boolean;
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
      /** A threshold, if only whether the count or sum exceeds it is predicted: `> 2`. */
      readonly than: string | undefined;
    };

/** A column of a row, or of a row it refers to. */
export type ColumnWords = { readonly kind: 'column'; readonly name: string; readonly of: string | undefined };

/** What is read of each event. `outcome`: the label of an earlier answer. */
export type SignalWords =
  | (ColumnWords & { readonly word?: string })
  | { readonly kind: 'days'; readonly to: string; readonly isPlain: boolean }
  | { readonly kind: 'rank'; readonly name: string; readonly within: string; readonly as: 'percentile' | 'deviation' }
  | { readonly kind: 'reference'; readonly one: string; readonly many: string }
  | { readonly kind: 'outcome' };

/** Why there is no value: not known, no events (ever, or in the span), or too few. */
export type Missing = 'unknown' | 'none' | 'none_in_span' | 'few';

/** A language: noun phrases for every kind of feature, and the parts of sentences. */
export type Phrases = {
  readonly decimal: string;
  readonly thousands: string;
  readonly yes: string;
  readonly no: string;
  readonly months: readonly string[];
  /** Sunday first. */
  readonly weekdays: readonly string[];
  date(day: number, month: number, year: number): string;
  money(amount: string, unit: string): string;
  unit(amount: string, unit: string): string;
  deviation(amount: string): string;

  /** The outcomes of earlier rows. */
  outcomes(of: PredictedWords | undefined): { readonly many: string; readonly one: string };
  /** Events restricted to one value of a category. */
  narrowed(
    events: Pick<EventWords, 'many' | 'one'>,
    column: ColumnWords,
    value: string,
  ): Pick<EventWords, 'many' | 'one'>;
  attribute(column: string, whose: Whose): string;
  /** Share of neighbors with a true yes-or-no column, or with one value of a text. */
  neighborShare(column: string, value: string | undefined, whose: Whose): string;
  length(column: string, whose: Whose): string;
  word(column: string, word: string, whose: Whose): string;
  /** Outcomes of rows whose text has the same words. */
  words(as: 'mean' | 'sum' | 'highest' | 'lowest', column: string, outcomes: EventWords, whose: Whose): string;
  /** `isPlain`: the name itself tells that it is a date. */
  sinceDate(date: string, isPlain: boolean, whose: Whose): string;
  untilDate(date: string, isPlain: boolean, whose: Whose): string;
  age(whose: Whose): string;
  count(events: EventWords, span: Span, whose: Whose): string;
  rate(events: EventWords, span: Span, whose: Whose): string;
  since(events: EventWords, which: 'last' | 'first', whose: Whose): string;
  gap(events: EventWords, as: 'mean' | 'sd', whose: Whose): string;
  number(aggregate: Aggregate, signal: SignalWords, events: EventWords, span: Span, whose: Whose): string;
  /** Share of events with a true yes-or-no column, or with one value of a category. */
  share(signal: SignalWords, value: string | undefined, events: EventWords, span: Span, whose: Whose): string;
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
  calendar(part: 'month' | 'weekday' | 'time'): string;
  dataAge(): string;
  /** A number of the encoder's embedding of the history. */
  embedding(): string;
  /** A number of the graph model's vector of the row. */
  graph(): string;

  whether(statement: string): string;
  is(subject: string, value: string, holds: boolean): string;
  /** The usual value of a statement that is true or false. */
  usually(holds: boolean, usuallyHolds: boolean): string;
  usual(value: string): string;
  missing(why: Missing, events: string): string;
};

/** Whether the owner directly follows the events: `payments of the customer in the last 90 days`. */
export function isInline(whose: Whose): boolean {
  return whose.kind === 'own' || (whose.kind === 'parent' && isInline(whose.of));
}

export function daysIn(span: { readonly days: number }): { count: number; unit: 'hours' | 'days' | 'months' } {
  if (span.days < 1) return { count: Math.round(span.days * 24), unit: 'hours' };
  if (span.days % 365 === 0) return { count: (span.days / 365) * 12, unit: 'months' };
  return { count: span.days, unit: 'days' };
}
