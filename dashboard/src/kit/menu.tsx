import { type ReactNode, useId, useRef } from 'react';

export type MenuItem = {
  readonly key: string;
  readonly label: ReactNode;
  /** Behind the label, such as the mark of what is chosen. */
  readonly mark?: ReactNode;
  /** Of the text, where it is of another language than the page. */
  readonly lang?: string;
  onChoose(): unknown;
};

/**
 * A button that opens a list of acts below it, by the browser's own popover: it closes by Escape, by a click beside it,
 * and by choosing. Arrow keys, Home and End move within.
 */
export function Menu({
  trigger,
  label,
  triggerClass,
  hint,
  head,
  items,
  align = 'start',
  disabled = false,
  onOpen,
}: {
  readonly trigger: ReactNode;
  /** The name of the button, where its content has none. */
  readonly label?: string;
  readonly triggerClass: string;
  readonly hint?: string;
  readonly head?: ReactNode;
  readonly items: readonly MenuItem[];
  readonly align?: 'start' | 'end';
  readonly disabled?: boolean;
  onOpen?(): unknown;
}) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const place = (isOpen: boolean) => {
    if (!isOpen || !button.current || !list.current) return;
    const at = button.current.getBoundingClientRect();
    const { width } = list.current.getBoundingClientRect();
    list.current.style.top = `${at.bottom + 4}px`;
    const left = align === 'start' ? at.left : at.right - width;
    list.current.style.left = `${Math.max(8, Math.min(left, window.innerWidth - width - 8))}px`;
    list.current.style.visibility = 'visible';
    list.current.querySelector<HTMLElement>('[role="menuitem"]')?.focus();
  };
  const move = (event: React.KeyboardEvent) => {
    const all = [...(list.current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];
    const now = all.indexOf(document.activeElement as HTMLElement);
    const next = { ArrowDown: now + 1, ArrowUp: now - 1, Home: 0, End: all.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    all.at(next % all.length)?.focus();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-label={label}
        aria-haspopup="menu"
        data-hint={hint}
        disabled={disabled}
        popoverTarget={id}
        className={triggerClass}
      >
        {trigger}
      </button>
      <div
        ref={list}
        id={id}
        popover="auto"
        // It opens in the window's corner and is told only a frame later: a click meant for the list would fall beside it.
        onBeforeToggle={() => {
          if (list.current) list.current.style.visibility = 'hidden';
        }}
        onToggle={({ newState }) => {
          place(newState === 'open');
          if (newState === 'open') onOpen?.();
        }}
        className="fixed m-0 max-h-[70vh] min-w-52 max-w-80 overflow-auto rounded-[8px] border border-line bg-panel p-1 text-ink shadow-float"
      >
        {head}
        <div role="menu" aria-label={label ?? hint} onKeyDown={move}>
          {items.map(({ key, label: text, mark, lang, onChoose }) => (
            <button
              key={key}
              type="button"
              role="menuitem"
              lang={lang}
              tabIndex={-1}
              onClick={() => {
                list.current?.hidePopover();
                onChoose();
              }}
              className="flex min-h-7 w-full items-center gap-2 rounded-[4px] px-2 py-1 text-left text-body text-ink hover:bg-sunken focus-visible:bg-sunken"
            >
              <span className="min-w-0 flex-1 break-words">{text}</span>
              {mark}
            </button>
          ))}
        </div>
      </div>
    </>
  );
}
