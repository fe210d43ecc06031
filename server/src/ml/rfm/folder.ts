import { readFileSync, writeFileSync } from 'node:fs';
import { endianness } from 'node:os';
import { join } from 'node:path';
import { assert } from '../../lib/failure.ts';
import { type ArtifactKind, hashFiles, type Manifest, openArtifact, writeArtifact } from '../../lib/files/artifact.ts';
import { hashFile } from '../../lib/files/hash.ts';
import type { Contract } from '../contract/contract.ts';
import { parseStoredContract } from '../contract/parse.ts';
import { writeContract } from '../contract/write.ts';
import type { GraphReading } from '../gfm-link/reading.ts';
import type { Weights } from './forward.ts';
import type { Inputs } from './inputs.ts';
import type { NetworkShape } from './network.ts';
import { packTrainingState, type TrainingState } from './training-state.ts';

/** A pre-trained encoder, without the tables it reads. */
export type Rfm = {
  readonly entity: string;
  /** Nothing later was read to make it, microseconds. */
  readonly until: number;
  readonly ignore: readonly string[];
  readonly hide: readonly string[];
  /** Present where inputs are vectors of a graph model. Only this graph model may be used. */
  readonly graphModel?: GraphReading;
  readonly inputs: Inputs;
  readonly shape: NetworkShape;
  readonly weights: Weights;
  /** Rotation of its output, width × width. */
  readonly axes: Float32Array;
};

/**
 * An encoder as files: its program as JSON, and as float32 the axes followed by the weights, in the program's order.
 */
export function packRfm({ weights, axes, ...program }: Rfm): { program: string; weights: Uint8Array } {
  assert(endianness() === 'LE', 'arrays lie in little-endian order');
  const arrays = [axes, ...weights.values()];
  const lengths = [...weights].map(([name, values]) => [name, values.length]);
  return {
    program: `${JSON.stringify({ ...program, weights: lengths })}\n`,
    weights: Buffer.concat(
      arrays.map(({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength)),
    ),
  };
}

/** Reads what `packRfm` wrote. The caller has checked the bytes against a manifest. */
export function unpackRfm(program: string, packed: Uint8Array): Rfm {
  const { weights: lengths, ...rest } = JSON.parse(program) as Omit<Rfm, 'weights' | 'axes'> & {
    weights: readonly [name: string, length: number][];
  };
  const all = new Float32Array(packed.length / Float32Array.BYTES_PER_ELEMENT);
  new Uint8Array(all.buffer).set(packed);
  let from = rest.shape.width ** 2;
  const axes = all.slice(0, from);
  const weights = new Map(
    lengths.map(([name, length]) => {
      from += length;
      return [name, all.slice(from - length, from)];
    }),
  );
  return { ...rest, axes, weights };
}

const [programFile, contractFile, weightsFile, modelFile, reportFile] = [
  'program.json',
  'contract.yaml',
  'weights.bin',
  'encoder.onnx',
  'report.json',
];

type RfmManifest = Manifest & { readonly kind: string; readonly entity: string; readonly parent?: string };

export const rfmArtifact = {
  manifest: 'manifest.json',
  format: 1,
  kind: 'rfm',
  isOwn: (manifest): manifest is RfmManifest =>
    [programFile, contractFile, weightsFile].every((name) => name in manifest.files),
  says: {
    exists: 'exists already; an encoder is never changed, choose another folder',
    absent: 'is not an encoder: it has no manifest.json',
    unreadable: "is damaged; copy the encoder's folder again",
    foreign: 'is damaged, or of something else than an encoder: name what rfm train wrote, or copy its folder again',
    changed: 'is missing or not what the manifest says',
  },
} as const satisfies ArtifactKind<RfmManifest>;

/**
 * Writes an encoder folder: contract.yaml, program.json, weights.bin, encoder.onnx (`model`), report.json,
 * teaching.json, teaching.bin, and a manifest with the SHA-256 of each. `parent`: the `rfmId` of the encoder that this
 * one was fine-tuned from. The folder is written completely or not at all. The same encoder gives the same bytes.
 * Throws Failure 'conflict' when the folder exists.
 */
export async function saveRfm(
  folder: string,
  { rfm, trainingState }: { readonly rfm: Rfm; readonly trainingState: TrainingState },
  contract: Contract,
  report: unknown,
  model: Uint8Array,
  parent?: string,
): Promise<void> {
  const visible = { ...contract, tables: contract.tables.filter(({ name }) => !rfm.ignore.includes(name)) };
  const { program, weights } = packRfm(rfm);
  const files: Record<string, Uint8Array | string> = {
    [contractFile]: writeContract(visible),
    [programFile]: program,
    [weightsFile]: weights,
    [modelFile]: model,
    [reportFile]: `${JSON.stringify(report, null, 2)}\n`,
    ...packTrainingState(trainingState),
  };
  const { format, kind } = rfmArtifact;
  await writeArtifact(rfmArtifact, folder, async (partial) => {
    for (const [name, content] of Object.entries(files)) writeFileSync(join(partial, name), content);
    const hashes = hashFiles(partial, Object.keys(files).sort());
    return { format, kind, entity: rfm.entity, ...(parent && { parent }), files: hashes };
  });
}

/** SHA-256 of an encoder's manifest, which identifies all its files. */
export function rfmId(folder: string): string {
  return hashFile(join(folder, rfmArtifact.manifest));
}

/** Reads a folder and checks every file against the manifest. Throws Failure 'not_found', 'invalid'. */
export function readRfm(folder: string): Rfm & { readonly contract: Contract } {
  openArtifact(rfmArtifact, folder);
  const contract = join(folder, contractFile);
  return {
    ...unpackRfm(readFileSync(join(folder, programFile), 'utf8'), readFileSync(join(folder, weightsFile))),
    contract: parseStoredContract(readFileSync(contract, 'utf8'), contract),
  };
}
