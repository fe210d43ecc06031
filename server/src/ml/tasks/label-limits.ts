import type { Contract } from '../contract/contract.ts';
import type { FutureRows } from './target.ts';
import type { Task } from './task.ts';

/** The least and the most that a number can be. */
export type Limits = readonly [least: number, most: number];

const unlimited: Limits = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];

/**
 * Between what the labels of an output lie by their definition, whatever has been seen: a count is not negative, nor a
 * sum of what the contract says is not, days until the first row end with the window, and the row's own outcome keeps
 * the range that its column is declared with. `output`: its position.
 */
export function labelLimits(
  task: Pick<Task, 'entity' | 'hide' | 'outcome' | 'label' | 'heads' | 'target'>,
  contract: Contract,
  output: number,
): Limits {
  const { label, target } = task.heads?.[output] ?? task;
  if (target?.kind === 'rows') return limitsOfRows(target, contract, task.heads ? 0 : output);
  const isOwn =
    target === undefined && (task.outcome?.includes(label) || task.hide.includes(`${task.entity}.${label}`));
  return isOwn ? declared(contract, task.entity, label) : unlimited;
}

function limitsOfRows({ table, aggregate, horizonsDays }: FutureRows, contract: Contract, horizon: number): Limits {
  if (aggregate === 'count') return [0, Number.POSITIVE_INFINITY];
  if (aggregate === 'first') return [0, horizonsDays[horizon]];
  if (typeof aggregate === 'string' || !('sum' in aggregate)) return unlimited;
  const [least, most] = declared(contract, table, aggregate.sum);
  // The sum of no rows is 0.
  return [least >= 0 ? 0 : Number.NEGATIVE_INFINITY, most <= 0 ? 0 : Number.POSITIVE_INFINITY];
}

function declared({ tables }: Contract, table: string, name: string): Limits {
  const column = tables.find((one) => one.name === table)?.columns.find((one) => one.name === name);
  return [column?.minimum ?? Number.NEGATIVE_INFINITY, column?.maximum ?? Number.POSITIVE_INFINITY];
}
