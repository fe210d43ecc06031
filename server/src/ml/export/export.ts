import { readFileSync } from 'node:fs';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
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
import { gfmArtifact } from '../gfm/version.ts';
import { type GraphReading, graphModelId } from '../gfm-link/reading.ts';
import { rfmArtifact } from '../rfm/folder.ts';
import { snapshotOfHashes } from '../version/given-vectors.ts';
import { nameLabels } from '../version/named-labels.ts';
import { encoderFile, encoderWeightsFile, labelsFile, versionArtifact } from '../version/version.ts';
import { describeExport } from './readme.ts';

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
  /**
   * The folder of the version of the graph model that encoder or models read, where they read one: it holds nothing of
   * any customer.
   */
  readonly graphModel?: string;
  /** Whose name a number of the dictionary is, where models know entities by numbers; null for an erased one. */
  readonly nameOf?: (number: number) => string | null;
};

/** An export, its files checked. Folders are whole paths. */
export type Export = ExportAbout & {
  readonly encoder: string;
  readonly contract: Contract;
  readonly models: readonly ExportedModel[];
  /** The folder of the graph model that they read, where they do. */
  readonly graphModel?: string;
};

const kind = 'rfm-export';
const contractFile = 'contract.yaml';
const readmeFile = 'README.md';
const encoderFolder = 'rfm';
const graphModelFolder = 'gfm';
const programFile = 'program.json';
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
 * Writes a folder with all that a customer needs to embed and score at home but their tables: the encoder as we run it
 * and as ONNX, models, the contract that their files are read by, how to run it, and export.json with the SHA-256 of
 * each file. Models in it know entities by name. It appears whole or not at all; the same input gives the same bytes.
 * Throws Failure 'conflict' when the folder exists or two models have one name, 'not_found', 'invalid' when what is
 * exported is damaged, or reads a graph model that is not the one given.
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
    const reads = await graphReading(partial, names);
    if (reads) names.push(...(await copyGraphModel(reads, input.graphModel, partial)));
    await writeFile(join(partial, contractFile), writeContract(contract));
    const described = {
      ...input,
      models: models.map((model) => ({
        ...model,
        task: readManifest(versionArtifact, model.folder).task,
        encoder: ownEncoder(model.folder),
      })),
      graphModel: reads?.modelSnapshot ?? null,
    };
    await writeFile(join(partial, readmeFile), describeExport(described));
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

/**
 * The graph model that copied encoders and models read; null where they read none. Throws Failure 'invalid' where they
 * read several.
 */
async function graphReading(root: string, paths: readonly string[]): Promise<GraphReading | null> {
  const programs = paths.filter((path) => [programFile, encoderFile].includes(basename(path)));
  const readings: GraphReading[] = [];
  for (const path of programs) {
    const { graphModel } = JSON.parse(await readFile(join(root, path), 'utf8')) as { graphModel?: GraphReading };
    if (graphModel) readings.push(graphModel);
  }
  const [first] = readings;
  const other = readings.find(({ id }) => id !== first!.id);
  if (other)
    throw new Failure(
      'invalid',
      `${first!.modelSnapshot} and ${other.modelSnapshot} are read, and an export holds one graph model: leave out those that read the other`,
    );
  return first ?? null;
}

/** Copies the version of the graph model that is read. Returns the paths below `root` of its files. */
async function copyGraphModel(
  { id, modelSnapshot }: GraphReading,
  from: string | undefined,
  root: string,
): Promise<string[]> {
  if (from === undefined)
    throw new Failure(
      'invalid',
      `vectors of the graph model ${modelSnapshot} are read, and it has to go with them: give its folder (--gfm)`,
    );
  if (graphModelId(from) !== id)
    throw new Failure('invalid', `vectors of the graph model ${modelSnapshot} are read, and ${from} is another`);
  return await copyArtifact(gfmArtifact, from, root, graphModelFolder);
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
    ...(`${graphModelFolder}/${gfmArtifact.manifest}` in manifest.files && {
      graphModel: join(folder, graphModelFolder),
    }),
    contract: parseContract(readFileSync(contract, 'utf8'), contract),
    models: manifest.models.map((model) => ({
      modelId: model.model_id,
      versionId: model.version_id,
      aliases: model.aliases,
      folder: join(folder, model.folder),
    })),
  };
}

/**
 * The name of an encoder's vectors, where none was given to it: by its content. Throws Failure 'not_found', 'invalid'.
 */
export function snapshotOf(encoder: string): string {
  const { files } = readManifest(rfmArtifact, encoder);
  return snapshotOfHashes(files[programFile] ?? '', files['weights.bin'] ?? '');
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
  for (const name of names) {
    const path = join(root, to, name);
    await mkdir(dirname(path), { recursive: true });
    await copyFile(join(from, name), path);
  }
  return names.map((name) => `${to}/${name}`);
}

/** Puts names in place of numbers in the labels of a copied version, and says so in its manifest. */
async function rewriteLabels(folder: string, nameOf: (number: number) => string | null): Promise<void> {
  const manifest = readManifest(versionArtifact, folder);
  const contract = parseContract(await readFile(join(folder, contractFile), 'utf8'), contractFile);
  const { task } = JSON.parse(await readFile(join(folder, programFile), 'utf8')) as { task: { entity: string } };
  const labels = join(folder, labelsFile);
  await nameLabels(labels, labels, contract, task.entity, nameOf);
  const files = { ...manifest.files, ...hashFiles(folder, [labelsFile]) };
  writeManifest(versionArtifact, folder, { ...manifest, files });
}
