import { X } from 'lucide-react';
import { type KeyboardEvent as Press, type ReactNode, useEffect, useId, useLayoutEffect, useRef } from 'react';
import { common } from '../words/common.ts';
import { useWords } from '../words/words.ts';
import { IconButton } from './button.tsx';
import { coverRest, giveBack } from './focus.ts';

const wide = matchMedia('(width >= 64rem)');

/**
 * A pane beside the list, which moves aside for it: what people compare stays in sight. On narrow screens it covers the
 * page. Escape closes it. Which one is open is held by the address of the page. It takes the focus when it opens, and
 * what had it before has it again afterwards.
 */
export function Drawer({
  title,
  onClose,
  actions,
  children,
}: {
  readonly title: ReactNode;
  onClose(): void;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  const w = useWords(common);
  const id = useId();
  useEffect(() => {
    const close = (event: KeyboardEvent) => {
      // A dialog, a menu or a hint over it closes first.
      const over = document.querySelector('dialog[open], :popover-open:not([aria-live])');
      if (event.key === 'Escape' && !event.defaultPrevented && !over) onClose();
    };
    document.addEventListener('keydown', close);
    return () => document.removeEventListener('keydown', close);
  }, [onClose]);
  const pane = useRef<HTMLElement>(null);
  const before = useRef<Element | null>(null);
  useLayoutEffect(() => {
    const element = pane.current!;
    before.current = document.activeElement;
    element.focus({ preventScroll: true });
    let uncover = () => {};
    const cover = () => {
      uncover();
      uncover = wide.matches ? () => {} : coverRest(element);
    };
    cover();
    wide.addEventListener('change', cover);
    return () => {
      wide.removeEventListener('change', cover);
      uncover();
      if (element.contains(document.activeElement)) giveBack(before.current);
    };
  }, []);
  // As long as nothing within has the focus, the arrow keys stay those of the table that the pane was opened from.
  const move = (event: Press) => {
    const row = before.current?.closest('[data-row]');
    if (event.target !== pane.current || !/^Arrow(Up|Down)$/.test(event.key) || !row || !wide.matches) return;
    event.preventDefault();
    before.current!.dispatchEvent(new KeyboardEvent('keydown', { key: event.key, bubbles: true }));
  };
  return (
    <aside
      ref={pane}
      tabIndex={-1}
      onFocus={({ relatedTarget: from, currentTarget }) => {
        if (from && !currentTarget.contains(from)) before.current = from;
      }}
      onKeyDown={move}
      aria-labelledby={id}
      className="enter fixed inset-0 z-30 overflow-y-auto border-line bg-panel outline-none lg:sticky lg:top-12 lg:z-0 lg:h-[calc(100dvh-48px)] lg:w-[440px] lg:shrink-0 lg:border-l"
    >
      <div className="sticky top-0 z-10 flex h-12 items-center justify-between gap-2 border-line border-b bg-panel px-4">
        <h2 id={id} className="min-w-0 truncate font-semibold text-section">
          {title}
        </h2>
        <div className="flex items-center gap-1">
          {actions}
          <IconButton label={w.close} icon={<X size={16} />} onClick={onClose} />
        </div>
      </div>
      <div className="p-4">{children}</div>
    </aside>
  );
}

/** A page with a pane beside it. */
export function Split({ children, drawer }: { readonly children: ReactNode; readonly drawer: ReactNode }) {
  return (
    <div className="flex items-start">
      <div className="min-w-0 flex-1">{children}</div>
      {drawer}
    </div>
  );
}
