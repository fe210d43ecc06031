import { join } from 'node:path';
import { assert, Failure } from '../../lib/failure.ts';
import { readManifest } from '../../lib/files/artifact.ts';
import { hashFile } from '../../lib/files/hash.ts';
import { type Contract, type EntityKind, microsecondsPerDay, type TableContract } from '../contract/contract.ts';
import { knownMoments } from '../events/signals.ts';
import type { Feature, Focus } from '../features/feature.ts';
import type { Graph, Vectors } from '../features/graph.ts';
import type { State } from '../features/state.ts';
import { type Gfm, gfmArtifact, openGfm } from '../gfm/version.ts';
import { rowAsOf, type Table, type Tables } from '../graph/tables.ts';
import type { Task } from '../tasks/task.ts';

/** How rows of a task find their place in a graph: whose row, and the column of it that has the identifier. */
export type GraphLink = {
  readonly focus: Focus;
  readonly table: string;
  readonly column: string;
  readonly kind?: EntityKind;
};

/** A graph model that a version reads, and how. It is asked of no other than this one. */
export type GraphReading = {
  /** SHA-256 of the model's manifest, which vouches for all its files. */
  readonly id: string;
  readonly modelSnapshot: string;
  readonly link: GraphLink;
};

export type OpenGraphModel = { readonly gfm: Gfm; readonly id: string };

/** A graph model to be read, and how rows lead there. */
export type LinkedGraphModel = { readonly model: OpenGraphModel; readonly link: GraphLink };

/** Opens a version of the graph model to be read by others. Throws Failure as `openGfm` does. */
export async function openGraphModel(folder: string): Promise<OpenGraphModel> {
  return { gfm: await openGfm(folder), id: graphModelId(folder) };
}

/** What is kept of a graph model to know it again: SHA-256 of its manifest. Throws Failure 'not_found', 'invalid'. */
export function graphModelId(folder: string): string {
  readManifest(gfmArtifact, folder);
  return hashFile(join(folder, gfmArtifact.manifest));
}

/** What is kept of a graph model with what reads it. */
export function readingOf({ model: { gfm, id }, link }: LinkedGraphModel): GraphReading {
  return { id, modelSnapshot: gfm.modelSnapshot, link };
}

/**
 * The graph model that `reader` reads (`the version`, `the encoder`), if it is the one given: vectors of another mean something else.
 * Throws Failure 'invalid'.
 */
export function requireModel(
  { id, modelSnapshot }: GraphReading,
  given: OpenGraphModel | undefined,
  reader: string,
): Gfm {
  if (!given)
    throw new Failure(
      'invalid',
      `${reader} reads vectors of the graph model ${modelSnapshot}: give its folder (--gfm)`,
    );
  if (given.id !== id)
    throw new Failure(
      'invalid',
      `${reader} reads vectors of the graph model ${modelSnapshot}, and was given ${given.gfm.modelSnapshot} (manifest ${given.id.slice(0, 12)}, not ${id.slice(0, 12)})`,
    );
  return given.gfm;
}

/** Rows that may lead to a graph: a task's, or those of a table that is encoded. */
export type Linked = Pick<Task, 'entity' | 'ignore'>;

export function encodedRows(table: string): Linked {
  return { entity: table, ignore: [] };
}
type Contracts = Pick<Contract, 'tables'>;

/**
 * How the rows a task asks about lead to a graph: by a column marked `graphKey` of their own table, or of one that they refer to (of new
 * rows the latter alone); of several the first, or `given` (`table.column`). Throws Failure 'invalid' where there is none.
 */
export function findLink(of: Linked, contract: Contracts, fresh: boolean, given?: string): GraphLink {
  const link = linkOf(of, contract, fresh, given);
  if (link) return link;
  throw new Failure(
    'invalid',
    given === undefined
      ? `nothing links ${of.entity} to a graph: mark the column of its identifiers graphKey in the contract, or name it with --gfm-key table.column`
      : `${given} is no column that ${of.entity} can be linked by: it must be of ${
          tablesNear(of, contract, fresh)
            .map(({ table }) => table.name)
            .join(', ') || 'a table it refers to'
        }`,
  );
}

/** As `findLink`, null where there is none. */
export function linkOf(of: Linked, contract: Contracts, fresh: boolean, given?: string): GraphLink | null {
  const links = tablesNear(of, contract, fresh)
    .filter(({ table }) => !of.ignore.includes(table.name))
    .flatMap(({ focus, table }) =>
      table.columns
        .filter(({ name, graphKey }) => (given === undefined ? graphKey === true : given === `${table.name}.${name}`))
        .map(({ name }) => ({
          ...{ focus, table: table.name, column: name },
          ...(table.entityKind !== undefined && { kind: table.entityKind }),
        })),
    );
  return links[0] ?? null;
}

/** The tables that may hold the identifier of a row: its own, unless the row is new, and those that it refers to. */
function tablesNear(of: Linked, contract: Contracts, fresh: boolean): { focus: Focus; table: TableContract }[] {
  const entity = contract.tables.find(({ name }) => name === of.entity);
  assert(entity, `table ${of.entity}`);
  const root: Focus = { kind: 'root' };
  return [
    ...(fresh ? [] : [{ focus: root, table: entity }]),
    ...entity.references.flatMap(({ column, table: name }) => {
      const table = contract.tables.find((other) => other.name === name);
      return table ? [{ focus: { kind: 'parent', of: root, reference: column } as const, table }] : [];
    }),
  ];
}

/**
 * How rows of an encoded table lead to the graph that a task's rows lead to by `link`: by the same column where it is theirs or of what they
 * refer to, else by the first that is marked; null where there is none.
 */
export function encoderLinkOf(of: Linked, contract: Contracts, link: GraphLink): GraphLink | null {
  return linkOf(of, contract, false, `${link.table}.${link.column}`) ?? linkOf(of, contract, false);
}

/** How many rows of the table that a link leads by have an identifier that the graph knows. */
export function countKnown(tables: Tables, gfm: Gfm, { table: of, column, kind }: GraphLink): number {
  const table = tables.get(of);
  assert(table, `table ${of}`);
  const identifierAt = openIdentifierReader(table, column);
  let known = 0;
  for (let row = 0; row < table.rows; row++) {
    const identifier = identifierAt(row);
    if (identifier !== null && gfm.find(identifier, kind) >= 0) known++;
  }
  return known;
}

/** Numbers of a vector that a model reads: its prefixes are the best linear ones of their length. */
const readColumns = 64;

/**
 * The graph with vectors of the entities that rows are linked to, of about 1 a number: as of the end of the last day that was over by the
 * limit, so that all that is asked on a day shares what is computed for it (a moment of its own costs a row up to 50 ms).
 */
export function withVectors(graph: Graph, gfm: Gfm, link: GraphLink): Graph {
  const scale = Math.sqrt(readColumns);
  const read: ReadVectors = (entities, t, take) => {
    for (const [place, vector] of gfm.embedAll(entities, t).entries())
      if (vector)
        take(
          place,
          vector.subarray(0, readColumns).map((value) => value * scale),
        );
  };
  return { ...graph, vectors: openVectors(gfm, link, lastDayBy, read) };
}

/**
 * The same for an encoder: directions of prefixes, as of the end of the last month that was over by the limit. An encoder learns from moments
 * drawn anywhere in its history, of which few share a day; whatever asks it later reads the graph so too.
 */
export function withMonthlyVectors(graph: Graph, gfm: Gfm, link: GraphLink): Graph {
  const months = new Map<number, Map<number, Float32Array | null>>();
  let kept = 0;
  /** Those of a month that are kept, the entities' among them. */
  const vectorsOf = (entities: readonly number[], t: number): ReadonlyMap<number, Float32Array | null> => {
    const month = months.get(t) ?? new Map<number, Float32Array | null>();
    const unread = [...new Set(entities)].filter((entity) => !month.has(entity));
    if (kept + unread.length > vectorsKept) {
      months.clear();
      kept = month.size;
    }
    months.set(t, month);
    kept += unread.length;
    const prefixes = gfm.embedPrefixes(Int32Array.from(unread), t, readColumns);
    for (const [k, entity] of unread.entries())
      month.set(entity, directionOf(prefixes.slice(k * readColumns, (k + 1) * readColumns)));
    return month;
  };
  const read: ReadVectors = (entities, t, take) => {
    const vectors = vectorsOf(entities, t);
    for (const [place, entity] of entities.entries()) {
      const vector = vectors.get(entity);
      if (vector) take(place, vector);
    }
  };
  return { ...graph, vectors: openVectors(gfm, link, lastMonthBy, read) };
}

/** What a pre-training reads, and some; 256 bytes each. */
const vectorsKept = 60_000;

/** A prefix made about 1 a number; null of zeros, which stand for nothing known. */
function directionOf(prefix: Float32Array): Float32Array | null {
  const squares = prefix.reduce((sum, value) => sum + value * value, 0);
  const scale = Math.sqrt(readColumns / squares);
  return squares === 0 ? null : prefix.map((value) => value * scale);
}

/** Features that are the numbers of vectors, in order. */
export function vectorFeatures({ focus, columns }: Vectors): Feature[] {
  return Array.from({ length: columns }, (_, place) => ({ focus, read: { kind: 'embedding', of: 'graph', place } }));
}

export function readsVector({ read }: Feature): boolean {
  return read.kind === 'embedding' && read.of === 'graph';
}

/** Hands over the vectors of those of the entities that were known at t, with their places. */
type ReadVectors = (
  entities: readonly number[],
  t: number,
  take: (place: number, vector: Float32Array) => void,
) => void;

function openVectors(gfm: Gfm, link: GraphLink, momentBy: (limit: number) => number, read: ReadVectors): Vectors {
  const entityOf = openFinder(gfm, link);
  return {
    focus: link.focus,
    columns: readColumns,
    encode(state) {
      const encoded = new Float32Array(state.rows.length * readColumns).fill(Number.NaN);
      const entities = entityOf(state);
      const known = Array.from(entities.keys()).filter((i) => entities[i]! >= 0);
      // Nothing is known of a graph but as of one moment after the other.
      for (const [moment, rows] of Map.groupBy(known, (i) => momentBy(state.limit[i]!))) {
        read(
          rows.map((i) => entities[i]!),
          moment,
          (place, vector) => encoded.set(vector, rows[place]! * readColumns),
        );
      }
      return encoded;
    },
  };
}

/** The last microsecond of the last day that was over by a moment, itself included. */
function lastDayBy(moment: number): number {
  return Math.floor((moment + 1) / microsecondsPerDay) * microsecondsPerDay - 1;
}

/** The last microsecond of the last month (UTC) that was over by a moment, itself included. */
function lastMonthBy(moment: number): number {
  const next = new Date(Math.floor((moment + 1) / 1000));
  return Date.UTC(next.getUTCFullYear(), next.getUTCMonth(), 1) * 1000 - 1;
}

/** Finds the entities of a state's rows by what their column held at the limit; -1 where the graph has none. */
function openFinder(gfm: Gfm, { column: name, table: of, kind }: GraphLink): (state: State) => Int32Array {
  const found = new Map<string, number>();
  const find = (identifier: string): number => {
    let entity = found.get(identifier);
    if (entity === undefined) found.set(identifier, (entity = gfm.find(identifier, kind)));
    return entity;
  };
  return ({ table, fresh, rows, limit }) => {
    assert(table?.name === of && !fresh, `vectors are of rows of ${of} that are in the tables`);
    const known = knownMoments(table, name);
    const identifierAt = openIdentifierReader(table, name);
    return rows.map((given, i) => {
      const row = rowAsOf(table, given, limit[i]!);
      if (row < 0 || (known && !(known[row]! <= limit[i]!))) return -1;
      const identifier = identifierAt(row);
      return identifier === null ? -1 : find(identifier);
    });
  };
}

/** Reads the identifiers of a column's rows, null where there is none: as they are written, also where the table keeps their numbers. */
function openIdentifierReader({ columns, numbers }: Table, name: string): (row: number) => string | null {
  const column = columns.get(name);
  if (!column) return () => null;
  if (column.kind === 'text') return (row) => (column.codes[row]! < 0 ? null : column.dictionary[column.codes[row]!]!);
  const nameOf = numbers?.columns.has(name) ? (numbers.nameOf ?? (() => null)) : String;
  return (row) => (Number.isNaN(column.values[row]!) ? null : nameOf(column.values[row]!));
}
