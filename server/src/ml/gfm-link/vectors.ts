import { microsecondsPerDay } from '../contract/contract.ts';
import type { Feature } from '../features/feature.ts';
import type { Graph, Vectors } from '../features/graph.ts';
import type { Gfm } from '../gfm/version.ts';
import { type GraphLink, openFinder } from './link.ts';

/** How many numbers of a vector a model reads. The prefixes are the best linear ones of their length. */
const readColumns = 64;

/**
 * Adds to a graph the vectors of the entities that rows are linked to, scaled to about 1 per number. They are as of the
 * end of the last complete day by `readableUntil`, so that all requests of a day share them (a moment of its own costs
 * up to 50 ms per row).
 */
export function withVectors(graph: Graph, gfm: Gfm, link: GraphLink): Graph {
  const scale = Math.sqrt(readColumns);
  const read: ReadVectors = (entities, t, take) => {
    // New rows of a day mostly lead to the same few entities.
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
 * The same for an encoder: normalised prefixes as of the end of the last complete month by `readableUntil`. An encoder
 * learns from moments all over its history, few of which share a day. Inference with the encoder reads the graph in the
 * same way.
 */
export function withMonthlyVectors(graph: Graph, gfm: Gfm, link: GraphLink): Graph {
  const months = new Map<number, Map<number, Float32Array | null>>();
  let kept = 0;
  /** The cached vectors of a month, with those of `entities` added. */
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

/** Most cached vectors: more than a pre-training reads; 256 bytes each. */
const vectorsKept = 60_000;

/** Scales a prefix to about 1 per number; null for zeros, which mean that nothing is known. */
function directionOf(prefix: Float32Array): Float32Array | null {
  const squares = prefix.reduce((sum, value) => sum + value * value, 0);
  const scale = Math.sqrt(readColumns / squares);
  return squares === 0 ? null : prefix.map((value) => value * scale);
}

/** The features that read the numbers of vectors, in order. */
export function vectorFeatures({ focus, columns }: Vectors): Feature[] {
  return Array.from({ length: columns }, (_, place) => ({ focus, read: { kind: 'embedding', of: 'graph', place } }));
}

export function readsVector({ read }: Feature): boolean {
  return read.kind === 'embedding' && read.of === 'graph';
}

/** Passes the vectors of the entities known at t to `take`, with their indices. */
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
      // The graph is read as of one moment after the other.
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

/** The last microsecond of the last day that is complete at a moment, including that moment. */
function lastDayBy(moment: number): number {
  return Math.floor((moment + 1) / microsecondsPerDay) * microsecondsPerDay - 1;
}

/** The last microsecond of the last month (UTC) that is complete at a moment, including that moment. */
function lastMonthBy(moment: number): number {
  const next = new Date(Math.floor((moment + 1) / 1000));
  return Date.UTC(next.getUTCFullYear(), next.getUTCMonth(), 1) * 1000 - 1;
}
