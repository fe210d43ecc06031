import { ArrowDown, ArrowUp, ChevronRight, ChevronsUpDown } from 'lucide-react';
import { Fragment, useState } from 'react';
import { Facts } from '../kit/page.tsx';
import { textOf } from '../kit/text-of.ts';
import { isOfUnknown } from '../predictions/known.ts';
import { useWords } from '../words/words.ts';
import { previewWords } from './preview-words.ts';
import { Cell, shownText, textsOf, titleOf } from './result-cell.tsx';
import { reasonColumns, rowColumn } from './result-columns.ts';
import { type Declared, numberOf } from './say-cell.ts';

/** The column of numbers by which rows are ordered, the highest first where not ascending. */
export type Order = { readonly by: string; readonly isAscending: boolean };

/**
 * Rows of a result as a plain table, whatever their columns: wide ones scroll, long values are cut off and shown
 * on hover. Numbers are rounded and chances are percents (the file, and what is shown on hover, has all digits), moments
 * are on the clock of the workspace, and lists of texts are shown one after the other. The number of a row, by which it
 * is found in one's own file, is the first column and stays in sight. A column of numbers orders them by a click.
 */
export function RowsPreview({
  label,
  columns,
  rows,
  own,
  declaredOf,
  order,
  onOrder,
}: {
  readonly label: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  /** The columns that are of the file that was sent alone. */
  readonly own: ReadonlySet<string>;
  /** What the version that answered a row declares of its outputs, where that is known. */
  declaredOf(row: readonly unknown[]): Declared | undefined;
  readonly order: Order | null;
  onOrder(order: Order | null): void;
}) {
  const [opened, setOpened] = useState<readonly unknown[] | null>(null);
  const w = useWords(previewWords);
  const known = columns.indexOf('data_coverage');
  const isUnknown = (row: readonly unknown[]) => isOfUnknown({ data_coverage: row[known] });
  const stays = (index: number) => (index === 0 && columns[0] === rowColumn ? 'sticky left-0 bg-panel' : '');
  const numeric = columns.map((_, index) =>
    rows.every((row) => numberOf(row[index]) !== null || textOf(row[index]) === ''),
  );
  return (
    <div
      role="region"
      aria-label={label}
      tabIndex={0}
      className="@container max-h-[max(24rem,70vh)] overflow-auto rounded-[8px] border border-line bg-panel"
    >
      <table className="min-w-full border-collapse text-meta">
        <thead className="sticky top-0 z-10 bg-panel">
          <tr className="border-line border-b">
            {columns.map((column, index) => (
              <th
                key={index}
                scope="col"
                aria-sort={order?.by === column ? (order.isAscending ? 'ascending' : 'descending') : undefined}
                className={`h-8 whitespace-nowrap px-3 font-normal text-ink3 ${numeric[index] ? 'text-right' : 'text-left'} ${stays(index)}`}
              >
                {numeric[index] || order?.by === column ? (
                  <OrderButton column={column} order={order} onOrder={onOrder} />
                ) : (
                  column
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map((row, place) => {
            const isOpen = opened === row;
            const shared = { declared: declaredOf(row), isUnknown: isUnknown(row) };
            return (
              <Fragment key={place}>
                <tr className={shared.isUnknown ? 'text-ink3' : ''}>
                  {columns.map((name, index) => (
                    <td
                      key={index}
                      className={`h-8 max-w-80 truncate px-3 ${numeric[index] ? 'text-right tabular-nums' : ''} ${stays(index)}`}
                      title={shared.isUnknown && reasonColumns.has(name) ? undefined : titleOf(name, row[index])}
                    >
                      {index === 0 && (
                        <button
                          type="button"
                          aria-expanded={isOpen}
                          aria-label={w.openRow(shownText(row[index]))}
                          onClick={() => setOpened(isOpen ? null : row)}
                          className="-ml-2 mr-0.5 inline-flex size-6 items-center justify-center rounded-[4px] align-middle text-ink3 hover:bg-sunken hover:text-ink"
                        >
                          <ChevronRight size={14} aria-hidden="true" className={isOpen ? 'rotate-90' : ''} />
                        </button>
                      )}
                      <Cell name={name} value={row[index]} isOwn={own.has(name)} {...shared} />
                    </td>
                  ))}
                </tr>
                {isOpen && (
                  <tr className="bg-sunken">
                    <td colSpan={columns.length} className="p-0">
                      <div className="sticky left-0 w-[100cqi] p-4">
                        <WholeRow {...{ columns, row, own, ...shared }} />
                      </div>
                    </td>
                  </tr>
                )}
              </Fragment>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** All values of a row, its reasons one below the other. */
function WholeRow({
  columns,
  row,
  own,
  ...shared
}: {
  readonly columns: readonly string[];
  readonly row: readonly unknown[];
  readonly own: ReadonlySet<string>;
  readonly declared: Declared | undefined;
  readonly isUnknown: boolean;
}) {
  const sayAt = (name: string, at: number) => {
    const reasons = shared.isUnknown || !reasonColumns.has(name) ? null : textsOf(shownText(row[at]));
    if (!reasons) return <Cell name={name} value={row[at]} isOwn={own.has(name)} {...shared} />;
    return (
      <ol className="list-decimal pl-4">
        {reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ol>
    );
  };
  const facts = columns.flatMap((name, at) => (textOf(row[at]) === '' ? [] : [[name, sayAt(name, at)] as const]));
  const isLong = ([name]: (typeof facts)[number]) => reasonColumns.has(name);
  return (
    <div className="flex flex-col gap-4">
      <Facts columns={1} of={facts.filter(isLong)} />
      <Facts columns={4} of={facts.filter((fact) => !isLong(fact))} />
    </div>
  );
}

/** Orders by a column, the highest first, then the lowest, then no more. */
function OrderButton({
  column,
  order,
  onOrder,
}: {
  readonly column: string;
  readonly order: Order | null;
  onOrder(order: Order | null): void;
}) {
  const w = useWords(previewWords);
  const isOrdered = order?.by === column;
  const next = !isOrdered
    ? { by: column, isAscending: false }
    : order.isAscending
      ? null
      : { by: column, isAscending: true };
  const Icon = !isOrdered ? ChevronsUpDown : order.isAscending ? ArrowUp : ArrowDown;
  return (
    <button
      type="button"
      title={w.orderBy(column)}
      onClick={() => onOrder(next)}
      className={`inline-flex h-6 items-center gap-1 hover:text-ink ${isOrdered ? 'font-medium text-ink' : ''}`}
    >
      {column}
      <Icon size={12} aria-hidden="true" />
    </button>
  );
}
