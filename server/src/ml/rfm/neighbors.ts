import { type Neighborhood, openNeighborhood } from '../vector-search/neighborhood.ts';
import type { OpenRfm } from './open.ts';

/**
 * The neighborhood of the entities in `rows` as of `at` (microseconds, the last readable moment). Entities are
 * identified by their index in `rows`.
 */
export function openEntities(rfm: OpenRfm, rows: Int32Array, at: number): Neighborhood {
  const momentsOf = (part: Int32Array) => new Float64Array(part.length).fill(at);
  return openNeighborhood({
    count: rows.length,
    prefixes: (from, to, columns) => {
      const part = rows.subarray(from, to);
      return rfm.embedPrefix(part, momentsOf(part), momentsOf(part), columns);
    },
    whole: (places) => {
      const part = places.map((place) => rows[place]);
      return rfm.embed(part, momentsOf(part));
    },
  });
}
