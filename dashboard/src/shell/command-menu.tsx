import { lazy, Suspense, useLayoutEffect, useRef, useState } from 'react';
import { useWords } from '../words/words.ts';
import { importPart } from './new-build.ts';
import { shellWords } from './words.ts';

/** Loaded when it is first opened. */
const Commands = lazy(async () => ({ default: (await importPart(() => import('./commands.tsx'))).Commands }));

/** The box of commands: what is typed before its list has loaded stands in it too. */
export function CommandMenu({ onClose }: { onClose(): void }) {
  const w = useWords(shellWords);
  const [text, setText] = useState('');
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    element?.querySelector('input')?.focus();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-label={w.commands}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onMouseDown={(event) => event.target === event.currentTarget && onClose()}
      className="mx-auto mt-[14vh] w-[calc(100vw-32px)] max-w-xl rounded-[8px] border border-line bg-panel p-0 text-ink shadow-float backdrop:bg-black/30"
    >
      <Suspense
        fallback={
          <input
            aria-label={w.commands}
            placeholder={w.commands}
            value={text}
            onChange={(event) => setText(event.target.value)}
            className={commandInput}
          />
        }
      >
        <Commands text={text} onText={setText} onClose={onClose} inputClass={commandInput} />
      </Suspense>
    </dialog>
  );
}

const commandInput = 'h-11 w-full border-line border-b bg-transparent px-4 text-section outline-none';
