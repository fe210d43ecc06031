import { microsecondsPerDay } from '../../contract/contract.ts';
import type { Table } from '../../graph/tables.ts';
import type { Task } from '../../tasks/task.ts';
import { evaluate } from '../evaluate.ts';
import { type Events, type Focus, labelsTable, type Read, type Season, yearDays } from '../feature.ts';
import type { Context } from './context.ts';

/** Earlier years whose same weeks are read. */
const yearsMax = 2;
/** The same weeks are at least so many days, or one day says what happened to happen on it. */
const weeksMin = 28;
/** A longer window has no season. */
const windowMax = 182;
/** Windows of at most this length, in days, have the same days of the week before. */
const dayMax = 2;
const weekDays = 7;
/** Of so many of the sampled anchors the table must go back that far. */
const coveredShareMin = 1 / 3;

/** The seasons of `table` that are worth reading: those that it goes back to, the nearest first. */
export function seasonsOf({ task, sample, cut }: Context, table: Table): Season[] {
  const first = firstOf(table, cut);
  const needed = sample.at.length * coveredShareMin;
  return layOut(task, table).filter(
    ({ since }) => sample.at.filter((at) => at - since * microsecondsPerDay >= first).length >= needed,
  );
}

/** Of seasons those in which at least half of the sampled anchors that have earlier events have some. */
export function usefulSeasons(context: Context, focus: Focus, events: Events): Season[] {
  const { graph, sample } = context;
  const seasons = seasonsOf(context, graph.table(events.table));
  if (seasons.length === 0) return [];
  const of: Focus = focus.kind === 'recent' ? { ...focus, kind: 'last' } : focus;
  const reads = seasons.map((span): Read => ({ kind: 'count', events, span }));
  const counts = evaluate(
    graph,
    reads.map((read) => ({ focus: of, read })),
    sample,
  );
  return seasons.filter((_, s) => {
    const told = counts.values.subarray(s * counts.rows, (s + 1) * counts.rows).filter((count) => count >= 0);
    return told.length > 0 && told.filter((count) => count > 0).length >= told.length / 2;
  });
}

/**
 * Events of the days that lie around the window a year, or a week, earlier. Labels have the moment at which their
 * window closes: those are read whose anchors lie around the anchor a year earlier.
 */
function layOut({ windowDays = 0 }: Task, { name }: Table): Season[] {
  const middleOf = name === labelsTable ? windowDays : windowDays / 2;
  const around = (ago: number, season: number): Season => ({ season, since: ago - middleOf + season / 2, ago });
  const weeks = Math.max(weeksMin, Math.ceil(windowDays));
  const years = windowDays > windowMax ? 0 : yearsMax;
  return [
    ...Array.from({ length: years }, (_, k) => around((k + 1) * yearDays, weeks)),
    ...(windowDays > 0 && windowDays <= dayMax ? [around(weekDays, windowDays)] : []),
  ];
}

/** The moment of the earliest dated row known at `cut`; Infinity for none. */
function firstOf({ time }: Table, cut: number): number {
  let first = Number.POSITIVE_INFINITY;
  for (const moment of time ?? [])
    if (moment > Number.NEGATIVE_INFINITY && moment <= cut) first = Math.min(first, moment);
  return first;
}
