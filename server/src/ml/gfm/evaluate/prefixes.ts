import type { Embedder } from '../embed.ts';

/** The lengths a vector may be cut to. */
export const prefixLengths = [1024, 512, 256, 128, 64, 32, 16] as const;

/** Neighbours looked at. */
const nearest = 10;

/**
 * Of the ten nearest by all 1,024 numbers, the share that is among the ten nearest by the first so many, by cosine, averaged over
 * the entities asked about. candidates: entities to look among; asked: places in `candidates`.
 */
export function neighbourRecall(
  embedder: Embedder,
  candidates: readonly number[],
  asked: readonly number[],
  t: number,
): { readonly dimension: number; readonly recall: number }[] {
  const vectors = embedder.embedAll(candidates, t).map((vector) => vector ?? new Float32Array(1024));
  const truth = asked.map((place) => nearestOf(vectors, place, 1024));
  return prefixLengths.map((dimension) => {
    let shared = 0;
    for (const [i, place] of asked.entries()) {
      const found = new Set(nearestOf(vectors, place, dimension));
      shared += truth[i]!.filter((other) => found.has(other)).length / truth[i]!.length;
    }
    return { dimension, recall: shared / asked.length };
  });
}

/** Places of the ten nearest to that at `place`, itself left out; the lower place wins a tie. */
function nearestOf(vectors: readonly Float32Array[], place: number, dimension: number): number[] {
  const own = vectors[place]!;
  const best: { readonly at: number; readonly score: number }[] = [];
  for (const [at, vector] of vectors.entries()) {
    if (at === place) continue;
    let dot = 0;
    let square = 0;
    for (let k = 0; k < dimension; k++) {
      dot += own[k]! * vector[k]!;
      square += vector[k]! * vector[k]!;
    }
    const score = square === 0 ? -1 : dot / Math.sqrt(square);
    if (best.length === nearest && !(score > best[nearest - 1]!.score)) continue;
    let i = best.length;
    while (i > 0 && best[i - 1]!.score < score) i--;
    best.splice(i, 0, { at, score });
    if (best.length > nearest) best.pop();
  }
  return best.map(({ at }) => at);
}
