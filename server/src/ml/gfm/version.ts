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

/** A version of the graph model, open. It reads nothing but its own folder. */
export type Gfm = GfmIdentity & {
  /**
   * The entity of an identifier, -1 when the graph does not have it. Without a kind the first that has it. Where the
   * graph is a company register, a CNPJ is its company.
   */
  find(identifier: string, kind?: EntityKind): number;
  /** A person of a register that hides part of each CPF; null where nobody has both the digits shown and the name. */
  findPerson(cpf: string, name: string): PersonMatch | null;
  readonly graph: FactGraph;
  /** Everybody's prefixes as of the end of the last period that ended by t; null where none did. */
  periodBefore(t: number): Promise<Period | null>;
} & FittedEncoder &
  Embedder;

export type GfmIdentity = {
  /** What its makers call it: `demo-1`, `2.6`. */
  readonly name: string;
  /** What every vector of it is marked with: the name and the day of its newest fact. */
  readonly modelSnapshot: string;
  /** RFC 3339. */
  readonly generatedAt: string;
  /**
   * Nothing known later was learned from, microseconds; facts known later may be in the graph and are read as of later
   * moments.
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
  /** First to last; their files are in periods/, named by the day. */
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
  /** Milliseconds since 1970. All else in the folder is the same for the same store and options. */
  readonly generatedAt: number;
  /**
   * How many quarters, the last one ending with the newest fact, everybody is embedded at the end of; none by default.
   */
  readonly periods?: number;
};

const namePattern = /^[a-z0-9][a-z0-9._-]{0,62}$/;

/**
 * Writes a version's folder: manifest.json, encoder.json, axes.bin, the store it was trained on in store/, and a file
 * per period in periods/. It appears whole or not at all. Throws Failure 'conflict' when the folder exists, 'invalid'
 * for a name with other than a-z 0-9 . _ -.
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

/** Throws Failure 'invalid' for a name that no version may have. */
export function requireName(name: string): void {
  if (!namePattern.test(name))
    throw new Failure(
      'invalid',
      `a version is named with up to 63 of a-z, 0-9, dot, dash and underscore, like demo-1; not ${name}`,
    );
}

/**
 * Opens a version's folder. Throws Failure 'not_found' without one, 'invalid' when a file is not the one its manifest
 * names.
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

/** What a folder says it is, without opening the graph. Throws as `openGfm`. */
export function readGfmIdentity(folder: string): GfmIdentity {
  const { name, model_snapshot, generated_at, until_us, synthetic } = readManifest(gfmArtifact, folder);
  return { name, modelSnapshot: model_snapshot, generatedAt: generated_at, until: until_us, isSynthetic: synthetic };
}

/** The files of a version's folder, by their paths in it. Throws as `openGfm`. */
export function gfmFiles(folder: string): string[] {
  return [gfmArtifact.manifest, ...Object.keys(readManifest(gfmArtifact, folder).files)].sort();
}

export function isGfmFolder(folder: string): boolean {
  const path = join(folder, gfmArtifact.manifest);
  return existsSync(path) && readFileSync(path, 'utf8').includes(`"${magic}"`);
}
