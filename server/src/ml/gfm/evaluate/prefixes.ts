import { eigenSymmetric } from '../eigen.ts';
import type { Embedder } from '../embed.ts';
import { gramOf } from '../gram.ts';

/** The lengths a vector may be cut to. */
export const prefixLengths = [1024, 512, 256, 128, 64, 32, 16] as const;

const size = prefixLengths[0];
/** Number of nearest neighbors compared. */
const nearest = 10;
/** Vectors computed between two progress reports. */
const vectorsAtOnce = 200;

/** The share of the ten nearest by all 1,024 numbers that are also among the ten nearest by a prefix, by cosine. */
export type PrefixRecall = {
  readonly dimension: number;
  readonly recall: number;
  /**
   * The same with the first principal axes of the searched vectors themselves, an upper limit for any fixed rotation.
   */
  readonly optimum: number;
};

/**
 * Recall averaged over the queried entities. candidates: entities of one kind to search; asked: indices in
 * `candidates`.
 */
export function neighbourRecall(
  embedder: Pick<Embedder, 'embedAll'>,
  candidates: readonly number[],
  asked: readonly number[],
  t: number,
  progress: (done: number, of: number) => void = () => {},
): PrefixRecall[] {
  // Computing vectors takes about as long as all searches, and is done in parts to report progress.
  const parts = Math.ceil(candidates.length / vectorsAtOnce);
  const searches = 1 + 2 * prefixLengths.length;
  const vectors: Float32Array[] = [];
  for (let part = 0; part < parts; part++) {
    progress(part * searches, 2 * parts * searches);
    const some = candidates.slice(part * vectorsAtOnce, (part + 1) * vectorsAtOnce);
    for (const vector of embedder.embedAll(some, t)) vectors.push(vector ?? new Float32Array(size));
  }
  let searched = 0;
  const tellSearch = () => progress(searches + searched++, 2 * searches);
  tellSearch();
  const truth = asked.map((place) => nearestOf(vectors, place, size));
  const rotated = rotateOptimally(vectors);
  const recall = (of: readonly Float32Array[], dimension: number) => {
    tellSearch();
    let shared = 0;
    for (const [i, place] of asked.entries()) {
      const found = new Set(nearestOf(of, place, dimension));
      shared += truth[i].filter((other) => found.has(other)).length / truth[i].length;
    }
    return shared / asked.length;
  };
  return prefixLengths.map((dimension) => ({
    dimension,
    recall: recall(vectors, dimension),
    optimum: recall(rotated, dimension),
  }));
}

function rotateOptimally(vectors: readonly Float32Array[]): Float32Array[] {
  const rows = vectors.map((vector) => Float64Array.from(vector));
  const axes = eigenSymmetric(gramOf(rows, size), size).vectors;
  const longest = prefixLengths[1];
  return rows.map((row, v) => {
    // Numbers beyond the longest prefix are not replaced: only prefixes are compared.
    const turned = Float32Array.from(vectors[v]);
    for (let i = 0; i < longest; i++) {
      let sum = 0;
      for (let k = 0; k < size; k++) sum += axes[i * size + k] * row[k];
      turned[i] = sum;
    }
    return turned;
  });
}

/** Indices of the ten nearest to the vector at `place`, without itself; the lower index wins a tie. */
function nearestOf(vectors: readonly Float32Array[], place: number, dimension: number): number[] {
  const own = vectors[place];
  const best: { readonly at: number; readonly score: number }[] = [];
  for (const [at, vector] of vectors.entries()) {
    if (at === place) continue;
    let dot = 0;
    let square = 0;
    for (let k = 0; k < dimension; k++) {
      dot += own[k] * vector[k];
      square += vector[k] * vector[k];
    }
    const score = square === 0 ? -1 : dot / Math.sqrt(square);
    if (best.length === nearest && !(score > best[nearest - 1].score)) continue;
    let i = best.length;
    while (i > 0 && best[i - 1].score < score) i--;
    best.splice(i, 0, { at, score });
    if (best.length > nearest) best.pop();
  }
  return best.map(({ at }) => at);
}
