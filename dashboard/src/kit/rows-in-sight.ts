import { type RefObject, useLayoutEffect, useState } from 'react';
import { flushSync } from 'react-dom';

/** Rows that are drawn above and below those in sight, for scrolling that is ahead of drawing. */
const spare = 6;

/**
 * Which of `count` rows are in sight of a scroller, `to` not included; all have one height, in pixels. Nothing is
 * computed per row, so that a list may be of any length.
 */
export function useRowsInSight(
  scroller: RefObject<HTMLElement | null>,
  count: number,
  height: number,
): { readonly from: number; readonly to: number } {
  const [first, setFirst] = useState(0);
  const [fitting, setFitting] = useState(0);
  useLayoutEffect(() => {
    const element = scroller.current!;
    const look = () => {
      setFirst(Math.max(0, Math.floor(element.scrollTop / height)));
      setFitting(Math.ceil(element.clientHeight / height) + 1);
    };
    // Drawn with the frame that scrolls, not with one after it.
    const follow = () => flushSync(look);
    const resized = new ResizeObserver(look);
    look();
    resized.observe(element);
    element.addEventListener('scroll', follow, { passive: true });
    return () => {
      resized.disconnect();
      element.removeEventListener('scroll', follow);
    };
  }, [scroller, height]);
  return { from: Math.max(0, Math.min(first, count) - spare), to: Math.min(count, first + fitting + spare) };
}
