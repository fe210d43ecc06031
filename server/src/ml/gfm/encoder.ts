import type { HalfLives } from './decay.ts';
import type { Inputs } from './inputs.ts';

/** How wide the parts of a raw vector are. */
export type EncoderSizes = {
  /** Of a signature; a power of two. */
  readonly signature: number;
  /** What is passed on of a neighbour's inputs: their leading principal axes. */
  readonly profile: number;
  /** What is passed on over two steps. */
  readonly farProfile: number;
  /** One profile per relation and direction where they fit, else hashed into so many columns. */
  readonly near: number;
  readonly far: number;
  /** Of the signatures that places are made of; a power of two. Many numbers, so that neighbourhoods are told apart. */
  readonly placeSignature: number;
  /** Of a place: the leading principal axes of those. Few numbers, so that short prefixes have some of them. */
  readonly place: number;
};

/** With about 80 inputs a raw vector has hardly more than 1,024 numbers, and its rotation loses nothing. */
export const defaultSizes: EncoderSizes = {
  signature: 64,
  profile: 24,
  farProfile: 8,
  near: 528,
  far: 176,
  placeSignature: 256,
  place: 64,
};

/** Everything a raw vector is computed with, frozen when the version is made; plain data but for the axes. */
export type Encoder = {
  readonly sizes: EncoderSizes;
  readonly halfLives: HalfLives;
  /**
   * Those with a fact known when the encoder was fitted: facts of others are not read. Direction 2r leads from subject
   * to object, 2r + 1 back.
   */
  readonly relations: readonly string[];
  readonly inputs: Inputs;
  /** profile × inputs, row-major: the principal axes of the scaled inputs. */
  readonly profileAxes: Float64Array;
  /** placeSignature × place, row-major: what each number of a signature adds along the principal axes of places. */
  readonly placeAxes: Float64Array;
  /** By number of a place, what it is multiplied with; see `boldPlaces`. */
  readonly placeScales: readonly number[];
  /** By part, what it is multiplied with, so that parts weigh what they are meant to. */
  readonly partScales: readonly number[];
};

/** A stretch of a raw vector, and its share of the squared length on average. */
export type VectorStretch = {
  readonly name: string;
  readonly start: number;
  readonly size: number;
  readonly share: number;
};

const partShares = {
  own: 0.18,
  near: 0.4,
  far: 0.06,
  place: 0.3,
  partners: 0.03,
  partnersTyped: 0.03,
} as const;
export type PartName = keyof typeof partShares;

/** In the order they stand in a raw vector. */
export function partsOf({ sizes, inputs }: Pick<Encoder, 'sizes' | 'inputs'>): VectorStretch[] {
  const { signature } = sizes;
  const widths: Record<PartName, number> = {
    own: inputs.columns.length,
    near: sizes.near,
    far: sizes.far,
    place: sizes.place,
    partners: signature,
    partnersTyped: signature,
  };
  let start = 0;
  return Object.entries(partShares).map(([name, share]) => {
    const size = widths[name as PartName];
    const part = { name, start, size, share };
    start += size;
    return part;
  });
}

/**
 * The first so many numbers of a place are made as wide as one another, and so many times as large. They are then among
 * the first of a rotated vector, whose first 16 numbers predicted links at 9.0 % MRR (chance .7), all of it at 16.5;
 * along axes drawn at random, with eight of them large, at 3.8 and 14.6.
 */
export const boldPlaces = 12;
export const boldness = 5;
