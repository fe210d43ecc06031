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
    const show = (target: EventTarget | null, waitMs: number) => {
      const found = target instanceof Element ? target.closest('[data-hint]') : null;
      if (found === anchor.current) return;
      hide();
      if (!found) return;
      anchor.current = found;
      timer = setTimeout(() => setText(found.getAttribute('data-hint')), waitMs);
    };
    let pressed: PointerEvent | null = null;
    const hover = (event: PointerEvent) => {
      // A finger does not hover, and what opens under a pointer that stands where it was pressed is not pointed at.
      const hasMoved = event.clientX !== pressed?.clientX || event.clientY !== pressed.clientY;
      if (event.pointerType !== 'touch' && hasMoved) show(event.target, delayMs);
    };
    const press = (event: PointerEvent) => {
      pressed = event;
      hide();
    };
    const focus = ({ target }: FocusEvent) => {
      // Not where a press has put it, which has seen what it pressed.
      if (target instanceof Element && target.matches(':focus-visible')) show(target, 0);
    };
    const hideByKey = ({ key }: KeyboardEvent) => key === 'Escape' && hide();
    document.addEventListener('pointerover', hover);
    document.addEventListener('focusin', focus);
    document.addEventListener('focusout', hide);
    document.addEventListener('pointerdown', press);
    document.addEventListener('keydown', hideByKey);
    document.addEventListener('scroll', hide, true);
    return () => {
      hide();
      document.removeEventListener('pointerover', hover);
      document.removeEventListener('focusin', focus);
      document.removeEventListener('focusout', hide);
      document.removeEventListener('pointerdown', press);
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
