import { KeyRound } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { useWords, words } from '../words/words.ts';
import { Button } from './button.tsx';
import { Copy } from './copy.tsx';

const text = words(
  {
    once: 'Copy it now: it is shown this once, and never again.',
    stored: 'I have stored it',
  },
  {
    once: 'Copie agora: ele aparece só desta vez, e nunca mais.',
    stored: 'Já guardei',
  },
);

/** A secret that the service tells once. */
export function Secret({
  title,
  secret,
  children,
  onDone,
}: {
  readonly title: string;
  readonly secret: string;
  /** What to do with it, such as a first request. */
  readonly children?: ReactNode;
  onDone(): void;
}) {
  const w = useWords(text);
  return (
    <ToldOnce title={title} note={w.once} done={w.stored} onDone={onDone}>
      <div className="min-w-0 rounded-[6px] bg-sunken px-3 py-1.5">
        <Copy text={secret} />
      </div>
      {children}
    </ToldOnce>
  );
}

/**
 * What the service tells once. It stands in the page and not in a dialog, so that no stray Escape takes it away before
 * it is stored: the button `done` alone does.
 */
export function ToldOnce({
  title,
  note,
  done,
  children,
  onDone,
}: {
  readonly title: string;
  readonly note: string;
  readonly done: string;
  readonly children: ReactNode;
  onDone(): void;
}) {
  const box = useRef<HTMLElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <section
      ref={box}
      tabIndex={-1}
      aria-label={title}
      className="enter mb-4 flex min-w-0 flex-col gap-3 rounded-[8px] border border-warn/50 bg-panel p-4 outline-none"
    >
      <div>
        <h2 className="flex items-center gap-2 font-semibold text-section">
          <KeyRound size={15} className="shrink-0 text-warn" aria-hidden="true" />
          <span className="min-w-0 break-words">{title}</span>
        </h2>
        <p className="text-body text-ink2">{note}</p>
      </div>
      {children}
      <div>
        <Button onClick={onDone}>{done}</Button>
      </div>
    </section>
  );
}
