import { type TSchema, Type } from 'typebox';
import { makeCursor, readCursor } from '../lib/http/cursor.ts';
import { nullable } from './nullable.ts';

const limitDefault = 50;
const limitMax = 200;

/** Query parameters of every list. */
export const pageQuery = {
  limit: Type.Optional(Type.Integer({ minimum: 1, description: `At most this many, ${limitMax} being the most.` })),
  cursor: Type.Optional(Type.String({ description: 'The next_cursor of the page before.' })),
};

export type Page<T> = { readonly data: readonly T[]; readonly next_cursor: string | null; readonly has_more: boolean };

/** The schema of a page of `item`, named after it in the API document, with its example. */
export function pageOf<T extends TSchema>(item: T) {
  const { title, examples = [] } = item as { readonly title?: string; readonly examples?: readonly unknown[] };
  return Type.Object(
    {
      data: Type.Array(item),
      next_cursor: nullable(Type.String()),
      has_more: Type.Boolean(),
    },
    { title: `${title}Page`, examples: [{ data: examples, next_cursor: null, has_more: false }] },
  );
}

/** The most entries of a page when a request asks for `limit`. */
export function pageSize(limit: number | undefined): number {
  return Math.min(limit ?? limitDefault, limitMax);
}

/**
 * Reads one page of a list; most lists run from the newest id to the oldest. `read` returns at most `most` rows after
 * the one whose id is `last` (null: from the start). `filters` identify the list: its workspace, its name and whatever
 * narrows it. A cursor is valid only for its own list. Throws Failure 'malformed' for a cursor that this list did not
 * give out.
 */
export async function readPage<R extends { readonly id: string }, T>(
  secret: Buffer,
  filters: readonly (string | undefined)[],
  { limit, cursor }: { limit?: number; cursor?: string },
  read: (last: string | null, most: number) => Promise<readonly R[]>,
  present: (row: R) => T,
): Promise<Page<T>> {
  const list = JSON.stringify(filters);
  const size = pageSize(limit);
  const rows = await read(cursor === undefined ? null : readCursor(secret, list, cursor), size + 1);
  const page = rows.slice(0, size);
  const hasMore = rows.length > size;
  return {
    data: page.map(present),
    next_cursor: hasMore ? makeCursor(secret, list, page.at(-1)!.id) : null,
    has_more: hasMore,
  };
}
