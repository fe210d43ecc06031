/** The vectors of one moment, numbered by place. */
export type Vectors = {
  readonly count: number;
  /** The first `columns` numbers of each vector at places [from, to), one vector after the other. */
  prefixes(from: number, to: number, columns: number): Float32Array;
  /** All numbers of the vectors at these places, one vector after the other. */
  whole(places: Int32Array): Float32Array;
};

export type Neighbor = { readonly place: number; readonly similarity: number };

/** A search for the vectors most similar to another. */
export type Neighborhood = {
  /**
   * At most `most` places with the highest cosine similarity to a vector of length 1, best first. Never the place
   * `except`.
   */
  nearest(vector: Float32Array, most: number, except?: number): Neighbor[];
};

/** Searching more vectors than this is not offered: preparing them would take minutes. */
export const searchedMax = 50_000;
/** Number of leading columns that are scanned. The best candidates of the scan are then compared in full. */
export const scannedColumns = 64;
const candidatesMin = 200;
const candidatesPerNeighbor = 10;
const placesAtOnce = 1024;

/** Opens a search. The prefixes of all vectors are read and kept; whole vectors are read when they are compared. */
export function openNeighborhood(vectors: Vectors): Neighborhood {
  const prefixes = new Float32Array(vectors.count * scannedColumns);
  for (let from = 0; from < vectors.count; from += placesAtOnce) {
    const to = Math.min(from + placesAtOnce, vectors.count);
    prefixes.set(vectors.prefixes(from, to, scannedColumns), from * scannedColumns);
  }
  scaleEach(prefixes, scannedColumns);
  return {
    nearest(vector, most, except = -1) {
      const kept = scanPrefixes(prefixes, vector, Math.max(candidatesMin, candidatesPerNeighbor * most), except);
      const full = vectors.whole(kept);
      return Array.from(kept, (place, k) => ({
        place,
        similarity: dot(full, k * vector.length, vector, vector.length),
      }))
        .sort((a, b) => b.similarity - a.similarity || a.place - b.place)
        .slice(0, most);
    },
  };
}

/** The places of the `most` prefixes most similar to that of a vector, best first. On ties the lower place wins. */
export function scanPrefixes(prefixes: Float32Array, vector: Float32Array, most: number, except: number): Int32Array {
  const count = prefixes.length / scannedColumns;
  const places = new Int32Array(Math.min(most, count));
  const scores = new Float64Array(places.length);
  let kept = 0;
  for (let place = 0; place < count; place++) {
    const score = dot(prefixes, place * scannedColumns, vector, scannedColumns);
    if (place === except || (kept === places.length && !(score > scores[kept - 1]))) continue;
    if (kept < places.length) kept++;
    let low = 0;
    let high = kept - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (scores[middle] < score) high = middle;
      else low = middle + 1;
    }
    scores.copyWithin(low + 1, low, kept - 1);
    places.copyWithin(low + 1, low, kept - 1);
    scores[low] = score;
    places[low] = place;
  }
  return places.subarray(0, kept);
}

/** Scales each run of `columns` numbers to length 1; zeros stay zeros. */
export function scaleEach(values: Float32Array, columns: number): void {
  for (let from = 0; from < values.length; from += columns) {
    const length = Math.sqrt(dot(values, from, values.subarray(from), columns));
    if (length > 0) for (let k = 0; k < columns; k++) values[from + k] /= length;
  }
}

function dot(a: Float32Array, from: number, b: Float32Array, columns: number): number {
  let p = 0;
  let q = 0;
  let r = 0;
  let s = 0;
  let k = 0;
  for (; k + 3 < columns; k += 4) {
    p += a[from + k] * b[k];
    q += a[from + k + 1] * b[k + 1];
    r += a[from + k + 2] * b[k + 2];
    s += a[from + k + 3] * b[k + 3];
  }
  for (; k < columns; k++) p += a[from + k] * b[k];
  return p + q + (r + s);
}
