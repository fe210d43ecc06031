import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../lib/failure.ts';
import { type ArtifactKind, hashFiles, type Manifest, openArtifact, writeArtifact } from '../../lib/files/artifact.ts';
import type { Column } from '../../lib/files/column.ts';
import { readSections, writeSections } from '../../lib/files/sections.ts';
import { packTexts, unpackTexts } from '../../lib/files/texts.ts';
import type { Calibrator } from '../calibration/calibrate.ts';
import type { Cohort } from '../calibration/cohort.ts';
import type { Interval } from '../calibration/interval.ts';
import type { Contract } from '../contract/contract.ts';
import { parseStoredContract } from '../contract/parse.ts';
import { writeContract } from '../contract/write.ts';
import type { History, ReasonsForm } from '../explain/lineage.ts';
import type { Feature } from '../features/feature.ts';
import type { GraphReading } from '../gfm-link/reading.ts';
import { resolveKeys } from '../graph/keys.ts';
import type { Tables } from '../graph/tables.ts';
import type { Head, Model } from '../heads/head.ts';
import type { MarginLink } from '../heads/output.ts';
import type { LinearModel } from '../linear/linear.ts';
import { packRfm, type Rfm, unpackRfm } from '../rfm/folder.ts';
import type { Objective } from '../statistics/objective.ts';
import { type Examples, entityTable } from '../tasks/examples.ts';
import type { Task } from '../tasks/task.ts';
import { decodeForest, encodeForest } from '../trees/codec.ts';
import { snapshotOfHashes, vectorFields } from './given-vectors.ts';
import { type HeldOut, heldOutFile, writeHeldOut } from './held-out.ts';
import { alsoNamed, otherNamesOf } from './other-names.ts';
import { programFile } from './report-file.ts';
import type { Field } from './schema.ts';

/** A trained model as stored: immutable, and complete except for the tables it reads. */
export type Version = {
  readonly task: Task;
  readonly contract: Contract;
  /** Whether it predicts for new rows (given whole) rather than for entities (given by key). */
  readonly fresh: boolean;
  readonly features: readonly Feature[];
  /** The newest anchor with a label that was learned from, microseconds. Versions of earlier releases do not say it. */
  readonly newestLabel?: number;
  /** The form of its reasons. Versions of earlier releases do not say it. */
  readonly reasons?: ReasonsForm;
  /** Of the tables that it learned from. Versions of earlier releases do not say it. */
  readonly history?: History;
  /** Training median of each feature, NaN where it is mostly missing. */
  readonly usual: Float32Array;
  /** Present where features read embeddings. */
  readonly encoder?: Rfm;
  /** The snapshot name of the encoder. */
  readonly encoderSnapshot?: string;
  /** Present where features or the encoder read vectors of a graph model. Only this graph model may be used. */
  readonly graphModel?: GraphReading;
  readonly outputs: readonly VersionOutput[];
  readonly inputFields: readonly Field[];
  readonly outputFields: readonly Field[];
};

export type VersionOutput = {
  readonly name: string;
  readonly objective: Objective;
  readonly head: Head;
  readonly calibrator: Calibrator | null;
  /** Quantiles of the out-of-fold predictions; deciles and ranges come from them. */
  readonly cohort: Cohort;
  readonly interval: Interval | null;
  readonly range: readonly [number, number];
  readonly link?: MarginLink;
};

type VersionManifest = Manifest & { readonly task: string };

const contractFile = 'contract.yaml';

export const versionArtifact: ArtifactKind<VersionManifest> = {
  manifest: 'manifest.json',
  format: 3,
  isOwn: (manifest): manifest is VersionManifest =>
    !('kind' in manifest) && programFile in manifest.files && contractFile in manifest.files,
  says: {
    exists: 'exists already; a version is never changed, choose another folder',
    absent: 'is not a version folder: it has no manifest.json',
    unreadable: 'is damaged; copy the version folder again',
    foreign: 'is damaged, or of something else than a version: name what fit wrote, or copy its folder again',
    changed: 'is missing or not what the manifest says',
  },
};

export const labelsFile = 'labels.bin';
export const labelsKind = 'labels';
export const encoderFile = 'encoder.json';
export const encoderWeightsFile = 'encoder.bin';

type Program = Omit<Version, 'contract' | 'encoder' | 'encoderSnapshot' | 'outputs' | 'usual'> & {
  readonly usual: readonly (number | null)[];
  readonly outputs: readonly (Omit<VersionOutput, 'head'> & {
    readonly models: readonly ({ trees: string } | { linear: LinearModel })[];
    /** The objective, in the format of older versions. */
    readonly aim?: Objective;
  })[];
};

/**
 * Writes a version folder: contract.yaml, program.json, one .forest file per tree model, labels.bin, held-out.bin, the
 * given documents, and a manifest with the SHA-256 of each. The folder is written completely or not at all. The same
 * version gives the same bytes. `heldOut`: what models that had not learned from some of the labels predicted of them,
 * per output; places are those of `labels`. Throws Failure 'conflict' when the folder exists.
 */
export async function saveVersion(
  folder: string,
  version: Version,
  labels: Examples | null,
  tables: Tables,
  documents: Readonly<Record<string, string>>,
  heldOut: readonly HeldOut[] = [],
): Promise<void> {
  await writeArtifact(versionArtifact, folder, async (partial) => {
    const files = filesOf(version, documents);
    for (const [name, content] of Object.entries(files)) writeFileSync(join(partial, name), content);
    const names = Object.keys(files);
    if (labels && labels.rows.length > 0) {
      const kept = keptLabels(labels);
      await writeLabels(join(partial, labelsFile), version.task, labels, kept, tables);
      names.push(labelsFile);
      if (heldOut.length > 0) {
        await writeHeldOut(
          partial,
          heldOut.map((one) => amongKept(one, kept)),
        );
        names.push(heldOutFile);
      }
    }
    return { format: versionArtifact.format, task: version.task.name, files: hashFiles(partial, names.sort()) };
  });
}

/** The contents of all files except the labels, by file name. */
function filesOf(version: Version, documents: Readonly<Record<string, string>>): Record<string, Uint8Array | string> {
  const files: Record<string, Uint8Array | string> = { [contractFile]: writeContract(version.contract), ...documents };
  const outputs = version.outputs.map(({ head, ...rest }) => ({
    ...rest,
    models: head.map((model, m) => {
      if (model.kind === 'linear') return { linear: model.linear };
      const name = `${rest.name}-${m}.forest`;
      files[name] = encodeForest(model.forest);
      return { trees: name };
    }),
  }));
  const { contract: _, encoder, encoderSnapshot: __, ...kept } = version;
  if (encoder) {
    const packed = packRfm(encoder);
    files[encoderFile] = packed.program;
    files[encoderWeightsFile] = packed.weights;
  }
  const program: Program = {
    ...kept,
    usual: Array.from(version.usual, (value) => (Number.isNaN(value) ? null : value)),
    outputs,
  };
  files[programFile] = `${JSON.stringify(program)}\n`;
  return files;
}

/** Reads a version folder and checks every file against the manifest. Throws Failure 'not_found', 'invalid'. */
export function readVersion(folder: string): Version {
  const { files } = openArtifact(versionArtifact, folder);
  const program = JSON.parse(readFileSync(join(folder, programFile), 'utf8')) as Program;
  const contractPath = join(folder, contractFile);
  const snapshot =
    encoderFile in files ? snapshotOfHashes(String(files[encoderFile]), String(files[encoderWeightsFile])) : null;
  const contract = parseStoredContract(readFileSync(contractPath, 'utf8'), contractPath);
  const inputs = alsoNamed(program.inputFields, otherNamesOf(contract.tables));
  return {
    ...program,
    contract,
    inputFields: inputs,
    usual: Float32Array.from(program.usual, (value) => value ?? Number.NaN),
    ...(snapshot !== null && {
      encoder: unpackRfm(
        readFileSync(join(folder, encoderFile), 'utf8'),
        readFileSync(join(folder, encoderWeightsFile)),
      ),
      encoderSnapshot: snapshot,
      inputFields: [...inputs, ...vectorFields(snapshot)],
    }),
    outputs: program.outputs.map(({ models, aim, ...rest }) => ({
      ...rest,
      objective: aim ?? rest.objective,
      head: models.map(
        (model): Model =>
          'linear' in model
            ? { kind: 'linear', linear: model.linear }
            : { kind: 'trees', forest: decodeForest(readFileSync(join(folder, model.trees))) },
      ),
    })),
  };
}

/** The places of the labels that are kept: of entities in the tables, and with an end of their window. */
function keptLabels({ rows, labels, closes }: Examples): number[] {
  return Array.from(rows.keys()).filter((i) => rows[i] >= 0 && Number.isFinite(closes[i]) && !Number.isNaN(labels[i]));
}

/** Predictions by the places that their labels have among those that are kept. */
function amongKept({ places, values }: HeldOut, kept: readonly number[]): HeldOut {
  const placeOf = new Map(kept.map((label, place) => [label, place]));
  const width = values.length / places.length;
  const found = Array.from(places.keys()).filter((k) => placeOf.has(places[k]));
  return {
    places: Int32Array.from(found, (k) => placeOf.get(places[k])!),
    values: Float64Array.from(found.flatMap((k) => [...values.subarray(k * width, (k + 1) * width)])),
  };
}

/**
 * Header of the labels file. Its sections: keys (numbers, or codes of texts), at, closes, label; for texts also their
 * bytes and ends.
 */
export type LabelsBody = {
  readonly key: Column['kind'];
  /** Whether the keys are numbers of the dictionary instead of names. */
  readonly isNumbered: boolean;
};

async function writeLabels(
  path: string,
  task: Task,
  labels: Examples,
  kept: readonly number[],
  tables: Tables,
): Promise<void> {
  const table = entityTable(task, tables);
  const column = table.columns.get(table.contract.key[0])!;
  const numbers = (values: Float64Array) => Float64Array.from(kept, (i) => values[i]);
  const rest = [numbers(labels.at), numbers(labels.closes), numbers(labels.labels)];
  const rows = kept.map((i) => labels.rows[i]);
  if (column.kind !== 'text') {
    const isNumbered = table.numbers?.columns.has(table.contract.key[0]) ?? false;
    const body: LabelsBody = { key: column.kind, isNumbered };
    await writeSections(path, labelsKind, body, [Float64Array.from(rows, (row) => column.values[row]), ...rest]);
    return;
  }
  // Stores only the keys that have labels, in order of first use.
  const codeOf = new Map<number, number>();
  const codes = Int32Array.from(rows, (row) => {
    const code = codeOf.get(column.codes[row]) ?? codeOf.size;
    codeOf.set(column.codes[row], code);
    return code;
  });
  const { bytes, ends } = packTexts(Array.from(codeOf.keys(), (code) => column.dictionary[code]));
  const body: LabelsBody = { key: 'text', isNumbered: false };
  await writeSections(path, labelsKind, body, [codes, ...rest, bytes, ends]);
}

/**
 * Reads the labels stored with a version, with the rows that their entities have in `tables`. Throws Failure 'invalid'
 * when the file is damaged, or when it identifies entities by number and the tables by name.
 */
export async function readLabels(folder: string, version: Version, tables: Tables): Promise<Examples> {
  const path = join(folder, labelsFile);
  if (!existsSync(path))
    return {
      rows: new Int32Array(0),
      at: new Float64Array(0),
      labels: new Float64Array(0),
      closes: new Float64Array(0),
    };
  const { rowOf, numbers } = entityTable(version.task, tables);
  const { body, sections } = await readSections(path, labelsKind);
  const { key, isNumbered } = body as LabelsBody;
  if (isNumbered && numbers === undefined)
    throw new Failure(
      'invalid',
      `the version knows ${version.task.entity} by numbers of a dictionary, and these tables hold names: they cannot be asked together`,
    );
  const [keys, at, closes, labels] = sections as [never, Float64Array, Float64Array, Float64Array];
  const column: Column =
    key === 'text'
      ? {
          kind: 'text',
          codes: keys,
          dictionary: unpackTexts({ bytes: sections[4] as Uint8Array, ends: sections[5] as Uint32Array }),
        }
      : { kind: key, values: keys };
  return { rows: resolveKeys(column, at.length, isNumbered ? (numbers?.rowOf ?? rowOf) : rowOf), at, closes, labels };
}
