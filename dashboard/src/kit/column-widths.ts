import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** A column of a fixed width grows up to so many pixels by what is in it. */
const fixedMost = 320;
/** Of a cell, on each side. */
const padding = 12;
/** Pixels by which sums of fractions may differ. */
const tolerance = 0.02;

type Sized = { readonly key: string; readonly width: string };

/** The rows that were measured under the same columns and widths; the head stands among them by its columns. */
type Measured = { readonly under: readonly unknown[]; readonly rows: WeakSet<object> };

/**
 * The tracks of a table's grid. Where something in sight is cut off, its column asks for as much as it needs, before
 * those that share what is left: these give away what they do not fill. Of columns that share and are all cut off, the
 * one that needs most shares on. Widths only grow, so that columns do not dance while rows go by. `inSight`: the rows in
 * the page, in their order below the head.
 */
export function useColumnWidths<T extends Sized>(
  table: RefObject<HTMLElement | null>,
  columns: readonly T[],
  inSight: readonly object[],
  isMeasured: boolean,
): (of: readonly T[]) => string {
  const [needs, setNeeds] = useState<ReadonlyMap<string, number>>(new Map());
  const measured = useRef<Measured>(null);
  // Whenever anything is drawn: what is cut off shows in the page alone.
  useLayoutEffect(() => {
    if (!isMeasured || !table.current) return;
    // Where widths have changed, what had room may be cut off now. Otherwise only what has come into sight is looked at,
    // since looking at all of it took most of the time of a frame.
    const under = [columns, needs, table.current.clientWidth];
    if (!measured.current?.under.every((one, at) => one === under[at]))
      measured.current = { under, rows: new WeakSet() };
    const { rows: known } = measured.current;
    const found = new Map(needs);
    for (const [at, row] of table.current.querySelectorAll('[role="row"]').entries()) {
      const of = at === 0 ? columns : inSight[at - 1];
      if (known.has(of)) continue;
      known.add(of);
      for (const [place, cell] of [...row.children].entries()) {
        const { key } = columns[place];
        const need = neededBy(cell);
        if (need > (found.get(key) ?? 0)) found.set(key, need);
      }
    }
    if ([...found].some(([key, need]) => needs.get(key) !== need)) setNeeds(found);
  });
  return (of) => {
    const shares = of.filter(({ width }) => width.includes('fr'));
    const needOf = ({ key }: Sized) => needs.get(key) ?? 0;
    const widest = shares.every((column) => needOf(column) > 0)
      ? shares.reduce<T | null>((most, one) => (most && needOf(most) >= needOf(one) ? most : one), null)
      : null;
    return of.map((column) => (column === widest ? column.width : trackOf(column, needOf(column)))).join(' ');
  };
}

function trackOf({ width }: Sized, need: number): string {
  const [least] = /\d+px/.exec(width) ?? [];
  const pixels = width.includes('fr') ? need : Math.min(need, fixedMost);
  return least === undefined || pixels <= Number.parseInt(least, 10) ? width : `minmax(${least}, ${pixels}px)`;
}

/** One for all cells: each range that there is makes every removal of a node from the page slower. */
const content = document.createRange();

/** Pixels that a cell needs to show all that is in it; 0 where it does. Texts have fractions of a pixel. */
function neededBy(cell: Element): number {
  const { width } = cell.getBoundingClientRect();
  const room = width - 2 * padding;
  content.selectNodeContents(cell);
  let hidden = content.getBoundingClientRect().width - room;
  for (const part of cell.querySelectorAll('.truncate')) hidden = Math.max(hidden, part.scrollWidth - part.clientWidth);
  return hidden > tolerance ? Math.ceil(width + hidden) : 0;
}

/** Gives a cell that is cut off its whole text as a title, unless what is in it has a hint of its own. */
export function titleOfCut(target: EventTarget): void {
  const cell = target instanceof Element ? target.closest<HTMLElement>('[role="cell"], [role="columnheader"]') : null;
  if (!cell) return;
  const isHinted = cell.querySelector('[title], [data-hint]') !== null;
  if (!isHinted && neededBy(cell) > 0) cell.title = cell.textContent;
  else cell.removeAttribute('title');
}
