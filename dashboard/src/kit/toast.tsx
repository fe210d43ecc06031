import { LastroError } from '@lastro/sdk';
import { X } from 'lucide-react';
import { useEffect, useId, useRef, useState, useSyncExternalStore } from 'react';
import { common } from '../words/common.ts';
import { currentLanguage } from '../words/language.ts';
import { meaningOf, refusalWords } from '../words/refusals.ts';
import { useWords, wordsNow } from '../words/words.ts';
import { IconButton } from './button.tsx';

type Toast = {
  readonly id: number;
  readonly text: string;
  readonly isBad: boolean;
  readonly action?: { readonly label: string; run(): void };
};

const shownMs = 6_000;
/** It takes longer to reach what can be undone. */
const shownToActMs = 20_000;
let toasts: readonly Toast[] = [];
let last = 0;
const listeners = new Set<() => void>();

/** Where they can be shown: in the page, and in each dialog over it, since all but the uppermost is out of reach. */
let layers: readonly string[] = [];

function tell(): void {
  for (const listener of listeners) listener();
}

function set(next: readonly Toast[]): void {
  toasts = next;
  tell();
}

const drop = (id: number): void => set(toasts.filter((toast) => toast.id !== id));

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Says something at the edge of the page for a few seconds; what is bad stays until it is closed. */
export function say(text: string, options: { readonly isBad?: boolean; readonly action?: Toast['action'] } = {}): void {
  const id = ++last;
  set([...toasts.slice(-3), { id, text, isBad: options.isBad ?? false, action: options.action }]);
}

/** Says why something did not work. */
export function sayRefusal(error: unknown): void {
  say(refusalSaid(error), { isBad: true });
}

/** The service speaks English: on pages of another language what its code means leads. */
function refusalSaid(error: unknown): string {
  if (!(error instanceof LastroError)) return `${wordsNow(common).failed}: ${String(error)}`;
  const said = error.detail || error.message;
  const meaning = currentLanguage() === 'en' ? undefined : meaningOf(wordsNow(refusalWords), error.code);
  return meaning === undefined ? said : `${meaning} (${said})`;
}

/** A layer above what it stands in, and within its reach; the uppermost one shows what is said. */
export function Toasts() {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // After the dialog around it has been opened, so that it lies above that.
    box.current?.showPopover();
    layers = [...layers, id];
    tell();
    return () => {
      layers = layers.filter((one) => one !== id);
      tell();
    };
  }, [id]);
  const shown = useSyncExternalStore(subscribe, () => (layers.at(-1) === id ? toasts : none));
  return (
    <div
      ref={box}
      popover="manual"
      aria-live="polite"
      className="fixed top-auto right-4 bottom-4 left-auto m-0 flex w-[min(360px,calc(100vw-32px))] flex-col gap-2 overflow-visible border-0 bg-transparent p-0 text-ink"
    >
      {shown.map((toast) => (
        <Said key={toast.id} toast={toast} />
      ))}
    </div>
  );
}

const none: readonly Toast[] = [];

/** It goes by itself, though not while somebody is at it. */
function Said({ toast: { id, text, isBad, action } }: { readonly toast: Toast }) {
  const w = useWords(common);
  const [isHeld, setHeld] = useState(false);
  const ms = action ? shownToActMs : shownMs;
  useEffect(() => {
    if (isBad || isHeld) return;
    const timer = setTimeout(() => drop(id), ms);
    return () => clearTimeout(timer);
  }, [id, isBad, isHeld, ms]);
  const hold = () => setHeld(true);
  const release = () => setHeld(false);
  return (
    <div
      role="group"
      onPointerEnter={hold}
      onPointerLeave={release}
      onFocus={hold}
      onBlur={release}
      className={`enter flex items-start justify-between gap-3 rounded-[6px] border bg-panel py-1 pr-1 pl-3 text-body shadow-float ${isBad ? 'border-bad/50' : 'border-line'}`}
    >
      <span className="min-w-0 flex-1 break-words py-1.5">{text}</span>
      {action && (
        <button
          type="button"
          className="shrink-0 py-1.5 font-medium text-accent"
          onClick={() => {
            drop(id);
            action.run();
          }}
        >
          {action.label}
        </button>
      )}
      <IconButton label={w.close} icon={<X size={14} />} onClick={() => drop(id)} />
    </div>
  );
}
