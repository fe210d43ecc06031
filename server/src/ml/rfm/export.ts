import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Failure } from '../../lib/failure.ts';
import type { Contract } from '../contract/contract.ts';
import { parseContract } from '../contract/parse.ts';
import { writeContract } from '../contract/write.ts';
import { nameLabels } from '../inference/named-labels.ts';
import { encoderFile, encoderWeightsFile, labelsFile } from '../inference/version.ts';
import { describeExport } from './export-readme.ts';
import { snapshotOfHashes } from './given-vectors.ts';

/** What an encoder's export says of itself. */
export type ExportAbout = {
  /** What its vectors are compared within: those of another snapshot mean other things. */
  readonly modelSnapshot: string;
  readonly entity: string;
  /** Where days end, and the language that reasons are told in. */
  readonly timeZone: string;
  readonly language: 'en' | 'pt-BR';
};

/** A task's model in an export, asked as `<modelId>/<alias>` or `<modelId>/<versionId>`. */
export type ExportedModel = {
  readonly modelId: string;
  readonly versionId: string;
  readonly aliases: readonly string[];
  /** Its version folder. */
  readonly folder: string;
};

export type ExportInput = ExportAbout & {
  /** The encoder's folder. */
  readonly encoder: string;
  /** By which the customer's own files are read: all that encoder and models read, and what else there is. */
  readonly contract: Contract;
  readonly models: readonly ExportedModel[];
  /** Whose name a number of the dictionary is, where models know entities by numbers; null for an erased one. */
  readonly nameOf?: (number: number) => string | null;
};

/** An export, its files checked. Folders are whole paths. */
export type Export = ExportAbout & {
  readonly encoder: string;
  readonly contract: Contract;
  readonly models: readonly ExportedModel[];
};

const formatVersion = 1;
const kind = 'rfm-export';
const exportFile = 'export.json';
const contractFile = 'contract.yaml';
const encoderFolder = 'rfm';
const manifestFile = 'manifest.json';

type ExportManifest = {
  readonly format: number;
  readonly kind: string;
  readonly model_snapshot: string;
  readonly entity: string;
  readonly time_zone: string;
  readonly language: 'en' | 'pt-BR';
  readonly models: readonly {
    readonly model_id: string;
    readonly version_id: string;
    readonly aliases: readonly string[];
    readonly folder: string;
  }[];
  /** SHA-256 in hexadecimal, by path. */
  readonly files: Readonly<Record<string, string>>;
};

/**
 * Writes a folder with all that a customer needs to embed and score at home but their tables: the encoder as we run it and as ONNX,
 * models, the contract that their files are read by, how to run it, and export.json with the SHA-256 of each file. Models in it know entities by
 * name. It appears whole or not at all; the same input gives the same bytes.
 * Throws Failure 'conflict' when the folder exists or two models have one name, 'not_found', 'invalid' when what is exported is damaged.
 */
export async function writeExport(out: string, input: ExportInput): Promise<void> {
  if (existsSync(out)) throw new Failure('conflict', `${out} exists already; choose another folder`);
  const { modelSnapshot, entity, timeZone, language, contract, models } = input;
  refuseNames(models);
  const partial = join(dirname(out), `.${basename(out)}.partial`);
  await rm(partial, { recursive: true, force: true });
  try {
    await mkdir(partial, { recursive: true });
    const files: Record<string, string> = {};
    const place = async (path: string, content: Uint8Array | string) => {
      await writeFile(join(partial, path), content);
      files[path] = hashOf(content);
    };
    const encoder = await copyFolder(input.encoder, partial, encoderFolder);
    Object.assign(files, encoder);
    for (const model of models) {
      const folder = folderOf(model);
      Object.assign(files, await copyFolder(model.folder, partial, folder));
      if (input.nameOf && `${folder}/${labelsFile}` in files)
        Object.assign(files, await rewriteLabels(join(partial, folder), folder, input.nameOf));
    }
    await place(contractFile, writeContract(contract));
    const described = models.map((model) => ({ ...model, encoder: ownEncoder(files, folderOf(model)) }));
    await place('README.md', describeExport({ ...input, models: described }));
    const manifest: ExportManifest = {
      format: formatVersion,
      kind,
      model_snapshot: modelSnapshot,
      entity,
      time_zone: timeZone,
      language,
      models: models.map((model) => ({
        model_id: model.modelId,
        version_id: model.versionId,
        aliases: model.aliases,
        folder: folderOf(model),
      })),
      files: Object.fromEntries(Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1))),
    };
    await writeFile(join(partial, exportFile), `${JSON.stringify(manifest, null, 2)}\n`);
    await rename(partial, out);
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

/** Reads an export and checks every file. Throws Failure 'not_found', 'invalid'. */
export async function readExport(folder: string): Promise<Export> {
  const path = join(folder, exportFile);
  if (!existsSync(path))
    throw new Failure('not_found', `${folder} is no export: it has no ${exportFile}; lastro rfm export makes one`);
  const manifest = parseManifest(readFileSync(path, 'utf8'), path);
  if (manifest.format !== formatVersion)
    throw new Failure('invalid', `${folder} has format ${manifest.format}; this program reads ${formatVersion}`);
  for (const [name, hash] of Object.entries(manifest.files)) {
    const bytes = await readFile(join(folder, name)).catch(() => null);
    if (bytes === null || hashOf(bytes) !== hash)
      throw new Failure('invalid', `${join(folder, name)} is missing or not what ${exportFile} says`);
  }
  const contract = join(folder, contractFile);
  return {
    modelSnapshot: manifest.model_snapshot,
    entity: manifest.entity,
    timeZone: manifest.time_zone,
    language: manifest.language,
    encoder: join(folder, encoderFolder),
    contract: parseContract(readFileSync(contract, 'utf8'), contract),
    models: manifest.models.map((model) => ({
      modelId: model.model_id,
      versionId: model.version_id,
      aliases: model.aliases,
      folder: join(folder, model.folder),
    })),
  };
}

/** The name of an encoder's vectors, where none was given to it: by its content. Throws Failure 'not_found'. */
export function snapshotOf(encoder: string): string {
  const path = join(encoder, manifestFile);
  if (!existsSync(path)) throw new Failure('not_found', `${encoder} is not an encoder: it has no ${manifestFile}`);
  const { files } = parseFiles(readFileSync(path, 'utf8'), path);
  return snapshotOfHashes(files['program.json'] ?? '', files['weights.bin'] ?? '');
}

/** The snapshot of the encoder that a copied version has of its own, or null. */
function ownEncoder(files: Readonly<Record<string, string>>, folder: string): string | null {
  const [program, weights] = [files[`${folder}/${encoderFile}`], files[`${folder}/${encoderWeightsFile}`]];
  return program === undefined || weights === undefined ? null : snapshotOfHashes(program, weights);
}

function folderOf({ modelId, versionId }: ExportedModel): string {
  return `models/${modelId}/${versionId}`;
}

/** Names become parts of paths and addresses. */
const namePattern = /^[A-Za-z0-9_][\w.-]*$/;

function refuseNames(models: readonly ExportedModel[]): void {
  const strange = models.flatMap((model) => [model.modelId, model.versionId]).find((name) => !namePattern.test(name));
  if (strange !== undefined)
    throw new Failure('invalid', `${strange} cannot be part of an address: letters, digits, _, - and . may be`);
  const names = models.flatMap((model) =>
    [model.versionId, ...model.aliases].map((name) => `${model.modelId}/${name}`),
  );
  const repeated = names.find((name, at) => names.indexOf(name) !== at);
  if (repeated !== undefined)
    throw new Failure('conflict', `two of the models would be asked as ${repeated}; give their folders other names`);
}

function hashOf(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Copies what a folder's manifest vouches for. Returns SHA-256 by path below `root`. */
async function copyFolder(from: string, root: string, to: string): Promise<Record<string, string>> {
  const path = join(from, manifestFile);
  if (!existsSync(path)) throw new Failure('not_found', `${from} has no ${manifestFile}`);
  const { files } = parseFiles(await readFile(path, 'utf8'), path);
  await mkdir(join(root, to), { recursive: true });
  const copied: Record<string, string> = {};
  for (const [name, hash] of Object.entries({ ...files, [manifestFile]: null })) {
    await copyFile(join(from, name), join(root, to, name)).catch((cause) => {
      throw new Failure('invalid', `${join(from, name)} is missing`, { cause });
    });
    copied[`${to}/${name}`] = hashOf(await readFile(join(root, to, name)));
    if (hash !== null && copied[`${to}/${name}`] !== hash)
      throw new Failure('invalid', `${join(from, name)} is not what the manifest says`);
  }
  return copied;
}

/** Puts names in place of numbers in the labels of a copied version, and says so in its manifest. */
async function rewriteLabels(
  folder: string,
  to: string,
  nameOf: (number: number) => string | null,
): Promise<Record<string, string>> {
  const path = join(folder, manifestFile);
  const manifest = parseFiles(await readFile(path, 'utf8'), path);
  const contract = parseContract(await readFile(join(folder, contractFile), 'utf8'), contractFile);
  const { task } = JSON.parse(await readFile(join(folder, 'program.json'), 'utf8')) as { task: { entity: string } };
  const labels = join(folder, labelsFile);
  await nameLabels(labels, labels, contract, task.entity, nameOf);
  const hash = hashOf(await readFile(labels));
  const text = `${JSON.stringify({ ...manifest, files: { ...manifest.files, [labelsFile]: hash } }, null, 2)}\n`;
  await writeFile(path, text);
  return { [`${to}/${labelsFile}`]: hash, [`${to}/${manifestFile}`]: hashOf(text) };
}

function parseFiles(text: string, path: string): { readonly files: Readonly<Record<string, string>> } {
  const parsed = parseObject(text);
  if (typeof parsed?.files !== 'object' || parsed.files === null)
    throw new Failure('invalid', `${path} is damaged; copy the folder again`);
  return parsed as { files: Record<string, string> };
}

function parseManifest(text: string, path: string): ExportManifest {
  const parsed = parseObject(text);
  if (parsed?.kind !== kind || typeof parsed.files !== 'object' || !parsed.files || !(contractFile in parsed.files))
    throw new Failure('invalid', `${path} is of something else, or damaged; make the export again`);
  return parsed as ExportManifest;
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
