import { useSyncExternalStore } from 'react';
import { common } from '../words/common.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';

/**
 * A moment as it is read in lists: how long ago, with the exact one on hover. `isExact`: date and time at once. On the
 * clock of the workspace, as all moments of a page.
 */
export function Moment({ at, isExact }: { readonly at: string | null | undefined; readonly isExact?: boolean }) {
  const format = useFormat();
  const w = useWords(common);
  // How long ago it was changes though nothing around it does.
  useSyncExternalStore(everyMinute, minuteNow);
  if (!at) return <span className="text-ink3">{w.never}</span>;
  return (
    <time
      dateTime={at}
      // Writing it out takes longer than all else of a row.
      onMouseEnter={({ currentTarget }) => {
        currentTarget.title = format.exact(at);
      }}
      className="whitespace-nowrap"
    >
      {isExact ? format.dateTime(at) : format.relative(at)}
    </time>
  );
}

const minuteMs = 60_000;
const minuteNow = (): number => Math.floor(Date.now() / minuteMs);

/** Of all moments that are shown: one clock tells them all. */
const shown = new Set<() => void>();
let clock: ReturnType<typeof setInterval> | undefined;

function everyMinute(tell: () => void): () => void {
  shown.add(tell);
  clock ??= setInterval(() => {
    for (const one of shown) one();
  }, minuteMs);
  return () => {
    shown.delete(tell);
    if (shown.size > 0) return;
    clearInterval(clock);
    clock = undefined;
  };
}
