import { Failure } from '../../lib/failure.ts';
import type { Contract } from '../contract/contract.ts';
import type { Task } from '../tasks/task.ts';
import { echoed } from '../version/schema.ts';

/**
 * Names that have a fixed meaning in rows to predict: the day of the prediction, the model to use, and fields copied to
 * the answer.
 */
const said: readonly string[] = ['reference_date', 'endpoint', ...echoed];

/**
 * Hides the columns of the task's table whose names have a fixed meaning in rows to predict: callers could not send
 * them as inputs. Returns the task without them, and notes. Throws Failure 'invalid' where such a column is the key, or
 * for new rows a reference or the event time.
 */
export function hideSaid(task: Task, contract: Contract, fresh: boolean): { task: Task; notes: readonly string[] } {
  const table = contract.tables.find(({ name }) => name === task.entity)!;
  const { key, time } = table;
  const own = time && 'column' in time ? [time.column, time.clock] : [];
  const needed = fresh ? [...key, ...own, ...table.references.map(({ column }) => column)] : key;
  const meant = said.filter((name) => table.columns.some((column) => column.name === name));
  const clash = meant.find((name) => needed.includes(name));
  if (clash !== undefined)
    throw new Failure(
      'invalid',
      `${table.name}.${clash}: rows to predict say something else by ${clash}; rename the column in the contract and the files`,
    );
  const hidden = fresh ? meant.filter((name) => !task.hide.includes(`${table.name}.${name}`)) : [];
  return {
    task: { ...task, hide: [...task.hide, ...hidden.map((name) => `${table.name}.${name}`)] },
    notes: hidden.map(
      (name) =>
        `${table.name}.${name} is not read: rows to predict say something else by ${name}; rename the column to have it read`,
    ),
  };
}
