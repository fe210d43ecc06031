import { readFileSync } from 'node:fs';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '../../lib/failure.ts';
import {
  type ArtifactKind,
  hashFiles,
  type Manifest,
  openArtifact,
  readManifest,
  requireNew,
  writeArtifact,
  writeManifest,
} from '../../lib/files/artifact.ts';
import type { Contract } from '../contract/contract.ts';
import { parseContract } from '../contract/parse.ts';
import { writeContract } from '../contract/write.ts';
import { nameLabels } from '../inference/named-labels.ts';
import { encoderFile, encoderWeightsFile, labelsFile, versionArtifact } from '../inference/version.ts';
import { describeExport } from './export-readme.ts';
import { rfmArtifact } from './folder.ts';
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

const kind = 'rfm-export';
const contractFile = 'contract.yaml';
const readmeFile = 'README.md';
const encoderFolder = 'rfm';
const damaged = 'is of something else, or damaged; make the export again';

type ExportManifest = Manifest & {
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
};

const exportArtifact: ArtifactKind<ExportManifest> = {
  manifest: 'export.json',
  format: 1,
  isOwn: (manifest): manifest is ExportManifest =>
    'kind' in manifest && manifest.kind === kind && contractFile in manifest.files,
  says: {
    exists: 'exists already; choose another folder',
    absent: 'is no export: it has no export.json; lastro rfm export makes one',
    unreadable: damaged,
    foreign: damaged,
    changed: 'is missing or not what export.json says',
  },
};

/**
 * Writes a folder with all that a customer needs to embed and score at home but their tables: the encoder as we run it and as ONNX,
 * models, the contract that their files are read by, how to run it, and export.json with the SHA-256 of each file. Models in it know entities by
 * name. It appears whole or not at all; the same input gives the same bytes.
 * Throws Failure 'conflict' when the folder exists or two models have one name, 'not_found', 'invalid' when what is exported is damaged.
 */
export async function writeExport(out: string, input: ExportInput): Promise<void> {
  const { modelSnapshot, entity, timeZone, language, contract, models } = input;
  requireNew(exportArtifact, out);
  refuseNames(models);
  await writeArtifact(exportArtifact, out, async (partial) => {
    const names = [
      contractFile,
      readmeFile,
      ...(await copyArtifact(rfmArtifact, input.encoder, partial, encoderFolder)),
    ];
    for (const model of models) {
      const folder = folderOf(model);
      const copied = await copyArtifact(versionArtifact, model.folder, partial, folder);
      if (input.nameOf && copied.includes(`${folder}/${labelsFile}`))
        await rewriteLabels(join(partial, folder), input.nameOf);
      names.push(...copied);
    }
    await writeFile(join(partial, contractFile), writeContract(contract));
    const described = models.map((model) => ({ ...model, encoder: ownEncoder(model.folder) }));
    await writeFile(join(partial, readmeFile), describeExport({ ...input, models: described }));
    return {
      format: exportArtifact.format,
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
      files: hashFiles(partial, names.sort()),
    };
  });
}

/** Reads an export and checks every file. Throws Failure 'not_found', 'invalid'. */
export function readExport(folder: string): Export {
  const manifest = openArtifact(exportArtifact, folder);
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

/** The name of an encoder's vectors, where none was given to it: by its content. Throws Failure 'not_found', 'invalid'. */
export function snapshotOf(encoder: string): string {
  const { files } = readManifest(rfmArtifact, encoder);
  return snapshotOfHashes(files['program.json'] ?? '', files['weights.bin'] ?? '');
}

/** The snapshot of the encoder that a version has of its own, or null. */
function ownEncoder(version: string): string | null {
  const { files } = readManifest(versionArtifact, version);
  const [program, weights] = [files[encoderFile], files[encoderWeightsFile]];
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

/** Copies an artifact to below `root`. Returns the paths there of its files. */
async function copyArtifact<M extends Manifest>(
  kind: ArtifactKind<M>,
  from: string,
  root: string,
  to: string,
): Promise<string[]> {
  const names = [...Object.keys(openArtifact(kind, from).files), kind.manifest];
  await mkdir(join(root, to), { recursive: true });
  for (const name of names) await copyFile(join(from, name), join(root, to, name));
  return names.map((name) => `${to}/${name}`);
}

/** Puts names in place of numbers in the labels of a copied version, and says so in its manifest. */
async function rewriteLabels(folder: string, nameOf: (number: number) => string | null): Promise<void> {
  const manifest = readManifest(versionArtifact, folder);
  const contract = parseContract(await readFile(join(folder, contractFile), 'utf8'), contractFile);
  const { task } = JSON.parse(await readFile(join(folder, 'program.json'), 'utf8')) as { task: { entity: string } };
  const labels = join(folder, labelsFile);
  await nameLabels(labels, labels, contract, task.entity, nameOf);
  const files = { ...manifest.files, ...hashFiles(folder, [labelsFile]) };
  writeManifest(versionArtifact, folder, { ...manifest, files });
}
