// Models of a recipe that read other features: every second, at random, of twice as many of the best-ranked ones.
import type { RecipePart } from './recipes.ts';

/** The parts of a recipe that read the best-ranked features, each with a draw of its own in their place. */
export function drawnParts(parts: readonly RecipePart[], draw: number): RecipePart[] {
  return parts.filter((part) => part.kind === 'trees' || part.from === undefined).map((part) => ({ ...part, draw }));
}

/**
 * The features that a part reads by their ranking, best first: the best `features`; of a draw half of twice as many, or
 * of all that there are, by a hash of their places.
 */
export function rankedFeatures(
  ranking: readonly number[],
  { features, draw }: Pick<RecipePart, 'features' | 'draw'>,
): readonly number[] {
  if (draw === undefined) return ranking.slice(0, features);
  const pool = ranking.slice(0, 2 * features);
  const places = [...pool.keys()].sort((a, b) => mixed(a, draw) - mixed(b, draw) || a - b);
  const kept = new Set(places.slice(0, Math.ceil(pool.length / 2)));
  return pool.filter((_, place) => kept.has(place));
}

/** A number that depends on every bit of both; the last step of MurmurHash3. */
function mixed(place: number, draw: number): number {
  let hash = Math.imul(place + 1, 0x9e3779b1) ^ Math.imul(draw, 0x85ebca77);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
