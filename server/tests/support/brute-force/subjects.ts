/** Of whom a feature speaks: the anchor's own row, a parent of it, or the rows that its events met. */
import { allTable, type Focus } from '../../../src/ml/features/feature.ts';
import { arrival, history, type Question, type Subject } from './history.ts';
import { leads, rowAsOf, tableOf, type World } from './world.ts';

/** The rows a focus stands on, with weights. */
export function subjects(
  world: World,
  focus: Focus,
  root: Subject,
  question: Question,
): { subject: Subject; weight: number }[] {
  const one = (subject: Subject) => [{ subject, weight: 1 }];
  if (focus.kind === 'root') return one(root);
  if (focus.kind === 'all') return one({ table: allTable, key: 0 });
  const [{ subject: of }] = subjects(world, focus.of, root, question);
  if (focus.kind === 'apart') throw new Error('two rows are asked about one by one');
  if (focus.kind === 'parent') {
    if (!of) return one(null);
    const target = tableOf(world, of.table).references.find(({ column }) => column === focus.reference)!.table;
    const { at, readableUntil } = question;
    const reach = of.row && readableUntil >= at ? arrival(world, of, question) : (of.reach ?? readableUntil);
    const row = of.row ?? rowAsOf(world, of.table, of.key, reach);
    const key = row?.[focus.reference] ?? null;
    return one(leads(world, target, key, reach) ? { table: target, key, reach } : null);
  }
  const source = tableOf(world, focus.events.table);
  const target = source.references.find(({ column }) => column === focus.to)!.table;
  const newest = history(world, focus.events, of, question).toReversed().slice(0, 32);
  const met: { subject: Subject; weight: number }[] = [];
  let weight = 1;
  for (const { row } of newest) {
    const key = row[focus.to];
    if (!leads(world, target, key, question.readableUntil)) continue;
    met.push({ subject: { table: target, key }, weight });
    if (source.time) weight *= 0.9;
  }
  if (focus.kind === 'last') return met.length > 0 ? one(met[0].subject) : one(null);
  return met;
}
