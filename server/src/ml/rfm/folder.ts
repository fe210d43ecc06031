import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { endianness } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { assert, Failure } from '../../lib/failure.ts';
import type { Contract } from '../contract/contract.ts';
import { parseContract } from '../contract/parse.ts';
import { writeContract } from '../contract/write.ts';
import type { Weights } from './forward.ts';
import type { Inputs } from './inputs.ts';
import type { NetworkShape } from './network.ts';
import { packTeaching, type Teaching } from './teaching.ts';

/** A pre-trained encoder but for the tables it reads. */
export type Rfm = {
  readonly entity: string;
  /** Nothing later was read to make it, microseconds. */
  readonly until: number;
  readonly ignore: readonly string[];
  readonly hide: readonly string[];
  readonly inputs: Inputs;
  readonly shape: NetworkShape;
  readonly weights: Weights;
  /** What its output is turned by, width × width. */
  readonly axes: Float32Array;
};

/** An encoder as files: its program as JSON, and its weights in the program's order, the axes first, as float32. */
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

/** What `packRfm` packed, its bytes vouched for by a manifest. */
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

const formatVersion = 1;
const [manifestFile, programFile, contractFile, weightsFile, modelFile, reportFile] = [
  'manifest.json',
  'program.json',
  'contract.yaml',
  'weights.bin',
  'encoder.onnx',
  'report.json',
];

/**
 * Writes the folder: contract.yaml, program.json, weights.bin, encoder.onnx (`model`), report.json, teaching.json, teaching.bin, and a
 * manifest with the SHA-256 of each. `parent`: what `rfmId` says of the encoder that this one goes on from. It appears whole or not at all; the same encoder gives the same bytes. Throws Failure 'conflict' when the folder exists.
 */
export function saveRfm(
  folder: string,
  { rfm, teaching }: { readonly rfm: Rfm; readonly teaching: Teaching },
  contract: Contract,
  report: unknown,
  model: Uint8Array,
  parent?: string,
): void {
  requireNew(folder);
  const partial = join(dirname(folder), `.${basename(folder)}.partial`);
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true });
  const visible = { ...contract, tables: contract.tables.filter(({ name }) => !rfm.ignore.includes(name)) };
  const { program, weights } = packRfm(rfm);
  const files: Record<string, Uint8Array | string> = {
    [contractFile]: writeContract(visible),
    [programFile]: program,
    [weightsFile]: weights,
    [modelFile]: model,
    [reportFile]: `${JSON.stringify(report, null, 2)}\n`,
    ...packTeaching(teaching),
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(partial, name), content);
  const names = Object.keys(files).sort();
  const hashes = Object.fromEntries(names.map((name) => [name, hashOf(join(partial, name))]));
  const manifest = { format: formatVersion, kind: 'rfm', entity: rfm.entity, ...(parent && { parent }), files: hashes };
  writeFileSync(join(partial, manifestFile), `${JSON.stringify(manifest, null, 2)}\n`);
  renameSync(partial, folder);
}

/** SHA-256 of an encoder's manifest, which vouches for all its files. */
export function rfmId(folder: string): string {
  return hashOf(join(folder, manifestFile));
}

/** Throws Failure 'conflict' when the folder exists. */
export function requireNew(folder: string): void {
  if (existsSync(folder))
    throw new Failure('conflict', `${folder} exists already; an encoder is never changed, choose another folder`);
}

function hashOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}

/** Reads a folder and checks every file against the manifest. Throws Failure 'not_found', 'invalid'. */
export function readRfm(folder: string): Rfm & { readonly contract: Contract } {
  const path = join(folder, manifestFile);
  if (!existsSync(path)) throw new Failure('not_found', `${folder} is not an encoder: it has no ${manifestFile}`);
  const { format, kind, files } = parseManifest(readFileSync(path, 'utf8'), path);
  if (kind !== 'rfm' || format !== formatVersion)
    throw new Failure(
      'invalid',
      `${folder} is of ${kind}, format ${format}; this program reads rfm, format ${formatVersion}`,
    );
  for (const [name, hash] of Object.entries(files)) {
    const file = join(folder, name);
    if (!existsSync(file) || hashOf(file) !== hash)
      throw new Failure('invalid', `${file} is missing or not what the manifest says`);
  }
  const contract = join(folder, contractFile);
  return {
    ...unpackRfm(readFileSync(join(folder, programFile), 'utf8'), readFileSync(join(folder, weightsFile))),
    contract: parseContract(readFileSync(contract, 'utf8'), contract),
  };
}

type Manifest = { readonly format: unknown; readonly kind: unknown; readonly files: Record<string, unknown> };

function parseManifest(text: string, path: string): Manifest {
  let manifest: Partial<Manifest> | null = null;
  try {
    manifest = JSON.parse(text);
  } catch {
    // Told below, with what else may be wrong.
  }
  const files = manifest?.files;
  if (typeof files !== 'object' || !files || ![programFile, contractFile, weightsFile].every((name) => name in files))
    throw new Failure('invalid', `${path} is damaged; copy the encoder's folder again`);
  return { format: manifest?.format, kind: manifest?.kind, files };
}
