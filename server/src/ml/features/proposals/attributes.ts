import type { Table } from '../../graph/tables.ts';
import type { Focus } from '../feature.ts';
import type { Context } from './context.ts';

/** Proposes the row's own columns. `as` says whether the row is new or an entity that exists for a while. */
export function proposeAttributes({ uses, add }: Context, focus: Focus, table: Table, as: 'fresh' | 'entity'): void {
  for (const [column, use] of uses.get(table.name) ?? []) {
    if (use.kind === 'number') add(focus, { kind: 'attribute', column });
    else if (focus.kind === 'apart') continue;
    else if (use.kind === 'measure') {
      add(focus, { kind: 'measure', column });
      for (const value of use.values) add(focus, { kind: 'attribute_is', column, value });
    } else if (use.kind === 'date') add(focus, { kind: 'interval', column });
    else if (use.kind === 'text') add(focus, { kind: 'length', column });
    else if (use.kind === 'category')
      for (const value of use.values) add(focus, { kind: 'attribute_is', column, value });
  }
  if (table.time && as === 'entity') add(focus, { kind: 'age' });
}
