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
  return [{ code: 'data', message }];
}
