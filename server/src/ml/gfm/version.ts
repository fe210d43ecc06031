import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
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
} from '../../lib/files/artifact.ts';
import { readSections, writeSections } from '../../lib/files/sections.ts';
import type { EntityKind } from '../contract/contract.ts';
import { type Embedder, openEmbedder } from './embed.ts';
import type { Encoder } from './encoder.ts';
import { entityOf, type FactStore, openStore, storeFiles } from './facts/store.ts';
import type { FittedEncoder } from './fit.ts';
import { type FactGraph, openFactGraph } from './graph.ts';
import { bytesKeptForEverybody } from './moment.ts';
import { type Period, periodEnds, readPeriod, writePeriod } from './periods.ts';
import { openPersonMatcher, type PersonMatch } from './register/match.ts';
import { companyRootOf } from './register/names.ts';

/** An open version of the graph model. It reads only its own folder. */
export type Gfm = GfmIdentity & {
  /**
   * The entity with an identifier, or -1. Without a kind, the first kind that has it. In a company register a CNPJ
   * stands for its company.
   */
  find(identifier: string, kind?: EntityKind): number;
  /**
   * Finds a person in a register that hides part of each CPF; null where no person has both the visible digits and the
   * name.
   */
  findPerson(cpf: string, name: string): PersonMatch | null;
  readonly graph: FactGraph;
  /** The prefixes of all entities as of the end of the last period that ended by t; null if there is none. */
  periodBefore(t: number): Promise<Period | null>;
} & FittedEncoder &
  Embedder;

export type GfmIdentity = {
  /** The name its makers gave it: `demo-1`, `2.6`. */
  readonly name: string;
  /** The mark of all its vectors: the name and the date of its newest fact. */
  readonly modelSnapshot: string;
  /** RFC 3339. */
  readonly generatedAt: string;
  /**
   * The encoder was fitted on nothing known later, microseconds. The graph may contain later facts, which are read as
   * of later moments.
   */
  readonly until: number;
  readonly isSynthetic: boolean;
};

const magic = 'lastro-gfm';
const encoderFile = 'encoder.json';
const axesFile = 'axes.bin';
const axesKind = 'gfm axes';
const storeFolder = 'store';
const periodsFolder = 'periods';

type GfmManifest = Manifest & {
  readonly magic: string;
  readonly name: string;
  readonly model_snapshot: string;
  readonly generated_at: string;
  readonly until_us: number;
  readonly synthetic: boolean;
  readonly counts: Readonly<Record<string, number>>;
  /** Ascending; their files are in periods/, named by date. */
  readonly period_ends_us: readonly number[];
};

export const gfmArtifact: ArtifactKind<GfmManifest> = {
  manifest: 'manifest.json',
  format: 3,
  isOwn: (manifest): manifest is GfmManifest => 'magic' in manifest && manifest.magic === magic,
  says: {
    exists: 'exists already; a version is never changed, choose another folder',
    absent: 'is no version of the graph model: it has no manifest.json',
    unreadable: 'is damaged: it is not JSON',
    foreign: 'does not describe a version of the graph model',
    changed: 'is not the file that was written with this version',
  },
};

export type SaveGfmOptions = {
  readonly name: string;
  readonly until: number;
  /** Milliseconds since 1970. Everything else in the folder depends on the store and the other options only. */
  readonly generatedAt: number;
  /**
   * For how many quarters prefixes of all entities are stored; the last one ends with the newest fact. None by default.
   */
  readonly periods?: number;
};

const namePattern = /^[a-z0-9][a-z0-9._-]{0,62}$/;

/**
 * Writes a version folder: manifest.json, encoder.json, axes.bin, the store it was fitted on in store/, and one file
 * per period in periods/. The folder is written completely or not at all. Throws Failure 'conflict' when the folder
 * exists, 'invalid' for a name with characters other than a-z 0-9 . _ -.
 */
export async function saveGfm(
  folder: string,
  store: string,
  fitted: FittedEncoder,
  { name, until, generatedAt, periods = 0 }: SaveGfmOptions,
  progress: (phase: string, done: number, of: number) => void = () => {},
): Promise<void> {
  const { encoder, rotations } = fitted;
  requireName(name);
  requireNew(gfmArtifact, folder);
  const opened = await openStore(store);
  const { profileAxes, placeAxes, ...plain } = encoder;
  const distinct = [...new Set(rotations)];
  const rotationOf = rotations.map((rotation) => distinct.indexOf(rotation));
  let newest = Number.NEGATIVE_INFINITY;
  for (const known of opened.facts.known) newest = Math.max(newest, known);
  const ends = periodEnds(opened, periods);
  await writeArtifact(gfmArtifact, folder, async (partial) => {
    for (const each of [storeFolder, periodsFolder]) mkdirSync(join(partial, each));
    writeFileSync(join(partial, encoderFile), `${JSON.stringify(plain)}\n`);
    await writeSections(join(partial, axesFile), axesKind, { rotationOf }, [profileAxes, placeAxes, ...distinct]);
    for (const file of storeFiles) copyFileSync(join(store, file), join(partial, storeFolder, file));
    const graph = openFactGraph(opened);
    const embedder = openEmbedder(graph, fitted, { momentsMax: 1, bytesKept: bytesKeptForEverybody });
    for (const end of ends)
      await writePeriod(join(partial, periodFile(end)), graph, embedder, end, (done, of) =>
        progress(`embedding everybody as of ${dayOf(end)}`, done, of),
      );
    const names = [encoderFile, axesFile, ...storeFiles.map((file) => `${storeFolder}/${file}`)];
    return {
      ...{ magic, format: gfmArtifact.format, name },
      model_snapshot: `${name}@${dayOf(newest)}`,
      generated_at: new Date(generatedAt).toISOString(),
      until_us: until,
      synthetic: opened.isSynthetic,
      counts: { entities: opened.entities.size, facts: opened.facts.subject.length },
      period_ends_us: ends,
      files: hashFiles(partial, [...names, ...ends.map(periodFile)]),
    };
  });
}

function periodFile(end: number): string {
  return `${periodsFolder}/${dayOf(end)}.bin`;
}

function dayOf(us: number): string {
  return new Date(us / 1000).toISOString().slice(0, 10);
}

/** Throws Failure 'invalid' for an invalid version name. */
export function requireName(name: string): void {
  if (!namePattern.test(name))
    throw new Failure(
      'invalid',
      `a version is named with up to 63 of a-z, 0-9, dot, dash and underscore, like demo-1; not ${name}`,
    );
}

/**
 * Opens a version folder. Throws Failure 'not_found' where there is none, 'invalid' when a file does not match the
 * manifest.
 */
export async function openGfm(folder: string): Promise<Gfm> {
  const manifest = openArtifact(gfmArtifact, folder);
  const { body, sections } = await readSections(join(folder, axesFile), axesKind);
  const [profileAxes, placeAxes, ...distinct] = sections as [Float64Array, Float64Array, ...Float32Array[]];
  const rotations = (body as { rotationOf: number[] }).rotationOf.map((place) => distinct[place]);
  const plain = JSON.parse(readFileSync(join(folder, encoderFile), 'utf8')) as Omit<
    Encoder,
    'profileAxes' | 'placeAxes'
  >;
  const encoder: Encoder = { ...plain, profileAxes, placeAxes };
  const graph = openFactGraph(await openStore(join(folder, storeFolder)));
  return {
    name: manifest.name,
    modelSnapshot: manifest.model_snapshot,
    generatedAt: manifest.generated_at,
    until: manifest.until_us,
    isSynthetic: manifest.synthetic,
    find: (identifier, kind) => findEntity(graph.store, identifier, kind),
    findPerson: graph.store.layout === 'br-register' ? openPersonMatcher(graph.store) : () => null,
    async periodBefore(t) {
      const end = manifest.period_ends_us.findLast((each) => each <= t);
      return end === undefined ? null : await readPeriod(join(folder, periodFile(end)));
    },
    ...{ graph, encoder, rotations },
    ...openEmbedder(graph, { encoder, rotations }),
  };
}

function findEntity(store: FactStore, identifier: string, kind?: EntityKind): number {
  const found = entityOf(store, identifier, kind);
  const root = store.layout === 'br-register' && found < 0 ? companyRootOf(identifier) : null;
  return root === null || (kind !== undefined && kind !== 'company') ? found : entityOf(store, root, 'company');
}

/** Reads a version's identity without opening the graph. Throws Failure as `openGfm` does. */
export function readGfmIdentity(folder: string): GfmIdentity {
  const { name, model_snapshot, generated_at, until_us, synthetic } = readManifest(gfmArtifact, folder);
  return { name, modelSnapshot: model_snapshot, generatedAt: generated_at, until: until_us, isSynthetic: synthetic };
}

/** The paths of the files in a version folder. Throws Failure as `openGfm` does. */
export function gfmFiles(folder: string): string[] {
  return [gfmArtifact.manifest, ...Object.keys(readManifest(gfmArtifact, folder).files)].sort();
}

export function isGfmFolder(folder: string): boolean {
  const path = join(folder, gfmArtifact.manifest);
  return existsSync(path) && readFileSync(path, 'utf8').includes(`"${magic}"`);
}
