import type { Table } from '../../graph/tables.ts';
import type { Events, Focus, Span } from '../feature.ts';
import type { Anchors } from '../state.ts';
import type { Context } from './context.ts';

/**
 * Proposes comparisons of a new row with the earlier rows of its parent. A tree cannot easily derive them from the two
 * values.
 */
export function proposeComparisons({ uses, sample, add }: Context, entity: Table, reference: string): void {
  if (!entity.time) return;
  const root: Focus = { kind: 'root' };
  const events: Events = { table: entity.name, via: [reference] };
  for (const [column, use] of uses.get(entity.name) ?? []) {
    if (isConstant(sample, column)) continue;
    const isFlag = entity.contract.columns.find(({ name }) => name === column)?.type === 'boolean';
    for (const span of [{ all: true }, { last: 10 }] satisfies Span[]) {
      if (use.kind === 'number' && !isFlag)
        for (const as of ['difference', 'deviation'] as const) add(root, { kind: 'against', events, column, span, as });
      else if (use.kind === 'category') add(root, { kind: 'same', events, column, span });
    }
  }
}

/** Whether a column has at most one distinct value in the sampled rows. */
function isConstant({ table, rows }: Anchors, name: string): boolean {
  const column = table.columns.get(name);
  if (!column) return true;
  const values = column.kind === 'text' ? column.codes : column.values;
  const isFilled = (value: number) => (column.kind === 'text' ? value >= 0 : !Number.isNaN(value));
  const first = rows.find((row) => row >= 0 && isFilled(values[row]));
  return first === undefined || rows.every((row) => row < 0 || !isFilled(values[row]) || values[row] === values[first]);
}
