import { readFileSync } from 'node:fs';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
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
import { parseStoredContract } from '../contract/parse.ts';
import { writeContract } from '../contract/write.ts';
import { gfmArtifact } from '../gfm/version.ts';
import { type GraphReading, graphModelId } from '../gfm-link/reading.ts';
import { rfmArtifact } from '../rfm/folder.ts';
import { snapshotOfHashes } from '../version/given-vectors.ts';
import { heldOutFile } from '../version/held-out.ts';
import { nameLabels } from '../version/named-labels.ts';
import { encoderFile, encoderWeightsFile, labelsFile, versionArtifact } from '../version/version.ts';
import { describeExport } from './readme.ts';

/** The description of an encoder's export. */
export type ExportAbout = {
  /** Names the encoder: its vectors are comparable only with vectors of the same snapshot. */
  readonly modelSnapshot: string;
  readonly entity: string;
  /** The time zone in which days end, and the language of explanations. */
  readonly timeZone: string;
  readonly language: 'en' | 'pt-BR';
};

/** A task's model in an export, addressed as `<modelId>/<alias>` or `<modelId>/<versionId>`. */
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
  /**
   * The contract for the customer's own files. It has everything that the encoder and the models read, and may have
   * more.
   */
  readonly contract: Contract;
  readonly models: readonly ExportedModel[];
  /** The folder of the graph model that the encoder or models read, if any. It has no customer data. */
  readonly graphModel?: string;
  /**
   * Returns the name behind a number of the dictionary, where models identify entities by number; null for an erased
   * one.
   */
  readonly nameOf?: (number: number) => string | null;
};

/** An export whose files have been checked. Folders are full paths. */
export type Export = ExportAbout & {
  readonly encoder: string;
  readonly contract: Contract;
  readonly models: readonly ExportedModel[];
  /** The folder of the graph model that the encoder or models read, if any. */
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
 * Writes an export: everything a customer needs to compute embeddings and predictions on their own machines, except
 * their tables. It has the encoder (in our format and as ONNX), models, the contract for their files, instructions, and
 * export.json with the SHA-256 of each file. Its models identify entities by name. The folder is written completely or
 * not at all; the same input gives the same bytes. Throws Failure 'conflict' when the folder exists or two models have
 * one name; 'not_found'; 'invalid' when something exported is damaged or reads another graph model than the given one.
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
      const isRewritten = input.nameOf !== undefined && copied.includes(`${folder}/${labelsFile}`);
      if (isRewritten) await rewriteLabels(join(partial, folder), input.nameOf!);
      names.push(...copied.filter((path) => !isRewritten || path !== `${folder}/${heldOutFile}`));
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
 * The graph model that the copied encoders and models read; null if they read none. Throws Failure 'invalid' if they
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

/** Copies the graph model. Returns the paths of its files below `root`. */
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
    contract: parseStoredContract(readFileSync(contract, 'utf8'), contract),
    models: manifest.models.map((model) => ({
      modelId: model.model_id,
      versionId: model.version_id,
      aliases: model.aliases,
      folder: join(folder, model.folder),
    })),
  };
}

/** The default snapshot name of an encoder, by its content. Throws Failure 'not_found', 'invalid'. */
export function snapshotOf(encoder: string): string {
  const { files } = readManifest(rfmArtifact, encoder);
  return snapshotOfHashes(files[programFile] ?? '', files['weights.bin'] ?? '');
}

/** The snapshot of a version's own encoder, or null. */
function ownEncoder(version: string): string | null {
  const { files } = readManifest(versionArtifact, version);
  const [program, weights] = [files[encoderFile], files[encoderWeightsFile]];
  return program === undefined || weights === undefined ? null : snapshotOfHashes(program, weights);
}

function folderOf({ modelId, versionId }: ExportedModel): string {
  return `models/${modelId}/${versionId}`;
}

/** Names must be usable in paths and addresses. */
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

/** Copies an artifact to a folder below `root`. Returns the paths of its files below `root`. */
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

/**
 * Replaces numbers by names in the labels of a copied version, and updates its manifest. Labels of erased entities are
 * dropped, so that the held-out predictions, which are told by the places of labels, go too.
 */
async function rewriteLabels(folder: string, nameOf: (number: number) => string | null): Promise<void> {
  const manifest = readManifest(versionArtifact, folder);
  const contract = parseStoredContract(await readFile(join(folder, contractFile), 'utf8'), contractFile);
  const { task } = JSON.parse(await readFile(join(folder, programFile), 'utf8')) as { task: { entity: string } };
  const labels = join(folder, labelsFile);
  await nameLabels(labels, labels, contract, task.entity, nameOf);
  const { [heldOutFile]: _, ...kept } = manifest.files;
  await rm(join(folder, heldOutFile), { force: true });
  const files = { ...kept, ...hashFiles(folder, [labelsFile]) };
  writeManifest(versionArtifact, folder, { ...manifest, files });
}
