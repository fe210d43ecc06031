import { Check, Circle, CircleDot, CircleX } from 'lucide-react';
import { Panel } from '../kit/page.tsx';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { detailOf, type Stage, stageNames, stageOf } from './phases.ts';
import { isUnderWay, leaksOf, type Run, type SeenPhase, useNow } from './use-runs.ts';
import { runWords } from './words.ts';

/** The steps of a run: those that are done, the one it is in, and how long each took as far as that was seen. */
export function Timeline({ run, seen }: { readonly run: Run; readonly seen: readonly SeenPhase[] }) {
  const w = useWords(runWords);
  const format = useFormat();
  const now = useNow(isUnderWay(run));
  const current: Stage | null =
    run.status === 'queued'
      ? 'wait'
      : run.phase === null
        ? run.status === 'succeeded'
          ? 'keep'
          : null
        : // Some phases are told late: what was refused says itself where that was.
          leaksOf(run).length > 0
          ? 'leakage'
          : stageOf(run.phase);
  const at = current === null ? -1 : stageNames.indexOf(current);
  const shown = stageNames.filter(
    (stage) => stage !== 'encoder' || run.pretrain || seen.some(({ phase }) => stageOf(phase) === 'encoder'),
  );
  const durationOf = (stage: Stage): number | null => {
    let total = 0;
    for (const [index, { phase, fromMs }] of seen.entries()) {
      if (stageOf(phase) !== stage) continue;
      const until = seen[index + 1]?.fromMs ?? (isUnderWay(run) ? now : Date.parse(run.finished_at ?? ''));
      if (Number.isFinite(until)) total += Math.max(0, until - fromMs);
    }
    return total > 0 ? total : null;
  };
  return (
    <Panel className="px-4 py-1">
      <ol className="divide-y divide-line">
        {shown.map((stage) => {
          const index = stageNames.indexOf(stage);
          const isDone = run.status === 'succeeded' || index < at;
          const isNow = isUnderWay(run) && index === at;
          // Where a run ended that came to nothing.
          const isEnd = index === at && (run.status === 'failed' || run.status === 'interrupted');
          const duration = durationOf(stage);
          const detail = isNow && run.phase !== null ? detailOf(run.phase, w, format) : null;
          return (
            <li
              key={stage}
              aria-current={isNow ? 'step' : undefined}
              className={`flex min-h-9 flex-wrap items-center gap-x-3 py-1.5 ${isDone || isNow || isEnd ? '' : 'text-ink3'}`}
            >
              {isDone ? (
                <Check size={14} className="text-good" aria-hidden="true" />
              ) : isNow ? (
                <CircleDot size={14} className="animate-pulse text-accent" aria-hidden="true" />
              ) : isEnd ? (
                <CircleX size={14} className={run.status === 'failed' ? 'text-bad' : 'text-ink2'} aria-hidden="true" />
              ) : (
                <Circle size={14} className="text-line2" aria-hidden="true" />
              )}
              <span className={isNow || isEnd ? 'font-medium' : ''}>{w.stages[stage]}</span>
              {isEnd && (
                <span className={`min-w-0 break-words ${run.status === 'failed' ? 'text-bad' : 'text-ink2'}`}>
                  {run.status === 'interrupted'
                    ? w.interruptedHere
                    : stage === 'leakage' && leaksOf(run).length > 0
                      ? w.refusedHere(format.list(leaksOf(run)))
                      : w.failedHere}
                </span>
              )}
              {detail && <span className="min-w-0 break-words text-ink2">{detail}</span>}
              {duration !== null && <span className="ml-auto text-ink2 text-meta">{format.duration(duration)}</span>}
            </li>
          );
        })}
      </ol>
    </Panel>
  );
}
