import { pathText, type Signal } from '../events/signals.ts';

/**
 * One model input: whose state it describes (`focus`), and what is read there (`read`). Both are plain data, so a
 * feature is its own lineage: it is stored in the version, worded for people, and computed by one evaluator everywhere.
 */
export type Feature = { readonly focus: Focus; readonly read: Read };

/** Whose state: the anchor's own row, or rows reached from it. */
export type Focus =
  | { readonly kind: 'root' }
  /** The one row of `@all`: every row of a table together. */
  | { readonly kind: 'all' }
  /** The row a reference leads to. */
  | { readonly kind: 'parent'; readonly of: Focus; readonly reference: string }
  /** The row that the newest readable event leads to. */
  | { readonly kind: 'last'; readonly of: Focus; readonly events: Events; readonly to: string }
  /** The rows that the newest `neighborsMax` readable events lead to, each weighted by how recent its event is. */
  | { readonly kind: 'recent'; readonly of: Focus; readonly events: Events; readonly to: string };

/**
 * The rows of `table` that lead to the focus by the references `via`, in order. `arriving`: those that come with a new
 * row (the lines of an order): dated no later than the row itself, which its anchor, the start of its day, may lie
 * before. `when`: only those that meet a condition, each from the moment that is known.
 */
export type Events = {
  readonly table: string;
  readonly via: readonly string[];
  readonly arriving?: true;
  readonly when?: Condition;
};

/** A text column of the row, or of the row that the references `path` lead to as it was then, has this value. */
export type Condition = { readonly path: readonly string[]; readonly column: string; readonly value: string };

/** Events of the last `days` days before `readableUntil`, the newest `last` events, or all of them. */
export type Span = { readonly days: number } | { readonly last: number } | { readonly all: true };

/**
 * 'smoothed': the mean, drawn to that of all rows of the table readable then as if `smoothingEvents` more had had it.
 */
export type Aggregate = 'mean' | 'sum' | 'sd' | 'min' | 'max' | 'last' | 'trend' | 'slope' | 'smoothed';

export type Read =
  /** A numeric column of the focus row. */
  | { readonly kind: 'attribute'; readonly column: string }
  /** The number that a text column of the focus row writes: see `parseMeasure`. */
  | { readonly kind: 'measure'; readonly column: string }
  /** 1 when a text column of the focus row has this value, else 0. */
  | { readonly kind: 'attribute_is'; readonly column: string; readonly value: string }
  /** Characters in a text column of the focus row. */
  | { readonly kind: 'length'; readonly column: string }
  /** 1 when a text column of the focus row has this word, else 0. */
  | { readonly kind: 'word'; readonly column: string; readonly word: string }
  /**
   * How rows ended whose text has the same words, by labels known then, which lead to those rows by `via`: each word's
   * smoothed mean, and of all words their mean, the highest or the lowest.
   */
  | {
      readonly kind: 'words';
      readonly column: string;
      readonly via: readonly string[];
      readonly as: 'mean' | 'sum' | 'highest' | 'lowest';
    }
  /** Days from a date column of the focus row to the anchor. */
  | { readonly kind: 'interval'; readonly column: string }
  /** Days from the focus row's own time to the anchor. */
  | { readonly kind: 'age' }
  | { readonly kind: 'count'; readonly events: Events; readonly span: Span }
  /** Events per day in the span, against those per day since the first event. */
  | { readonly kind: 'rate'; readonly events: Events; readonly span: Span }
  /** Days from the newest or oldest readable event to `readableUntil`. */
  | { readonly kind: 'since'; readonly events: Events; readonly which: 'last' | 'first' }
  /** Mean or standard deviation of the days between consecutive events, among the newest `gapEventsMax`. */
  | { readonly kind: 'gap'; readonly events: Events; readonly as: 'mean' | 'sd' }
  | {
      readonly kind: 'number';
      readonly events: Events;
      readonly signal: Signal;
      readonly span: Span;
      readonly aggregate: Aggregate;
    }
  /** Share of events with this value among those that have one. */
  | {
      readonly kind: 'share';
      readonly events: Events;
      readonly signal: Signal;
      readonly value: string;
      readonly span: Span;
    }
  /** 1 when the newest event has this value, else 0. */
  | { readonly kind: 'last_is'; readonly events: Events; readonly signal: Signal; readonly value: string }
  /** How many different values, their entropy (nats), or how often consecutive events differ (share). */
  | {
      readonly kind: 'variety';
      readonly events: Events;
      readonly signal: Signal;
      readonly span: Span;
      readonly as: 'distinct' | 'entropy' | 'changes';
    }
  | Comparison
  | { readonly kind: 'calendar'; readonly part: 'month' | 'weekday' | 'time' }
  /** Days from `readableUntil` to the anchor. */
  | { readonly kind: 'data_age' }
  /**
   * One number of what an encoder makes of the focus row: that of the tables, or a model of a graph in which the row
   * has a place.
   */
  | { readonly kind: 'embedding'; readonly place: number; readonly of?: 'graph' };

/** A new row set against the earlier rows of its own table that share its parent: `via` is the one reference to it. */
export type Comparison =
  /** Its number less the mean of theirs, or that in their standard deviations. */
  | {
      readonly kind: 'against';
      readonly events: Events;
      readonly column: string;
      readonly span: Span;
      readonly as: 'difference' | 'deviation';
    }
  /** Share of those rows with its own category, among those that have one. */
  | { readonly kind: 'same'; readonly events: Events; readonly column: string; readonly span: Span };

export function isComparison(read: Read): read is Comparison {
  return read.kind === 'against' || read.kind === 'same';
}

/**
 * The name of the table of known labels, and of the one-row table everything leads to. Neither can be a table's name:
 * of a contract.
 */
export const labelsTable = '@labels';
export const allTable = '@all';

/** Neighbors averaged in a `recent` focus. */
export const neighborsMax = 32;
/** The newest event weighs 1, the one before this much, and so on. */
export const neighborDecay = 0.9;
/** How many events of the usual kind a smoothed mean is drawn to it by. */
export const smoothingEvents = 10;
/** Events looked at for the gaps between them. */
export const gapEventsMax = 10;
/** Events looked at for the variety of their values. */
export const varietyEventsMax = 100;

export function focusKey(focus: Focus): string {
  switch (focus.kind) {
    case 'root':
      return '';
    case 'all':
      return 'all rows';
    case 'parent':
      return `${focusKey(focus.of)}/${pathText([focus.reference])}`;
    case 'last':
    case 'recent':
      return `${focusKey(focus.of)}/${focus.kind} ${eventsKey(focus.events)}.${pathText([focus.to])}`;
  }
}

export function eventsKey(events: Events): string {
  return `${events.arriving ? 'arriving ' : ''}${pathKey(events)}`;
}

/** The same for all events of one table and path, whatever is readable of them. */
export function pathKey({ table, via, when }: Events): string {
  const condition = when ? ` where ${pathText([...when.path, when.column])} is ${JSON.stringify(when.value)}` : '';
  return `${pathText([table])}[${pathText(via)}]${condition}`;
}
