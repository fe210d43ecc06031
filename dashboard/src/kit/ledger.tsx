import type { ReactNode } from 'react';

export type LedgerColumn<T> = {
  readonly key: string;
  readonly head: ReactNode;
  readonly isRight?: boolean;
  /** Left out on narrow screens. */
  readonly isMinor?: boolean;
  cell(row: T, at: number): ReactNode;
  /** What stands below it on narrow screens, in place of columns that are left out there. */
  below?(row: T): ReactNode;
};

/** A short table that is read as a whole: its rows may be as high as their texts, and hold links. */
export function Ledger<T>({
  label,
  columns,
  rows,
  keyOf,
}: {
  readonly label: string;
  readonly columns: readonly LedgerColumn<T>[];
  readonly rows: readonly T[];
  keyOf(row: T, at: number): string;
}) {
  const cellClass = ({ isRight, isMinor }: LedgerColumn<T>) =>
    `px-3 ${isRight ? 'text-right' : 'text-left'} ${isMinor ? 'hidden sm:table-cell' : ''}`;
  return (
    // Placed, so that what is for readers of screens alone stands within it and cannot widen the page.
    <div
      className="relative overflow-x-auto rounded-[8px] border border-line bg-panel"
      role="region"
      aria-label={label}
      tabIndex={0}
    >
      <table className="w-full border-collapse text-body" aria-label={label}>
        <thead>
          <tr className="h-8 border-line border-b text-ink3 text-meta">
            {columns.map((column) => (
              <th key={column.key} scope="col" className={`${cellClass(column)} font-normal`}>
                {column.head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={keyOf(row, at)} className="h-9 border-line border-b last:border-b-0">
              {columns.map((column) => (
                <td key={column.key} className={`${cellClass(column)} py-1.5`}>
                  {column.cell(row, at)}
                  {column.below && <div className="text-ink2 text-meta sm:hidden">{column.below(row)}</div>}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
