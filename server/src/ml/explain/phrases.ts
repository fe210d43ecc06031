import type { Aggregate, Span } from '../features/feature.ts';

/** Whose state a feature reads, with names for people. */
export type Whose =
  | { readonly kind: 'own' }
  /** `entity`: what the rows are, many of them; undefined when not known. */
  | { readonly kind: 'all'; readonly entity: string | undefined }
  | { readonly kind: 'parent'; readonly one: string; readonly of: Whose }
  | {
      readonly kind: 'last' | 'recent';
      readonly one: string;
      readonly many: string;
      readonly events: string;
      readonly of: Whose;
    };

/** A table whose rows happened to somebody. */
export type EventWords = {
  readonly many: string;
  readonly one: string;
  readonly role: { readonly kind: 'as' | 'through'; readonly name: string } | undefined;
  readonly isDated: boolean;
};

/** What a task predicts. `days`: within so many. */
export type PredictedWords =
  | { readonly kind: 'label'; readonly name: string }
  | { readonly kind: 'delinquency'; readonly many: string; readonly days: number | undefined }
  | {
      readonly kind: 'rows';
      readonly as: 'exists' | 'count' | 'first' | 'sum' | 'next';
      readonly many: string;
      readonly one: string;
      /** Summed, or taken from the next of them. */
      readonly column: string;
      readonly days: number | undefined;
      readonly overdueDays: number | undefined;
      /** Whether only rows that meet a condition count. */
      readonly isNarrowed: boolean;
      /** Of a count or a sum only whether it is so: `> 2`. */
      readonly than: string | undefined;
    };

/** A column of a row, or of what it refers to. */
export type ColumnWords = { readonly kind: 'column'; readonly name: string; readonly of: string | undefined };

/** What is read off each event. `outcome`: the label of an earlier answer. */
export type SignalWords =
  | (ColumnWords & { readonly word?: string })
  | { readonly kind: 'days'; readonly to: string; readonly isPlain: boolean }
  | { readonly kind: 'rank'; readonly name: string; readonly within: string; readonly as: 'percentile' | 'deviation' }
  | { readonly kind: 'reference'; readonly one: string; readonly many: string }
  | { readonly kind: 'outcome' };

/** Why there is no value: nobody knows, nothing happened (ever, or in the span), or too little did. */
export type Missing = 'unknown' | 'none' | 'none_in_span' | 'few';

/** A language: noun phrases for every kind of feature, and what sentences are made of. */
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

  /** What became of earlier rows. */
  outcomes(of: PredictedWords | undefined): { readonly many: string; readonly one: string };
  /** Events that have one value of a category. */
  narrowed(
    events: Pick<EventWords, 'many' | 'one'>,
    column: ColumnWords,
    value: string,
  ): Pick<EventWords, 'many' | 'one'>;
  attribute(column: string, whose: Whose): string;
  /** Share of neighbors for which a yes-or-no column, or one value of a text, holds. */
  neighborShare(column: string, value: string | undefined, whose: Whose): string;
  length(column: string, whose: Whose): string;
  word(column: string, word: string, whose: Whose): string;
  /** How rows ended whose text has the same words. */
  words(as: 'mean' | 'sum' | 'highest' | 'lowest', column: string, outcomes: EventWords, whose: Whose): string;
  /** `isPlain`: the name says by itself that it is a date. */
  sinceDate(date: string, isPlain: boolean, whose: Whose): string;
  untilDate(date: string, isPlain: boolean, whose: Whose): string;
  age(whose: Whose): string;
  count(events: EventWords, span: Span, whose: Whose): string;
  rate(events: EventWords, span: Span, whose: Whose): string;
  since(events: EventWords, which: 'last' | 'first', whose: Whose): string;
  gap(events: EventWords, as: 'mean' | 'sd', whose: Whose): string;
  number(aggregate: Aggregate, signal: SignalWords, events: EventWords, span: Span, whose: Whose): string;
  /** Share of events with a yes-or-no column, or with one value of a category. */
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
  /** A row's own number against the earlier rows of its parent: less their mean, or in their standard deviations. */
  against(column: string, as: 'difference' | 'deviation', events: EventWords, span: Span, parent: Whose): string;
  /** Share of the earlier rows of its parent with the row's own category. */
  same(column: string, events: EventWords, span: Span, parent: Whose): string;
  calendar(part: 'month' | 'weekday' | 'time'): string;
  dataAge(): string;
  /** What an encoder makes of all that is known. */
  embedding(): string;
  /** What a graph model makes of where somebody stands among others. */
  graph(): string;

  whether(statement: string): string;
  is(subject: string, value: string, holds: boolean): string;
  /** What is usual of a statement that holds or does not. */
  usually(holds: boolean, usuallyHolds: boolean): string;
  usual(value: string): string;
  missing(why: Missing, events: string): string;
};

/** Whether the owner can be named right after the events: `payments of the customer in the last 90 days`. */
export function isInline(whose: Whose): boolean {
  return whose.kind === 'own' || (whose.kind === 'parent' && isInline(whose.of));
}

export function daysIn(span: { readonly days: number }): { count: number; unit: 'hours' | 'days' | 'months' } {
  if (span.days < 1) return { count: Math.round(span.days * 24), unit: 'hours' };
  if (span.days % 365 === 0) return { count: (span.days / 365) * 12, unit: 'months' };
  return { count: span.days, unit: 'days' };
}
