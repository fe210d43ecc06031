import { isKnown } from '../../graph/as-of/values.ts';
import { type Pair, pairName, pairOf } from '../../graph/pairs.ts';
import type { Table } from '../../graph/tables.ts';
import { type Events, type Focus, labelsTable } from '../feature.ts';
import { proposeRoles } from './apart.ts';
import type { Context } from './context.ts';
import { proposeOutcomes } from './encodings.ts';
import { signalsOf } from './signals.ts';

/** Most tables of pairs that are read. */
const pairTablesMax = 6;
/** Rows that a pair has on average, below which pairs hardly ever meet again. */
const rowsPerPairMin = 1.5;

/** Proposes what two of the rows that a new row refers to had to do with each other before, and how that went. */
export function proposePairs(context: Context, entity: Table): void {
  const { add } = context;
  for (const pairs of choosePairs(context, entity)) {
    const names = pairs.map(pairName);
    // Of two rows of one table either order is a pair, and the rows of one order are those of the other.
    const roles = pairs.length > 1 && pairs[0][0] === pairs[1][1] ? names.slice(0, 1) : names;
    for (const reference of names) {
      const focus: Focus = { kind: 'parent', of: { kind: 'root' }, reference };
      for (const role of roles) {
        const events: Events = { table: entity.name, via: [role] };
        add(focus, { kind: 'count', events, span: { all: true } });
        if (entity.time) add(focus, { kind: 'since', events, which: 'last' });
        for (const { signal, use, raw } of signalsOf(context, events))
          if (raw && use.kind === 'number')
            for (const aggregate of ['mean', 'last'] as const)
              add(focus, { kind: 'number', events, signal, span: { all: true }, aggregate });
        proposeOutcomes(context, focus, { table: labelsTable, via: ['entity', role] });
      }
    }
    for (const [k, reference] of names.entries())
      for (const from of names.slice(k + 1)) proposeRoles(context, { reference, from, roles });
  }
}

/** Of each table of pairs those that lead to it; pairs of rows before pairs of a row and a category. */
function choosePairs({ uses, cut }: Context, entity: Table): Pair[][] {
  const pairs = [...entity.references].flatMap(([name, to]) => {
    const pair = pairOf(name);
    return pair ? [{ pair, to }] : [];
  });
  const isCategory = (link: string) => entity.references.get(link)!.values === true;
  const groups = [...Map.groupBy(pairs, ({ to }) => to.table).values()]
    .map((group) => ({ group, isOfRows: !isCategory(group[0].pair[1]) }))
    .sort((a, b) => Number(b.isOfRows) - Number(a.isOfRows));
  const chosen: Pair[][] = [];
  for (const { group, isOfRows } of groups) {
    if (chosen.length === pairTablesMax) break;
    const [, second] = group[0].pair;
    if (!isOfRows && uses.get(entity.name)?.get(second)?.kind !== 'category') continue;
    const met = new Set<number>();
    let rows = 0;
    for (const { to } of group)
      to.rows.forEach((pair, row) => {
        if (pair < 0 || (entity.time && !isKnown(entity.time, row, cut))) return;
        met.add(pair);
        rows++;
      });
    if (rows >= rowsPerPairMin * met.size) chosen.push(group.map(({ pair }) => pair));
  }
  return chosen;
}
