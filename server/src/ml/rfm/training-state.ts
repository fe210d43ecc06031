import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../lib/failure.ts';
import type { Weights } from './forward.ts';
import type { Objectives } from './sample.ts';

/** The state needed to fine-tune an encoder: its targets, and all parameters, including those of the heads. */
export type TrainingState = {
  readonly objectives: Objectives;
  /** As in the options of the pre-training. */
  readonly seed: number;
  readonly horizonsDays: readonly number[];
  readonly gapMaxDays: number;
  readonly pairs: number;
  /** The first network has learned from nothing after this, microseconds, and is evaluated on what comes later. */
  readonly cut: number;
  /** Parameters by name: of the first network at its best step, and of the second, which learned from everything. */
  readonly first: Weights;
  readonly second: Weights;
};

const [trainingStateFile, parametersFile] = ['teaching.json', 'teaching.bin'];

/** The files of an encoder folder that hold the training state. */
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
 * Reads the training state from a folder whose files have been checked. Throws Failure 'invalid' where the encoder has
 * none.
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
    /** The objectives, in the format of older encoders. */
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
