// The store of dated facts that graph models are made of: a folder of sorted arrays that is never changed.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Failure } from '../../../lib/failure.ts';
import type { EntityKind } from '../../contract/contract.ts';
import { readSections, type Section, writeSections } from '../../graph/sections.ts';
import { packTexts, unpackTexts } from '../../graph/texts.ts';
import { type Identifiers, openIdentifiers, writeIdentifiers } from '../../lake/identifiers.ts';
import { hashFile } from './hash.ts';

/** Facts of a relation last from a day to another, or happen in a moment. */
export type RelationClass = 'lasting' | 'momentary';

export type StoreRelation = { readonly name: string; readonly class: RelationClass };

/**
 * Facts, in order of (subject, relation, object, from, known). Entities are their numbers less one. Times are microseconds.
 * A fact is readable at t when known ≤ t < until. Of what is readable, `to` is not missing and ≤ t only when it has ended.
 */
export type Facts = {
  readonly subject: Int32Array;
  readonly relation: Int32Array;
  readonly object: Int32Array;
  readonly from: Float64Array;
  /** Missing while it goes on. Of what is momentary, the moment. */
  readonly to: Float64Array;
  readonly weight: Float64Array;
  readonly known: Float64Array;
  /** When another version of the same fact took its place; infinite without one. */
  readonly until: Float64Array;
};

export type AttributeColumn =
  | { readonly name: string; readonly kind: 'number' | 'time'; readonly values: Float64Array }
  | {
      readonly name: string;
      readonly kind: 'text';
      readonly codes: Int32Array;
      readonly dictionary: readonly string[];
    };

/** What is told of entities: rows in order of (entity, known), of which the last one known at t holds at t. */
export type Nodes = {
  readonly entity: Int32Array;
  /** −Infinity for what nothing dates. */
  readonly known: Float64Array;
  readonly attributes: readonly AttributeColumn[];
};

export type FactStore = {
  readonly entities: Identifiers;
  /** By entity: its place in `entityKinds`. */
  readonly kinds: Uint8Array;
  readonly relations: readonly StoreRelation[];
  readonly facts: Facts;
  readonly nodes: Nodes;
  /** Whether somebody said that all of it is made up. */
  readonly isSynthetic: boolean;
  readonly sources: readonly StoreSource[];
  readonly layout: StoreLayout;
};

/** How identifiers are written: as they came; or companies by the first eight of their CNPJ, people by digits and name. */
export type StoreLayout = 'plain' | 'br-register';

export type StoreSource = { readonly name: string; readonly sha256: string; readonly rows: number };

export const entityKinds: readonly EntityKind[] = ['company', 'individual', 'asset', 'event', 'other'];

const magic = 'lastro-facts';
const formatVersion = 1;
const manifestFile = 'store.json';
const entitiesFile = 'entities.bin';
const factsFile = 'facts.bin';
const nodesFile = 'nodes.bin';
const factsKind = 'facts';
const nodesKind = 'nodes';

type Manifest = {
  readonly magic: string;
  readonly format: number;
  readonly synthetic: boolean;
  readonly layout: StoreLayout;
  readonly counts: { readonly entities: number; readonly facts: number; readonly nodes: number };
  readonly relations: readonly StoreRelation[];
  readonly sources: readonly StoreSource[];
  readonly files: Readonly<Record<string, string>>;
};

/** The files of a store's folder. */
export const storeFiles: readonly string[] = [manifestFile, entitiesFile, factsFile, nodesFile];

/**
 * Writes a store's folder, which appears whole or not at all; the same store gives the same bytes.
 * Returns the SHA-256 of its manifest, which names every other file by its own. Throws Failure 'conflict' when the folder exists.
 */
export async function writeStore(folder: string, store: FactStore): Promise<string> {
  if (existsSync(folder))
    throw new Failure('conflict', `${folder} exists already; a store is never changed, choose another folder`);
  const partial = join(dirname(folder), `.${basename(folder)}.partial`);
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true });
  const { facts, nodes, entities, kinds } = store;
  const columns = nodes.attributes.map((attribute): [string, AttributeColumn['kind'], Section[]] => {
    if (attribute.kind !== 'text') return [attribute.name, attribute.kind, [attribute.values]];
    const { bytes, ends } = packTexts(attribute.dictionary);
    return [attribute.name, attribute.kind, [attribute.codes, bytes, ends]];
  });
  const factColumns = [facts.subject, facts.relation, facts.object, facts.from, facts.to, facts.weight];
  const files = {
    [entitiesFile]: await writeIdentifiers(entities, join(partial, entitiesFile)),
    [factsFile]: await writeSections(join(partial, factsFile), factsKind, { relations: store.relations }, [
      ...[...factColumns, facts.known, facts.until],
    ]),
    [nodesFile]: await writeSections(
      join(partial, nodesFile),
      nodesKind,
      { attributes: columns.map(([name, kind]) => ({ name, kind })) },
      [kinds, nodes.entity, nodes.known, ...columns.flatMap(([, , sections]) => sections)],
    ),
  };
  const manifest: Manifest = {
    ...{ magic, format: formatVersion, synthetic: store.isSynthetic, layout: store.layout },
    counts: { entities: entities.size, facts: facts.subject.length, nodes: nodes.entity.length },
    relations: store.relations,
    sources: store.sources,
    files: Object.fromEntries(Object.entries(files).map(([name, { sha256 }]) => [name, sha256])),
  };
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  writeFileSync(join(partial, manifestFile), text);
  renameSync(partial, folder);
  return createHash('sha256').update(text).digest('hex');
}

/**
 * Opens a store's folder. Throws Failure 'not_found' without one, 'invalid' when it is damaged, of another version, or put
 * together from several.
 */
export async function openStore(folder: string): Promise<FactStore> {
  const manifest = readManifest(folder);
  const entities = await openIdentifiers(join(folder, entitiesFile));
  const facts = await readSections(join(folder, factsFile), factsKind);
  const nodes = await readSections(join(folder, nodesFile), nodesKind);
  for (const [name, sha256] of Object.entries(manifest.files)) {
    const found = await hashFile(join(folder, name));
    if (found !== sha256)
      throw new Failure('invalid', `${join(folder, name)} is not the file that was written with this store`);
  }
  // Their checksums hold, so they are as `writeStore` wrote them.
  const [subject, relation, object, from, to, weight, known, until] = facts.sections as unknown as FactSections;
  const [kinds, entity, nodeKnown, ...rest] = nodes.sections as [Uint8Array, Int32Array, Float64Array, ...Section[]];
  const { attributes } = nodes.body as { attributes: readonly Pick<AttributeColumn, 'name' | 'kind'>[] };
  return {
    entities,
    kinds,
    relations: manifest.relations,
    facts: { subject, relation, object, from, to, weight, known, until },
    nodes: {
      entity,
      known: nodeKnown,
      attributes: attributes.map(({ name, kind }) => takeAttribute(name, kind, rest)),
    },
    isSynthetic: manifest.synthetic,
    layout: manifest.layout,
    sources: manifest.sources,
  };
}

type FactSections = readonly [
  ...[Int32Array, Int32Array, Int32Array],
  ...[Float64Array, Float64Array, Float64Array, Float64Array, Float64Array],
];

function takeAttribute(name: string, kind: AttributeColumn['kind'], sections: Section[]): AttributeColumn {
  if (kind !== 'text') return { name, kind, values: sections.shift() as Float64Array };
  const [codes, bytes, ends] = sections.splice(0, 3) as [Int32Array, Uint8Array, Uint32Array];
  return { name, kind, codes, dictionary: unpackTexts({ bytes, ends }) };
}

function readManifest(folder: string): Manifest {
  const path = join(folder, manifestFile);
  if (!existsSync(path)) throw new Failure('not_found', `${folder} is no store of facts: it has no ${manifestFile}`);
  let manifest: Manifest;
  try {
    manifest = JSON.parse(readFileSync(path, 'utf8')) as Manifest;
  } catch (cause) {
    throw new Failure('invalid', `${path} is damaged: it is not JSON`, { cause });
  }
  if (manifest.magic !== magic) throw new Failure('invalid', `${path} does not describe a store of facts`);
  if (manifest.format !== formatVersion)
    throw new Failure('invalid', `${folder} has format ${manifest.format}; this program reads ${formatVersion}`);
  return manifest;
}

/** The entity of an identifier, whatever its kind where that is not given; -1 when the store does not have it. */
export function entityOf({ entities }: Pick<FactStore, 'entities'>, identifier: string, kind?: EntityKind): number {
  for (const each of kind === undefined ? entityKinds : [kind]) {
    const number = entities.numberOf(each, identifier);
    if (number !== undefined) return number - 1;
  }
  return -1;
}
