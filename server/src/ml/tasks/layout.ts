import { Failure } from '../../lib/failure.ts';
import { microsecondsPerDay } from '../contract/contract.ts';
import type { Notice } from '../contract/notices.ts';
import { momentsOf } from '../graph/as-of/days.ts';
import { rowMoments } from '../graph/as-of/rows.ts';
import { firstAfter } from '../graph/as-of/search.ts';
import { isKnown, laterOf } from '../graph/as-of/values.ts';
import type { Table, Tables } from '../graph/tables.ts';
import { headRuleOf } from '../kinds/kinds.ts';
import { compare } from './condition.ts';
import { delinquencies } from './delinquency.ts';
import { eventsOf, startsOf, type TargetEvents } from './events.ts';
import { type Examples, entityTable } from './examples.ts';
import { refuseMistake } from './mistakes.ts';
import { entityRows, groupRows, ownersOf } from './owners.ts';
import { askableSince, openPopulation } from './population.ts';
import { kindOf } from './question.ts';
import { resolveTask } from './resolve.ts';
import { anchorMomentsMax, type Delinquency, type FutureRows, horizonsOf, type Target, textOfDays } from './target.ts';
import type { Task } from './task.ts';

/**
 * A layout with more anchors is thinned to every n-th entity: more anchors would change the cost of a model, not the
 * model.
 */
const layoutAnchorsMax = 60_000;

/** More categories than this are not treated as classes: to predict one of very many is another question. */
export const classesMax = 50;

/**
 * Anchors with their labels, and the names of the classes. There is one set per horizon or head; all sets have the same
 * anchors in the same order. `warnings` say what of the data is not labelled though it could seem so.
 */
export type LaidOut = {
  readonly examples: readonly Examples[];
  readonly classes: readonly string[];
  readonly warnings: readonly Notice[];
};

/**
 * Lays out anchors and labels them from future rows. Labels whose window ends after the end of the data, or after that
 * of the rows they count where these end long before, are left out, because they are not known yet. `now`
 * (microseconds) is an upper bound of the end of the data. Throws Failure 'invalid' when the task does not fit the
 * tables.
 */
export function layOutExamples(given: Task, tables: Tables, now = Number.POSITIVE_INFINITY): LaidOut {
  const { task, target } = resolved(given, tables);
  const { end: last, warnings } = endOfLabels(task, target, tables, now);
  if (target.kind === 'delinquency' && !target.horizonsDays)
    return { ...observeLoans(task, target, tables, last), warnings };
  const events = targetEvents(target, tables);
  const anchors = layAnchors(task, tables, events, last);
  const all = labelSets(task, target, tables, events, anchors, last);
  const examples = withoutUnlabelled(all);
  if (examples[0].rows.length === 0) throw noLabels(task, anchors, last);
  return target.kind === 'rows' && kindOf(target) === 'multiclass'
    ? { ...withClasses(task, examples, events.classes), warnings }
    : { examples, classes: [], warnings };
}

/**
 * Labels given anchors from future rows, as `layOutExamples` labels those that it lays: `rows` of the entity table (-1:
 * none) at `at`. The label is NaN where nothing says it, where it was known at `at` already, or where its window ends
 * after `end`, the end of the data.
 */
export function labelAnchors(
  given: Task,
  tables: Tables,
  anchors: Anchors,
  now = Number.POSITIVE_INFINITY,
): Omit<LaidOut, 'warnings'> & { readonly end: number } {
  const { task, target } = resolved(given, tables);
  const { end } = endOfLabels(task, target, tables, now);
  if (target.kind === 'delinquency' && !target.horizonsDays) {
    const { dates, observed } = delinquencies(target, tables);
    const labels = Float64Array.from(anchors.rows, (row, i) => {
      const at = anchors.at[i];
      const isAhead = observed[row] > at && !(dates[row] <= at);
      return row >= 0 && isAhead && observed[row] <= end ? Number(!Number.isNaN(dates[row])) : Number.NaN;
    });
    const closes = Float64Array.from(anchors.rows, (row) => (row < 0 ? Number.POSITIVE_INFINITY : observed[row]));
    return { examples: [{ ...anchors, labels, closes }], classes: [], end };
  }
  const events = targetEvents(target, tables);
  return { examples: labelSets(task, target, tables, events, anchors, end), classes: events.classes, end };
}

/** The task completed from the contract of the tables. Throws Failure 'invalid' when it has no target. */
function resolved(given: Task, tables: Tables): { task: Task; target: Target } {
  const contract = { tables: [...tables.values()].map(({ contract }) => contract) };
  const task = resolveTask(given, contract, `task ${given.name}`);
  if (!task.target) throw new Failure('invalid', `task ${task.name} has neither label files nor a target`);
  return { task, target: task.target };
}

/** The labels of anchors, one set per horizon or head. */
function labelSets(
  task: Task,
  target: Target,
  tables: Tables,
  events: TargetEvents,
  anchors: Anchors,
  last: number,
): Examples[] {
  const entities = entityTable(task, tables);
  const ordered = orderEvents(events, entities.rows);
  const sets = task.heads
    ? task.heads.map((head) => ({ target: head.target!, days: horizonsOf(head.target!)[0], head }))
    : horizonsOf(target).map((days) => ({ target, days, head: null }));
  return sets.map(({ target: own, days, head }): Examples => {
    const window = days * microsecondsPerDay;
    const found = own === target ? ordered : orderEvents(targetEvents(own, tables), entities.rows);
    const rule = head && headRuleOf(task.kind, head.name);
    const labels = Float64Array.from(anchors.rows, (entity, i) => {
      const at = anchors.at[i];
      if (entity < 0 || at + window > last) return Number.NaN;
      const ahead = labelOf(own, found, entity, at, window);
      if (rule?.objective !== 'multiclass') return ahead;
      return rule.classes.of(labelOf(own, found, entity, at - window, window), ahead);
    });
    return { ...anchors, labels, closes: anchors.at.map((at) => at + window) };
  });
}

/**
 * The events of entities that a target predicts. A delinquency must have horizons. Throws Failure as `eventsOf` does.
 */
export function targetEvents(target: FutureRows | Delinquency, tables: Tables): TargetEvents {
  return target.kind === 'rows' ? eventsOf(target, tables) : delinquentEvents(target, tables);
}

function noLabels(task: Task, { at }: Anchors, last: number): Failure {
  const [days] = horizonsOf(task.target!);
  return refuseMistake({
    ...{ code: 'no_labels', task: task.name, newest: Number.isFinite(last) ? dayText(last) : null },
    asked: at.length === 0 ? null : dayText(Math.min(at[0], at.at(-1)!)),
    days: textOfDays(days!),
  });
}

function dayText(moment: number): string {
  return new Date(moment / 1000).toISOString().slice(0, 10);
}

/** The end of the data: the moment of the newest row. Tables dated by planned columns do not count. */
export function endOfData(tables: Tables, now: number): number {
  let last = Number.NEGATIVE_INFINITY;
  for (const table of tables.values()) {
    if (!table.time || isAhead(table, tables)) continue;
    for (const moment of table.time) if (moment > last && moment <= now) last = moment;
  }
  return last;
}

/** A table that is silent for more than so many times its longest silence before has ended before the data do. */
const silencesMin = 2;
/** Shorter silences at the end are not looked at, nor tables with rows of fewer days. */
const silentDaysMin = 7;
const datedDaysMin = 20;

/**
 * The moment by which a window must end for its label to be known: the end of the data, or the newest of the rows that
 * are counted, where these have been silent since for longer than ever before. That nothing came after it is no answer
 * then: the table was not sent, or not kept, any further.
 */
function endOfLabels(task: Task, target: Target, tables: Tables, now: number): { end: number; warnings: Notice[] } {
  let end = endOfData(tables, now);
  const dataEnd = end;
  const warnings: Notice[] = [];
  const counted = [target, ...(task.heads ?? []).flatMap((head) => head.target ?? [])];
  for (const name of new Set(counted.flatMap((one) => toldBy(one) ?? []))) {
    const table = tables.get(name)!;
    if (!table.time || isAhead(table, tables)) continue;
    const { days: dated, longest } = silencesOf(table.time, now);
    const newest = lastSignOf(table, now);
    const silence = (dataEnd - newest) / microsecondsPerDay;
    if (dated < datedDaysMin || silence < silentDaysMin || silence <= silencesMin * longest) continue;
    end = Math.min(end, newest);
    const days = Math.floor(silence);
    warnings.push({ code: 'silent_table', table: name, newest: dayText(newest), end: dayText(dataEnd), days });
  }
  return { end, warnings };
}

/**
 * The table of whose rows the label is made. Of what is due it is that of the payments: a payment that was not sent is
 * not one that did not come. Null where rows tell of the payment themselves, which they do long after their own time.
 */
function toldBy(target: Target): string | null {
  if (target.kind === 'delinquency') return target.obligations?.payments?.table ?? null;
  return target.overdue ? (target.overdue.payments?.table ?? null) : target.table;
}

/** The newest moment up to `now` that a table tells of, by the time of its rows or by a date that is not planned. */
function lastSignOf(table: Table, now: number): number {
  const { contract, time } = table;
  const dates = contract.columns.map(({ name, planned }) => (planned ? undefined : momentsOf(contract, table, name)));
  let newest = Number.NEGATIVE_INFINITY;
  for (const moments of [time!, ...dates.filter((one) => one !== undefined)])
    for (const at of moments) if (at <= now && at > newest) newest = at;
  return newest;
}

/** On how many days there are moments up to `now`, and the longest time between two such days, in days. */
function silencesOf(time: Float64Array, now: number): { days: number; longest: number } {
  const found = new Set<number>();
  for (const moment of time) if (moment <= now) found.add(Math.floor(moment / microsecondsPerDay));
  const days = Float64Array.from(found).sort();
  const longest = days.reduce((most, day, i) => (i === 0 ? most : Math.max(most, day - days[i - 1])), 0);
  return { days: days.length, longest };
}

/** Whether rows are dated by a planned column: their own, or that of the row they take their time from. */
function isAhead({ contract, references }: Table, tables: Tables): boolean {
  const { time } = contract;
  if (!time) return false;
  if ('column' in time) return contract.columns.find(({ name }) => name === time.column)?.planned ?? false;
  const parent = tables.get(references.get(time.reference)?.table ?? '');
  return parent !== undefined && isAhead(parent, tables);
}

/** Events sorted by entity, then date, then value. Those of entity e are offsets[e] … offsets[e + 1] - 1. */
type Ordered = { readonly offsets: Int32Array; readonly dates: Float64Array; readonly values: Float64Array };

function orderEvents({ owners, dates, values }: TargetEvents, entities: number): Ordered {
  const { offsets, order } = groupRows(owners, entities, (a, b) => dates[a] - dates[b] || values[a] - values[b]);
  const ordered = (from: Float64Array) => Float64Array.from(order, (k) => from[k]);
  return { offsets, dates: ordered(dates), values: ordered(values) };
}

function labelOf(
  target: FutureRows | Delinquency,
  events: Ordered,
  entity: number,
  at: number,
  window: number,
): number {
  const { offsets, dates, values } = events;
  const first = firstAfter(dates, offsets[entity], offsets[entity + 1], at);
  const end = firstAfter(dates, first, offsets[entity + 1], at + window);
  const aggregate = target.kind === 'rows' ? target.aggregate : 'exists';
  if (aggregate === 'exists') return Number(end > first);
  if (aggregate === 'first') return (end > first ? dates[first] - at : window) / microsecondsPerDay;
  if (typeof aggregate === 'object' && 'next' in aggregate) return end > first ? values[first] : Number.NaN;
  let value = end - first;
  if (aggregate !== 'count') value = values.subarray(first, end).reduce((sum, one) => sum + one, 0);
  const than = target.kind === 'rows' ? target.than : undefined;
  return than ? Number(compare(value, than.is, than.value)) : value;
}

/** Numbers the classes that occur among the labels. A class that came only after the last window closed is not one. */
function withClasses(task: Task, examples: readonly Examples[], names: readonly string[]): Omit<LaidOut, 'warnings'> {
  const used = new Set(examples.flatMap(({ labels }) => [...labels].filter((label) => !Number.isNaN(label))));
  const kept = [...used].sort((a, b) => a - b);
  if (kept.length > classesMax)
    throw refuseMistake({
      ...{ code: 'many_classes', task: task.name, table: task.target!.table },
      ...{ count: kept.length, most: classesMax },
    });
  const numbered = examples.map((one) => ({
    ...one,
    labels: one.labels.map((label) => (Number.isNaN(label) ? label : kept.indexOf(label))),
  }));
  return { examples: numbered, classes: kept.map((code) => names[code]) };
}

/** Leaves out anchors without a label for any horizon. */
function withoutUnlabelled(all: readonly Examples[]): Examples[] {
  const kept = Int32Array.from(all[0].rows.keys()).filter((i) => all.some(({ labels }) => !Number.isNaN(labels[i])));
  const numbers = (from: Float64Array) => Float64Array.from(kept, (i) => from[i]);
  const [first] = all;
  const rows = Int32Array.from(kept, (i) => first!.rows[i]);
  const at = numbers(first!.at);
  return all.map(({ labels, closes }) => ({ rows, at, labels: numbers(labels), closes: numbers(closes) }));
}

// --- delinquencies
// ----------------------------------------------------------------------------------------------------

/** Lays out each loan on the day it opens, labelled at its own observation point. */
function observeLoans(task: Task, target: Delinquency, tables: Tables, last: number): Omit<LaidOut, 'warnings'> {
  const { dates, observed } = delinquencies(target, tables);
  const table = tables.get(target.table)!;
  const isAsked = openPopulation(task, tables, true);
  const openings = startsOf(table, tables, target.opened);
  const { from = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY } = task.anchors ?? {};
  const asked = entityRows(table).filter((row) => {
    const at = openings[row];
    return at >= from && at <= until && observed[row] <= last && isAsked(row, at);
  });
  const rows = thinRows(asked);
  const at = Float64Array.from(rows, (row) => openings[row]);
  const labels = Float64Array.from(rows, (row) => Number(!Number.isNaN(dates[row])));
  const closes = Float64Array.from(rows, (row) => observed[row]);
  if (rows.length === 0) {
    const newest = Number.isFinite(last) ? dayText(last) : null;
    throw refuseMistake({ code: 'unobserved', task: task.name, table: table.name, newest });
  }
  return { examples: [{ rows, at, labels, closes }], classes: [] };
}

function delinquentEvents(target: Delinquency, tables: Tables): TargetEvents {
  const table = tables.get(target.table)!;
  const { dates } = delinquencies(target, tables);
  const { rows: leads, since } = ownersOf(tables, table, target.reference!);
  // A loan counts for its entity from the moment that link is known.
  const known = laterOf(dates, since)!;
  const rows = entityRows(table).filter((row) => leads[row] >= 0 && !Number.isNaN(known[row]));
  return {
    owners: Int32Array.from(rows, (row) => leads[row]),
    dates: Float64Array.from(rows, (row) => known[row]),
    values: new Float64Array(rows.length).fill(1),
    classes: [],
  };
}

// --- anchors
// ----------------------------------------------------------------------------------------------------------

type Anchors = Pick<Examples, 'rows' | 'at'>;

function layAnchors(task: Task, tables: Tables, events: TargetEvents, last: number): Anchors {
  const entities = entityTable(task, tables);
  if (task.anchors?.isOnce) return layOnce(task, tables, entities, last);
  const asked = openPopulation(task, tables, false);
  const since = askableSince(task, tables, entities);
  const isAsked = (entity: number, at: number) => isKnown(since, entity, at) && asked(entity, at);
  const moments = layMoments(task, tables, events, last);
  let size = 0;
  for (const at of moments) for (let entity = 0; entity < entities.rows; entity++) size += Number(isAsked(entity, at));
  const stride = Math.max(1, Math.ceil(size / layoutAnchorsMax));
  const rows: number[] = [];
  const at: number[] = [];
  for (const [m, moment] of moments.entries()) {
    // The first entity moves with the moment, so that thinning takes every entity in turn.
    for (let entity = m % stride; entity < entities.rows; entity += stride) {
      if (isAsked(entity, moment)) {
        rows.push(entity);
        at.push(moment);
      }
    }
  }
  return { rows: Int32Array.from(rows), at: Float64Array.from(at) };
}

/** At most `layoutAnchorsMax` of the rows, evenly spaced. */
function thinRows(rows: Int32Array): Int32Array {
  const step = Math.max(1, Math.ceil(rows.length / layoutAnchorsMax));
  return step === 1 ? rows : rows.filter((_, k) => k % step === 0);
}

/** Lays out every entity on its own day; at the start of it when only the day is known. */
function layOnce(task: Task, tables: Tables, entities: Table, last: number): Anchors {
  const isAsked = openPopulation(task, tables, true);
  const starts = startsOf(entities, tables);
  const { from = Number.NEGATIVE_INFINITY, until = last } = task.anchors!;
  const rows = entityRows(entities).filter((row) => {
    const at = starts[row];
    return at >= from && at <= until && isAsked(row, at);
  });
  const kept = thinRows(rows);
  return { rows: kept, at: Float64Array.from(kept, (row) => starts[row]) };
}

/**
 * The moments of a spaced layout. Unless the task says otherwise, they are one shortest horizon apart, start that long
 * after the first readable target row, and end where the last window of the shortest horizon just closes.
 */
function layMoments(task: Task, tables: Tables, { dates }: TargetEvents, last: number): number[] {
  const { everyDays, from, until } = task.anchors ?? {};
  const shortest = horizonsOf(task.target!)[0];
  const dayOf = (moment: number) => Math.floor(moment / microsecondsPerDay) * microsecondsPerDay;
  const end = until ?? dayOf(last - shortest * microsecondsPerDay);
  const start =
    from ?? dayOf(firstReadable(task, tables, dates)) + Math.max(1, Math.ceil(shortest)) * microsecondsPerDay;
  if (!Number.isFinite(start) || !Number.isFinite(end)) return [];
  const least = Math.max(0, end - start) / anchorMomentsMax;
  const step = Math.round(Math.max((everyDays ?? shortest) * microsecondsPerDay, everyDays === undefined ? least : 1));
  const count = Math.floor((end - start) / step) + 1;
  if (count > anchorMomentsMax)
    throw new Failure('invalid', `task ${task.name}: anchors make ${count} moments; at most ${anchorMomentsMax}`);
  // Counted from the given start, or else back from the end, so that the newest label is learned from.
  const first = from ?? end - Math.max(0, count - 1) * step;
  return Array.from({ length: Math.max(0, count) }, (_, k) => first + k * step);
}

function firstReadable({ target }: Task, tables: Tables, dates: Float64Array): number {
  let first = Number.POSITIVE_INFINITY;
  for (const moment of rowMoments(tables.get(target!.table)!) ?? dates)
    if (moment < first && Number.isFinite(moment)) first = moment;
  return first;
}
