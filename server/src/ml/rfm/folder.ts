import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Failure } from '../../lib/failure.ts';
import type { Contract } from '../contract/contract.ts';
import { parseContract } from '../contract/parse.ts';
import { writeContract } from '../contract/write.ts';
import { readSections, writeSections } from '../graph/sections.ts';
import type { Weights } from './forward.ts';
import type { Inputs } from './inputs.ts';
import type { NetworkShape } from './network.ts';

/** A pre-trained encoder as it is kept: immutable, self-contained but for the tables it reads. */
export type Rfm = {
  readonly entity: string;
  readonly ignore: readonly string[];
  readonly hide: readonly string[];
  readonly contract: Contract;
  readonly inputs: Inputs;
  readonly shape: NetworkShape;
  readonly weights: Weights;
  /** What its output is turned by, width × width. */
  readonly axes: Float32Array;
};

const formatVersion = 1;
const weightsKind = 'rfm weights';
const [manifestFile, programFile, contractFile, weightsFile, modelFile, reportFile] = [
  'manifest.json',
  'program.json',
  'contract.yaml',
  'weights.bin',
  'encoder.onnx',
  'report.json',
];

/**
 * Writes the folder: contract.yaml, program.json, weights.bin, encoder.onnx (`model`), report.json, and a manifest with the SHA-256 of
 * each. It appears whole or not at all; the same encoder gives the same bytes. Throws Failure 'conflict' when the folder exists.
 */
export async function saveRfm(folder: string, rfm: Rfm, report: unknown, model: Uint8Array): Promise<void> {
  requireNew(folder);
  const partial = join(dirname(folder), `.${basename(folder)}.partial`);
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true });
  const { contract, weights, axes, ...program } = rfm;
  const visible = { ...contract, tables: contract.tables.filter(({ name }) => !rfm.ignore.includes(name)) };
  const files: Record<string, Uint8Array | string> = {
    [contractFile]: writeContract(visible),
    [programFile]: `${JSON.stringify(program)}\n`,
    [modelFile]: model,
    [reportFile]: `${JSON.stringify(report, null, 2)}\n`,
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(partial, name), content);
  await writeSections(join(partial, weightsFile), weightsKind, { names: [...weights.keys()] }, [
    axes,
    ...weights.values(),
  ]);
  const names = [...Object.keys(files), weightsFile].sort();
  const hashes = Object.fromEntries(names.map((name) => [name, hashOf(join(partial, name))]));
  const manifest = { format: formatVersion, kind: 'rfm', entity: rfm.entity, files: hashes };
  writeFileSync(join(partial, manifestFile), `${JSON.stringify(manifest, null, 2)}\n`);
  renameSync(partial, folder);
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
export async function readRfm(folder: string): Promise<Rfm> {
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
  const program = JSON.parse(readFileSync(join(folder, programFile), 'utf8')) as Omit<
    Rfm,
    'contract' | 'weights' | 'axes'
  >;
  const { body, sections } = await readSections(join(folder, weightsFile), weightsKind);
  const [axes, ...values] = sections as Float32Array[];
  const { names } = body as { names: readonly string[] };
  const contract = join(folder, contractFile);
  return {
    ...program,
    contract: parseContract(readFileSync(contract, 'utf8'), contract),
    weights: new Map(names.map((name, k) => [name, values[k]!])),
    axes: axes!,
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
