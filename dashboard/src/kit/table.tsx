import { memo, type ReactNode, useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import { titleOfCut, useColumnWidths } from './column-widths.ts';
import { useRowsInSight } from './rows-in-sight.ts';

export type Column<T> = {
  readonly key: string;
  readonly head: ReactNode;
  /** A track of the grid: `120px`, `minmax(160px, 2fr)`. */
  readonly width: string;
  readonly isRight?: boolean;
  /** Left out on narrow screens: what of it matters there is said `below` another one. */
  readonly isMinor?: boolean;
  cell(row: T): ReactNode;
  /** A second line: on narrow screens, and anywhere in a table of tall rows. */
  below?(row: T): ReactNode;
  /** What a table written as CSV says; columns without it are left out there. */
  text?(row: T): string | number | null | undefined;
  /** What people read in a spreadsheet, where that is not what `text` says to programs. */
  sheetText?(row: T): string | null | undefined;
};

/** How many lines a row has below its first one, and its height in pixels. */
const rowSizes = {
  wide: { below: 0, height: 36 },
  wideTall: { below: 2, height: 68 },
  narrow: { below: 1, height: 48 },
  narrowTall: { below: 3, height: 84 },
} as const;
/** Of the head with its line. */
const headHeight = 33;

export type TableProps<T extends object> = {
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
  /** Whether what stands below is shown on wide screens, too, and may be a sentence. */
  readonly isTall?: boolean;
  readonly height?: string;
};

/**
 * A table of any length: only the rows in sight are in the page. A row is opened by a click anywhere in it, or by the
 * button that its first cell then is; arrow keys move on from one to the next. `onEnd` is called while the last rows are
 * in sight, to fetch more: often, so that it does nothing while it fetches or once it has failed.
 */
export function Table<T extends object>({
  label,
  columns,
  rows,
  keyOf,
  onOpen,
  chosen,
  onEnd,
  isFresh,
  isTall = false,
  height = 'max-h-[calc(100dvh-220px)]',
}: TableProps<T>) {
  const scroller = useRef<HTMLDivElement>(null);
  const isNarrow = useIsNarrow();
  const size = rowSizes[`${isNarrow ? 'narrow' : 'wide'}${isTall ? 'Tall' : ''}`];
  const { height: rowHeight } = size;
  const shown = useMemo(() => (isNarrow ? columns.filter(({ isMinor }) => !isMinor) : columns), [columns, isNarrow]);
  const { from, to } = useRowsInSight(scroller, rows.length, rowHeight);
  const inSight = rows.slice(from, to);
  const tracksOf = useColumnWidths(scroller, columns, inSight, !isNarrow);
  const isAtEnd = to > 0 && to > rows.length - 10;
  // Asked at each drawing: what was asked while another page was on its way may have come to nothing.
  useEffect(() => {
    if (isAtEnd) onEnd?.();
  });
  const tracks = isNarrow ? shown.map(({ width }) => width).join(' ') : tracksOf(columns);
  const style = { '--tracks': tracks } as React.CSSProperties;
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
          {shown.map((column) => (
            <div key={column.key} role="columnheader" className={`${cellClass(column)} truncate`}>
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
        {inSight.map((row, place) => {
          const key = keyOf(row);
          return (
            <Row
              key={key}
              row={row}
              at={from + place}
              top={(from + place) * rowHeight}
              size={size}
              columns={shown}
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
  readonly size: { readonly below: number; readonly height: number };
  readonly columns: readonly Column<T>[];
  readonly opens: boolean;
  readonly isChosen: boolean;
  readonly isFresh: boolean;
};

/** A row as it was, for as long as what it shows is the same. */
const Row = memo(function Row<T>(props: RowOf<T>) {
  const { row, at, top, size, columns, opens, isChosen, isFresh } = props;
  return (
    <div
      role="row"
      data-row={at}
      aria-rowindex={at + 2}
      aria-current={isChosen || undefined}
      className={`${grid} absolute inset-x-0 contain-strict items-center border-line border-b text-body ${opens ? 'cursor-pointer focus-within:bg-sunken hover:bg-sunken' : ''} ${isChosen ? 'bg-accent-soft' : ''} ${isFresh ? 'arrive' : ''}`}
      style={{ top, height: size.height }}
    >
      {columns.map((column, place) => {
        const below = size.below > 0 && column.below?.(row);
        const lines = below ? 'truncate' : twoLines;
        const cell = below ? (
          <>
            <span className="block truncate">{column.cell(row)}</span>
            <span className={`text-ink2 text-meta ${belowClasses[size.below]}`}>{below}</span>
          </>
        ) : (
          column.cell(row)
        );
        return (
          <div key={column.key} role="cell" className={`${cellClass(column)} ${lines}`}>
            {opens && place === 0 ? (
              <button
                type="button"
                data-open
                className={`-outline-offset-2 block w-full py-2 text-left max-sm:py-1 ${lines}`}
              >
                {cell}
              </button>
            ) : (
              cell
            )}
          </div>
        );
      })}
    </div>
  );
}) as <T>(props: RowOf<T>) => ReactNode;

const grid = 'grid grid-cols-(--tracks)';

/** By how many lines there are. */
const belowClasses = [...['', 'block truncate', 'line-clamp-2 whitespace-normal', 'line-clamp-3 whitespace-normal']];

/** One line, and as much as two where the screen is narrow. */
const twoLines = 'truncate max-sm:line-clamp-2 max-sm:whitespace-normal max-sm:wrap-anywhere';

const cellClass = <T,>({ isRight }: Column<T>): string => `min-w-0 px-3 ${isRight ? 'text-right' : ''}`;

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
