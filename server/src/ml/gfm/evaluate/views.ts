import { type Encoder, partsOf } from '../encoder.ts';
import type { FittedEncoder } from '../fit.ts';
import type { Views } from './links.ts';

/** Parts of a raw vector that say who somebody is and with whom, of one length, and what they are like. */
const told = ['signature', 'partnersLong', 'partnersShort', 'partnersFar', 'own'];

/** The parts of the raw vector that a prefix still tells, by turning it back. */
export function viewsOf({ encoder, rotation }: FittedEncoder): Views {
  const parts = partsOf(encoder).filter(({ name }) => told.includes(name));
  const width = rawSize(encoder);
  return (vector, dimension) =>
    parts.map(({ start, size }) => {
      const view = new Float64Array(size);
      for (let i = 0; i < Math.min(dimension, width); i++) {
        const share = vector[i]!;
        const axis = rotation.subarray(i * width + start, i * width + start + size);
        for (let k = 0; k < size; k++) view[k] = view[k]! + share * axis[k]!;
      }
      return view;
    });
}

function rawSize(encoder: Encoder): number {
  const last = partsOf(encoder).at(-1)!;
  return last.start + last.size;
}
