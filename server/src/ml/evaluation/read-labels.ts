import type { Column } from '../../lib/files/column.ts';
import { microsecondsPerDay } from '../contract/contract.ts';
import type { OpenVersion } from '../inference/predict.ts';
import { expectedLabel, knownSince, labelOf } from '../tasks/examples.ts';
import { requireColumns } from '../tasks/label-columns.ts';
import { labelAnchors } from '../tasks/layout.ts';
import { horizonsOf } from '../tasks/target.ts';
import type { Task } from '../tasks/task.ts';
import type { InputReason } from '../version/input-reasons.ts';
import { labelNames } from './labelled-columns.ts';

/** The labels of the rows of one output. */
export type Labels = {
  /** NaN without one. */
  readonly labels: Float64Array;
  /** 1 where the label's window had not closed yet, so that the label was not known. */
  readonly isOpen: Float64Array;
};

/** Says what is wrong with a row; the message shows no value of it. */
export type Refuse = (row: number, column: string | null, reason: InputReason | string) => void;

/**
 * The columns with labels, by output; null where the task makes them from the tables and the file has none. Throws
 * Failure 'invalid' when the file lacks one.
 */
export function labelColumns(
  { version }: OpenVersion,
  file: string,
  header: readonly string[],
  has: (column: string) => boolean,
): readonly string[] | null {
  const { task } = version;
  const wanted = labelNames(version, has);
  if (task.target && !wanted.every(has)) return null;
  requireColumns(
    file,
    header,
    wanted.map((column) => ({ column, as: 'label' as const })),
  );
  return wanted;
}

/** The columns of a chunk that say the labels of output `o`; `until` is the last moment that may be read. */
export type LabelChunk = {
  readonly name: string;
  readonly given: Column;
  readonly known: Column | undefined;
  readonly at: Float64Array;
  readonly until: number;
};

/** Reads the labels of output `o` of rows at `at`. Refuses rows whose label is none, or was known before they ask. */
export function readLabels(
  { version: { task, outputs } }: OpenVersion,
  o: number,
  { name, given, known, at, until }: LabelChunk,
  refuse: Refuse,
): Labels {
  const { objective } = outputs[o];
  const classes = objective.kind === 'multiclass' ? objective.classes : null;
  const labels = new Float64Array(at.length).fill(Number.NaN);
  const ofCode = given.kind === 'text' ? given.dictionary.map((text) => labelOf(text, classes)) : null;
  for (let row = 0; row < at.length; row++) {
    if (given.kind !== 'text') labels[row] = given.values[row];
    else if (given.codes[row] >= 0) {
      labels[row] = ofCode![given.codes[row]];
      if (Number.isNaN(labels[row])) refuse(row, name, `expected ${expectedLabel(classes, true)}`);
    }
  }
  const days = windowOf(task, o);
  const isOpen = at.map((moment, row) => {
    const told = known?.kind === 'time' ? known.values[row] : Number.NaN;
    if (Number.isNaN(told)) return days === undefined ? 0 : Number(moment + days * microsecondsPerDay > until);
    if (!(told > moment)) refuse(row, task.known!, `must lie after ${task.time}`);
    return Number(knownSince(told) > until);
  });
  return { labels, isOpen };
}

/** Days until the label of an output is known; undefined when the task does not say. */
function windowOf({ target, heads, windowDays }: Task, o: number): number | undefined {
  if (heads?.[o]?.target) return horizonsOf(heads[o].target!)[0];
  return target ? horizonsOf(target)[o] : windowDays;
}

/** Labels rows from the tables, as training does, with the classes that the version knows; a set for each output. */
export function labelByTables(
  { version, tables }: OpenVersion,
  { entities, at }: { readonly entities: Int32Array; readonly at: Float64Array },
  until: number,
): Labels[] {
  const { examples, classes, end } = labelAnchors(version.task, tables, { rows: entities, at }, until);
  return version.outputs.map(({ objective }, o) => {
    const { labels, closes } = examples[o];
    const isNamed = objective.kind === 'multiclass' && classes.length > 0;
    const codes = classes.map((name) => objective.classes.indexOf(name));
    const own = isNamed ? labels.map((label) => (codes[label] >= 0 ? codes[label] : Number.NaN)) : labels;
    return { labels: own, isOpen: closes.map((known) => Number(known > end)) };
  });
}
