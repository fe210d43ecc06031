import { changesUndated } from '../../graph/as-of/values.ts';
import { pairOf } from '../../graph/pairs.ts';
import type { Table } from '../../graph/tables.ts';
import type { Task } from '../../tasks/task.ts';
import { allTable, labelsTable } from '../feature.ts';
import type { Graph } from '../graph.ts';
import { labelReference, neighborPairs, valuePairs } from '../paths.ts';

/**
 * The graph that features are proposed from: `graph` without the references that the task hides, and those that change
 * undated. Where such a reference led at an earlier moment is not known, so following it would read later data.
 * References of labels that exist only because of one are left out too.
 */
export function withOpenReferences(graph: Graph, { entity, hide }: Pick<Task, 'entity' | 'hide'>): Graph {
  const tables = new Map([...graph.tables].map(([name, table]) => [name, openOf(table, hide)]));
  const open: Graph = { ...graph, tables, table: (name) => tables.get(name) ?? graph.table(name) };
  const labels = tables.get(labelsTable);
  if (labels) {
    const visible = [...tables.values()].filter((table) => !table.values);
    const own = open.table(entity);
    const pairs = [...neighborPairs(open, visible, own), ...valuePairs(open, own)];
    const kept = new Set(['entity', allTable, ...pairs.map(({ events, to }) => labelReference(events, to))]);
    tables.set(labelsTable, { ...labels, references: only(labels, (name) => kept.has(name)) });
  }
  return open;
}

function openOf(table: Table, hide: readonly string[]): Table {
  const closed = new Set(
    table.contract.columns
      .filter((column) => changesUndated(table, column) || hide.includes(`${table.name}.${column.name}`))
      .map(({ name }) => name),
  );
  const isOpen = (name: string) => !(pairOf(name) ?? [name]).some((link) => closed.has(link));
  return [...table.references.keys()].every(isOpen) ? table : { ...table, references: only(table, isOpen) };
}

function only({ references }: Table, isKept: (name: string) => boolean): Table['references'] {
  return new Map([...references].filter(([name]) => isKept(name)));
}
