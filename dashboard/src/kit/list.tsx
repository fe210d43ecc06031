import type { ReactNode } from 'react';
import type { List } from '../api/use-data.ts';
import { useChange } from '../api/use-data.ts';
import { common } from '../words/common.ts';
import { useFormat } from '../words/format.ts';
import { useTimeZone } from '../words/time-zone.ts';
import { useWords } from '../words/words.ts';
import { Button } from './button.tsx';
import { type CsvDialect, csvOf } from './csv.ts';
import { CsvButton } from './csv-button.tsx';
import { saveAs } from './save-file.ts';
import { Failed, Skeleton } from './states.tsx';
import { type Column, Table, type TableProps } from './table.tsx';
import { say } from './toast.tsx';

/**
 * A list of the API as a table that fetches more at its end, with what it shows while it is fetched, when that failed,
 * and when there is nothing (`empty`). `rows` are those of its rows that are to be shown, if not all.
 */
export function ListTable<T extends object>({
  list,
  rows = list.rows,
  empty,
  above,
  ...table
}: Omit<TableProps<T>, 'rows' | 'onEnd'> & {
  readonly list: List<T>;
  readonly rows?: readonly T[];
  readonly empty: ReactNode;
  /** What stands above the table where there is one. */
  readonly above?: ReactNode;
}) {
  if (list.isError) return <Failed error={list.error} onRetry={() => list.refetch()} />;
  if (list.isPending) return <Skeleton rows={10} />;
  if (rows.length === 0) return empty;
  return (
    <>
      {above}
      <Table {...table} rows={rows} onEnd={list.fetchMore} />
    </>
  );
}

/** Fetches the next page of a list that is no table; nothing where there is none. */
export function MoreButton({
  list,
  label,
}: {
  readonly label?: string;
  readonly list: Pick<List<never>, 'hasNextPage' | 'isFetchingNextPage' | 'fetchMore'>;
}) {
  const c = useWords(common);
  return (
    list.hasNextPage && (
      <Button className="mt-3" isBusy={list.isFetchingNextPage} onClick={list.fetchMore}>
        {label ?? c.loadMore}
      </Button>
    )
  );
}

/** Saves all rows of a list as CSV, those that were not fetched yet included; `keep` leaves some out. */
export function ExportButton<T>({
  name,
  list,
  columns,
  keep = () => true,
}: {
  readonly name: string;
  readonly list: List<T>;
  readonly columns: readonly Column<T>[];
  keep?(row: T): boolean;
}) {
  const c = useWords(common);
  const format = useFormat();
  const timeZone = useTimeZone();
  const save = useChange(async (dialect: CsvDialect) => {
    const { rows, isWhole } = await list.fetchAll();
    saveAs(name, csvOf(columns, rows.filter(keep), dialect, timeZone));
    if (!isWhole) say(c.exportedPart(format.integer(rows.length)), { isBad: true });
  });
  return (
    <CsvButton
      label={c.export}
      isBusy={save.isPending}
      disabled={!list.rows.some(keep)}
      onSave={(dialect) => save.mutate(dialect)}
    />
  );
}
