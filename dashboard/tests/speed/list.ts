/** The least that a virtual list shows: as many rows as the table of predictions has, of its height, with nothing in them. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { createElement, useRef } from 'react';
import { createRoot } from 'react-dom/client';

const count = Number(new URLSearchParams(location.search).get('rows'));
const rowHeight = 36;

function List() {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 6,
  });
  const rows = virtual.getVirtualItems().map(({ key, start }) => {
    const style = {
      position: 'absolute',
      width: '100%',
      height: rowHeight,
      transform: `translateY(${start}px)`,
    } as const;
    return createElement('div', { key, role: 'row', style });
  });
  const inner = createElement('div', { style: { position: 'relative', height: virtual.getTotalSize() } }, rows);
  const style = { maxHeight: 'calc(100dvh - 220px)', overflow: 'auto' };
  return createElement('div', { ref: scroller, role: 'table', style }, inner);
}

createRoot(document.getElementById('root')!).render(createElement(List));
