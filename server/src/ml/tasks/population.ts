import { microsecondsPerDay } from '../contract/contract.ts';
import { firstVersion, linkedSince, readableSince, rowAsOf, rowMoments } from '../graph/as-of/rows.ts';
import { isKnown, laterOf } from '../graph/as-of/values.ts';
import type { Table, Tables } from '../graph/tables.ts';
import { type Condition, columnsOf, compare, holds, pastsOf } from './condition.ts';
import { openCell, unreadable } from './events.ts';
import { entityTable } from './examples.ts';
import { entityRows, groupRows, ownersOf } from './owners.ts';
import type { Task } from './task.ts';

/**
 * Returns a function that says whether an entity belongs to the population at a moment, by what was known then.
 * `isFresh`: the entity is read as it first came, in its oldest version.
 */
export function openPopulation(task: Task, tables: Tables, isFresh: boolean): (entity: number, at: number) => boolean {
  const { population } = task;
  if (!population) return () => true;
  const entities = entityTable(task, tables);
  return openCondition(population, entities, openPasts(population, tables, entities), isFresh);
}

type Past = Condition & { readonly kind: 'past' };
type IsPast = (part: Past, entity: number, at: number) => boolean;

/** Whether a condition on whom to ask about holds for an entity at a moment. */
function openCondition(
  condition: Condition,
  entities: Table,
  isPast: IsPast,
  isFresh: boolean,
): (entity: number, at: number) => boolean {
  const cells = new Map(columnsOf(condition).map((name) => [name, openCell(entities, name)]));
  return (entity, at) => {
    const row = isFresh ? firstVersion(entities, entity) : rowAsOf(entities, entity, at);
    const cell = (name: string) => (row < 0 ? null : cells.get(name)!.at(row, at));
    return holds(condition, cell, (part) => isPast(part, entity, at)) === true;
  };
}

function openPasts(condition: Condition, tables: Tables, entities: Table): IsPast {
  const pasts = new Map(pastsOf(condition).map((part) => [part, openPast(part, tables, entities.rows)]));
  return (part, entity, at) => pasts.get(part)!(entity, at);
}

/**
 * Prepares to tell which parts of the population's condition rows to predict do not meet, as it was evaluated in
 * training. `isFresh`: they are new rows, and none of the entity table. Null where there is no condition, or it cannot
 * be evaluated: new rows have no past, and were perhaps sent without a column of it; tables may be read by now of which
 * it cannot be said any more.
 */
export function openOutside(
  task: Task,
  tables: Tables,
  isFresh: boolean,
): (table: Table) => ((row: number, at: number) => Condition[]) | null {
  const { population } = task;
  const entities = entityTable(task, tables);
  if (!population || !(isFresh ? pastsOf(population).length === 0 : canRead(population, entities, tables)))
    return () => null;
  const columns = columnsOf(population);
  const parts = population.kind === 'and' ? population.of : [population];
  const isPast = openPasts(population, tables, entities);
  return (table) => {
    if (!columns.every((name) => table.columns.has(name))) return null;
    const read = isFresh ? asItCame(table) : table;
    const tests = parts.map((part) => ({ part, isMet: openCondition(part, read, isPast, isFresh) }));
    return (row, at) => tests.filter(({ isMet }) => !isMet(row, at)).map(({ part }) => part);
  };
}

function canRead(condition: Condition, table: Table, tables: Tables): boolean {
  return (
    columnsOf(condition).every((name) => unreadable(table, name) === null) &&
    pastsOf(condition).every(({ rows: { table: of, where } }) => !where || canRead(where, tables.get(of)!, tables))
  );
}

/** A new row has the values it came with: what changes later has not changed yet. */
function asItCame(table: Table): Table {
  const columns = table.contract.columns.map((column) => ({ ...column, mutable: false }));
  return { ...table, contract: { ...table.contract, columns } };
}

/** Whether the number of rows an entity had by a moment meets the threshold. */
function openPast(
  { rows: of, days, than }: Past,
  tables: Tables,
  entities: number,
): (entity: number, at: number) => boolean {
  const table = tables.get(of.table)!;
  const { rows: owners, since: linked } = ownersOf(tables, table, of.reference!);
  const since = new Float64Array(table.rows).fill(Number.NaN);
  const own = new Int32Array(table.rows).fill(-1);
  for (const row of entityRows(table)) {
    // A row sent again belongs to the owner in its oldest version.
    const first = firstVersion(table, row);
    since[row] = Math.max(readableSince(table, row), linked?.[first] ?? Number.NEGATIVE_INFINITY);
    if (!Number.isNaN(since[row])) own[row] = owners[first];
  }
  const { offsets, order } = groupRows(own, entities, (a, b) => since[a] - since[b]);
  const { where } = of;
  const cells = new Map((where ? columnsOf(where) : []).map((name) => [name, openCell(table, name)]));
  const isMeant = (first: number, at: number): boolean => {
    if (!where) return true;
    const row = rowAsOf(table, first, at);
    return holds(where, (name) => cells.get(name)!.at(row, at)) === true;
  };
  return (entity, at) => {
    const after = days === undefined ? Number.NEGATIVE_INFINITY : at - days * microsecondsPerDay;
    let count = 0;
    for (let k = offsets[entity]; k < offsets[entity + 1] && isKnown(since, order[k], at); k++) {
      const row = order[k];
      if ((days !== undefined && !(table.time![row] > after)) || !isMeant(row, at)) continue;
      count++;
      if (!than) return true;
    }
    return than ? compare(count, than.is, than.value) : false;
  };
}

/**
 * The moment from which each entity can be asked about: that of its own row, or, when the entity table has no dates, of
 * its first row in the target table.
 */
export function askableSince(task: Task, tables: Tables, entities: Table): Float64Array {
  const since = new Float64Array(entities.rows).fill(Number.POSITIVE_INFINITY);
  if (entities.time || entities.versions) {
    for (const row of entityRows(entities)) since[row] = linkedSince(entities, row);
    return since;
  }
  // A condition on the past decides from when an entity without a date can be asked about.
  if (task.population && pastsOf(task.population).length > 0) return since.fill(Number.NEGATIVE_INFINITY);
  const table = tables.get(task.target!.table)!;
  const { rows: owners, since: linked } = ownersOf(tables, table, task.target!.reference!);
  const readable = laterOf(rowMoments(table), linked);
  for (let row = 0; row < table.rows; row++) {
    const moment = readable?.[row] ?? Number.NEGATIVE_INFINITY;
    if (owners[row] >= 0 && moment < since[owners[row]]) since[owners[row]] = moment;
  }
  return since;
}
