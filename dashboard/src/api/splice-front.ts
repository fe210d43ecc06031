import type { Page } from '@lastro/sdk';

/**
 * Pages of a list, newest first, with its first page as it is now: new rows stand in front, rows that are there already
 * are as they are now, and those that are gone from among them are left out. Where no row of before is in the first page,
 * more has come in than it holds, and the list starts anew with it.
 */
export function spliceFront<T extends { readonly id: string }>(
  pages: readonly Page<T>[],
  front: Page<T>,
): readonly Page<T>[] {
  const ids = new Set(front.data.map(({ id }) => id));
  const before = pages.flatMap(({ data }) => data);
  const lastShared = before.findLastIndex(({ id }) => ids.has(id));
  if (!front.has_more || lastShared < 0) return [front];
  const covered = new Set(before.slice(0, lastShared + 1));
  const [first, ...rest] = pages.map((page) => ({ ...page, data: page.data.filter((row) => !covered.has(row)) }));
  return [{ ...first, data: [...front.data, ...first.data] }, ...rest];
}
