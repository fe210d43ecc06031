import { pathText, type Signal } from '../events/signals.ts';

/**
 * One model input: the rows it describes (`focus`), and what is read of them (`read`). Both are plain data, so a
 * feature is its own lineage: the version stores it, it can be described in words, and one evaluator computes it
 * everywhere.
 */
export type Feature = { readonly focus: Focus; readonly read: Read };

/** The row that is described: the anchor's own row, or rows reached from it. */
export type Focus =
  | { readonly kind: 'root' }
  /** The one row of `@all`, which stands for all rows of a table together. */
  | { readonly kind: 'all' }
  /** The row a reference leads to. */
  | { readonly kind: 'parent'; readonly of: Focus; readonly reference: string }
  /**
   * The rows that two references to one table lead to: what is read of the first, less what is read of the second (of
   * `from`).
   */
  | { readonly kind: 'apart'; readonly of: Focus; readonly reference: string; readonly from: string }
  /** The row that the newest readable event leads to. */
  | { readonly kind: 'last'; readonly of: Focus; readonly events: Events; readonly to: string }
  /** The rows that the newest `neighborsMax` readable events lead to, each weighted by how recent its event is. */
  | { readonly kind: 'recent'; readonly of: Focus; readonly events: Events; readonly to: string };

/**
 * The rows of `table` that lead to the focus by the references `via`, in order.
 * - `arriving`: only rows that come with a new row (the lines of an order). They are dated no later than the new row,
 *   whose time may be after its anchor, since the anchor is the start of its day.
 * - `when`: only rows that meet a condition, each from the moment the condition is known to hold.
 */
export type Events = {
  readonly table: string;
  readonly via: readonly string[];
  readonly arriving?: true;
  readonly when?: Condition;
};

/**
 * A text column has this value: a column of the row itself, or of the row that the references `path` lead to as of
 * then.
 */
export type Condition = { readonly path: readonly string[]; readonly column: string; readonly value: string };

/** Events of the last `days` days before `readableUntil`, the newest `last` events, all of them, or a season. */
export type Span = { readonly days: number } | { readonly last: number } | { readonly all: true } | Season;

/**
 * Events of the `season` days that begin `since` days before the anchor: about those that the task asks about, `ago`
 * days earlier. Where not all of these days are readable none is, except of a whole year. Years have 52 weeks, so that
 * weekdays are the same.
 */
export type Season = { readonly season: number; readonly since: number; readonly ago: number };

/** Days of a year of 52 weeks. */
export const yearDays = 364;

/** The year that begins with a season. */
export function yearOf({ since, ago }: Season): Season {
  return { season: yearDays, since, ago };
}

/**
 * 'smoothed' is the mean, shrunk toward the mean of all rows of the table readable then, as if `smoothingEvents`
 * further events had that mean. 'swing' is the mean of a season less that of the year that begins with it.
 */
export type Aggregate = 'mean' | 'sum' | 'sd' | 'min' | 'max' | 'last' | 'trend' | 'slope' | 'smoothed' | 'swing';

export type Read =
  /** A numeric column of the focus row. */
  | { readonly kind: 'attribute'; readonly column: string }
  /** The number that a text column of the focus row contains: see `parseMeasure`. */
  | { readonly kind: 'measure'; readonly column: string }
  /** 1 when a text column of the focus row has this value, else 0. */
  | { readonly kind: 'attribute_is'; readonly column: string; readonly value: string }
  /**
   * The place among `values` of a text column's value of the focus row, and their number for any other value. It is no
   * quantity: models read it as a category (`linear/categories.ts`).
   */
  | { readonly kind: 'category'; readonly column: string; readonly values: readonly string[] }
  /** Characters in a text column of the focus row. */
  | { readonly kind: 'length'; readonly column: string }
  /** 1 when a text column of the focus row has this word, else 0. */
  | { readonly kind: 'word'; readonly column: string; readonly word: string }
  /**
   * The outcome of rows whose text has the same words, by the labels known then. Labels refer to those rows by `via`.
   * Each word has a smoothed mean label; the feature is the mean over the words, the sum of their deviations from the
   * mean of all labels, the highest or the lowest.
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
  /** Of a season missing where the first event is later. */
  | { readonly kind: 'count'; readonly events: Events; readonly span: Span }
  /**
   * Events per day in the span, divided by events per day since the first event; of a season by events per day in what
   * is readable of the year that begins with it, where the first event is earlier.
   */
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
  | Rating
  | { readonly kind: 'calendar'; readonly part: 'month' | 'weekday' | 'time' }
  /** Days from `readableUntil` to the anchor. */
  | { readonly kind: 'data_age' }
  /**
   * One number of the embedding of the focus row. The encoder is that of the tables or, with `of`, a graph model that
   * knows the row.
   */
  | { readonly kind: 'embedding'; readonly place: number; readonly of?: 'graph' };

/**
 * Compares a new row with the earlier rows of its own table that share its parent. `via` is the one reference to the
 * parent.
 */
export type Comparison =
  /** The row's number minus the mean of theirs; as 'deviation' divided by their standard deviation. */
  | {
      readonly kind: 'against';
      readonly events: Events;
      readonly column: string;
      readonly span: Span;
      readonly as: 'difference' | 'deviation';
    }
  /** Share of those rows that have the row's own category, among those that have any. */
  | { readonly kind: 'same'; readonly events: Events; readonly column: string; readonly span: Span };

/**
 * How strong the focus row is, by the outcomes of earlier cases in which it met others of its table: the last reference
 * of the events leads to the one, `against` to the other of the two. `lasting` takes strengths as constant, `recent` as
 * changing. `outcome`: the class that counts as a success of the first, where there are classes.
 */
export type Rating = {
  readonly kind: 'rating';
  readonly events: Events;
  readonly against: string;
  readonly as: 'lasting' | 'recent';
  readonly outcome?: string;
};

/** Whether a feature may differ between rows that are asked about at one moment. */
export function tellsRowsApart({ focus, read }: Feature): boolean {
  return focus.kind !== 'all' && read.kind !== 'calendar' && read.kind !== 'data_age';
}

export function isComparison(read: Read): read is Comparison {
  return read.kind === 'against' || read.kind === 'same';
}

/**
 * Name of the table of known labels, and of the one-row table that every row leads to. No table of a contract can have
 * these names.
 */
export const labelsTable = '@labels';
export const allTable = '@all';

/** Neighbors averaged in a `recent` focus. */
export const neighborsMax = 32;
/** Weight of each event relative to the next newer one; the newest weighs 1. */
export const neighborDecay = 0.9;
/** Weight of the prior in a smoothed mean, as a number of events. */
export const smoothingEvents = 10;
/** Events read for the gaps between them. */
export const gapEventsMax = 10;
/** Events read for the variety of their values. */
export const varietyEventsMax = 100;

export function focusKey(focus: Focus): string {
  switch (focus.kind) {
    case 'root':
      return '';
    case 'all':
      return 'all rows';
    case 'parent':
      return `${focusKey(focus.of)}/${pathText([focus.reference])}`;
    case 'apart':
      return `${focusKey(focus.of)}/${pathText([focus.reference])} less ${pathText([focus.from])}`;
    case 'last':
    case 'recent':
      return `${focusKey(focus.of)}/${focus.kind} ${eventsKey(focus.events)}.${pathText([focus.to])}`;
  }
}

export function eventsKey(events: Events): string {
  return `${events.arriving ? 'arriving ' : ''}${pathKey(events)}`;
}

/** The same key for all events of one table, path and condition, `arriving` or not. */
export function pathKey({ table, via, when }: Events): string {
  const condition = when ? ` where ${pathText([...when.path, when.column])} is ${JSON.stringify(when.value)}` : '';
  return `${pathText([table])}[${pathText(via)}]${condition}`;
}
