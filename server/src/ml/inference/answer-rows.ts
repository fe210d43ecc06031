import { type Column, type Rows, sameText, textColumn } from '../../lib/files/column.ts';
import type { WriteColumn } from '../../lib/files/writer.ts';
import { answerColumns, coverageShare } from '../answers/answers.ts';
import type { Factors } from '../explain/factors.ts';
import type { Anchors } from '../features/state.ts';
import { emptyColumn } from '../graph/view.ts';
import type { NetworkAnswers } from '../kinds/kind.ts';
import { echoed, type Field } from '../version/schema.ts';
import type { Version } from '../version/version.ts';
import type { Coverage } from './coverage.ts';

/** The columns of an answer, in order: the key, the echoed columns of the row, the outputs. */
export function writtenColumns(version: Version): WriteColumn[] {
  return [
    keyOf(version),
    ...echoed.map((name) => ({ name, type: 'string' as const })),
    ...outputsOf(version).map(({ name, type }) => ({ name, type })),
  ];
}

/** The output fields of a version. Those of before had no share of what was covered. */
export function outputsOf({ outputFields }: Version): readonly Field[] {
  if (outputFields.some(({ name }) => name === coverageShare.name)) return outputFields;
  return outputFields.flatMap((field) => (field.name === 'data_coverage' ? [field, coverageShare] : [field]));
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
  rows: Rows,
  anchors: Anchors,
  values: readonly Float64Array[],
  factors: readonly Factors[],
  network: () => NetworkAnswers,
  { level, share }: Coverage,
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
  columns.set('data_coverage', level);
  columns.set(coverageShare.name, { kind: 'number', values: share });
  columns.set('as_of', { kind: 'time', values: anchors.at });
  return { rows: rows.rows, columns };
}
