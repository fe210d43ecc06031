import type { ColumnRequest } from '../../lib/files/read.ts';
import { nearestWord } from '../../lib/nearest-word.ts';
import type { TableContract } from '../contract/contract.ts';
import { zonedForm } from '../contract/written.ts';
import { type LabelColumnRole, refuseMistake } from './mistakes.ts';
import type { Task } from './task.ts';

/** A column that a label file must have. */
export type WantedColumn = { readonly column: string; readonly as: LabelColumnRole };

/** The columns that a label file of a task must have, those of all its heads among them. */
export function labelFileColumns({ key, time, label, known, heads }: Task, isLabelled = true): WantedColumn[] {
  const labels = heads?.map((head) => head.label) ?? [label];
  return [
    { column: key, as: 'key' },
    { column: time, as: 'time' },
    ...(isLabelled ? labels.map((column) => ({ column, as: 'label' as const })) : []),
    ...(isLabelled && known !== undefined ? [{ column: known, as: 'known' as const }] : []),
  ];
}

/** A column of moments in a label file, which may be written as the entity's column of its name is. */
export function timeRequest(name: string, { columns, timeZone }: TableContract): ColumnRequest {
  const own = columns.find((column) => column.name.toLowerCase() === name.toLowerCase());
  const form = zonedForm(own?.dateForm, timeZone);
  return { name, type: 'timestamp', ...(form && { form }) };
}

const columnsShown = 20;

/**
 * Throws Failure 'invalid' when a file does not have all wanted columns, whatever their case. The message names the
 * file, what it lacks, what was probably meant, and what it has.
 */
export function requireColumns(file: string, columns: readonly string[], wanted: readonly WantedColumn[]): void {
  const has = new Set(columns.map((name) => name.toLowerCase()));
  const lacking = wanted.filter(({ column }) => !has.has(column.toLowerCase()));
  if (lacking.length === 0) return;
  const used = new Set(wanted.map(({ column }) => column.toLowerCase()));
  const free = columns.filter((name) => !used.has(name.toLowerCase()));
  throw refuseMistake({
    ...{ code: 'lacks_columns', file, found: columns.slice(0, columnsShown) },
    lacking: lacking.map(({ column, as }) => ({ column, as, meant: nearestWord(column, free) })),
    more: Math.max(0, columns.length - columnsShown),
  });
}
