import { microsecondsPerDay } from '../contract/contract.ts';
import { otherTimeAsked } from '../features/anchors.ts';
import type { Tables } from '../graph/tables.ts';
import { type Examples, entityTable } from '../tasks/examples.ts';
import type { Task } from '../tasks/task.ts';
import type { ModelWarning } from './warning.ts';

type Asked = {
  readonly task: Task;
  readonly graph: { readonly tables: Tables };
  readonly outputs: readonly { readonly examples: Examples }[];
};

/** Warns where rows are asked about at a date of their own that is not the contract's event time. */
export function warnOfTime({ task, graph: { tables }, outputs }: Asked): ModelWarning[] {
  const [{ examples }] = outputs;
  const other = otherTimeAsked(task, tables, examples);
  if (other === null) return [];
  const { name, contract } = entityTable(task, tables);
  const { time } = contract;
  const dated = time && 'column' in time ? `by ${time.column}` : time ? 'by another table' : 'by nothing';
  const message = `the rows are asked about on the day of ${name}.${other}, and the contract dates ${name} ${dated}: so they are taken for entities over time, whose own columns of that day are not read. If the task is for new rows, make ${other} the eventTime of ${name} in the contract`;
  const by = time && 'column' in time ? time.column : null;
  return [{ code: 'data', message, because: { code: 'other_time', table: name, column: other, dated: by } }];
}

/** Rows that this share of the asked ones, or more, have later are what labels may be about. */
const laterShareMin = 0.1;

/**
 * Warns where labels from files are never known (the task has neither `window` nor `known`) although other tables have
 * rows of the asked ones that come at least a day later, so that labels are likely about the time after.
 */
export function warnOfWindow({ task, graph: { tables }, outputs: [{ examples }] }: Asked): ModelWarning[] {
  if (task.target || task.windowDays !== undefined || task.known !== undefined) return [];
  const { name, rows } = entityTable(task, tables);
  const later = [...tables.values()].find(({ time, references }) =>
    [...references.values()].some(
      (reference) => time && reference.table === name && comesLater(newestOf(reference.rows, time, rows), examples),
    ),
  );
  if (!later) return [];
  const message = `${later.name} has rows that come after those asked about, and the task has neither window nor known: so when a label was known is not, and what became of earlier ${name} is never read. Write window, how far ahead the label looks (window: 30d), or known, the column of the label files with the date since when each label was known`;
  return [{ code: 'data', message, because: { code: 'no_window', table: later.name, entity: name } }];
}

/** From so many rows for each row that they refer to, undated ones are taken for events. */
const eventsMin = 1.5;

/**
 * Warns where tables that look like events of those asked about have no event time: all their rows are read at every
 * moment, also those that came after it. Where everything is asked about at one moment, all may be of before it.
 */
export function warnOfUndated({ task, graph: { tables }, outputs: [{ examples }] }: Asked): ModelWarning[] {
  const { name: asked } = entityTable(task, tables);
  if (examples.at.every((at) => at === examples.at[0])) return [];
  const undated = [...tables.values()].filter(
    (table) =>
      !table.time &&
      !table.values &&
      table.name !== asked &&
      [...table.references.values()].some(
        ({ table: to, rows }) => to === asked && rows.length > eventsMin * new Set(rows.filter((row) => row >= 0)).size,
      ),
  );
  if (undated.length === 0) return [];
  const names = undated.map(({ name }) => name);
  const message = `${names.join(', ')}: no event time, and several rows for one of ${asked}: all of them are read at every moment, also what happened after it, which no answer will know. Give such a table an eventTime in the contract; a date that is no column of dates there was sent in a form that is not read (YYYY-MM-DD is)`;
  return [{ code: 'data', message, because: { code: 'undated_events', tables: names, entity: asked } }];
}

/** The newest time among the rows that refer to each row; -Infinity where none does. */
function newestOf(references: Int32Array, time: Float64Array, rows: number): Float64Array {
  const newest = new Float64Array(rows).fill(Number.NEGATIVE_INFINITY);
  for (let row = 0; row < references.length; row++) {
    const to = references[row];
    if (to >= 0 && time[row] > newest[to]) newest[to] = time[row];
  }
  return newest;
}

function comesLater(newest: Float64Array, { rows, at }: Examples): boolean {
  let later = 0;
  for (let i = 0; i < rows.length; i++) if (rows[i] >= 0 && newest[rows[i]] >= at[i] + microsecondsPerDay) later++;
  return later > 0 && later >= rows.length * laterShareMin;
}
