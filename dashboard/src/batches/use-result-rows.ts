import type { Query, Schemas } from '@lastro/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useClient } from '../api/session.tsx';
import { useKey } from '../api/use-data.ts';

type Page = Schemas['BatchResultRows'];
/** Rows that are asked for at once. */
const pageRows = 200;

/** Rows of a file of a result, page by page, and the first page with what is said of all of them. */
export function useResultRows(
  batchId: string,
  fileId: string,
  asked: Pick<Query<'batches.listResultRows'>, 'order_by' | 'order' | 'risk_band' | 'warning' | 'known'>,
  isOn: boolean,
) {
  const client = useClient();
  const list = useInfiniteQuery({
    queryKey: useKey(['batches', 'result-rows', batchId, fileId, asked]),
    queryFn: ({ pageParam, signal }): Promise<Page> =>
      client.batches.listResultRows(
        batchId,
        { ...asked, file_id: fileId, limit: pageRows, ...(pageParam ? { cursor: pageParam } : {}) },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    // What is asked with stays in sight while others come.
    placeholderData: (shown) => shown,
    getNextPageParam: ({ next_cursor: cursor }) => cursor ?? undefined,
    enabled: isOn,
  });
  const pages = list.data?.pages ?? [];
  return {
    ...list,
    first: pages[0],
    rows: pages.flatMap(({ columns, data }) => data.map((row) => columns.map((name) => row[name]))),
    fetchMore: () => void list.fetchNextPage(),
  };
}
