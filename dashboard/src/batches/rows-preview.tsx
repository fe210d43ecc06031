import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import { Band, bandByName } from '../kit/bands.tsx';
import { withoutPerson } from '../kit/documents.ts';
import { textOf } from '../kit/text-of.ts';
import { isLittleKnown, isOfUnknown } from '../predictions/known.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { previewWords } from './preview-words.ts';
import { reasonColumns } from './reason-columns.ts';
import { type Declared, numberOf, sayCell } from './say-cell.ts';

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
  columns: found,
  rows: foundRows,
  declaredOf,
  order,
  onOrder,
}: {
  readonly label: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  /** What the version that answered a row declares of its outputs, where that is known. */
  declaredOf(row: readonly unknown[]): Declared | undefined;
  readonly order: Order | null;
  onOrder(order: Order | null): void;
}) {
  const at = found.indexOf(rowColumn);
  const first = <T,>(of: readonly T[]): readonly T[] => (at < 0 ? of : [of[at], ...of.toSpliced(at, 1)]);
  const [columns, rows] = [first(found), foundRows.map(first)];
  const known = columns.indexOf('data_coverage');
  const isUnknown = (row: readonly unknown[]) => isOfUnknown({ data_coverage: row[known] });
  const stays = (index: number) => (index === 0 && at >= 0 ? 'sticky left-0 bg-panel' : '');
  const numeric = columns.map((_, index) =>
    rows.every((row) => numberOf(row[index]) !== null || textOf(row[index]) === ''),
  );
  return (
    <div
      role="region"
      aria-label={label}
      tabIndex={0}
      className="max-h-[max(24rem,70vh)] overflow-auto rounded-[8px] border border-line bg-panel"
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
          {rows.map((row, place) => (
            <tr key={place} className={isUnknown(row) ? 'text-ink3' : ''}>
              {columns.map((_, index) => (
                <td
                  key={index}
                  className={`h-8 max-w-80 truncate px-3 ${numeric[index] ? 'text-right tabular-nums' : ''} ${stays(index)}`}
                  title={
                    isUnknown(row) && reasonColumns.has(columns[index])
                      ? undefined
                      : titleOf(columns[index], row[index])
                  }
                >
                  <Cell
                    name={columns[index]}
                    value={row[index]}
                    declared={declaredOf(foundRows[place])}
                    isUnknown={isUnknown(row)}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
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
      className={`inline-flex items-center gap-1 hover:text-ink ${isOrdered ? 'font-medium text-ink' : ''}`}
    >
      {column}
      <Icon size={12} aria-hidden="true" />
    </button>
  );
}

/** Of results: the number of a row in its file. */
const rowColumn = 'row';

/** A CPF is masked: who needs it whole has it in the file. */
function shownText(value: unknown): string {
  return withoutPerson(textOf(value));
}

/** A level of knowledge is a word of the service, which the cell says in plainer ones. */
const titleOf = (name: string, value: unknown): string | undefined =>
  name === 'data_coverage' ? undefined : (textsOf(shownText(value))?.join('\n') ?? shownText(value));

/** The customer's own references, which stand as they were written. */
const ownColumns: ReadonlySet<string> = new Set(['reference_id', 'correlation_id']);

function Cell({
  name,
  value,
  declared,
  isUnknown,
}: {
  readonly name: string;
  readonly value: unknown;
  readonly declared: Declared | undefined;
  /** Whether nothing is known of whom the row is about: that something has no value is then no reason. */
  readonly isUnknown: boolean;
}) {
  const w = useWords(previewWords);
  const format = useFormat();
  if (isUnknown && reasonColumns.has(name)) return w.noReasons;
  const text = shownText(value);
  if (ownColumns.has(name)) return text;
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text)) return format.dateTime(text);
  const band = bandByName(text);
  if (band) return <Band name={band.name} />;
  const said = sayCell(name, value, declared, format);
  const number = numberOf(value);
  if (name === 'data_coverage' && said !== null)
    return <span className={isUnknown ? 'text-warn' : ''}>{isUnknown ? said : w.ofInputs(said)}</span>;
  if (name === 'data_coverage_share' && said !== null)
    return <span className={number !== null && isLittleKnown(number) ? 'text-warn' : ''}>{w.ofHistory(said)}</span>;
  if (said !== null) return said;
  // Whole numbers may be keys, which stand as they are.
  if (number !== null && !Number.isInteger(number)) return format.number(number);
  return textsOf(text)?.join(' · ') ?? text;
}

/** The texts of a list in JSON; null where it is none. */
function textsOf(text: string): readonly string[] | null {
  if (!text.startsWith('[')) return null;
  try {
    const found: unknown = JSON.parse(text);
    return Array.isArray(found) && found.every((one) => typeof one === 'string') ? found : null;
  } catch {
    return null;
  }
}
