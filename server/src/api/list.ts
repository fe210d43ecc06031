import { type TSchema, Type } from 'typebox';
import type { Counted, RowPage } from '../lib/db/page.ts';
import { makeCursor, readCursor } from '../lib/http/cursor.ts';
import { objectOf } from './named.ts';
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

/** The most entries that are counted: a list that has more is counted no further. */
export const totalMax = 10_000;

/** Query parameters of a list whose entries can be counted. */
export const countedQuery = {
  ...pageQuery,
  count: Type.Optional(
    Type.Boolean({ description: `true: the answer says in total how many entries the list has, up to ${totalMax}.` }),
  ),
};

/** How many entries a list has; where it has more than are counted, those that are. */
export type Total = { readonly count: number; readonly has_more: boolean };

export type Page<T> = {
  readonly data: readonly T[];
  readonly next_cursor: string | null;
  readonly has_more: boolean;
  readonly total?: Total;
};

const total = objectOf('Total', {
  count: Type.Integer({ description: 'How many entries the list has, whatever the page.' }),
  has_more: Type.Boolean({
    description: `Whether it has more: past ${totalMax} nothing is counted, nor past what a list says it looks at.`,
  }),
});

/** As `pageOf`, of a list whose entries can be counted (`countedQuery`). */
export function countedPageOf<T extends TSchema>(item: T) {
  const { properties, ...rest } = pageOf(item);
  return Type.Object({ ...properties, total: Type.Optional(total) }, rest as { title?: string });
}

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
 * identify the list: its workspace, its name and whatever narrows it. A cursor is valid only for its own list. With
 * `count`, `countUpTo` says how many entries the list has, or `most`, and whether these are all. Throws Failure
 * 'malformed' for a cursor that this list did not give out.
 */
export async function readPage<R extends { readonly id: string }, T>(
  secret: Buffer,
  filters: readonly (string | undefined)[],
  { limit, cursor, count }: { limit?: number; cursor?: string; count?: boolean },
  read: (last: string | null, most: number) => Promise<readonly R[] | RowPage<R>>,
  present: (row: R) => T,
  countUpTo: ((most: number) => Promise<Counted>) | null = null,
): Promise<Page<T>> {
  const list = JSON.stringify(filters);
  const size = pageSize(limit);
  const found = await read(cursor === undefined ? null : readCursor(secret, list, cursor), size + 1);
  const { rows, hasMore: isCut, last }: RowPage<R> = 'rows' in found ? found : { rows: found, hasMore: false };
  const page = rows.slice(0, size);
  const hasMore = isCut || rows.length > size;
  return {
    data: page.map(present),
    next_cursor: hasMore ? makeCursor(secret, list, last ?? page[page.length - 1].id) : null,
    has_more: hasMore,
    ...(count && countUpTo && { total: totalOf(await countUpTo(totalMax + 1)) }),
  };
}

function totalOf({ count, isWhole }: Counted): Total {
  return { count: Math.min(count, totalMax), has_more: !isWhole };
}
