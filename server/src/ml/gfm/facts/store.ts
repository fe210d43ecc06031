// The store of dated facts that graph models are built from: a folder of sorted arrays that is never changed.
import { join } from 'node:path';
import {
  type ArtifactKind,
  checkFiles,
  type Manifest,
  readManifest,
  writeArtifact,
} from '../../../lib/files/artifact.ts';
import { readSections, type Section, writeSections } from '../../../lib/files/sections.ts';
import { packTexts, unpackTexts } from '../../../lib/files/texts.ts';
import type { EntityKind } from '../../contract/contract.ts';
import { type Identifiers, openIdentifiers, writeIdentifiers } from '../../lake/identifiers.ts';

/** Facts of a relation either last from one day to another, or happen at one moment. */
export type RelationClass = 'lasting' | 'momentary';

export type StoreRelation = { readonly name: string; readonly class: RelationClass };

/**
 * Facts, ordered by (subject, relation, object, from, known). Entities are their dictionary numbers minus one. Times
 * are microseconds. A fact is readable at t when known ≤ t < until. A readable fact has ended at t only if its `to` is
 * not missing and ≤ t.
 */
export type Facts = {
  readonly subject: Int32Array;
  readonly relation: Int32Array;
  readonly object: Int32Array;
  readonly from: Float64Array;
  /** Missing while the fact goes on. Of a momentary fact, its moment. */
  readonly to: Float64Array;
  readonly weight: Float64Array;
  readonly known: Float64Array;
  /** When another version of the fact replaced it; infinite without one. */
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

/** Attributes of entities: rows ordered by (entity, known). The last row known at t is valid at t. */
export type Nodes = {
  readonly entity: Int32Array;
  /** −Infinity for undated rows. */
  readonly known: Float64Array;
  readonly attributes: readonly AttributeColumn[];
};

export type FactStore = {
  readonly entities: Identifiers;
  /** By entity: its index in `entityKinds`. */
  readonly kinds: Uint8Array;
  readonly relations: readonly StoreRelation[];
  readonly facts: Facts;
  readonly nodes: Nodes;
  /** Whether all of it is marked as synthetic. */
  readonly isSynthetic: boolean;
  readonly sources: readonly StoreSource[];
  readonly layout: StoreLayout;
};

/**
 * How identifiers are written. 'plain': as they came. 'br-register': companies by the first eight characters of their
 * CNPJ, people by visible digits and name.
 */
export type StoreLayout = 'plain' | 'br-register';

export type StoreSource = { readonly name: string; readonly sha256: string; readonly rows: number };

export const entityKinds: readonly EntityKind[] = ['company', 'individual', 'asset', 'event', 'other'];

const magic = 'lastro-facts';
const entitiesFile = 'entities.bin';
const factsFile = 'facts.bin';
const nodesFile = 'nodes.bin';
const factsKind = 'facts';
const nodesKind = 'nodes';

type StoreManifest = Manifest & {
  readonly magic: string;
  readonly synthetic: boolean;
  readonly layout: StoreLayout;
  readonly counts: { readonly entities: number; readonly facts: number; readonly nodes: number };
  readonly relations: readonly StoreRelation[];
  readonly sources: readonly StoreSource[];
};

const storeArtifact: ArtifactKind<StoreManifest> = {
  manifest: 'store.json',
  format: 1,
  isOwn: (manifest): manifest is StoreManifest => 'magic' in manifest && manifest.magic === magic,
  says: {
    exists: 'exists already; a store is never changed, choose another folder',
    absent: 'is no store of facts: it has no store.json',
    unreadable: 'is damaged: it is not JSON',
    foreign: 'does not describe a store of facts',
    changed: 'is not the file that was written with this store',
  },
};

/** The files of a store's folder. */
export const storeFiles: readonly string[] = [storeArtifact.manifest, entitiesFile, factsFile, nodesFile];

/**
 * Writes a store folder, completely or not at all; the same store gives the same bytes. Returns the SHA-256 of its
 * manifest, which has the SHA-256 of every other file. Throws Failure 'conflict' when the folder exists.
 */
export async function writeStore(folder: string, store: FactStore): Promise<string> {
  const { facts, nodes, entities, kinds } = store;
  const columns = nodes.attributes.map((attribute): [string, AttributeColumn['kind'], Section[]] => {
    if (attribute.kind !== 'text') return [attribute.name, attribute.kind, [attribute.values]];
    const { bytes, ends } = packTexts(attribute.dictionary);
    return [attribute.name, attribute.kind, [attribute.codes, bytes, ends]];
  });
  const factColumns = [facts.subject, facts.relation, facts.object, facts.from, facts.to, facts.weight];
  return await writeArtifact(storeArtifact, folder, async (partial) => {
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
    return {
      ...{ magic, format: storeArtifact.format, synthetic: store.isSynthetic, layout: store.layout },
      counts: { entities: entities.size, facts: facts.subject.length, nodes: nodes.entity.length },
      relations: store.relations,
      sources: store.sources,
      files: Object.fromEntries(Object.entries(files).map(([name, { sha256 }]) => [name, sha256])),
    };
  });
}

/**
 * Opens a store folder. Throws Failure 'not_found' where there is none, 'invalid' when it is damaged, has another
 * format version, or has files of several stores.
 */
export async function openStore(folder: string): Promise<FactStore> {
  const manifest = readManifest(storeArtifact, folder);
  const entities = await openIdentifiers(join(folder, entitiesFile));
  const facts = await readSections(join(folder, factsFile), factsKind);
  const nodes = await readSections(join(folder, nodesFile), nodesKind);
  // Each file has been checked for damage on its own; a mismatch now means that it belongs to another store.
  checkFiles(storeArtifact, folder, manifest);
  // The checksums match, so the sections are those `writeStore` wrote.
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

/** The entity with an identifier, of any kind if none is given; -1 when the store does not have it. */
export function entityOf({ entities }: Pick<FactStore, 'entities'>, identifier: string, kind?: EntityKind): number {
  for (const each of kind === undefined ? entityKinds : [kind]) {
    const number = entities.numberOf(each, identifier);
    if (number !== undefined) return number - 1;
  }
  return -1;
}
