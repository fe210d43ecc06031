import { type TSchema, Type } from 'typebox';
import type { Channel } from '../access/actor.ts';
import type { Permission } from '../access/authorize.ts';
import type { Context } from '../access/context.ts';
import type { ScopeKind, ScopeOf } from '../access/scope.ts';
import { type Database, type Tx, tenant } from '../access/transactions.ts';
import { refuse } from '../errors.ts';
import type { RowPage } from '../lib/db/page.ts';
import { pageOf, pageQuery, readPage } from './list.ts';
import { type Route, route } from './route.ts';

/** What a list route needs of the app. */
type Lists = { readonly db: Database; readonly keys: { readonly cursors: Buffer } };

type Listed<R, S extends Exclude<ScopeKind, 'user'>> = {
  readonly path: string;
  /** Its name in cursors, which are good in this list of this scope alone. */
  readonly list: string;
  readonly operation: string;
  readonly summary: string;
  readonly description?: string;
  readonly access: Permission;
  readonly scope: S;
  readonly channels?: readonly Channel[];
  readonly schema: TSchema;
  /** At most `most` rows with an id before `before`, newest first; null starts at the newest. */
  selectPage(tx: Tx, ctx: Context<ScopeOf<S>>, before: string | null, most: number): Promise<readonly R[] | RowPage<R>>;
  present(row: R): unknown;
};

/** Makes the route that lists a resource of a workspace, or of an organization as a whole, newest first. */
export function listRoute<R extends { readonly id: string }, S extends Exclude<ScopeKind, 'user'>>(
  app: Lists,
  { list, schema, selectPage, present, ...spec }: Listed<R, S>,
): Route {
  return route(
    { method: 'GET', ...spec, query: Type.Object(pageQuery), answers: { 200: pageOf(schema) } },
    async (ctx, { query }) => ({
      status: 200,
      body: await readPage(
        app.keys.cursors,
        [ctx.workspaceId ?? ctx.organizationId, list],
        query,
        (before, most) => tenant(app.db, ctx, (tx) => selectPage(tx, ctx, before, most)),
        present,
      ),
    }),
  );
}

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
  app: Lists,
  { path, operation, noun, summaries, access, schema, selectPage, selectOne, present }: Readable<R>,
): Route[] {
  return [
    listRoute(app, {
      ...{ path: `/v1/api/${path}`, list: path, operation: `${operation}.list`, summary: summaries[0] },
      ...{ access, scope: 'workspace', schema, present },
      selectPage: (tx, _, before, most) => selectPage(tx, before, most),
    }),
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
