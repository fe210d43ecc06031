import { boldness, boldPlaces, type Encoder, partsOf } from '../encoder.ts';
import type { FittedEncoder } from '../fit.ts';

/** What the first numbers of a vector tell of an entity's place, on axes that all kinds share. */
export type PlaceView = (vector: Float32Array, kind: number, dimension: number) => Float64Array;

/** Computes places by reversing the rotation of a vector's prefix. kind: its index in `entityKinds`. */
export function openPlaceView({ encoder, rotations }: FittedEncoder): PlaceView {
  const { start, size } = partsOf(encoder).find(({ name }) => name === 'place')!;
  const width = rawSize(encoder);
  return (vector, kind, dimension) => {
    const view = new Float64Array(size);
    for (let i = 0; i < Math.min(dimension, width); i++) {
      const share = vector[i];
      const axis = rotations[kind].subarray(i * width + start, i * width + start + size);
      for (let k = 0; k < size; k++) view[k] = view[k] + share * axis[k];
    }
    for (let k = 0; k < boldPlaces; k++) view[k] = view[k] / boldness;
    return view;
  };
}

function rawSize(encoder: Encoder): number {
  const last = partsOf(encoder).at(-1)!;
  return last.start + last.size;
}
