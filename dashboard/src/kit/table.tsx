import { memo, type ReactNode, useEffect, useRef, useSyncExternalStore } from 'react';
import { titleOfCut, useColumnWidths } from './column-widths.ts';
import { useRowsInSight } from './rows-in-sight.ts';

export type Column<T> = {
  readonly key: string;
  readonly head: ReactNode;
  /** A track of the grid: `120px`, `minmax(160px, 2fr)`. */
  readonly width: string;
  readonly isRight?: boolean;
  /** Left out on narrow screens. */
  readonly isMinor?: boolean;
  cell(row: T): ReactNode;
  /** What a table written as CSV says; columns without it are left out there. */
  text?(row: T): string | number | null | undefined;
};

/** Pixels of a row: h-9, and on narrow screens, where texts have two lines, h-12. */
const rowHeights = { wide: 36, narrow: 48 } as const;
/** Of the head with its line. */
const headHeight = 33;

export type TableProps<T> = {
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  keyOf(row: T): string;
  onOpen?(row: T): void;
  /** The key of the row that is open beside the table. */
  readonly chosen?: string;
  onEnd?(): void;
  /** Whether a row has just come in: it is lit for a moment. */
  isFresh?(row: T): boolean;
  readonly height?: string;
};

/**
 * A table of any length: only the rows in sight are in the page. A row is opened by a click anywhere in it, or by the
 * button that its first cell then is; arrow keys move on from one to the next. `onEnd` is called when the last rows come
 * into sight, to fetch more.
 */
export function Table<T>({
  label,
  columns,
  rows,
  keyOf,
  onOpen,
  chosen,
  onEnd,
  isFresh,
  height = 'max-h-[calc(100dvh-220px)]',
}: TableProps<T>) {
  const scroller = useRef<HTMLDivElement>(null);
  const isNarrow = useIsNarrow();
  const rowHeight = rowHeights[isNarrow ? 'narrow' : 'wide'];
  const tracksOf = useColumnWidths(scroller, columns, !isNarrow);
  const { from, to } = useRowsInSight(scroller, rows.length, rowHeight);
  const isAtEnd = to > 0 && to > rows.length - 10;
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again for each longer list
  useEffect(() => {
    if (isAtEnd) onEnd?.();
  }, [isAtEnd, rows.length]);
  const narrow = columns
    .filter(({ isMinor }) => !isMinor)
    .map(({ width }) => width)
    .join(' ');
  const style = { '--tracks': tracksOf(columns), '--narrow': narrow } as React.CSSProperties;
  // Of the whole table instead of each row, so that rows that stay in sight are not drawn again.
  const open = (event: React.MouseEvent) => {
    const row = rowOf(event.target);
    if (!row || isOfItself(event.target)) return;
    openerOf(row)?.focus();
    onOpen?.(rows[Number(row.dataset.row)]);
  };
  const move = (event: React.KeyboardEvent) => {
    const row = rowOf(event.target);
    if (!row) return;
    const at = Number(row.dataset.row);
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const next = Math.min(rows.length - 1, Math.max(0, at + step));
    const table = event.currentTarget.closest('[role="table"]')!;
    const [top, sight] = [next * rowHeight, table.clientHeight - headHeight];
    table.scrollTop = Math.min(top, Math.max(top + rowHeight - sight, table.scrollTop));
    requestAnimationFrame(() => openerOf(table.querySelector(`[data-row="${next}"]`))?.focus());
  };
  return (
    <div
      ref={scroller}
      role="table"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      tabIndex={0}
      onPointerOver={({ target }) => titleOfCut(target)}
      className={`relative overflow-auto rounded-[8px] border border-line bg-panel ${height}`}
      style={style}
    >
      <div role="rowgroup" className="sticky top-0 z-10 border-line border-b bg-panel">
        <div role="row" className={`${grid} h-8 items-center text-ink3 text-meta`}>
          {columns.map((column) => (
            <div key={column.key} role="columnheader" className={cellClass(column)}>
              {column.head}
            </div>
          ))}
        </div>
      </div>
      <div
        role="rowgroup"
        className="relative"
        style={{ height: rows.length * rowHeight }}
        onClick={onOpen && open}
        onKeyDown={onOpen && move}
      >
        {rows.slice(from, to).map((row, place) => {
          const key = keyOf(row);
          return (
            <Row
              key={key}
              row={row}
              at={from + place}
              top={(from + place) * rowHeight}
              columns={columns}
              opens={onOpen !== undefined}
              isChosen={chosen === key}
              isFresh={isFresh?.(row) ?? false}
            />
          );
        })}
      </div>
    </div>
  );
}

type RowOf<T> = {
  readonly row: T;
  readonly at: number;
  /** Pixels from the top of the first row. */
  readonly top: number;
  readonly columns: readonly Column<T>[];
  readonly opens: boolean;
  readonly isChosen: boolean;
  readonly isFresh: boolean;
};

/** A row as it was, for as long as what it shows is the same. */
const Row = memo(function Row<T>({ row, at, top, columns, opens, isChosen, isFresh }: RowOf<T>) {
  return (
    <div
      role="row"
      data-row={at}
      aria-rowindex={at + 2}
      aria-current={isChosen || undefined}
      className={`${grid} absolute inset-x-0 h-9 contain-strict max-sm:h-12 items-center border-line border-b text-body ${opens ? 'cursor-pointer focus-within:bg-sunken hover:bg-sunken' : ''} ${isChosen ? 'bg-accent-soft' : ''} ${isFresh ? 'arrive' : ''}`}
      style={{ top }}
    >
      {columns.map((column, place) => (
        <div key={column.key} role="cell" className={cellClass(column)}>
          {opens && place === 0 ? (
            <button
              type="button"
              data-open
              className={`-outline-offset-2 block w-full py-2 text-left max-sm:py-1 ${twoLines}`}
            >
              {column.cell(row)}
            </button>
          ) : (
            column.cell(row)
          )}
        </div>
      ))}
    </div>
  );
}) as <T>(props: RowOf<T>) => ReactNode;

const grid = 'grid grid-cols-(--narrow) sm:grid-cols-(--tracks)';

/** One line, and as much as two where the screen is narrow. */
const twoLines = 'truncate max-sm:line-clamp-2 max-sm:whitespace-normal max-sm:wrap-anywhere';

function cellClass<T>({ isRight, isMinor }: Column<T>): string {
  return `min-w-0 px-3 ${isMinor ? 'truncate max-sm:hidden' : twoLines} ${isRight ? 'text-right' : ''}`;
}

const narrowScreen = matchMedia('(width < 40rem)');

/** Whether the screen is below Tailwind's `sm`. */
function useIsNarrow(): boolean {
  return useSyncExternalStore(
    (tell) => {
      narrowScreen.addEventListener('change', tell);
      return () => narrowScreen.removeEventListener('change', tell);
    },
    () => narrowScreen.matches,
  );
}

/** The row in which something was pressed; null where it was in none, as in a menu above the table. */
function rowOf(target: EventTarget): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('[data-row]') : null;
}

/** The button by which a row is opened. */
const openerOf = (row: Element | null | undefined) => row?.querySelector<HTMLElement>('[data-open]');

/** Whether something in a row that was pressed does something of its own, such as to copy an id. */
const isOfItself = (target: EventTarget): boolean =>
  target instanceof Element && target.closest('a, button:not([data-open]), input, label') !== null;
