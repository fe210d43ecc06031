/** Adds `factor` times the first values of another. */
export function addScaled(values: Float64Array, factor: number, other: Float64Array): void {
  for (let k = 0; k < values.length; k++) values[k] = values[k]! + factor * other[k]!;
}

/** The values along each row of `axes`. */
export function project(values: Float64Array, axes: Float64Array): Float64Array {
  const width = values.length;
  const along = new Float64Array(axes.length / width);
  for (let i = 0; i < along.length; i++) {
    let sum = 0;
    for (let k = 0; k < width; k++) sum += axes[i * width + k]! * values[k]!;
    along[i] = sum;
  }
  return along;
}

/** In place. */
export function scaleBy(values: Float64Array, factor: number): void {
  for (let k = 0; k < values.length; k++) values[k] = values[k]! * factor;
}

/** To length 1, in place; zeros stay. */
export function normalize(values: Float64Array): void {
  let square = 0;
  for (const value of values) square += value * value;
  if (square > 0) scaleBy(values, 1 / Math.sqrt(square));
}
