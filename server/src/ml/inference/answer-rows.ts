import { type Column, type Rows, sameText, textColumn } from '../../lib/files/column.ts';
import type { WriteColumn } from '../../lib/files/writer.ts';
import { answerColumns } from '../answers/answers.ts';
import type { Factors } from '../explain/factors.ts';
import type { Graph } from '../features/graph.ts';
import type { Anchors } from '../features/state.ts';
import { openReference } from '../graph/as-of/references.ts';
import { isThere } from '../graph/as-of/rows.ts';
import type { Tables } from '../graph/tables.ts';
import { emptyColumn } from '../graph/view.ts';
import type { NetworkAnswers } from '../kinds/kind.ts';
import { bringVectors } from '../version/given-vectors.ts';
import { echoed } from '../version/schema.ts';
import type { Version } from '../version/version.ts';

/** The columns of an answer, in order: the key, the echoed columns of the row, the outputs. */
export function writtenColumns(version: Version): WriteColumn[] {
  return [
    keyOf(version),
    ...echoed.map((name) => ({ name, type: 'string' as const })),
    ...version.outputFields.map(({ name, type }) => ({ name, type })),
  ];
}

/** The column with the key of the entity that a version answers about. */
export function keyOf({ task, contract }: Version): WriteColumn {
  const table = contract.tables.find(({ name }) => name === task.entity)!;
  const { name, type } = table.columns.find((column) => column.name === table.key[0])!;
  return { name, type };
}

/**
 * Builds the answer rows: `values` per output, the factors where present, and from `network` what the task's kind
 * reports of it.
 */
export function answerRows(
  version: Version,
  graph: Graph,
  rows: Rows,
  anchors: Anchors,
  values: readonly Float64Array[],
  factors: readonly Factors[],
  network: () => NetworkAnswers,
): Rows {
  const columns = new Map<string, Column>();
  const missing: Column = { kind: 'text', codes: new Int32Array(rows.rows).fill(-1), dictionary: [] };
  const key = keyOf(version);
  columns.set(key.name, rows.columns.get(key.name) ?? emptyColumn(key.type, rows.rows));
  for (const name of echoed) columns.set(name, rows.columns.get(name) ?? missing);
  const told = factors.map((own) => JSON.stringify(own.factors.map(({ text }) => text)));
  const given = {
    rows: rows.rows,
    values,
    told: told.length > 0 ? textColumn(told) : sameText(rows.rows, '[]'),
    network,
  };
  for (const [name, column] of answerColumns(version.task, version.outputs, given)) columns.set(name, column);
  columns.set('data_coverage', coverage(anchors, graph.tables, version.encoder ? bringVectors(rows) : () => false));
  columns.set('as_of', { kind: 'time', values: anchors.at });
  return { rows: rows.rows, columns };
}

/**
 * How much of what the model reads was known. 'full': the entity, or every row that the new row refers to. 'partial':
 * some of these rows, or none of them but the row brings a vector. 'none': nothing.
 */
function coverage(
  { table, fresh, rows, readableUntil }: Anchors,
  tables: Tables,
  bringsVector: (row: number) => boolean,
): Column {
  const dictionary = ['full', 'partial', 'none'];
  const references = fresh
    ? [...table.references].flatMap(([column, { table: name, values }]) =>
        values ? [] : [openReference(table, column, tables.get(name)!)],
      )
    : [];
  const codes = new Int32Array(rows.length);
  for (let i = 0; i < rows.length; i++) {
    let found = 0;
    for (const follow of references) if (follow(rows[i], readableUntil[i]) >= 0) found++;
    if (!fresh) codes[i] = isThere(table, rows[i], readableUntil[i]) ? 0 : 2;
    else codes[i] = found === references.length ? 0 : found > 0 ? 1 : 2;
    if (codes[i] === 2 && bringsVector(i)) codes[i] = 1;
  }
  return { kind: 'text', codes, dictionary };
}
