import type { Schemas } from '@lastro/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useClient } from '../api/session.tsx';
import { useKey } from '../api/use-data.ts';

export type RowsPage = Schemas['TableRows'];
export type TableColumn = RowsPage['columns'][number];
export type TableRow = RowsPage['data'][number];

const pageRows = 50;

/** The rows of a table, page by page. `first`: the first page, with what is said of all of them. */
export function useTableRows(table: string) {
  const client = useClient();
  const list = useInfiniteQuery({
    queryKey: useKey(['tables', table, 'rows']),
    queryFn: ({ pageParam, signal }): Promise<RowsPage> =>
      client.tables.listRows(table, { limit: pageRows, ...(pageParam ? { cursor: pageParam } : {}) }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor: cursor }) => cursor ?? undefined,
  });
  const rows = useMemo(() => list.data?.pages.flatMap(({ data }) => data) ?? [], [list.data]);
  return { ...list, first: list.data?.pages[0], rows, fetchMore: () => void list.fetchNextPage() };
}
