import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { KeyRound } from 'lucide-react';
import { type ClipboardEvent, memo, useState } from 'react';
import { useSession } from '../api/session.tsx';
import { useChange } from '../api/use-data.ts';
import { Button } from '../kit/button.tsx';
import { type CsvDialect, csvText } from '../kit/csv.ts';
import { CsvButton } from '../kit/csv-button.tsx';
import { isDay } from '../kit/day.ts';
import { documentKind, maskedCpf } from '../kit/documents.ts';
import { Input, Select } from '../kit/field.tsx';
import { MoreButton } from '../kit/list.tsx';
import { saveAs } from '../kit/save-file.ts';
import { Empty, Failed, Refusal, Skeleton } from '../kit/states.tsx';
import { say } from '../kit/toast.tsx';
import { common } from '../words/common.ts';
import { type Format, useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { useDataZone } from './data-zone.tsx';
import { rowWords } from './row-words.ts';
import type { TableSearch } from './table-search.ts';
import { type RowsPage, type TableColumn, type TableRow, useTableRows } from './use-table-rows.ts';
import { dataWords } from './words.ts';

/**
 * The rows of a table: all of them in an order, or those with a key. `dateColumn`: the column that dates them, where they
 * have one of their own.
 */
export function TableRows({ name, dateColumn }: { readonly name: string; readonly dateColumn: string | null }) {
  const r = useWords(rowWords);
  const format = useFormat();
  const search = useSearch({ from: '/_app/data/tables/$table' });
  const list = useTableRows(name, search);
  const zone = useDataZone();
  const { first, rows } = list;
  const navigate = useNavigate({ from: '/data/tables/$table' });
  if (!first)
    return list.isError ? (
      <>
        <Failed error={list.error} onRetry={() => list.refetch()} />
        {(search.key ?? search.order) !== undefined && (
          <Button className="mt-3" onClick={() => navigate({ search: {} })}>
            {r.clear}
          </Button>
        )}
      </>
    ) : (
      <Skeleton rows={12} />
    );
  const hidden = first.personal_columns.length > 0 && r.hidden(format.list(first.personal_columns));
  const [shown, all] = [format.integer(rows.length), format.integer(first.rows)];
  const hasTimes = first.columns.some(({ type }) => type === 'timestamp');
  return (
    <div className="mt-5" aria-busy={list.isPlaceholderData}>
      {first.rows > 0 && (
        <Asked columns={first.columns} dateColumn={dateColumn} search={search} list={list} name={name} />
      )}
      {rows.length > 0 ? (
        <Rows name={name} columns={first.columns} rows={rows} />
      ) : (
        <NoRows search={search} isWhole={!list.hasNextPage} isEmpty={first.rows === 0} />
      )}
      <div className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-ink3 text-meta">
        {rows.length > 0 && <p role="status">{search.key === undefined ? r.shown(shown, all) : r.found(shown, all)}</p>}
        {search.order && dateColumn && <p>{r.byDate(dateColumn)}</p>}
        {zone !== null && hasTimes && <p>{r.zone(zone)}</p>}
        {hidden && <p>{hidden}</p>}
      </div>
      {list.isFetchNextPageError && <Refusal error={list.error} />}
      <MoreButton list={list} {...(search.key !== undefined && { label: r.lookOn })} />
    </div>
  );
}

function NoRows({
  search: { key, begins },
  isWhole,
  isEmpty,
}: {
  readonly search: TableSearch;
  readonly isWhole: boolean;
  readonly isEmpty: boolean;
}) {
  const r = useWords(rowWords);
  if (isEmpty) return <Empty title={r.none}>{r.noneBody}</Empty>;
  if (key !== undefined) {
    if (!isWhole) return <Empty title={r.notYet(key)}>{r.notYetBody}</Empty>;
    return <Empty title={(begins ? r.notFoundPrefix : r.notFound)(key)}>{r.notFoundBody}</Empty>;
  }
  return isWhole && <Empty title={r.noneLeft}>{r.noneLeftBody}</Empty>;
}

/** Which rows are shown, and in which order, and those rows as a file. */
function Asked({
  columns,
  dateColumn,
  search,
  list,
  name,
}: {
  readonly columns: RowsPage['columns'];
  readonly dateColumn: string | null;
  readonly search: TableSearch;
  readonly list: Pick<ReturnType<typeof useTableRows>, 'fetchAll' | 'rows'>;
  readonly name: string;
}) {
  const r = useWords(rowWords);
  const c = useWords(common);
  const format = useFormat();
  const navigate = useNavigate({ from: '/data/tables/$table' });
  const show = (next: TableSearch) => navigate({ search: () => next, replace: true });
  const [text, setText] = useState(search.key ?? '');
  const [isBegun, setBegun] = useState(search.begins === true);
  const key = columns.find(({ is_key: isKey }) => isKey);
  const save = useChange(async (dialect: CsvDialect) => {
    const { rows, isWhole } = await list.fetchAll();
    const cells = rows.map((row) => columns.map((column) => savedOf(row[column.name])));
    saveAs(
      `${name}.csv`,
      csvText(
        columns.map((column) => column.name),
        cells,
        dialect,
      ),
    );
    if (!isWhole) say(c.exportedPart(format.integer(rows.length)), { isBad: true });
  });
  return (
    <div className="mb-3 flex flex-wrap items-center gap-2">
      {key && (
        <search>
          <form
            className="flex flex-wrap items-center gap-2"
            onSubmit={(event) => {
              event.preventDefault();
              void show(text.trim() === '' ? {} : { key: text.trim(), ...(isBegun && { begins: true }) });
            }}
          >
            <label htmlFor="key" className="text-ink2 text-meta">
              {r.find(key.name)}
            </label>
            <Select
              aria-label={r.match}
              className="!w-auto"
              value={isBegun ? 'begins' : 'exact'}
              options={[
                { value: 'exact', label: r.exact },
                { value: 'begins', label: r.begins },
              ]}
              onValue={(how) => setBegun(how === 'begins')}
            />
            <Input
              id="key"
              type="search"
              className="!w-56"
              maxLength={500}
              value={text}
              onChange={({ target }) => setText(target.value)}
            />
            <Button submits disabled={text.trim() === ''}>
              {r.search}
            </Button>
            {search.key !== undefined && (
              <Button
                kind="quiet"
                onClick={() => {
                  setText('');
                  void show({});
                }}
              >
                {r.clear}
              </Button>
            )}
          </form>
        </search>
      )}
      <span className="ml-auto flex flex-wrap items-center gap-2">
        {dateColumn && search.key === undefined && (
          <Select
            aria-label={r.order}
            className="!w-auto"
            value={search.order ?? 'arrival'}
            options={(['arrival', 'newest', 'oldest'] as const).map((value) => ({ value, label: r.orders[value] }))}
            onValue={(order) => void show(order === 'arrival' ? {} : { order })}
          />
        )}
        <CsvButton
          label={c.export}
          isBusy={save.isPending}
          disabled={list.rows.length === 0}
          onSave={(dialect) => save.mutate(dialect)}
        />
      </span>
    </div>
  );
}

/**
 * The rows in a panel that scrolls both ways. The head stays in sight, and so does the number of a row. What is copied
 * of one value is that which the data have.
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
      onCopy={copyRaw}
      className="max-h-[calc(100dvh-120px)] overflow-auto sm:max-h-[max(20rem,calc(100dvh-290px))] rounded-[8px] border border-line bg-panel"
    >
      <table className="w-max min-w-full border-separate border-spacing-0 text-body">
        <thead>
          <tr className="text-left">
            <th scope="col" className={`${headClass} left-0 z-20 w-px text-right`}>
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
        className={`${cellClass} sticky left-0 bg-panel text-right text-ink3 text-meta tabular-nums group-hover:bg-sunken`}
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
  const format = useFormat();
  const c = useWords(common);
  const raw = rawOf(value);
  if (raw === null)
    return <td className={`${cellClass} text-ink3 ${isNumber(column.type) ? 'text-right' : ''}`}>null</td>;
  const said = sayValue(value!, column, format, c);
  return (
    <td
      className={`${cellClass} ${isNumber(column.type) ? 'text-right tabular-nums' : ''}`}
      title={said !== raw || raw.length > titledFrom ? raw : undefined}
      data-raw={said === raw ? undefined : raw}
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
function rawOf(value: TableRow[string] | undefined): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'string' && documentKind(value) === 'cpf' ? maskedCpf(value) : String(value);
}

/** A value in the language of the page. Numbers of keys and references are names, and stay as they are. */
function sayValue(
  value: NonNullable<TableRow[string]>,
  { type, is_key: isKey, references }: TableColumn,
  format: Format,
  c: { readonly yes: string; readonly no: string },
): string {
  const raw = rawOf(value)!;
  if (isKey || references !== null) return raw;
  if (typeof value === 'number') return format.digits(value);
  if (typeof value === 'boolean') return (value ? c.yes : c.no).toLowerCase();
  if (type === 'date' && isDay(value)) return format.day(value);
  return type === 'timestamp' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(value) ? format.clock(value) : raw;
}

/** A value as a file has it: a CPF is masked there, too. */
const savedOf = (value: TableRow[string] | undefined): string | number | null =>
  typeof value === 'number' ? value : rawOf(value);

/** Copies the value of a cell as the data have it, where all that is selected is in that cell. */
function copyRaw(event: ClipboardEvent<HTMLElement>) {
  const selection = getSelection();
  const cellOf = (node: Node | null | undefined) =>
    (node instanceof Element ? node : node?.parentElement)?.closest<HTMLElement>('td[data-raw]');
  const cell = cellOf(selection?.anchorNode);
  if (!cell || cell !== cellOf(selection?.focusNode) || selection!.toString().trim() !== cell.innerText.trim()) return;
  event.preventDefault();
  event.clipboardData.setData('text/plain', cell.dataset.raw!);
}
