import { assert } from '../../lib/failure.ts';
import { microsecondsPerDay } from '../contract/contract.ts';
import { type EventIndex, entityOrder, questionsMax } from '../events/event-index.ts';
import { listCurrent } from '../graph/as-of/rows.ts';
import { eachFirstAfter, firstAfter, listedAfter } from '../graph/as-of/search.ts';
import { type Events, labelsTable, type Read, type Span, yearDays, yearOf } from './feature.ts';
import type { Graph } from './graph.ts';
import { arrivals, type Member, type State, type Write } from './state.ts';

/** The readable events of one entity, oldest first, for row `i` of a state. */
export type Window = {
  i: number;
  /** The moment of the anchor. */
  at: number;
  readableUntil: number;
  count: number;
  /** Position of the entity's first event, and its first whole block. */
  start: number;
  firstBlock: number;
  /** The event that is left out, counted from `start`; `noSkip` for none. */
  skip: number;
  /** Positions in a list, from `listedFrom` on, where they are not contiguous (row versions). */
  listed: Int32Array | null;
  listedFrom: number;
  /** The table row of the v-th of `count` events. */
  row(v: number): number;
  /** The position of the v-th event in index order, for reading a column in that order. */
  position(v: number): number;
};

/** Windows of up to `questionsMax` rows of a state. The k-th belongs to row `rows[k]` and has `counts[k]` events. */
export type Windows = {
  readonly count: number;
  readonly rows: Int32Array;
  readonly counts: Int32Array;
  /** Per span of the history: the first event of each window in the span, counted from the oldest readable event. */
  readonly from: readonly Int32Array[];
  /** Per span of the history: the end of each window's events in the span, counted likewise. */
  readonly to: readonly Int32Array[];
  /** Returns the k-th window. The object is reused by the next call. */
  at(k: number): Window;
};

/** Reads values from windows. */
export type Reader = (windows: Windows, write: Write) => void;

/**
 * One value to read from windows. `slot` is the place of its span in the history's list of spans, `year` that of the
 * year of a season.
 */
export type Spanned = Member & { readonly slot: number; readonly year: number };

/** Events of one kind, ready to be read for the rows of any state. */
export type History = {
  readonly index: EventIndex;
  /** Calls `show` with the windows of all rows of a state that exist, in batches. */
  each(state: State, show: (windows: Windows) => void): void;
};

const none = new Int32Array(0);
const first = new Int32Array(1);
const noSkip = 2 ** 31 - 1;

/** Prepares the windows of `events` and, in each window, where each of the `spans` starts. */
export function openHistory(graph: Graph, events: Events, spans: readonly Span[] = []): History {
  const index = graph.index(events);
  const { versions } = index.table;
  const [starts, ends, counts, skips, blocks, asked] = Array.from({ length: 6 }, () => new Int32Array(questionsMax));
  const [limits, anchored] = [new Float64Array(questionsMax), new Float64Array(questionsMax)];
  // Outcomes after the newest label are unknown, so spans count back from that label.
  const newest = events.table === labelsTable ? newestOf(index) : Number.POSITIVE_INFINITY;
  const reaches = events.arriving ? new Float64Array(questionsMax) : limits;
  const spanStarts = spans.map(() => new Int32Array(questionsMax));
  const spanEnds = spans.map((span) => ('season' in span ? new Int32Array(questionsMax) : counts));
  // Wider spans come first: narrower ones start inside them.
  const dated = spans
    .flatMap((span, slot) => ('days' in span ? [{ slot, us: span.days * microsecondsPerDay }] : []))
    .sort((a, b) => b.us - a.us);
  const counted = spans.flatMap((span, slot) => ('last' in span || 'all' in span ? [{ slot, span }] : []));
  const seasons = spans.flatMap((span, slot) =>
    'season' in span
      ? [
          {
            ...{ slot, isYear: span.season === yearDays },
            since: span.since * microsecondsPerDay,
            until: (span.since - span.season) * microsecondsPerDay,
          },
        ]
      : [],
  );
  const listedFrom = versions ? new Int32Array(questionsMax + 1) : none;
  let listed = new Int32Array(versions ? questionsMax : 0);
  let entityOf: Int32Array | undefined;
  const window: Window = {
    i: 0,
    at: 0,
    readableUntil: 0,
    count: 0,
    start: 0,
    firstBlock: 0,
    skip: noSkip,
    listed: null,
    listedFrom: 0,
    position(v) {
      if (window.listed) return window.listed[window.listedFrom + v];
      return window.start + (v >= window.skip ? v + 1 : v);
    },
    row(v) {
      return index.rows[window.position(v)];
    },
  };
  const windows = {
    count: 0,
    ...{ rows: asked, counts, from: spanStarts, to: spanEnds },
    at(k: number): Window {
      window.i = asked[k];
      window.at = anchored[k];
      window.readableUntil = limits[k];
      window.count = counts[k];
      window.start = starts[k];
      window.firstBlock = blocks[k];
      window.skip = skips[k];
      if (versions) {
        window.listed = listed;
        window.listedFrom = listedFrom[k];
      }
      return window;
    },
  };

  const readableUntilOf = ({ readableUntil, labelled = readableUntil }: State, i: number) =>
    newest === Number.POSITIVE_INFINITY ? readableUntil[i] : Math.min(readableUntil[i], labelled[i], newest);

  /** Takes the next existing rows from `order` into the batch, and returns the place where it stopped. */
  const take = (
    state: State,
    reach: Float64Array | null,
    entities: Int32Array,
    order: Int32Array,
    first: number,
  ): number => {
    let n = 0;
    let next = first;
    for (; next < order.length && n < questionsMax; next++) {
      const i = order[next];
      if (state.rows[i] < 0) continue;
      const entity = entities[i];
      asked[n] = i;
      limits[n] = readableUntilOf(state, i);
      anchored[n] = state.at[i];
      if (reach) reaches[n] = reach[i];
      starts[n] = entity < 0 ? 0 : index.offsets[entity];
      ends[n] = entity < 0 ? 0 : index.offsets[entity + 1];
      blocks[n] = entity < 0 ? 0 : index.blockOffsets[entity];
      n++;
    }
    windows.count = n;
    eachFirstAfter(index.time, starts, ends, reaches, 0, n, ends);
    return next;
  };

  const passOverOwn = (own: Int32Array, entityOf: Int32Array): void => {
    for (let k = 0; k < windows.count; k++) {
      const position = positionOf(index, entityOf, own[asked[k]]);
      if (position < starts[k] || position >= ends[k]) continue;
      skips[k] = position - starts[k];
      counts[k]--;
    }
  };

  const startSpans = (): void => {
    let wider = starts;
    for (const { slot, us } of dated) {
      const into = spanStarts[slot];
      eachFirstAfter(index.time, wider, ends, limits, us, windows.count, into);
      wider = into;
    }
    for (const { slot, since, until } of seasons) {
      eachFirstAfter(index.time, starts, ends, anchored, since, windows.count, spanStarts[slot]);
      eachFirstAfter(index.time, starts, ends, anchored, until, windows.count, spanEnds[slot]);
    }
    const found = [...dated, ...seasons].map(({ slot }) => spanStarts[slot]);
    for (const into of [...found, ...seasons.map(({ slot }) => spanEnds[slot])]) {
      for (let k = 0; k < windows.count; k++) {
        const before = into[k] - starts[k];
        into[k] = before > skips[k] ? before - 1 : before;
      }
    }
  };

  /** A season is read where all of it is readable; a whole year also where it has not ended. */
  const closeSeasons = (): void => {
    for (const { slot, until } of seasons.filter(({ isYear }) => !isYear))
      for (let k = 0; k < windows.count; k++)
        if (anchored[k] - until > limits[k]) spanStarts[slot][k] = spanEnds[slot][k] = 0;
  };

  /**
   * Lists the events of a versioned table. Each key counts once, by the version readable at `readableUntil`. All
   * versions of the own row are left out.
   */
  const listVersions = (state: State, isOwnTable: boolean): void => {
    let length = 0;
    for (let k = 0; k < windows.count; k++) {
      const i = asked[k];
      const own = isOwnTable && state.own[i] >= 0 ? state.own[i] : -1;
      const ownVersions = own < 0 ? none : versions!.rows.subarray(versions!.offsets[own], versions!.offsets[own + 1]);
      listedFrom[k] = length;
      if (listed.length < length + ends[k] - starts[k]) {
        const longer = new Int32Array((length + ends[k] - starts[k]) * 2);
        longer.set(listed);
        listed = longer;
      }
      length = listCurrent(versions!, index.rows, starts[k], ends[k], reaches[k], ownVersions, listed, length);
      counts[k] = length - listedFrom[k];
      const firstListed = (moment: number) =>
        listedAfter(index.time, listed, listedFrom[k], length, moment) - listedFrom[k];
      for (const { slot, us } of dated) spanStarts[slot][k] = firstListed(limits[k] - us);
      for (const { slot, since, until } of seasons) {
        spanStarts[slot][k] = firstListed(anchored[k] - since);
        spanEnds[slot][k] = firstListed(anchored[k] - until);
      }
    }
  };

  return {
    index,
    each(state, show) {
      const isOwnTable = events.table === state.ownTable;
      assert(!events.arriving || (state.fresh && !isOwnTable), 'only new rows come with others');
      const reach = events.arriving ? arrivals(state) : null;
      // New rows may come from outside the tables. Such a row has a history only if it restates a row of the tables.
      const entities = state.fresh ? state.own : state.rows;
      const order = visitOrder(index, entities);
      for (let first = 0; first < order.length; ) {
        first = take(state, reach, entities, order, first);
        for (let k = 0; k < windows.count; k++) {
          counts[k] = ends[k] - starts[k];
          skips[k] = noSkip;
        }
        if (versions) listVersions(state, isOwnTable);
        else {
          if (isOwnTable) passOverOwn(state.own, (entityOf ??= graph.targets(events)));
          startSpans();
        }
        closeSeasons();
        for (const { slot, span } of counted) {
          const into = spanStarts[slot];
          for (let k = 0; k < windows.count; k++) into[k] = 'last' in span ? Math.max(0, counts[k] - span.last) : 0;
        }
        if (windows.count > 0) show(windows);
      }
    },
  };
}

function newestOf({ table: { time = new Float64Array(0) } }: EventIndex): number {
  let newest = Number.NEGATIVE_INFINITY;
  for (const moment of time) newest = Math.max(newest, moment);
  return newest;
}

/** The position of an anchor's own row in the index over its table; -1 for none. */
function positionOf(index: EventIndex, entityOf: Int32Array, row: number): number {
  const entity = row < 0 ? -1 : entityOf[row];
  if (entity < 0) return -1;
  const end = index.offsets[entity + 1];
  const time = index.moments ? index.moments[row] : Number.NEGATIVE_INFINITY;
  // Rows of one moment stand together, ordered by key. The own row is among the last rows at or before its time.
  for (let p = firstAfter(index.time, index.offsets[entity], end, time) - 1; p >= index.offsets[entity]; p--) {
    if (index.rows[p] === row) return p;
    if (index.time[p] < time) break;
  }
  return -1;
}

/**
 * The distinct spans of reads, and for each read the place of its span in that list, and of the year of a
 * season that is held against it; -1 for none.
 */
export function listSpans(reads: readonly Read[]): { spans: Span[]; slots: number[]; years: number[] } {
  const spans: Span[] = [];
  const slotOf = new Map<string, number>();
  const placeOf = (span: Span) => {
    const key = JSON.stringify(span);
    let slot = slotOf.get(key);
    if (slot === undefined) slotOf.set(key, (slot = spans.push(span) - 1));
    return slot;
  };
  const slots = reads.map((read) => ('span' in read ? placeOf(read.span) : -1));
  const years = reads.map((read) =>
    'span' in read && 'season' in read.span && isHeldAgainstYear(read) ? placeOf(yearOf(read.span)) : -1,
  );
  return { spans, slots, years };
}

function isHeldAgainstYear(read: Read): boolean {
  return read.kind === 'rate' || (read.kind === 'number' && read.aggregate === 'swing');
}

/** Above this number of entities per row, sorting rows by entity costs more than it saves. */
const entitiesPerRowMax = 64;

/**
 * The order in which entities are visited, chosen so that the events of each are still in the cache. It changes no
 * result.
 */
function visitOrder(index: EventIndex, entities: Int32Array): Int32Array {
  if (entities.length === 1) return first;
  if (entities.length * entitiesPerRowMax > index.entities) return entityOrder(entities, index.entities);
  const order = new Int32Array(entities.length);
  for (let i = 1; i < order.length; i++) order[i] = i;
  return order;
}
