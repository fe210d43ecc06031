import { assert } from '../../../lib/failure.ts';
import type { SignalValues } from '../../events/signals.ts';
import { firstAfter } from '../../graph/as-of/search.ts';
import type { Table } from '../../graph/tables.ts';
import { allTable, type Events } from '../feature.ts';
import type { Graph } from '../graph.ts';
import type { Window } from '../history.ts';
import type { Part } from './parts.ts';

/** Rows that are read together and are not listed one by one: of all entities, or of all that share words. */
export type WholeRows = {
  readonly table: Table;
  readonly rows: number;
  /** The moments of the first and the last of them; NaN where they have none. */
  readonly from: number;
  readonly until: number;
  /** Of a smoothed mean, what it is drawn to. */
  readonly mean: number | null;
};

/** All rows of the events that lead anywhere by a moment. */
export function wholeOf(graph: Graph, events: Events, until: number, mean: number | null = null): WholeRows {
  const { table, time, rows: all, offsets, entities } = graph.index(events);
  let rows = 0;
  let [from, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let e = 0; e < entities; e++) {
    const end = firstAfter(time, offsets[e], offsets[e + 1], until);
    rows += end - offsets[e];
    if (end === offsets[e]) continue;
    from = Math.min(from, time[offsets[e]]);
    last = Math.max(last, time[end - 1]);
  }
  assert(rows <= all.length, 'rows of the index');
  return { table, rows, from: orNone(from), until: orNone(last), mean };
}

/** Events of all rows together: how many are read, and of when. */
export function wholeIn(
  window: Window,
  parts: readonly Part[],
  hasValue: (v: number) => boolean,
  time: Float64Array,
  table: Table,
): WholeRows {
  let rows = 0;
  let [from, until] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { range } of parts)
    for (let v = range[0]; v < range[1]; v++) {
      if (!hasValue(v)) continue;
      rows++;
      const moment = time[window.position(v)];
      from = Math.min(from, moment);
      until = Math.max(until, moment);
    }
  return { table, rows, from: orNone(from), until: orNone(until), mean: null };
}

/** What a smoothed mean is drawn to: the mean of all rows of the table. */
export function usualOf(graph: Graph, { table, when }: Events, values: SignalValues, until: number): WholeRows {
  assert(values.kind === 'number', 'numbers are smoothed');
  const everything: Events = { table, via: [allTable], ...(when ? { when } : {}) };
  const { time, rows: all, table: of } = graph.index(everything);
  const end = firstAfter(time, 0, time.length, until);
  let [rows, sum] = [0, 0];
  for (let p = 0; p < end; p++) {
    const value = values.values[all[p]];
    if (Number.isNaN(value)) continue;
    rows++;
    sum += value;
  }
  return { table: of, rows, from: orNone(time[0]), until: orNone(time[end - 1]), mean: rows > 0 ? sum / rows : null };
}

function orNone(moment: number): number {
  return Number.isFinite(moment) ? moment : Number.NaN;
}
