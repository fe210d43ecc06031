import { type RefObject, useEffect, useRef } from 'react';

const stepOfWheel = 1.15;

/** The wheel zooms while Ctrl is held, as on maps, so that the page still scrolls. */
export function useWheelZoom(element: RefObject<Element | null>, zoomBy: (factor: number) => void): void {
  const latest = useRef(zoomBy);
  latest.current = zoomBy;
  useEffect(() => {
    const watched = element.current;
    const onWheel = (event: Event) => {
      const { ctrlKey, metaKey, deltaY } = event as WheelEvent;
      if (!ctrlKey && !metaKey) return;
      event.preventDefault();
      latest.current(deltaY < 0 ? stepOfWheel : 1 / stepOfWheel);
    };
    // React listens passively, and a passive listener cannot keep the browser from zooming the page.
    watched?.addEventListener('wheel', onWheel, { passive: false });
    return () => watched?.removeEventListener('wheel', onWheel);
  }, [element]);
}
