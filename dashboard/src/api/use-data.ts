import type { Page } from '@lastro/sdk';
import {
  type InfiniteData,
  type QueryKey,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useMemo } from 'react';
import { sayRefusal } from '../kit/toast.tsx';
import { withProof } from './proof.ts';
import { useSession } from './session.tsx';
import { spliceFront } from './splice-front.ts';

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

/** Most rows that are fetched for a file of them. */
export const rowsMost = 20_000;

/** A list of the API, as far as it has been fetched. */
export type List<T> = ReturnType<typeof useList<T>>;

/**
 * A list of the API, page by page. `rows` is what has been fetched so far; `fetchMore` gets the next page, if there is
 * one. `fetchAll` reads those that are left without keeping them, and returns all rows, or as many as a file may have.
 * `everyMs` asks for all of these pages again while it returns a number.
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
    getNextPageParam: nextOf,
    enabled: isOn,
    refetchInterval: (query) => everyMs?.(query.state.data?.pages.flatMap(({ data }) => data) ?? []) ?? false,
  });
  const rows = useMemo(() => list.data?.pages.flatMap(({ data }) => data) ?? [], [list.data]);
  return {
    ...list,
    rows,
    fetchMore: () => {
      // A page that failed is asked for again by whoever reads that it did.
      if (list.hasNextPage && !list.isFetchingNextPage && !list.isFetchNextPageError) void list.fetchNextPage();
    },
    fetchAll: async (): Promise<{ readonly rows: readonly T[]; readonly isWhole: boolean }> => {
      const all = [...rows];
      const fetched = list.data?.pages.at(-1);
      let next = fetched && nextOf(fetched);
      while (next !== undefined && all.length < rowsMost) {
        const page: Page<T> = await read(next, new AbortController().signal);
        all.push(...page.data);
        next = nextOf(page);
      }
      return { rows: all, isWhole: next === undefined };
    },
  };
}

/**
 * A list, newest first, that follows what comes in while `liveMs` is a number: its first page alone is asked for again,
 * and what is new put in front of what has been fetched.
 */
export function useLiveList<T extends { readonly id: string }>(
  key: QueryKey,
  read: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<T>>,
  liveMs: number | false,
  options: { readonly everyMs?: (rows: readonly T[]) => number | false } = {},
): List<T> {
  const client = useQueryClient();
  const queryKey = useKey(key);
  const list = useList(key, read, options);
  useQuery({
    queryKey: [...queryKey, 'front'],
    queryFn: async ({ signal }) => {
      const front = await read(undefined, signal);
      client.setQueryData<InfiniteData<Page<T>, string | undefined>>(queryKey, (known) => {
        if (!known) return known;
        const pages = [...spliceFront(known.pages, front)];
        return { pages, pageParams: known.pageParams.slice(0, pages.length) };
      });
      return front.data.length;
    },
    enabled: liveMs !== false && list.isSuccess,
    refetchInterval: liveMs,
  });
  return list;
}

const nextOf = ({ has_more: hasMore, next_cursor: cursor }: Page<unknown>): string | undefined =>
  hasMore ? (cursor ?? undefined) : undefined;

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
