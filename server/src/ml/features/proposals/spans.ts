import { horizonsOf } from '../../tasks/target.ts';
import type { Task } from '../../tasks/task.ts';
import { evaluate } from '../evaluate.ts';
import type { Events, Focus, Read } from '../feature.ts';
import type { Context } from './context.ts';

/**
 * Lengths of the spans that are read, in days, shortest first: the task's window and multiples of it. Of several
 * windows the shortest, whose answers rest on the newest, and the longest where it reaches beyond these.
 */
export function spanDays({ target, windowDays }: Task): number[] {
  if (windowDays === undefined) return [30, 90, 365];
  const shortest = target ? Math.min(...horizonsOf(target)) : windowDays;
  const spans = [shortest, 3 * shortest, 12 * shortest];
  return windowDays > longer * spans[2] ? [...spans, windowDays] : spans;
}

/** Less than this much longer a span says the same. */
const longer = 1.5;

/** The spans, in days, in which at least half of the sampled anchors that have any event have one. */
export function usefulSpans({ graph, task, sample }: Context, focus: Focus, events: Events): number[] {
  const spans = spanDays(task);
  const simple: Focus = focus.kind === 'recent' ? { ...focus, kind: 'last' } : focus;
  const reads: Read[] = [
    { kind: 'count', events, span: { all: true } },
    ...spans.map((days): Read => ({ kind: 'count', events, span: { days } })),
  ];
  const counts = evaluate(
    graph,
    reads.map((read) => ({ focus: simple, read })),
    sample,
  );
  return spans.filter((_, s) => {
    let any = 0;
    let inSpan = 0;
    for (let i = 0; i < counts.rows; i++) {
      if (!(counts.values[i] > 0)) continue;
      any++;
      if (counts.values[(s + 1) * counts.rows + i] > 0) inSpan++;
    }
    return any > 0 && inSpan >= any / 2;
  });
}
