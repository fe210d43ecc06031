import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { Dialog } from '../kit/dialog.tsx';
import { useWords } from '../words/words.ts';
import { allPages, pageNames } from './pages.ts';
import { useMayOpen } from './rail.tsx';
import { useShortcutsOn } from './shortcut-choice.ts';
import { shellWords } from './words.ts';

const chordMs = 1_200;

/** `G` and a letter goes to a page, `/` to its filter, `?` shows all of them: while no dialog is open, if they are on. */
export function Shortcuts({ onMenu }: { onMenu(): void }) {
  const w = useWords(shellWords);
  const names = useWords(pageNames);
  const navigate = useNavigate();
  const mayOpen = useMayOpen();
  const [isOpen, setOpen] = useState(false);
  const chordUntil = useRef(0);
  const isOn = useShortcutsOn();
  const pages = allPages.filter((page) => page.chord && mayOpen(page));
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      // What is typed or chosen in a dialog is not left by the way.
      const isInDialog = document.querySelector('dialog[open]') !== null;
      if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        if (!isInDialog) onMenu();
        return;
      }
      if (!isOn || isInDialog || event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return;
      const key = event.key.toLowerCase();
      if (Date.now() < chordUntil.current) {
        chordUntil.current = 0;
        const page = pages.find(({ chord }) => chord === key);
        if (page) {
          event.preventDefault();
          void navigate({ to: page.to });
        }
        return;
      }
      if (key === 'g') chordUntil.current = Date.now() + chordMs;
      else if (key === '?') setOpen(true);
      else if (key === '/') {
        const filter = document.querySelector<HTMLElement>('[data-filter]');
        if (filter) event.preventDefault();
        filter?.focus();
      }
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  });
  const rows: [string, string][] = [
    ['⌘K / Ctrl K', w.openMenuBy],
    ['/', w.filterBy],
    ['Esc', w.closePane],
    ['?', w.showShortcuts],
    ...pages.map(({ chord, name }): [string, string] => [`G ${w.followedBy} ${chord!.toUpperCase()}`, names[name]]),
  ];
  return (
    <Dialog title={w.shortcuts} description={w.canBeOff} isOpen={isOpen} onClose={() => setOpen(false)}>
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1.5">
        {rows.map(([keys, what]) => (
          <div key={keys} className="contents">
            <dt>
              <kbd className="rounded border border-line bg-sunken px-1.5 font-sans text-meta">{keys}</kbd>
            </dt>
            <dd className="text-ink2">{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
