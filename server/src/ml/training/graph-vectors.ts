import { join } from 'node:path';
import { assert, Failure } from '../../lib/failure.ts';
import type { Column } from '../../lib/files/column.ts';
import type { Contract, EntityKind } from '../contract/contract.ts';
import { knownMoments } from '../events/signals.ts';
import type { Focus } from '../features/feature.ts';
import type { Graph, Vectors } from '../features/graph.ts';
import type { State } from '../features/state.ts';
import { hashFile } from '../gfm/facts/hash.ts';
import { type Gfm, openGfm } from '../gfm/version.ts';
import { rowAsOf } from '../graph/tables.ts';
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

/** Opens a version of the graph model to be read by others. Throws Failure as `openGfm` does. */
export async function openGraphModel(folder: string): Promise<OpenGraphModel> {
  const gfm = await openGfm(folder);
  return { gfm, id: await hashFile(join(folder, 'manifest.json')) };
}

/**
 * How the rows a task asks about lead to a graph: by a column marked `graphKey` of their own table, or of one that they refer to (of new
 * rows the latter alone); of several the first, or `given` (`table.column`). Throws Failure 'invalid' where there is none.
 */
export function findLink(task: Task, contract: Contract, fresh: boolean, given?: string): GraphLink {
  const entity = contract.tables.find(({ name }) => name === task.entity);
  assert(entity, `table ${task.entity}`);
  const root: Focus = { kind: 'root' };
  const near = [
    ...(fresh ? [] : [{ focus: root, table: entity }]),
    ...entity.references.flatMap(({ column, table: name }) => {
      const table = contract.tables.find((other) => other.name === name);
      return table ? [{ focus: { kind: 'parent', of: root, reference: column } as const, table }] : [];
    }),
  ];
  const links = near
    .filter(({ table }) => !task.ignore.includes(table.name))
    .flatMap(({ focus, table }) =>
      table.columns
        .filter(({ name, graphKey }) => (given === undefined ? graphKey === true : given === `${table.name}.${name}`))
        .map(({ name }) => ({
          ...{ focus, table: table.name, column: name },
          ...(table.entityKind !== undefined && { kind: table.entityKind }),
        })),
    );
  if (links[0]) return links[0];
  throw new Failure(
    'invalid',
    given === undefined
      ? `nothing links ${task.entity} to a graph: mark the column of its identifiers graphKey in the contract, or name it with --gfm-key table.column`
      : `${given} is no column that ${task.entity} can be linked by: it must be of ${near.map(({ table }) => table.name).join(', ') || 'a table it refers to'}`,
  );
}

/** Numbers of a vector that a model reads: its prefixes are the best linear ones of their length. */
const readColumns = 64;

/** The graph with vectors of the entities that rows are linked to, of about 1 a number. */
export function withVectors(graph: Graph, gfm: Gfm, link: GraphLink): Graph {
  const entityOf = openFinder(gfm, link);
  const scale = Math.sqrt(readColumns);
  const vectors: Vectors = {
    focus: link.focus,
    columns: readColumns,
    encode(state) {
      const encoded = new Float32Array(state.rows.length * readColumns).fill(Number.NaN);
      const entities = entityOf(state);
      const known = Array.from(entities.keys()).filter((i) => entities[i]! >= 0);
      // Nothing is known of a graph but as of one moment after the other.
      for (const [limit, rows] of Map.groupBy(known, (i) => state.limit[i]!)) {
        const found = gfm.embedAll(
          rows.map((i) => entities[i]!),
          limit,
        );
        for (const [k, i] of rows.entries()) {
          const vector = found[k];
          if (vector)
            encoded.set(
              vector.subarray(0, readColumns).map((value) => value * scale),
              i * readColumns,
            );
        }
      }
      return encoded;
    },
  };
  return { ...graph, vectors };
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
    const column = table.columns.get(name);
    const known = knownMoments(table, name);
    return rows.map((given, i) => {
      const row = rowAsOf(table, given, limit[i]!);
      if (!column || row < 0 || (known && !(known[row]! <= limit[i]!))) return -1;
      const identifier = textAt(column, row);
      return identifier === null ? -1 : find(identifier);
    });
  };
}

function textAt(column: Column, row: number): string | null {
  if (column.kind === 'text') return column.codes[row]! < 0 ? null : column.dictionary[column.codes[row]!]!;
  return Number.isNaN(column.values[row]!) ? null : String(column.values[row]);
}
