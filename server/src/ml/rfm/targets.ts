import { microsecondsPerDay } from '../contract/contract.ts';
import type { Signal } from '../events/signals.ts';
import { signalKey } from '../events/signals.ts';
import { evaluate } from '../features/evaluate.ts';
import { type Events, eventsKey, type Feature } from '../features/feature.ts';
import type { Graph } from '../features/graph.ts';
import type { Table } from '../graph/tables.ts';
import type { Moments } from './moments.ts';

/** A quantity of an entity's events in the `days` after a moment. */
export type EncoderTarget = { readonly events: Events; readonly days: number } & (
  | { readonly kind: 'exists' | 'count' }
  | { readonly kind: 'number'; readonly signal: Signal; readonly aggregate: 'mean' | 'min' | 'max' | 'sum' }
  /** The share of each of the values among the events, and of all other values together. */
  | { readonly kind: 'category'; readonly signal: Signal; readonly values: readonly string[] }
);

/** Most targets, to limit the work per step; those of the nearest tables come first. */
const targetsMax = 400;

/**
 * Proposes targets: everything that features read of an entity's past events, except with conditions, as observed in
 * the future, for each dated event table that leads to the entity and each horizon.
 */
export function proposeTargets(
  graph: Graph,
  features: readonly Feature[],
  horizonsDays: readonly number[],
): EncoderTarget[] {
  const tables = new Map<string, Events>();
  const numbers = new Map<string, { events: Events; signal: Signal; isRaw: boolean }>();
  const categories = new Map<string, { events: Events; signal: Signal; values: string[] }>();
  for (const { focus, read } of features) {
    if (focus.kind !== 'root' || !('events' in read) || graph.table(read.events.table).time === undefined) continue;
    const { events } = read;
    // One target per value of a condition would take most of the available places.
    if (events.when) continue;
    tables.set(eventsKey(events), events);
    if (read.kind === 'number') {
      const { signal } = read;
      const isRaw = signal.kind === 'column' && signal.path.length === 0;
      numbers.set(`${eventsKey(events)} ${signalKey(signal)}`, { events, signal, isRaw });
    } else if (read.kind === 'share') {
      const key = `${eventsKey(events)} ${signalKey(read.signal)}`;
      const known = categories.get(key) ?? { events, signal: read.signal, values: [] };
      if (!known.values.includes(read.value)) known.values.push(read.value);
      categories.set(key, known);
    }
  }
  const targets = horizonsDays.flatMap((days): EncoderTarget[] => [
    ...[...tables.values()].flatMap((events): EncoderTarget[] => [
      { kind: 'exists', events, days },
      { kind: 'count', events, days },
    ]),
    ...[...numbers.values()].flatMap(({ events, signal, isRaw }): EncoderTarget[] =>
      (isRaw ? (['mean', 'min', 'max', 'sum'] as const) : (['mean'] as const)).map((aggregate) => ({
        kind: 'number',
        events,
        signal,
        aggregate,
        days,
      })),
    ),
    ...[...categories.values()].map(
      ({ events, signal, values }): EncoderTarget => ({
        kind: 'category',
        events,
        signal,
        values,
        days,
      }),
    ),
  ]);
  return targets.slice(0, targetsMax);
}

/** Columns of a target: one, or one per value plus one for the other values. */
export function widthOf(target: EncoderTarget): number {
  return target.kind === 'category' ? target.values.length + 1 : 1;
}

/**
 * The observed values of each target at each moment: one array per target with `widthOf` numbers per row. NaN where the
 * value is not known: no event to take a mean of, a moment before the table's first row, or a horizon that ends after
 * `until` or after the table's last readable row.
 */
export function observeTargets(
  graph: Graph,
  targets: readonly EncoderTarget[],
  moments: Moments,
  table: Table,
  until: number,
): Float32Array[] {
  const observed = targets.map((target) => new Float32Array(moments.rows.length * widthOf(target)).fill(Number.NaN));
  for (const days of new Set(targets.map((target) => target.days))) {
    const asked = Array.from(targets.keys()).filter((t) => targets[t].days === days);
    const features = asked.map((t) => readsOf(targets[t]));
    const horizon = days * microsecondsPerDay;
    const ends = moments.at.map((at) => Math.min(at + horizon, until));
    const { values } = evaluate(graph, features.flat(), {
      table,
      fresh: false,
      rows: moments.rows,
      own: new Int32Array(ends.length).fill(-1),
      ownTable: table.name,
      at: ends,
      readableUntil: ends,
    });
    let column = 0;
    for (const [k, t] of asked.entries()) {
      const { events } = targets[t];
      const [start, end] = spanOf(graph, events, until);
      const width = widthOf(targets[t]);
      for (let i = 0; i < ends.length; i++) {
        const at = moments.at[i];
        if (!(at >= start && at + horizon <= end)) continue;
        let rest = 1;
        for (let c = 0; c < features[k].length; c++) {
          const value = values[(column + c) * ends.length + i];
          observed[t][i * width + c] = targets[t].kind === 'exists' ? Number(value > 0) : value;
          rest -= value;
        }
        if (width > 1) observed[t][i * width + width - 1] = Math.max(0, rest);
      }
      column += features[k].length;
    }
  }
  return observed;
}

/** The features that give the target's values when evaluated at the end of the horizon. */
function readsOf(target: EncoderTarget): Feature[] {
  const focus = { kind: 'root' } as const;
  const { events, days } = target;
  const span = { days };
  switch (target.kind) {
    case 'exists':
    case 'count':
      return [{ focus, read: { kind: 'count', events, span } }];
    case 'number':
      return [{ focus, read: { kind: 'number', events, signal: target.signal, span, aggregate: target.aggregate } }];
    case 'category':
      return target.values.map((value) => ({
        focus,
        read: { kind: 'share', events, signal: target.signal, value, span },
      }));
  }
}

/** The first and the last moment among the table's rows up to `until`. */
function spanOf(graph: Graph, events: Events, until: number): [number, number] {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const moment of graph.index(events).time) {
    if (!(moment <= until)) continue;
    if (moment < first) first = moment;
    if (moment > last) last = moment;
  }
  return [first, last];
}

/** A short description of a target, without its horizon. */
export function describeTarget(target: EncoderTarget): string {
  const of = eventsKey(target.events);
  switch (target.kind) {
    case 'exists':
    case 'count':
      return `${target.kind} ${of}`;
    case 'number':
      return `${target.aggregate} ${signalKey(target.signal)} of ${of}`;
    case 'category':
      return `shares of ${signalKey(target.signal)} of ${of}`;
  }
}
