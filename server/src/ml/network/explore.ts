import { documentSpellings } from '../../lib/brazil-documents.ts';
import { Failure } from '../../lib/failure.ts';
import { openReference } from '../graph/as-of/references.ts';
import { isReadable, isThere, linkedSince, rowAsOf } from '../graph/as-of/rows.ts';
import { changesUndated } from '../graph/as-of/values.ts';
import { hasPersonalKey, keyTextOf } from '../graph/key-text.ts';
import type { Table, Tables } from '../graph/tables.ts';
import { findAround, findPath, type Tie } from './around.ts';
import { type Incidence, openIncidence } from './incidence.ts';

/** An entity as it is told: a row of a table, by its key; null where that is erased or personal. */
export type ToldEntity = { readonly table: string; readonly key: string | null };
/** `row`: tells those without a key apart, the same in every answer from the same tables. */
type ToldNode = ToldEntity & { readonly id: number; readonly row: number };

/** `at` everywhere: the last moment that is readable, microseconds. */
export type Explorer = {
  /**
   * Finds entities of a table, or of every table that entities have, whose key begins with a text, in order of their
   * rows. Of a table whose keys are personal only the entity with just this key is found. Throws Failure 'not_found'.
   */
  search(asked: SearchedEntities): FoundEntities;
  /** Throws Failure 'not_found' where an entity was not known by then. */
  require(asked: AskedEntity): void;
  /** Returns what refers to an entity, and whom it refers to. Throws Failure 'not_found' where it was not known. */
  describe(asked: AskedEntity): DescribedEntity;
  /** Returns who is tied to an entity. Throws Failure 'not_found'. */
  around(asked: AskedEntity & { readonly hops: number }): ToldNetwork;
  /** Returns how two entities of a table are tied. Throws Failure 'not_found'. */
  path(asked: AskedEntity & { readonly to: string; readonly hops: number }): ToldPath;
};

export type AskedEntity = { readonly table: string; readonly key: string; readonly at: number };
export type SearchedEntities = {
  readonly table?: string;
  readonly prefix: string;
  readonly most: number;
  readonly at: number;
};

export type FoundEntities = {
  readonly data: readonly (ToldEntity & { readonly key: string })[];
  readonly has_more: boolean;
  /** Whether all rows were looked at, or as many as were found. */
  readonly is_complete: boolean;
};

export type DescribedEntity = {
  readonly table: string;
  readonly key: string;
  readonly entity_kind: string | null;
  /** The day since which it is known; null where that has no date. */
  readonly since: string | null;
  /** The days of the first and the last row that refers to it. */
  readonly first: string | null;
  readonly last: string | null;
  readonly tables: readonly ReferringRows[];
  /** Where the references of its own row lead; those that lead nowhere yet are left out. */
  readonly references: readonly OwnReference[];
};

export type ReferringRows = {
  readonly table: string;
  readonly reference: string;
  readonly rows: number;
  readonly first: string | null;
  readonly last: string | null;
};

/** `row`: of the table that the reference leads to. */
export type OwnReference = ToldEntity & { readonly reference: string; readonly row: number };

export type ToldNetwork = {
  readonly nodes: readonly (ToldNode & { readonly hops: number })[];
  readonly edges: readonly ToldTie[];
  readonly left_out: { readonly nodes: number; readonly edges: number };
};

/** `from` and `to`: ids of nodes. */
export type ToldTie = {
  readonly from: number;
  readonly to: number;
  readonly relation: string;
  readonly count: number;
  readonly since: string | null;
};

export type ToldPath = {
  readonly is_found: boolean;
  readonly is_complete: boolean;
  readonly nodes: readonly ToldNode[];
  readonly edges: readonly ToldTie[];
};

/** Most rows whose keys one search looks at. */
export const searchedRowsMax = 1_000_000;
/** The links of so many tables are kept: finding them reads all rows. */
const incidencesKept = 2;

/** Opens tables to be looked at as a network of entities. */
export function openExplorer(tables: Tables): Explorer {
  const incidences = new Map<string, Incidence>();
  const incidenceOf = (table: string): Incidence => {
    const known = incidences.get(table);
    if (known) return known;
    const opened = openIncidence(tables, table);
    incidences.set(table, opened);
    if (incidences.size > incidencesKept) incidences.delete(incidences.keys().next().value!);
    return opened;
  };
  // Whoever asks knows the keys of those that are `asked` about.
  const tell = (table: Table, entities: readonly number[], asked: readonly number[]) => {
    const ids = new Map(entities.map((entity, id) => [entity, id]));
    const isHidden = hasPersonalKey(table);
    return {
      nodes: entities.map((entity, id) => ({
        ...{ id, table: table.name, row: entity },
        key: isHidden && !asked.includes(entity) ? null : keyTextOf(table, entity),
      })),
      edgeOf: ({ one, other, relation, count, since }: Tie): ToldTie => ({
        ...{ from: ids.get(one)!, to: ids.get(other)!, relation, count, since: dayOf(since) },
      }),
    };
  };
  return {
    search: (asked) => search(tables, asked),
    require: (asked) => void requireEntity(tables, asked),
    describe: (asked) => describe(tables, asked),
    around({ hops, at, ...asked }) {
      const { table, row } = requireEntity(tables, { ...asked, at });
      const found = findAround(incidenceOf(table.name), row, hops, at);
      const entities = found.entities.map(({ entity }) => entity);
      const { nodes, edgeOf } = tell(table, entities, [row]);
      return {
        nodes: nodes.map((node, i) => ({ ...node, hops: found.entities[i].hops })),
        edges: found.ties.map(edgeOf),
        left_out: { nodes: found.entitiesLeftOut, edges: found.tiesLeftOut },
      };
    },
    path({ to, hops, at, ...asked }) {
      const { table, row } = requireEntity(tables, { ...asked, at });
      const { row: end } = requireEntity(tables, { table: asked.table, key: to, at });
      const { ties, isWhole } = findPath(incidenceOf(table.name), row, end, hops, at);
      const { nodes, edgeOf } = tell(table, [row, ...(ties ?? []).map(({ other }) => other)], [row, end]);
      return { is_found: ties !== null, is_complete: isWhole, nodes, edges: (ties ?? []).map(edgeOf) };
    },
  };
}

function search(tables: Tables, { table: name, prefix, most, at }: SearchedEntities): FoundEntities {
  const searched = name === undefined ? entityTables(tables) : [requireTable(tables, name)];
  const data: { table: string; key: string }[] = [];
  let left = searchedRowsMax;
  const spellings = documentSpellings(prefix);
  for (const table of searched) {
    const exact = new Set(spellings.map((one) => rowOfKey(table, one)).filter((row) => isThere(table, row, at)));
    for (const row of exact) data.push({ table: table.name, key: keyTextOf(table, row) ?? prefix });
    if (hasPersonalKey(table)) continue;
    for (let row = 0; row < table.rows && data.length <= most && left > 0; row++, left--) {
      if (exact.has(row)) continue;
      const key = keyTextOf(table, row);
      // Only the row that its key leads to stands for an entity.
      const isMeant = key !== null && spellings.some((one) => key.startsWith(one));
      if (isMeant && rowOfKey(table, key) === row && isThere(table, row, at)) data.push({ table: table.name, key });
    }
  }
  return { data: data.slice(0, most), has_more: data.length > most, is_complete: left > 0 || data.length > most };
}

/** The tables of entities: those that have a kind, or that others refer to. */
function entityTables(tables: Tables): Table[] {
  const referred = new Set(
    [...tables.values()].flatMap(({ contract }) => contract.references.map(({ table }) => table)),
  );
  return [...tables.values()].filter(
    ({ name, contract }) => contract.key.length === 1 && (contract.entityKind !== undefined || referred.has(name)),
  );
}

function describe(tables: Tables, asked: AskedEntity): DescribedEntity {
  const { table, row } = requireEntity(tables, asked);
  const found = [...tables.values()].flatMap((from) =>
    [...from.references]
      .filter(([, { table: to, values }]) => to === table.name && !values)
      .map(([reference]) => countReferring(from, reference, table, row, asked.at)),
  );
  const { low, high } = found.reduce(spanOf, noSpan);
  return {
    ...{ table: table.name, key: asked.key, entity_kind: table.contract.entityKind ?? null },
    since: dayOf(linkedSince(table, row)),
    ...{ first: dayOf(low), last: dayOf(high) },
    tables: found.map(({ name, reference, rows, low, high }) => ({
      ...{ table: name, reference, rows, first: dayOf(low), last: dayOf(high) },
    })),
    references: referencesOf(tables, table, row, asked.at),
  };
}

/**
 * Follows the references of an entity's row as of a moment. Of one that is changed later it is not known since when it
 * holds, so it is not told.
 */
function referencesOf(tables: Tables, table: Table, entity: number, at: number): OwnReference[] {
  const version = rowAsOf(table, entity, at);
  if (version < 0) return [];
  return [...table.references].flatMap(([reference, { table: name, values }]): OwnReference[] => {
    const isUndated = table.contract.columns.some(
      (column) => column.name === reference && changesUndated(table, column),
    );
    if (values || isUndated) return [];
    const to = tables.get(name)!;
    const row = openReference(table, reference, to)(version, at);
    if (row < 0) return [];
    return [{ reference, table: name, row, key: hasPersonalKey(to) ? null : keyTextOf(to, row) }];
  });
}

type Span = { readonly low: number; readonly high: number };
const noSpan: Span = { low: Number.POSITIVE_INFINITY, high: Number.NEGATIVE_INFINITY };

function spanOf(one: Span, other: Span): Span {
  return { low: Math.min(one.low, other.low), high: Math.max(one.high, other.high) };
}

/** Counts the rows that refer to an entity as of a moment, each in the version that was readable then. */
function countReferring(from: Table, reference: string, table: Table, entity: number, at: number) {
  const { rows: to } = from.references.get(reference)!;
  const follow = openReference(from, reference, table);
  let rows = 0;
  let span = noSpan;
  // Versions are rows too. Few lead to the entity, so that this asks first.
  for (let row = 0; row < from.rows; row++) {
    if (to[row] !== entity || !isReadable(from, row, at) || follow(row, at) !== entity) continue;
    rows++;
    const moment = from.time ? from.time[row] : Number.NaN;
    if (!Number.isNaN(moment)) span = spanOf(span, { low: moment, high: moment });
  }
  return { name: from.name, reference, rows, ...span };
}

function requireEntity(tables: Tables, { table: name, key, at }: AskedEntity): { table: Table; row: number } {
  const table = requireTable(tables, name);
  const row = rowOfKey(table, key);
  if (isThere(table, row, at)) return { table, row };
  const because = { code: 'no_entity', table: name, key };
  throw new Failure('not_found', `no ${name} has the key ${key} by then`, { reason: 'not_found', because });
}

/** Throws Failure 'not_found' for a name of no table, or of one whose rows have no key of one column. */
function requireTable(tables: Tables, name: string): Table {
  const table = tables.get(name);
  if (table && table.contract.key.length === 1) return table;
  const all = [...tables.values()].filter(({ contract }) => contract.key.length === 1).map((one) => one.name);
  const known = all.slice(0, tablesTold);
  const because = { code: table ? 'no_key_of_one_column' : 'no_entity_table', name, tables: known };
  throw new Failure(
    'not_found',
    table
      ? `${name} has no key of one column, by which its rows could be named`
      : `there is no table ${name}; there are ${known.join(', ')}`,
    { reason: 'not_found', because },
  );
}

const tablesTold = 50;

/** The row of a key; -1 where none has it. */
function rowOfKey(table: Table, key: string): number {
  const [name] = table.contract.key;
  const isNumber = table.columns.get(name)!.kind !== 'text' && !table.numbers?.columns.has(name);
  // As a number is told, and no other text that reads as one.
  if (isNumber && String(Number(key)) !== key) return -1;
  return table.rowOf.get(isNumber ? Number(key) : key) ?? -1;
}

function dayOf(moment: number): string | null {
  return Number.isFinite(moment) ? new Date(moment / 1000).toISOString().slice(0, 10) : null;
}
