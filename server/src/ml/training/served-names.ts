import { Failure } from '../../lib/failure.ts';
import type { Contract } from '../contract/contract.ts';
import type { Task } from '../tasks/task.ts';
import { echoed } from '../version/schema.ts';

/**
 * What rows to predict say beside their inputs: the day asked about, which model is asked, and what comes back with the
 * answer.
 */
const said: readonly string[] = ['reference_date', 'endpoint', ...echoed];

/**
 * The task without the columns of its rows whose names rows to predict use for something else, and what is to be said
 * of them: as inputs nobody could give them. Throws Failure 'invalid' where such a column is the key, or of new rows a
 * reference or the event time.
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
