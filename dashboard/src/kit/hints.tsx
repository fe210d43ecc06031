import { useEffect, useRef, useState } from 'react';

const delayMs = 300;
const gap = 6;

/**
 * Shows the texts of `data-hint` beside what is hovered or focused: one layer for the whole page, above dialogs too. The
 * same texts are the descriptions of what they stand at, so that nothing is told by sight alone.
 */
export function Hints() {
  const layer = useRef<HTMLDivElement>(null);
  const [text, setText] = useState<string | null>(null);
  const anchor = useRef<Element | null>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const hide = () => {
      clearTimeout(timer);
      anchor.current = null;
      setText(null);
    };
    const show = ({ target, type }: Event) => {
      const found = target instanceof Element ? target.closest('[data-hint]') : null;
      if (found === anchor.current) return;
      hide();
      if (!found) return;
      anchor.current = found;
      timer = setTimeout(() => setText(found.getAttribute('data-hint')), type === 'focusin' ? 0 : delayMs);
    };
    const hideByKey = ({ key }: KeyboardEvent) => key === 'Escape' && hide();
    document.addEventListener('pointerover', show);
    document.addEventListener('focusin', show);
    document.addEventListener('focusout', hide);
    document.addEventListener('pointerdown', hide);
    document.addEventListener('keydown', hideByKey);
    document.addEventListener('scroll', hide, true);
    return () => {
      hide();
      document.removeEventListener('pointerover', show);
      document.removeEventListener('focusin', show);
      document.removeEventListener('focusout', hide);
      document.removeEventListener('pointerdown', hide);
      document.removeEventListener('keydown', hideByKey);
      document.removeEventListener('scroll', hide, true);
    };
  }, []);
  useEffect(() => {
    const box = layer.current;
    if (!box || text === null || !anchor.current?.isConnected) return;
    box.showPopover();
    const at = anchor.current.getBoundingClientRect();
    const { width, height } = box.getBoundingClientRect();
    const left = Math.min(Math.max(gap, at.left + (at.width - width) / 2), innerWidth - width - gap);
    const top = at.bottom + gap + height > innerHeight ? at.top - gap - height : at.bottom + gap;
    box.style.left = `${left}px`;
    box.style.top = `${top}px`;
    return () => box.hidePopover();
  }, [text]);
  return (
    <div
      ref={layer}
      popover="manual"
      role="tooltip"
      className="pointer-events-none fixed m-0 max-w-72 rounded-[6px] border-0 bg-ink px-2 py-1 text-canvas text-meta shadow-float"
    >
      {text}
    </div>
  );
}
