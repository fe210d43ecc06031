import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../lib/failure.ts';
import type { Weights } from './forward.ts';
import type { Objectives } from './sample.ts';

/** What it takes to train an encoder on: what its heads predict, and all that was learned, heads included. */
export type TrainingState = {
  readonly objectives: Objectives;
  /** As in the options of the pre-training. */
  readonly seed: number;
  readonly horizonsDays: readonly number[];
  readonly gapMaxDays: number;
  readonly pairs: number;
  /** The first network has learned from nothing after this, microseconds; it is evaluated on what comes later. */
  readonly cut: number;
  /** Parameters by name: of the first network where it knew most, and of the second, which learned from all. */
  readonly first: Weights;
  readonly second: Weights;
};

const [trainingStateFile, parametersFile] = ['teaching.json', 'teaching.bin'];

/** The files of an encoder's folder that hold it. */
export function packTrainingState({ first, second, ...plain }: TrainingState): Record<string, Uint8Array | string> {
  const lengthsOf = (weights: Weights) => [...weights].map(([name, values]) => [name, values.length]);
  const arrays = [...first.values(), ...second.values()];
  return {
    [trainingStateFile]: `${JSON.stringify({ ...plain, first: lengthsOf(first), second: lengthsOf(second) })}\n`,
    [parametersFile]: Buffer.concat(
      arrays.map(({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength)),
    ),
  };
}

/**
 * Reads it from a folder whose files have been checked. Throws Failure 'invalid' where an encoder was made without it.
 */
export function readTrainingState(folder: string): TrainingState {
  const path = join(folder, trainingStateFile);
  if (!existsSync(path))
    throw new Failure('invalid', `${folder} does not hold what it takes to train it on: train the encoder again`);
  type Lengths = readonly (readonly [name: string, length: number])[];
  const { first, second, aims, ...plain } = JSON.parse(readFileSync(path, 'utf8')) as Omit<
    TrainingState,
    'first' | 'second'
  > & {
    readonly first: Lengths;
    readonly second: Lengths;
    /** What older encoders call objectives. */
    readonly aims?: Objectives;
  };
  const packed = readFileSync(join(folder, parametersFile));
  const all = new Float32Array(packed.length / Float32Array.BYTES_PER_ELEMENT);
  new Uint8Array(all.buffer).set(packed);
  let from = 0;
  const take = (lengths: Lengths): Weights =>
    new Map(
      lengths.map(([name, length]) => {
        from += length;
        return [name, all.slice(from - length, from)];
      }),
    );
  return { ...plain, objectives: aims ?? plain.objectives, first: take(first), second: take(second) };
}
