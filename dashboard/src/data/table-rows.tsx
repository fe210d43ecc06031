import { Link } from '@tanstack/react-router';
import { KeyRound } from 'lucide-react';
import { memo } from 'react';
import { useSession } from '../api/session.tsx';
import { documentKind, maskedCpf } from '../kit/documents.ts';
import { MoreButton } from '../kit/list.tsx';
import { Empty, Failed, Refusal, Skeleton } from '../kit/states.tsx';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { rowWords } from './row-words.ts';
import { type RowsPage, type TableColumn, type TableRow, useTableRows } from './use-table-rows.ts';
import { dataWords } from './words.ts';

/** The rows of a table, exactly as the data have them. */
export function TableRows({ name }: { readonly name: string }) {
  const r = useWords(rowWords);
  const format = useFormat();
  const list = useTableRows(name);
  const { first, rows } = list;
  if (!first)
    return list.isError ? <Failed error={list.error} onRetry={() => list.refetch()} /> : <Skeleton rows={12} />;
  const hidden = first.personal_columns.length > 0 && r.hidden(format.list(first.personal_columns));
  return (
    <div className="mt-5">
      {rows.length > 0 ? (
        <Rows name={name} columns={first.columns} rows={rows} />
      ) : (
        !list.hasNextPage &&
        (first.rows > 0 ? (
          <Empty title={r.noneLeft}>{r.noneLeftBody}</Empty>
        ) : (
          <Empty title={r.none}>{r.noneBody}</Empty>
        ))
      )}
      <div className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-ink3 text-meta">
        {rows.length > 0 && <p role="status">{r.shown(format.integer(rows.length), format.integer(first.rows))}</p>}
        {hidden && <p>{hidden}</p>}
      </div>
      {list.isFetchNextPageError && <Refusal error={list.error} />}
      <MoreButton list={list} />
    </div>
  );
}

/**
 * The rows in a panel that scrolls both ways. The head stays in sight, and so does the number of a row, but on phones,
 * where it would take the room of values.
 */
function Rows({
  name,
  columns,
  rows,
}: {
  readonly name: string;
  readonly columns: RowsPage['columns'];
  readonly rows: readonly TableRow[];
}) {
  const r = useWords(rowWords);
  return (
    <div
      role="region"
      aria-label={r.rowsOf(name)}
      tabIndex={0}
      className="max-h-[calc(100dvh-120px)] overflow-auto sm:max-h-[max(20rem,calc(100dvh-290px))] rounded-[8px] border border-line bg-panel"
    >
      <table className="w-max min-w-full border-separate border-spacing-0 text-body">
        <thead>
          <tr className="text-left">
            <th scope="col" className={`${headClass} left-0 z-20 w-px text-right max-sm:left-auto`}>
              <span className="sr-only">{r.number}</span>
              <span aria-hidden="true" className="flex h-5 items-center justify-end font-normal text-ink3 text-meta">
                #
              </span>
            </th>
            {columns.map((column) => (
              <Head key={column.name} column={column} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            // Rows have no identity but their place, which does not change: pages are of one state of the data.
            <Row key={at} number={at + 1} columns={columns} row={row} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

const headClass = 'sticky top-0 z-10 border-line border-b bg-panel px-3 py-1.5 align-top';
const cellClass = 'h-8 max-w-[26rem] truncate border-line border-b px-3 group-last:border-b-0';

function Head({ column: { name, type, is_key: isKey, references } }: { readonly column: TableColumn }) {
  const w = useWords(dataWords);
  const r = useWords(rowWords);
  return (
    <th scope="col" className={`${headClass} ${isNumber(type) ? 'text-right' : ''} not-last:w-px`}>
      <span
        className={`flex h-5 items-center gap-1 whitespace-nowrap font-medium font-mono text-meta ${isNumber(type) ? 'justify-end' : ''}`}
      >
        {isKey && <KeyRound size={12} className="text-ink3" role="img" aria-label={r.key} />}
        {name}
      </span>
      <span className="block whitespace-nowrap font-normal text-ink3 text-meta">
        {w.types[type]}
        {references && <> · {w.references(references)}</>}
      </span>
    </th>
  );
}

const Row = memo(function Row({
  number,
  columns,
  row,
}: {
  readonly number: number;
  readonly columns: RowsPage['columns'];
  readonly row: TableRow;
}) {
  const format = useFormat();
  return (
    <tr className="group hover:bg-sunken">
      <td
        className={`${cellClass} sticky left-0 bg-panel text-right text-ink3 text-meta tabular-nums group-hover:bg-sunken max-sm:static`}
      >
        {format.integer(number)}
      </td>
      {columns.map((column) => (
        <Cell key={column.name} column={column} value={row[column.name]} />
      ))}
    </tr>
  );
});

function Cell({ column, value }: { readonly column: TableColumn; readonly value: TableRow[string] | undefined }) {
  const { has } = useSession();
  const said = textOf(value);
  if (said === null)
    return <td className={`${cellClass} text-ink3 ${isNumber(column.type) ? 'text-right' : ''}`}>null</td>;
  return (
    <td
      className={`${cellClass} ${isNumber(column.type) ? 'text-right tabular-nums' : ''}`}
      title={said.length > titledFrom ? said : undefined}
    >
      {column.references && has('invoke_predictions') ? (
        <Link
          to="/entities/$table/$key"
          params={{ table: column.references, key: String(value) }}
          className="text-accent hover:underline"
        >
          {said}
        </Link>
      ) : (
        said
      )}
    </td>
  );
}

/** Characters from which a text may be cut off in its cell. */
const titledFrom = 40;

const isNumber = (type: TableColumn['type']): boolean => type === 'integer' || type === 'number';

/** A value as the data have it; a CPF is masked, as everywhere on pages. */
function textOf(value: TableRow[string] | undefined): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'string' && documentKind(value) === 'cpf' ? maskedCpf(value) : String(value);
}
