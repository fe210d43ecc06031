/** The events of a row: those that lead to it by references and were there to be read, in order of time. */

import { allTable, type Events, type Span, yearDays } from '../../../src/ml/features/feature.ts';
import { day, type Row, type Value } from '../../samples.ts';
import { metSince } from './signals.ts';
import { exists, firstVersion, linkedSince, once, rowsAsOf, tableOf, timeOf, type World } from './world.ts';

/** Whose state is read: a row by its key, or a new row as it stands; null leads nowhere. */
export type Subject = {
  readonly table: string;
  readonly key: Value;
  readonly row?: Row;
  /** How far the row itself may be read, where not the limit. */
  readonly reach?: number;
} | null;

export type Question = {
  readonly at: number;
  readonly readableUntil: number;
  /** The key of the anchor's own row in `ownTable`, kept out of every history. */
  readonly own: Value;
  readonly ownTable: string;
};

export type Event = { readonly row: Row; readonly time: number };

export function history(world: World, events: Events, subject: Subject, question: Question): readonly Event[] {
  if (!subject || subject.key === null) return [];
  const { at, readableUntil, own } = question;
  const asked = `${subject.table} ${subject.key} ${at} ${readableUntil} ${own}`;
  const key = `history ${events.arriving} ${events.table} ${events.via} ${JSON.stringify(events.when)} ${asked}`;
  return once(world, key, () => findHistory(world, events, subject, question));
}

function findHistory(world: World, events: Events, subject: Subject & {}, question: Question): Event[] {
  const { own, ownTable } = question;
  const readableUntil = events.arriving ? arrival(world, subject, question) : question.readableUntil;
  const table = tableOf(world, events.table);
  const found: Event[] = [];
  for (const row of rowsAsOf(world, events.table, readableUntil)) {
    if (events.table === ownTable && own !== null && row[table.key[0]] === own) continue;
    const { key, since: led } = follow(world, events, row);
    const since = events.when ? Math.max(led, metSince(world, events.table, row, events.when)) : led;
    if (key === subject.key && since <= readableUntil) found.push({ row, time: since });
  }
  const position = (row: Row) => world.data[events.table].indexOf(row);
  return found.sort((a, b) => {
    if (a.time !== b.time) return a.time - b.time;
    for (const name of table.key) {
      const [left, right] = [a.row[name]!, b.row[name]!];
      if (left !== right) return left < right ? -1 : 1;
    }
    return position(a.row) - position(b.row);
  });
}

/** Until when what came with a new row was there: no later than on the day that begins with the anchor. */
export function arrival(world: World, { table, row }: Subject & {}, { at, readableUntil }: Question): number {
  const moment = timeOf(world, tableOf(world, table), row!);
  return moment > readableUntil && moment < at + day ? moment : readableUntil;
}

/** The key that a row leads to by references, and the moment since when all rows on the way were readable. */
function follow(world: World, events: Events, row: Row): { key: Value; since: number } {
  let table = tableOf(world, events.table);
  let here = row;
  let since = timeOf(world, table, row);
  for (const [step, column] of events.via.entries()) {
    if (column === allTable) return { key: 0, since };
    const target = table.references.find((reference) => reference.column === column)!.table;
    const key = here[column] ?? null;
    if (!exists(world, target, key)) return { key: null, since };
    if (step === events.via.length - 1) return { key, since };
    table = tableOf(world, target);
    since = Math.max(since, linkedSince(world, target, key));
    here =
      firstVersion(world, target, key) ??
      world.data[target].find((other) => other[tableOf(world, target).key[0]] === key)!;
  }
  throw new Error('events lead somewhere');
}

export function within(events: readonly Event[], span: Span, { at, readableUntil }: Question): Event[] {
  if ('all' in span) return [...events];
  if ('last' in span) return events.slice(-span.last);
  if ('season' in span) {
    const from = at - span.since * day;
    const to = from + span.season * day;
    if (to > readableUntil && span.season < yearDays) return [];
    return events.filter(({ time }) => time > from && time <= to);
  }
  return events.filter(({ time }) => time > readableUntil - span.days * day);
}
