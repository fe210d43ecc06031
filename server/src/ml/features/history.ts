import { microsecondsPerDay } from '../contract/contract.ts';
import { type EventIndex, entityOrder, firstAfter } from '../events/event-index.ts';
import type { Events, Span } from './feature.ts';
import type { Graph } from './graph.ts';
import type { State } from './state.ts';

/**
 * The readable events of one entity, oldest first: `row(v)` is the table row of the v-th of `count`.
 * `position(v)` is its place in index order, so that a column in that order can be read.
 */
type View = {
  count: number;
  readonly timed: boolean;
  row(v: number): number;
  position(v: number): number;
};

/** What a view stands on; `listed` holds positions one by one where they are not contiguous (row versions). */
export type Window = View & { start: number; firstBlock: number; skip: number; listed: Int32Array | null };

const none = new Int32Array(0);

/** A cursor over the events of each row of a state. The returned view is reused by the next call. */
export function openHistory(graph: Graph, events: Events, state: State): (i: number) => Window {
  const index = graph.index(events);
  const { versions } = index.table;
  const isOwnTable = events.table === state.ownTable;
  const positionOf = isOwnTable && !versions ? positionsOf(graph, events, index, state.own) : null;
  // Rows asked about may lie outside of the tables, where only a row they restate has a history.
  const entities = state.fresh ? state.own : state.rows;
  let listed = new Int32Array(versions ? 64 : 0);
  const view: Window = {
    count: 0,
    timed: index.table.time !== undefined,
    start: 0,
    firstBlock: 0,
    skip: Number.POSITIVE_INFINITY,
    listed: null,
    position(v) {
      if (view.listed) return view.listed[v];
      return view.start + (v >= view.skip ? v + 1 : v);
    },
    row(v) {
      return index.rows[view.position(v)];
    },
  };
  return (i) => {
    const entity = entities[i];
    view.count = 0;
    view.skip = Number.POSITIVE_INFINITY;
    view.listed = null;
    if (entity < 0) return view;
    const start = index.offsets[entity];
    const end = firstAfter(index.time, start, index.offsets[entity + 1], state.limit[i]);
    view.start = start;
    view.firstBlock = index.blockOffsets[entity];
    view.count = end - start;
    const own = positionOf ? positionOf(i) : -1;
    if (versions) {
      // Each key counts once: by the version that was readable at the limit. The own row is left out in every version.
      const own = isOwnTable && state.own[i] >= 0 ? state.own[i] : -1;
      const ownVersions = own < 0 ? none : versions.rows.subarray(versions.offsets[own], versions.offsets[own + 1]);
      if (listed.length < end - start) listed = new Int32Array((end - start) * 2);
      let count = 0;
      for (let p = start; p < end; p++) {
        const row = index.rows[p];
        if (versions.from[row] <= state.limit[i] && state.limit[i] < versions.until[row] && !ownVersions.includes(row))
          listed[count++] = p;
      }
      view.count = count;
      view.listed = listed;
    } else if (own >= start && own < end) {
      view.skip = own - start;
      view.count--;
    }
    return view;
  };
}

/** Where each anchor's own row stands in the index, when the index is over the anchor's table; -1 elsewhere. */
function positionsOf(graph: Graph, events: Events, index: EventIndex, own: Int32Array): (i: number) => number {
  const entityOf = graph.targets(events);
  return (i) => {
    const row = own[i];
    const entity = row < 0 ? -1 : entityOf[row];
    if (entity < 0) return -1;
    const end = index.offsets[entity + 1];
    const time = index.moments ? index.moments[row] : Number.NEGATIVE_INFINITY;
    // Rows of one moment stand together, ordered by key; the own row is among the last at or before its time.
    for (let p = firstAfter(index.time, index.offsets[entity], end, time) - 1; p >= index.offsets[entity]; p--) {
      if (index.rows[p] === row) return p;
      if (index.time[p] < time) break;
    }
    return -1;
  };
}

/** The first event of the span, counted from the oldest readable one. */
export function spanStart(span: Span, index: EventIndex, view: Window, limit: number): number {
  if ('all' in span) return 0;
  if ('last' in span) return Math.max(0, view.count - span.last);
  const earliest = limit - span.days * microsecondsPerDay;
  // Binary search over the view: events at or before `earliest` are outside.
  let low = 0;
  let high = view.count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (index.time[view.position(middle)] <= earliest) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Where rows are fewer than this share of the entities, counting them by entity costs more than it brings. */
const entitiesPerRowMax = 64;

/** In which order to ask about the rows of a state, so that an entity's events are still at hand. No bit depends on it. */
export function visitOrder(index: EventIndex, rows: Int32Array): Iterable<number> {
  return rows.length * entitiesPerRowMax > index.entities ? entityOrder(rows, index.entities) : rows.keys();
}
