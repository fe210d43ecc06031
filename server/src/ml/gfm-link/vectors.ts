import { microsecondsPerDay } from '../contract/contract.ts';
import type { Feature } from '../features/feature.ts';
import type { Graph, Vectors } from '../features/graph.ts';
import type { Gfm } from '../gfm/version.ts';
import { type GraphLink, openFinder } from './link.ts';

/** Numbers of a vector that a model reads: its prefixes are the best linear ones of their length. */
const readColumns = 64;

/**
 * The graph with vectors of the entities that rows are linked to, of about 1 a number: as of the end of the last day
 * that was over by the limit, so that all that is asked on a day shares what is computed for it (a moment of its own
 * costs a row up to 50 ms).
 */
export function withVectors(graph: Graph, gfm: Gfm, link: GraphLink): Graph {
  const scale = Math.sqrt(readColumns);
  const read: ReadVectors = (entities, t, take) => {
    // New rows of a day mostly lead to the same few.
    const places = [...Map.groupBy(entities.keys(), (place) => entities[place])];
    const vectors = gfm.embedAll(
      places.map(([entity]) => entity),
      t,
    );
    for (const [k, vector] of vectors.entries()) {
      if (!vector) continue;
      const scaled = vector.subarray(0, readColumns).map((value) => value * scale);
      for (const place of places[k][1]) take(place, scaled);
    }
  };
  return { ...graph, vectors: openVectors(gfm, link, lastDayBy, read) };
}

/**
 * The same for an encoder: directions of prefixes, as of the end of the last month that was over by `readableUntil`. An
 * encoder learns from moments drawn anywhere in its history, of which few share a day; whatever asks it later reads the
 * graph so too.
 */
export function withMonthlyVectors(graph: Graph, gfm: Gfm, link: GraphLink): Graph {
  const months = new Map<number, Map<number, Float32Array | null>>();
  let kept = 0;
  /** Those of a month that are kept, the entities' among them. */
  const vectorsOf = (entities: readonly number[], t: number): ReadonlyMap<number, Float32Array | null> => {
    const month = months.get(t) ?? new Map<number, Float32Array | null>();
    const unread = [...new Set(entities)].filter((entity) => !month.has(entity));
    if (kept + unread.length > vectorsKept) {
      months.clear();
      kept = month.size;
    }
    months.set(t, month);
    kept += unread.length;
    const prefixes = gfm.embedPrefixes(Int32Array.from(unread), t, readColumns);
    for (const [k, entity] of unread.entries())
      month.set(entity, directionOf(prefixes.slice(k * readColumns, (k + 1) * readColumns)));
    return month;
  };
  const read: ReadVectors = (entities, t, take) => {
    const vectors = vectorsOf(entities, t);
    for (const [place, entity] of entities.entries()) {
      const vector = vectors.get(entity);
      if (vector) take(place, vector);
    }
  };
  return { ...graph, vectors: openVectors(gfm, link, lastMonthBy, read) };
}

/** What a pre-training reads, and some; 256 bytes each. */
const vectorsKept = 60_000;

/** A prefix made about 1 a number; null of zeros, which stand for nothing known. */
function directionOf(prefix: Float32Array): Float32Array | null {
  const squares = prefix.reduce((sum, value) => sum + value * value, 0);
  const scale = Math.sqrt(readColumns / squares);
  return squares === 0 ? null : prefix.map((value) => value * scale);
}

/** Features that are the numbers of vectors, in order. */
export function vectorFeatures({ focus, columns }: Vectors): Feature[] {
  return Array.from({ length: columns }, (_, place) => ({ focus, read: { kind: 'embedding', of: 'graph', place } }));
}

export function readsVector({ read }: Feature): boolean {
  return read.kind === 'embedding' && read.of === 'graph';
}

/** Hands over the vectors of those of the entities that were known at t, with their places. */
type ReadVectors = (
  entities: readonly number[],
  t: number,
  take: (place: number, vector: Float32Array) => void,
) => void;

function openVectors(
  gfm: Gfm,
  link: GraphLink,
  momentBy: (readableUntil: number) => number,
  read: ReadVectors,
): Vectors {
  const entityOf = openFinder(gfm, link);
  return {
    focus: link.focus,
    columns: readColumns,
    encode(state) {
      const encoded = new Float32Array(state.rows.length * readColumns).fill(Number.NaN);
      const entities = entityOf(state);
      const known = Array.from(entities.keys()).filter((i) => entities[i] >= 0);
      // Nothing is known of a graph but as of one moment after the other.
      for (const [moment, rows] of Map.groupBy(known, (i) => momentBy(state.readableUntil[i]))) {
        read(
          rows.map((i) => entities[i]),
          moment,
          (place, vector) => encoded.set(vector, rows[place] * readColumns),
        );
      }
      return encoded;
    },
  };
}

/** The last microsecond of the last day that was over by a moment, itself included. */
function lastDayBy(moment: number): number {
  return Math.floor((moment + 1) / microsecondsPerDay) * microsecondsPerDay - 1;
}

/** The last microsecond of the last month (UTC) that was over by a moment, itself included. */
function lastMonthBy(moment: number): number {
  const next = new Date(Math.floor((moment + 1) / 1000));
  return Date.UTC(next.getUTCFullYear(), next.getUTCMonth(), 1) * 1000 - 1;
}
