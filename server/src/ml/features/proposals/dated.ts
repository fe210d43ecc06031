import { changesUndated } from '../../graph/as-of/values.ts';
import type { Table } from '../../graph/tables.ts';
import { allTable, labelsTable } from '../feature.ts';
import type { Graph } from '../graph.ts';
import { labelReference, neighborPairs, valuePairs } from '../paths.ts';

/**
 * The graph that features are proposed from: `graph` without the references that change undated. Where such a reference
 * led at an earlier moment is not known, so following it would read later data. References of labels that exist only
 * because of one are left out too. `entity`: the table of the task's rows.
 */
export function withDatedReferences(graph: Graph, entity: Table): Graph {
  const tables = new Map([...graph.tables].map(([name, table]) => [name, datedOf(table)]));
  const dated: Graph = { ...graph, tables, table: (name) => tables.get(name) ?? graph.table(name) };
  const labels = tables.get(labelsTable);
  if (labels) {
    const visible = [...tables.values()].filter((table) => !table.values);
    const own = dated.table(entity.name);
    const pairs = [...neighborPairs(dated, visible, own), ...valuePairs(dated, own)];
    const kept = new Set(['entity', allTable, ...pairs.map(({ events, to }) => labelReference(events, to))]);
    tables.set(labelsTable, { ...labels, references: only(labels, (name) => kept.has(name)) });
  }
  return dated;
}

function datedOf(table: Table): Table {
  const undated = new Set(
    table.contract.columns.filter((column) => changesUndated(table, column)).map(({ name }) => name),
  );
  const isUndated = [...table.references.keys()].some((name) => undated.has(name));
  return isUndated ? { ...table, references: only(table, (name) => !undated.has(name)) } : table;
}

function only({ references }: Table, isKept: (name: string) => boolean): Table['references'] {
  return new Map([...references].filter(([name]) => isKept(name)));
}
