import { type TSchema, Type } from 'typebox';
import type { RowPage } from '../lib/db/page.ts';
import { makeCursor, readCursor } from '../lib/http/cursor.ts';
import { nullable } from './nullable.ts';

export const limitDefault = 50;
export const limitMax = 200;
/** Most bytes of the rows of a page: it ends early and gives a cursor when its next row would be too many. */
export const pageBytesMax = 4 * 1024 * 1024;

/** The head of a request has no room for more; what is no cursor is refused as such. */
export const cursorLengthMax = 16 * 1024;

/** Query parameters of every list. */
export const pageQuery = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: `At most this many, ${limitMax} being the most. A page of large entries has fewer; has_more says whether more follow.`,
    }),
  ),
  cursor: Type.Optional(
    Type.String({ maxLength: cursorLengthMax, description: 'The next_cursor of the page before.' }),
  ),
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
 * the one whose id is `last` (null: from the start); if rows may be large, a page of `pageBytesMax` at most. `filters`
 * identify the list: its workspace, its name and whatever narrows it. A cursor is valid only for its own list. Throws
 * Failure 'malformed' for a cursor that this list did not give out.
 */
export async function readPage<R extends { readonly id: string }, T>(
  secret: Buffer,
  filters: readonly (string | undefined)[],
  { limit, cursor }: { limit?: number; cursor?: string },
  read: (last: string | null, most: number) => Promise<readonly R[] | RowPage<R>>,
  present: (row: R) => T,
): Promise<Page<T>> {
  const list = JSON.stringify(filters);
  const size = pageSize(limit);
  const found = await read(cursor === undefined ? null : readCursor(secret, list, cursor), size + 1);
  const { rows, hasMore: isCut } = 'rows' in found ? found : { rows: found, hasMore: false };
  const page = rows.slice(0, size);
  const hasMore = isCut || rows.length > size;
  return {
    data: page.map(present),
    next_cursor: hasMore ? makeCursor(secret, list, page.at(-1)!.id) : null,
    has_more: hasMore,
  };
}
