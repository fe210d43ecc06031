import type { Signal } from '../../events/signals.ts';
import type { Table } from '../../graph/tables.ts';
import { type Aggregate, type Events, type Focus, labelsTable, type Season, type Span } from '../feature.ts';
import { eventsOf } from '../paths.ts';
import { asTheyCome } from './arrival.ts';
import { conditionalsOf } from './conditions.ts';
import type { Context } from './context.ts';
import { usefulSeasons } from './seasons.ts';
import { type FoundSignal, signalsOf } from './signals.ts';
import { usefulSpans } from './spans.ts';
import { proposeEventWords } from './words.ts';

/** How much is read of a focus: all aggregates, or the few that help most. */
type Depth = 'full' | 'brief';

const all: Span = { all: true };

/** Proposes what the events that lead to a row tell: how many there are, when they happen, and their values. */
export function proposeEvents(context: Context, focus: Focus, table: Table, depth: Depth): void {
  const { graph, task, sample, add } = context;
  for (const given of eventsOf(context, table)) {
    const { events, arrival } =
      sample.fresh && focus.kind === 'root' ? asTheyCome(context, given) : { events: given, arrival: 'later' };
    // New rows of one request share distant parents. Whether they are in the tables yet depends on when files arrive,
    // so such events are not read.
    if (sample.fresh && events.table === task.entity && events.via.length > 1) continue;
    const source = graph.table(events.table);
    const dated = source.time !== undefined && arrival !== 'together';
    const days = dated ? usefulSpans(context, focus, events) : [];
    const seasons = dated && depth === 'full' ? usefulSeasons(context, focus, events) : [];
    const seen: Seen = { focus, events, depth, dated, days, seasons };
    proposeCounts(context, seen);
    const signals = signalsOf(context, events);
    for (const { signal, use, raw } of signals) {
      if (use.kind === 'category') proposeCategory(context, seen, signal, use.values);
      else proposeNumber(context, seen, signal, raw);
      if (source.name === labelsTable && use.kind === 'number' && raw)
        add(focus, { kind: 'number', events, signal, span: all, aggregate: 'smoothed' });
      if (arrival === 'together' && raw && use.kind === 'number')
        add(focus, { kind: 'number', events, signal, span: all, aggregate: 'sum' });
    }
    if (depth === 'full') {
      proposeEventWords(context, focus, events, dated ? days : null);
      proposeReferences(context, seen);
      if (source.name !== labelsTable) proposeConditionals(context, seen, signals);
    }
  }
}

/** Events as a focus reads them. */
type Seen = {
  readonly focus: Focus;
  readonly events: Events;
  readonly depth: Depth;
  /** Whether the events have an order in time. */
  readonly dated: boolean;
  /** Spans in which most anchors have some events, shortest first. */
  readonly days: readonly number[];
  /** Seasons in which most anchors have some. */
  readonly seasons: readonly Season[];
};

function proposeCounts({ add }: Context, { focus, events, depth, dated, days, seasons }: Seen): void {
  add(focus, { kind: 'count', events, span: all });
  if (!dated) return;
  add(focus, { kind: 'since', events, which: 'last' });
  add(focus, { kind: 'since', events, which: 'first' });
  for (const span of days) {
    add(focus, { kind: 'count', events, span: { days: span } });
    add(focus, { kind: 'rate', events, span: { days: span } });
  }
  for (const span of seasons) {
    add(focus, { kind: 'count', events, span });
    add(focus, { kind: 'rate', events, span });
  }
  if (depth === 'full') for (const as of ['mean', 'sd'] as const) add(focus, { kind: 'gap', events, as });
}

function proposeCategory(
  { add }: Context,
  { focus, events, depth, dated }: Seen,
  signal: Signal,
  values: readonly string[],
): void {
  for (const value of depth === 'full' ? values : values.slice(0, 4)) {
    add(focus, { kind: 'share', events, signal, value, span: all });
    if (dated && depth === 'full') {
      add(focus, { kind: 'share', events, signal, value, span: { last: 10 } });
      add(focus, { kind: 'last_is', events, signal, value });
    }
  }
  if (depth === 'full') {
    add(focus, { kind: 'variety', events, signal, span: all, as: 'distinct' });
    if (dated) add(focus, { kind: 'variety', events, signal, span: { last: 10 }, as: 'entropy' });
  }
}

function proposeNumber(
  { add }: Context,
  { focus, events, depth, dated, days, seasons }: Seen,
  signal: Signal,
  raw: boolean,
): void {
  const number = (span: Span, ...aggregates: Aggregate[]) => {
    for (const aggregate of aggregates) add(focus, { kind: 'number', events, signal, span, aggregate });
  };
  if (!dated) {
    number(all, 'mean', 'max', 'min');
    return;
  }
  if (depth === 'brief') {
    number(all, 'mean');
    number({ last: 10 }, 'mean');
    for (const span of days.slice(-2)) number({ days: span }, 'mean');
    return;
  }
  number(all, 'mean', 'sd', 'min', 'max', 'last', 'trend');
  number({ last: 3 }, 'mean');
  number({ last: 10 }, 'mean', 'sd', 'slope');
  for (const span of days)
    number({ days: span }, ...(raw ? (['mean', 'sum', 'min', 'max'] as const) : (['mean'] as const)));
  if (raw) for (const span of seasons.slice(0, 1)) number(span, 'sum', 'swing');
}

/** Proposes numbers whose meaning depends on a category of the events, once for each of its values. */
function proposeConditionals(context: Context, { focus, events, dated }: Seen, signals: readonly FoundSignal[]): void {
  for (const { signal, when } of conditionalsOf(context, events, signals)) {
    const number = (span: Span, ...aggregates: Aggregate[]) => {
      for (const aggregate of aggregates)
        context.add(focus, { kind: 'number', events: { ...events, when }, signal, span, aggregate });
    };
    if (!dated) number(all, 'mean');
    else {
      number(all, 'mean', 'min', 'max', 'last', 'trend');
      number({ last: 3 }, 'mean');
    }
  }
}

/** Proposes how many distinct rows the events refer to, and how often the reference changes. */
function proposeReferences({ graph, add }: Context, { focus, events, dated }: Seen): void {
  const source = graph.table(events.table);
  for (const [reference, { values }] of source.references) {
    if (values || reference === events.via[0] || source.name === labelsTable) continue;
    const signal: Signal = { kind: 'reference', column: reference };
    add(focus, { kind: 'variety', events, signal, span: all, as: 'distinct' });
    if (dated) add(focus, { kind: 'variety', events, signal, span: { last: 10 }, as: 'changes' });
  }
}
