import { type TSchema, Type } from 'typebox';
import { type Database, type Tx, tenant } from '../access/transactions.ts';
import { refuse } from '../errors.ts';
import type { RowPage } from '../lib/db/page.ts';
import { pageOf, pageQuery, readPage } from './list.ts';
import { type Route, route } from './route.ts';

/** A resource that can be listed, newest first, and read one at a time. */
type Readable<R> = {
  /** The last part of the list's path, such as `models`. */
  readonly path: string;
  /** The first part of the operations' names, such as `models` in `models.list`. */
  readonly operation: string;
  /** One such resource in words, for refusals: `there is no <noun> …`. */
  readonly noun: string;
  /** Summaries of the route that lists them, and of the route that gets one. */
  readonly summaries: readonly [string, string];
  readonly access: 'view_models' | 'upload_files';
  readonly schema: TSchema;
  /** At most `most` rows with an id before `before`, newest first; null starts at the newest. */
  selectPage(tx: Tx, before: string | null, most: number): Promise<RowPage<R>>;
  selectOne(tx: Tx, id: string): Promise<R | undefined>;
  present(row: R): unknown;
};

/** Makes two routes: one lists a resource, the other gets one by its id. */
export function readRoutes<R extends { readonly id: string }>(
  app: { readonly db: Database; readonly keys: { readonly cursors: Buffer } },
  { path, operation, noun, summaries, access, schema, selectPage, selectOne, present }: Readable<R>,
): Route[] {
  return [
    route(
      {
        method: 'GET',
        path: `/v1/api/${path}`,
        operation: `${operation}.list`,
        summary: summaries[0],
        access,
        query: Type.Object(pageQuery),
        answers: { 200: pageOf(schema) },
      },
      async (ctx, { query }) => ({
        status: 200,
        body: await readPage(
          app.keys.cursors,
          [ctx.workspaceId, path],
          query,
          (before, most) => tenant(app.db, ctx, (tx) => selectPage(tx, before, most)),
          present,
        ),
      }),
    ),
    route(
      {
        method: 'GET',
        path: `/v1/api/${path}/{id}`,
        operation: `${operation}.get`,
        summary: summaries[1],
        access,
        params: Type.Object({ id: Type.String() }),
        answers: { 200: schema },
      },
      async (ctx, { params: { id } }) => {
        const row = await tenant(app.db, ctx, (tx) => selectOne(tx, id));
        if (!row) throw refuse('not_found', `there is no ${noun} ${id}`);
        return { status: 200, body: present(row) };
      },
    ),
  ];
}
