/** What a feature is of a row at a moment, by its definition. */

import { type Comparison, type Feature, isComparison, type Read } from '../../../src/ml/features/feature.ts';
import { day } from '../../samples.ts';
import { history, type Question, type Subject, within } from './history.ts';
import { type Answer, average, exactly, none } from './numbers.ts';
import { readEvents } from './read-events.ts';
import { column, signalAt } from './signals.ts';
import { subjects } from './subjects.ts';
import { readColumn, readDate, rowAsOf, tableOf, timeOf, type World } from './world.ts';

export function answer(world: World, feature: Feature, root: Subject, question: Question): Answer {
  if (feature.focus.kind === 'apart') {
    const { of, reference, from } = feature.focus;
    const [first, second] = [reference, from].map((name) =>
      answer(world, { focus: { kind: 'parent', of, reference: name }, read: feature.read }, root, question),
    );
    return { value: first.value - second.value, scale: Math.max(first.scale, second.scale) };
  }
  let sum = 0;
  let total = 0;
  let scale = 0;
  const all = subjects(world, feature.focus, root, question);
  if (feature.focus.kind !== 'recent') return read(world, feature.read, all[0].subject, question);
  for (const { subject, weight } of all) {
    const one = read(world, feature.read, subject, question);
    if (Number.isNaN(one.value)) continue;
    sum += weight * one.value;
    total += weight;
    scale = Math.max(scale, one.scale, Math.abs(one.value));
  }
  return total > 0 ? { value: sum / total, scale } : none;
}

function read(world: World, what: Read, subject: Subject, question: Question): Answer {
  const { at, readableUntil } = question;
  if (what.kind === 'data_age') return exactly((at - readableUntil) / day);
  if (what.kind === 'calendar') {
    const date = new Date(at / 1000);
    if (what.part === 'time') return exactly(at / day);
    return exactly(what.part === 'month' ? date.getUTCMonth() + 1 : date.getUTCDay());
  }
  if (!subject) return none;
  if (isComparison(what)) return compare(world, what, subject, question);
  if ('events' in what) return readEvents(world, what, subject, question);
  const table = tableOf(world, subject.table);
  const row = subject.row ?? rowAsOf(world, subject.table, subject.key, subject.reach ?? readableUntil);
  if (!row) return none;
  if (what.kind === 'age') return table.time ? exactly((at - timeOf(world, table, row)) / day) : none;
  if (what.kind === 'interval') {
    const value = readDate(table, row, what.column, readableUntil);
    return value === null ? none : exactly((at - value) / day);
  }
  if (what.kind === 'embedding') throw new Error('encoders have tests of their own');
  const value = readColumn(table, row, what.column, readableUntil);
  if (value === null) return none;
  if (what.kind === 'attribute') return exactly(Number(value));
  if (what.kind === 'attribute_is') return exactly(value === what.value ? 1 : 0);
  if (what.kind === 'category') {
    const place = what.values.indexOf(String(value));
    return exactly(place < 0 ? what.values.length : place);
  }
  return exactly(String(value).length);
}

/** A new row's own value against what the rows before it at its parent say. */
function compare(world: World, what: Comparison, subject: Subject & {}, question: Question): Answer {
  const { readableUntil } = question;
  const [reference] = what.events.via;
  const own = readColumn(tableOf(world, subject.table), subject.row!, what.column, readableUntil);
  const [{ subject: parent }] = subjects(world, { kind: 'parent', of: { kind: 'root' }, reference }, subject, question);
  if (own === null || !parent) return none;
  const values = within(history(world, what.events, parent, question), what.span, question)
    .map(({ row }) => signalAt(world, what.events.table, row, column(what.column), readableUntil))
    .filter((value) => value !== null);
  if (values.length === 0) return none;
  if (what.kind === 'same') return exactly(values.filter((value) => value === own).length / values.length);
  const x = values.map(Number);
  const difference = Number(own) - average(x);
  const scale = Math.max(Math.abs(Number(own)), ...x.map(Math.abs));
  if (what.as === 'difference') return { value: difference, scale };
  if (new Set(x).size < 2) return none;
  const sd = Math.sqrt((average(x.map((value) => (value - average(x)) ** 2)) * x.length) / (x.length - 1));
  // The error of the mean, and the relative error of the deviation that it leaves.
  return { value: difference / sd, scale: (scale / sd) * (1 + Math.abs(difference / sd)) };
}
