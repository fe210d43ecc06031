import type { Table } from '../../graph/tables.ts';
import { type Events, type Focus, labelsTable } from '../feature.ts';
import { proposeAttributes } from './attributes.ts';
import type { Context } from './context.ts';
import { proposeOutcomes } from './encodings.ts';
import { proposeEvents } from './events.ts';

/** Most classes that strengths are learned of, each against the others. */
const classesMax = 4;
/** Most pairs of references that are set against each other. */
const rolesMax = 3;

/**
 * Proposes how the rows differ that a new row refers to in two roles: the two players of a match, who pays and who is
 * paid. A tree cannot easily derive a difference from two values.
 */
export function proposeApart(context: Context, entity: Table): void {
  for (const [reference, from] of rolesOf(entity)) {
    const focus: Focus = { kind: 'apart', of: { kind: 'root' }, reference, from };
    const table = context.graph.table(entity.references.get(reference)!.table);
    if (!context.visible.includes(table)) continue;
    proposeAttributes(context, focus, table, 'entity');
    proposeEvents(context, focus, table, 'brief');
    proposeRatings(context, focus);
  }
}

/** Proposes how the known outcomes differ of two rows of one table, and which of them is stronger. */
export function proposeRoles(
  context: Context,
  { reference, from, roles }: { readonly reference: string; readonly from: string; readonly roles: readonly string[] },
): void {
  const focus: Focus = { kind: 'apart', of: { kind: 'root' }, reference, from };
  for (const role of roles) proposeOutcomes(context, focus, { table: labelsTable, via: ['entity', role] });
  proposeRatings(context, focus);
}

/** Proposes the strengths of both rows, and their difference, by the known outcomes of rows like the new one. */
function proposeRatings({ graph, add }: Context, apart: Focus & { kind: 'apart' }): void {
  const labels = graph.tables.get(labelsTable);
  if (!labels) return;
  const { of, reference, from } = apart;
  const label = labels.columns.get('label')!;
  const outcomes = label.kind === 'text' ? label.dictionary.slice(0, classesMax) : [undefined];
  const events: Events = { table: labelsTable, via: ['entity', reference] };
  for (const as of ['lasting', 'recent'] as const)
    for (const outcome of outcomes)
      for (const focus of [apart, ...[reference, from].map((step): Focus => ({ kind: 'parent', of, reference: step }))])
        add(focus, { kind: 'rating', events, against: from, as, ...(outcome !== undefined && { outcome }) });
}

/** The pairs of references of a table that lead to one other table, in the order of the contract. */
function rolesOf({ name, references }: Table): [first: string, second: string][] {
  const leading = [...references].filter(([, { table, values }]) => !values && table !== name);
  return leading
    .flatMap(([first, to], k) =>
      leading
        .slice(k + 1)
        .flatMap(([second, { table }]): [string, string][] => (table === to.table ? [[first, second]] : [])),
    )
    .slice(0, rolesMax);
}
