import { X } from 'lucide-react';
import { type ReactNode, useEffect, useId } from 'react';
import { common } from '../words/common.ts';
import { useWords } from '../words/words.ts';
import { IconButton } from './button.tsx';

/**
 * A pane beside the list, which moves aside for it: what people compare stays in sight. On narrow screens it covers the
 * page. Escape closes it. Which one is open is held by the address of the page.
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
      // A dialog or a menu over it closes first.
      if (event.key === 'Escape' && !event.defaultPrevented && !document.querySelector('dialog[open], :popover-open'))
        onClose();
    };
    document.addEventListener('keydown', close);
    return () => document.removeEventListener('keydown', close);
  }, [onClose]);
  return (
    <aside
      aria-labelledby={id}
      className="enter fixed inset-0 z-30 overflow-y-auto border-line bg-panel lg:sticky lg:top-12 lg:z-0 lg:h-[calc(100dvh-48px)] lg:w-[440px] lg:shrink-0 lg:border-l"
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
