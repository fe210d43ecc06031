import type { Page } from '@lastro/sdk';
import { type QueryKey, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { sayRefusal } from '../kit/toast.tsx';
import { withProof } from './proof.ts';
import { useSession } from './session.tsx';

/** Keys are of the workspace, so that nothing of one shows in another. */
export function useKey(key: QueryKey): QueryKey {
  const { workspace, organization } = useSession();
  return [workspace?.id ?? organization?.id ?? 'none', ...key];
}

/** One answer of the API, kept under `key`. `everyMs` asks again while it returns a number. */
export function useData<T>(
  key: QueryKey,
  read: (signal: AbortSignal) => Promise<T>,
  options: { readonly isOn?: boolean; readonly everyMs?: (data: T | undefined) => number | false } = {},
) {
  const { isOn = true, everyMs } = options;
  return useQuery({
    queryKey: useKey(key),
    queryFn: ({ signal }) => read(signal),
    enabled: isOn,
    refetchInterval: (query) => everyMs?.(query.state.data) ?? false,
  });
}

/** Most rows that are fetched at a stroke, such as for a file of them. */
const rowsMost = 20_000;

/**
 * A list of the API, page by page. `rows` is what has been fetched so far; `fetchMore` gets the next page, if there is
 * one, and `fetchAll` those that are left, and returns all rows, up to some thousands.
 */
export function useList<T>(
  key: QueryKey,
  read: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<T>>,
  options: { readonly isOn?: boolean; readonly everyMs?: (rows: readonly T[]) => number | false } = {},
) {
  const { isOn = true, everyMs } = options;
  const list = useInfiniteQuery({
    queryKey: useKey(key),
    queryFn: ({ pageParam, signal }) => read(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => (page.has_more ? (page.next_cursor ?? undefined) : undefined),
    enabled: isOn,
    refetchInterval: (query) => everyMs?.(query.state.data?.pages.flatMap(({ data }) => data) ?? []) ?? false,
  });
  const rows = useMemo(() => list.data?.pages.flatMap(({ data }) => data) ?? [], [list.data]);
  return {
    ...list,
    rows,
    fetchMore: () => {
      if (list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage();
    },
    fetchAll: async (): Promise<readonly T[]> => {
      let all = rows;
      for (let { hasNextPage } = list; hasNextPage && all.length < rowsMost; ) {
        const next = await list.fetchNextPage({ throwOnError: true });
        all = next.data?.pages.flatMap(({ data }) => data) ?? [];
        hasNextPage = next.hasNextPage;
      }
      return all;
    },
  };
}

/**
 * Something that changes the service. When it is done, what was fetched under keys that begin like one of `changes` is
 * fetched again. A refusal is said at the edge of the page, unless `isQuiet`: then the caller shows it. A fresh proof is
 * asked for where the service wants one.
 */
export function useChange<V, T>(
  change: (input: V) => Promise<T>,
  { changes = [], isQuiet = false }: { readonly changes?: readonly QueryKey[]; readonly isQuiet?: boolean } = {},
) {
  const client = useQueryClient();
  const [scope] = useKey([]);
  return useMutation({
    mutationFn: (input: V) => withProof(() => change(input)),
    onSuccess: () => Promise.all(changes.map((key) => client.invalidateQueries({ queryKey: [scope, ...key] }))),
    onError: (error) => {
      if (!isQuiet) sayRefusal(error);
    },
  });
}
