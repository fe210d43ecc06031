import { linkMoments } from '../graph/as-of/references.ts';
import { eachVersion, rowMoments } from '../graph/as-of/rows.ts';
import { changesUndated } from '../graph/as-of/values.ts';
import type { Table, Tables } from '../graph/tables.ts';

/**
 * Which entities are linked to which shareable rows (a device, an address, an account, an event of two parties), and
 * since when. Entities and nodes are numbered. Nodes of entity e start at `offsets[e]`; members of node n start at
 * `nodeOffsets[n]`, ordered by `memberSince`. Microseconds; -Infinity where the link is not dated.
 */
export type Incidence = {
  readonly offsets: Int32Array;
  readonly nodes: Int32Array;
  readonly since: Float64Array;
  readonly nodeOffsets: Int32Array;
  readonly members: Int32Array;
  readonly memberSince: Float64Array;
  /** The first node number of each table. */
  readonly bases: ReadonlyMap<string, number>;
};

type Emit = (entity: number, node: number, since: number) => unknown;

/**
 * Finds the links in the tables. A row that leads to an entity, directly or through one other table, links the entity
 * to all other rows it refers to. A row that leads to entities by two references is itself a shared node. `hidden`:
 * references (`table.column`) that must not be read.
 */
export function openIncidence(tables: Tables, entity: string, hidden: readonly string[] = []): Incidence {
  const entities = tables.get(entity)!;
  const bases = new Map<string, number>();
  let nodes = 0;
  for (const { name, rows } of tables.values()) {
    bases.set(name, nodes);
    nodes += rows;
  }
  const sources = [...tables.values()].map((table) => openSource(table, tables, entity, hidden));
  const each = (emit: Emit) => {
    for (const source of sources) source(bases, emit);
  };
  const counts = new Int32Array(nodes + 1);
  each((_, node) => {
    counts[node + 1]++;
  });
  for (let node = 0; node < nodes; node++) counts[node + 1] += counts[node];
  const next = counts.slice(0, nodes);
  const members = new Int32Array(counts[nodes]);
  const since = new Float64Array(counts[nodes]);
  each((member, node, from) => {
    members[next[node]] = member;
    since[next[node]++] = from;
  });
  return byEntity(entities.rows, bases, nodes, firstOnly(counts, members, since, entities.rows));
}

type Members = {
  readonly nodeOffsets: Int32Array;
  readonly members: Int32Array;
  readonly memberSince: Float64Array;
};

/** The members of each node ordered by date; each member once, at its first date. */
function firstOnly(counts: Int32Array, members: Int32Array, since: Float64Array, entities: number): Members {
  const nodeOffsets = new Int32Array(counts.length);
  const placeOf = new Int32Array(entities).fill(-1);
  let kept = 0;
  for (let node = 0; node + 1 < counts.length; node++) {
    const first = kept;
    for (let k = counts[node]; k < counts[node + 1]; k++) {
      const place = placeOf[members[k]];
      // Smaller places belong to earlier nodes.
      if (place >= first) since[place] = Math.min(since[place], since[k]);
      else {
        placeOf[members[k]] = kept;
        members[kept] = members[k];
        since[kept++] = since[k];
      }
    }
    if (kept - first > 1) sortByDate(members.subarray(first, kept), since.subarray(first, kept));
    nodeOffsets[node + 1] = kept;
  }
  return { nodeOffsets, members: members.slice(0, kept), memberSince: since.slice(0, kept) };
}

/** Sorts in place by date, then by entity. */
function sortByDate(members: Int32Array, since: Float64Array): void {
  const own = Array.from(members, (entity, k) => ({ entity, from: since[k] }));
  // Compared instead of subtracted: -Infinity minus -Infinity is NaN.
  own.sort((a, b) => (a.from === b.from ? a.entity - b.entity : a.from < b.from ? -1 : 1));
  for (const [k, { entity, from }] of own.entries()) {
    members[k] = entity;
    since[k] = from;
  }
}

function byEntity(
  entities: number,
  bases: ReadonlyMap<string, number>,
  nodeCount: number,
  { nodeOffsets, members, memberSince }: Members,
): Incidence {
  const offsets = new Int32Array(entities + 1);
  for (const member of members) offsets[member + 1]++;
  for (let e = 0; e < entities; e++) offsets[e + 1] += offsets[e];
  const next = offsets.slice(0, entities);
  const nodes = new Int32Array(members.length);
  const since = new Float64Array(members.length);
  for (let node = 0; node < nodeCount; node++) {
    for (let k = nodeOffsets[node]; k < nodeOffsets[node + 1]; k++) {
      nodes[next[members[k]]] = node;
      since[next[members[k]]++] = memberSince[k];
    }
  }
  return { offsets, nodes, since, nodeOffsets, members, memberSince, bases };
}

/** A path from the rows of a table to entities. `first`: its first reference ('' for the entities' own table). */
type Way = {
  readonly first: string;
  readonly each: (visit: (row: number, entity: number, since: number) => void) => void;
};

function openSource(table: Table, tables: Tables, entity: string, hidden: readonly string[]) {
  // For a reference that is changed later, it is not known since when it holds, so it is not read.
  const isHidden = (of: Table, column: string) =>
    hidden.includes(`${of.name}.${column}`) ||
    of.contract.columns.some((one) => one.name === column && changesUndated(of, one));
  const references = [...table.references].filter(([column, { values }]) => !values && !isHidden(table, column));
  const ways = waysOf(table, tables, entity, isHidden);
  const others = references
    .filter(([, { table: name }]) => name !== entity)
    .map(([column, { table: name, rows }]) => ({
      ...{ column, name, rows },
      since: linkMoments(table, column, tables.get(name)!),
    }));
  return (bases: ReadonlyMap<string, number>, emitAny: Emit): void => {
    // A link that never becomes known is left out.
    const emit: Emit = (owner, node, since) => since < Number.POSITIVE_INFINITY && emitAny(owner, node, since);
    const isShared = ways.length > 1;
    for (const { first, each } of ways) {
      each((row, owner, since) => {
        if (isShared) emit(owner, bases.get(table.name)! + row, since);
        for (const { column, name, rows, since: linked } of others) {
          const to = rows[row];
          if (column === first || to < 0) continue;
          emit(owner, bases.get(name)! + to, linked ? Math.max(since, linked[row]) : since);
        }
      });
    }
  };
}

function waysOf(
  table: Table,
  tables: Tables,
  entity: string,
  isHidden: (of: Table, column: string) => boolean,
): readonly Way[] {
  const owners = table.name === entity ? ownersOf(table) : null;
  const own: Way[] = owners
    ? [{ first: '', each: (visit) => eachRow(table, (row, since) => visit(row, owners[row], since)) }]
    : [];
  const led = [...table.references].flatMap(([first, { table: name, rows, values }]): Way[] => {
    if (values || isHidden(table, first)) return [];
    const between = tables.get(name)!;
    const linked = linkMoments(table, first, between);
    const later = (since: number, row: number, moments: Float64Array | undefined) =>
      moments ? Math.max(since, moments[row]) : since;
    if (name === entity)
      return [
        {
          first,
          each: (visit) =>
            eachRow(table, (row, since) => rows[row] >= 0 && visit(row, rows[row], later(since, row, linked))),
        },
      ];
    if (name === table.name || owners) return [];
    return [...between.references].flatMap(([column, second]): Way[] => {
      if (second.table !== entity || second.values || isHidden(between, column)) return [];
      const toEntity = linkMoments(between, column, tables.get(entity)!);
      return [
        {
          first,
          each: (visit) =>
            eachRow(table, (row, since) => {
              if (rows[row] < 0) return;
              eachVersion(between, rows[row], (version, from) => {
                if (second.rows[version] < 0) return;
                visit(row, second.rows[version], later(Math.max(later(since, row, linked), from), version, toEntity));
              });
            }),
        },
      ];
    });
  });
  return [...own, ...led];
}

/** Visits the rows that become readable at some time, with that moment. */
function eachRow(table: Table, visit: (row: number, since: number) => void): void {
  const moments = rowMoments(table);
  for (let row = 0; row < table.rows; row++) {
    const since = moments ? moments[row] : Number.NEGATIVE_INFINITY;
    if (since < Number.POSITIVE_INFINITY) visit(row, since);
  }
}

/** The entity that each row (version) belongs to. */
function ownersOf(table: Table): Int32Array {
  const owners = new Int32Array(table.rows).map((_, row) => row);
  const { versions } = table;
  if (!versions) return owners;
  for (let entity = 0; entity < table.rows; entity++) {
    for (let k = versions.offsets[entity]; k < versions.offsets[entity + 1]; k++) owners[versions.rows[k]] = entity;
  }
  return owners;
}
