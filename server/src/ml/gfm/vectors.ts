/** Adds `factor` times from[fromAt, fromAt + size) to to[toAt, toAt + size). */
export function addScaled(
  to: Float64Array,
  toAt: number,
  size: number,
  factor: number,
  from: Float64Array,
  fromAt: number,
): void {
  // Two counters: with a single counter and added offsets the loop took twice as long.
  for (let k = toAt, j = fromAt; k < toAt + size; k++, j++) to[k] = to[k] + factor * from[j];
}

/** Writes the projections of `values` on the rows of `axes` to `along`. */
export function project(values: Float64Array, axes: Float64Array, along: Float64Array): void {
  const width = values.length;
  for (let i = 0; i < along.length; i++) {
    let sum = 0;
    for (let k = 0; k < width; k++) sum += axes[i * width + k] * values[k];
    along[i] = sum;
  }
}

/** Multiplies values[at, at + size) in place. */
export function scaleBy(values: Float64Array, at: number, size: number, factor: number): void {
  for (let k = at; k < at + size; k++) values[k] = values[k] * factor;
}

/** Scales values[at, at + size) to length 1 in place; zeros stay. */
export function normalize(values: Float64Array, at = 0, size = values.length): void {
  let square = 0;
  for (let k = at; k < at + size; k++) square += values[k] * values[k];
  if (square > 0) scaleBy(values, at, size, 1 / Math.sqrt(square));
}
