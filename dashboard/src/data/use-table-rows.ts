import type { Schemas } from '@lastro/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useClient } from '../api/session.tsx';
import { rowsMost, useKey } from '../api/use-data.ts';
import type { TableSearch } from './table-search.ts';

export type RowsPage = Schemas['TableRows'];
export type TableColumn = RowsPage['columns'][number];
export type TableRow = RowsPage['data'][number];

const pageRows = 50;
/** Rows that are asked for at once to be written to a file. */
const savedAtOnce = 200;

/** The query of the API that a page's address means. */
export const askedOf = ({ key, begins, order }: TableSearch) => ({
  ...(key === undefined ? {} : begins ? { key_prefix: key } : { key }),
  ...(order && { order }),
});

/** The rows of a table, page by page. `first`: the first page, with what is said of all of them. */
export function useTableRows(table: string, search: TableSearch) {
  const client = useClient();
  const asked = askedOf(search);
  const list = useInfiniteQuery({
    queryKey: useKey(['tables', table, 'rows', asked]),
    queryFn: ({ pageParam, signal }): Promise<RowsPage> =>
      client.tables.listRows(
        table,
        { ...asked, limit: pageRows, ...(pageParam ? { cursor: pageParam } : {}) },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    // What is asked with stays in sight while others come.
    placeholderData: (shown) => shown,
    getNextPageParam: ({ next_cursor: cursor }) => cursor ?? undefined,
  });
  const rows = useMemo(() => list.data?.pages.flatMap(({ data }) => data) ?? [], [list.data]);
  /** All rows asked for, up to as many as are written to a file, and whether these are all. */
  const fetchAll = async (): Promise<{ readonly rows: readonly TableRow[]; readonly isWhole: boolean }> => {
    const found: TableRow[] = [];
    for (let cursor: string | null | undefined; ; ) {
      const page = await client.tables.listRows(table, { ...asked, limit: savedAtOnce, ...(cursor && { cursor }) });
      found.push(...page.data);
      cursor = page.next_cursor;
      if (!cursor) return { rows: found, isWhole: true };
      if (found.length >= rowsMost) return { rows: found, isWhole: false };
    }
  };
  return { ...list, first: list.data?.pages[0], rows, fetchMore: () => void list.fetchNextPage(), fetchAll };
}
