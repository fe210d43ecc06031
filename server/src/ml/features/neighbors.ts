// Neighbors: the rows that events lead to.

import type { FollowReference } from '../graph/as-of/references.ts';
import { numberMoments, pickState, stateKey } from './distinct-states.ts';
import { type Events, type Focus, neighborDecay, neighborsMax } from './feature.ts';
import { openLink, type StateOf } from './focus.ts';
import type { Graph } from './graph.ts';
import { openHistory } from './history.ts';
import type { Anchors, ReadState, Write } from './state.ts';

/**
 * Averages what is read of the rows that the newest events of `stateOf` lead to. Each row is weighted by recency; rows
 * without a known value are left out. The m-th value read is feature `features[m]`.
 */
export function openNeighbors(
  graph: Graph,
  stateOf: StateOf,
  { events, to }: Focus & { kind: 'recent' },
  read: ReadState,
  features: readonly number[],
): (anchors: Anchors, write: Write) => void {
  const { table, follow } = openLink(graph, graph.table(events.table), to);
  const meet = openMeetings(graph, stateOf, events, follow);
  return (anchors, write) => {
    const { met, metBy, links } = meet(anchors);
    const asked = pickState(anchors, metBy, { table, fresh: false, rows: new Int32Array(met) });
    const values = new Float64Array(features.length * met.length).fill(Number.NaN);
    read(asked, (m, place, value) => {
      values[m * met.length + place] = value;
    });
    averageLinks(links, values, met.length, features, write);
  };
}

/**
 * Neighbors, each listed once for all anchors of one moment: `met[place]` is a row, `metBy[place]` the first anchor
 * that met it.
 */
type Meetings = { readonly met: readonly number[]; readonly metBy: readonly number[]; readonly links: Links };

/**
 * The neighbors of each anchor in `of`, with weights. The links of `of[k]` end before `ends[k]`; those of the first
 * start at 0.
 */
type Links = {
  readonly of: number[];
  readonly ends: number[];
  readonly places: number[];
  readonly weights: number[];
};

function openMeetings(
  graph: Graph,
  stateOf: StateOf,
  events: Events,
  follow: FollowReference,
): (anchors: Anchors) => Meetings {
  const history = openHistory(graph, events);
  const isTimed = history.index.table.time !== undefined && !events.arriving;
  return (anchors) => {
    const moments = numberMoments(anchors);
    const placeOf = new Map<number, number>();
    const met: number[] = [];
    const metBy: number[] = [];
    const links: Links = { of: [], ends: [], places: [], weights: [] };
    history.each(stateOf(anchors), (windows) => {
      for (let k = 0; k < windows.count; k++) {
        const { i, count, row } = windows.at(k);
        let weight = 1;
        for (let v = count - 1; v >= 0 && v >= count - neighborsMax; v--) {
          const member = follow(row(v), anchors.readableUntil[i]);
          if (member < 0) continue;
          const key = stateKey(member, moments.numbers[i], moments.count);
          let place = placeOf.get(key);
          if (place === undefined) {
            place = met.push(member) - 1;
            metBy.push(i);
            placeOf.set(key, place);
          }
          addLink(links, place, weight);
          // A table without time has no newest event: all its rows have the same weight.
          if (isTimed) weight *= neighborDecay;
        }
        links.of.push(i);
        links.ends.push(links.places.length);
      }
    });
    return { met, metBy, links };
  };
}

/** Adds a link. A neighbor that the same anchor met before gets more weight instead. */
function addLink({ ends, places, weights }: Links, place: number, weight: number): void {
  for (let l = ends.at(-1) ?? 0; l < places.length; l++) {
    if (places[l] === place) {
      weights[l] += weight;
      return;
    }
  }
  places.push(place);
  weights.push(weight);
}

/**
 * Averages `values`, which has all places of one read after those of another. One read at a time, for locality in the
 * cache.
 */
function averageLinks(
  links: Links,
  values: Float64Array,
  met: number,
  features: readonly number[],
  write: Write,
): void {
  const [of, ends, places] = [links.of, links.ends, links.places].map((numbers) => Int32Array.from(numbers));
  const weights = Float64Array.from(links.weights);
  for (let m = 0; m < features.length; m++) {
    const read = values.subarray(m * met, (m + 1) * met);
    for (let k = 0, l = 0; k < of.length; k++) {
      let sum = 0;
      let total = 0;
      for (; l < ends[k]; l++) {
        const value = read[places[l]];
        if (Number.isNaN(value)) continue;
        sum += weights[l] * value;
        total += weights[l];
      }
      if (total > 0) write(features[m], of[k], sum / total);
    }
  }
}

/**
 * Limits memory: neighbors beyond one per anchor, per path. After that many, each further anchor gets one neighbor
 * only.
 */
const furtherMetMax = 1_000_000;

/**
 * The distinct rows that the newest readable `events` of each anchor lead to by `to`: those of all events at the newest
 * moment, at most `neighborsMax` events. `of[k]` is the anchor that met `rows[k]`; entries of one anchor stand
 * together.
 */
export function newestNeighbors(
  graph: Graph,
  events: Events,
  to: string,
  anchors: Anchors,
): { of: readonly number[]; rows: readonly number[] } {
  const { follow } = openLink(graph, graph.table(events.table), to);
  const history = openHistory(graph, events);
  const of: number[] = [];
  const rows: number[] = [];
  let further = 0;
  history.each(anchors, (windows) => {
    for (let k = 0; k < windows.count; k++) {
      const { i, readableUntil, count, row, position } = windows.at(k);
      const first = rows.length;
      let newest = Number.NaN;
      for (let v = count - 1; v >= 0 && v >= count - neighborsMax; v--) {
        const met = follow(row(v), readableUntil);
        const time = history.index.time[position(v)];
        if (rows.length > first && (time !== newest || further >= furtherMetMax)) break;
        if (met < 0 || rows.includes(met, first)) continue;
        if (rows.length > first) further++;
        newest = time;
        of.push(i);
        rows.push(met);
      }
    }
  });
  return { of, rows };
}
