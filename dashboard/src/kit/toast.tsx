import { LastroError } from '@lastro/sdk';
import { useSyncExternalStore } from 'react';
import { common } from '../words/common.ts';
import { wordsNow } from '../words/words.ts';

type Toast = {
  readonly id: number;
  readonly text: string;
  readonly isBad: boolean;
  readonly action?: { readonly label: string; run(): void };
};

const shownMs = 6_000;
let toasts: readonly Toast[] = [];
let last = 0;
const listeners = new Set<() => void>();

function set(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/** Says something at the edge of the page for a few seconds. */
export function say(text: string, options: { readonly isBad?: boolean; readonly action?: Toast['action'] } = {}): void {
  const id = ++last;
  set([...toasts.slice(-3), { id, text, isBad: options.isBad ?? false, action: options.action }]);
  setTimeout(() => set(toasts.filter((toast) => toast.id !== id)), shownMs);
}

/** Says why something did not work. */
export function sayRefusal(error: unknown): void {
  const { failed } = wordsNow(common);
  say(error instanceof LastroError ? error.detail || error.message : `${failed}: ${String(error)}`, { isBad: true });
}

export function Toasts() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => toasts,
  );
  return (
    <div aria-live="polite" className="fixed right-4 bottom-4 z-50 flex w-[min(360px,calc(100vw-32px))] flex-col gap-2">
      {shown.map(({ id, text, isBad, action }) => (
        <div
          key={id}
          className={`enter flex items-start justify-between gap-3 rounded-[6px] border bg-panel px-3 py-2 text-body shadow-float ${isBad ? 'border-bad/50' : 'border-line'}`}
        >
          <span className="min-w-0 break-words">{text}</span>
          {action && (
            <button type="button" className="shrink-0 font-medium text-accent" onClick={action.run}>
              {action.label}
            </button>
          )}
        </div>
      ))}
    </div>
  );
}
