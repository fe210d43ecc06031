import { microsecondsPerDay } from '../contract/contract.ts';
import { otherTimeAsked } from '../features/anchors.ts';
import { isKnown } from '../graph/as-of/values.ts';
import type { Tables } from '../graph/tables.ts';
import type { OpenVersion } from '../inference/predict.ts';
import { startsOf } from '../tasks/events.ts';
import { type Examples, entityTable } from '../tasks/examples.ts';
import { endOfData } from '../tasks/layout.ts';
import { entityRows } from '../tasks/owners.ts';
import { askableSince, openPopulation } from '../tasks/population.ts';
import { horizonsOf } from '../tasks/target.ts';
import type { Task } from '../tasks/task.ts';

/** Rows of the entity table at the moments of which they are asked about at present. */
export type Present = { readonly rows: Int32Array; readonly at: Float64Array };

/** More rows would change what they cost, and little of what they say. */
const presentMax = 5_000;
/** From so many new rows on without a label yet, no older ones are asked about. */
const openMin = 200;

/**
 * The rows that callers would ask about at the end of the data: of a task about new rows, by whichever of their dates,
 * the newest, each at its own moment, those whose label is not known yet where there are enough; else the entities that
 * the task asks about, at the end of the data; those of the newest labels where it takes its labels from files, which
 * say by themselves whom it is about. `until`: nothing later is known.
 */
export function presentRows(
  { version: { task, fresh } }: OpenVersion,
  tables: Tables,
  labels: Examples,
  until: number,
): Present {
  const end = Math.min(until, endOfData(tables, until));
  const table = entityTable(task, tables);
  const starts = fresh ? startsOf(table, tables) : otherStarts();
  if (starts) {
    const isAsked = openPopulation(task, tables, fresh);
    const dated = entityRows(table).filter((row) => starts[row] <= end && isAsked(row, starts[row]));
    const newest = dated.sort((a, b) => starts[b] - starts[a] || a - b).slice(0, presentMax);
    const open = newest.filter((row) => starts[row] > end - windowOf(task) * microsecondsPerDay);
    const rows = open.length >= openMin ? open : newest;
    return { rows, at: Float64Array.from(rows, (row) => starts[row]) };
  }
  const asked = task.target ? askedNow() : labelledLast(labels);
  const step = Math.max(1, Math.ceil(asked.length / presentMax));
  const rows = asked.filter((_, k) => k % step === 0);
  return { rows, at: new Float64Array(rows.length).fill(end) };

  /** Where rows are new by another date than the one of their table. */
  function otherStarts(): Float64Array | null {
    const name = otherTimeAsked(task, tables, labels);
    const column = name === null ? undefined : table.columns.get(name);
    return column?.kind === 'time' ? column.values : null;
  }

  function askedNow(): Int32Array {
    const isAsked = openPopulation(task, tables, false);
    const since = askableSince(task, tables, table);
    return entityRows(table).filter((entity) => isKnown(since, entity, end) && isAsked(entity, end));
  }
}

/** How far the labels of a task look ahead, in days; 0 where it does not say. */
function windowOf({ windowDays, target }: Task): number {
  return windowDays ?? Math.max(0, ...(target ? horizonsOf(target) : []));
}

/** The share of labels that are the newest. */
const newestShare = 0.2;

/** The entities of the newest labels, each once. */
function labelledLast({ rows, at }: Examples): Int32Array {
  const sorted = at.toSorted();
  const since = sorted[Math.floor((1 - newestShare) * sorted.length)];
  return Int32Array.from(new Set(rows.filter((row, i) => row >= 0 && at[i] >= since))).sort();
}
