import { type TSchema, Type } from 'typebox';
import type { Channel } from '../access/actor.ts';
import type { Permission } from '../access/authorize.ts';
import type { Context } from '../access/context.ts';
import type { ScopeKind, ScopeOf } from '../access/scope.ts';
import { type Database, type Tx, tenant } from '../access/transactions.ts';
import { refuse } from '../errors.ts';
import { countRows, type RowPage } from '../lib/db/page.ts';
import { selectStatus } from '../lib/db/status.ts';
import { countedPageOf, countedQuery, pageOf, pageQuery, readPage } from './list.ts';
import type { Places } from './places.ts';
import { type Route, route } from './route.ts';
import { waitQuery, waitUntil } from './wait.ts';

/** What a list route needs of the app. */
type Lists = { readonly db: Database; readonly keys: { readonly cursors: Buffer } };
/** What the routes that read a resource need of it. */
type Reads = Lists & { readonly waits: Places };

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
  /** The table of which the list has every row that is visible in the scope; its entries can then be counted. */
  readonly table?: string;
};

/** Makes the route that lists a resource of a workspace, or of an organization as a whole, newest first. */
export function listRoute<R extends { readonly id: string }, S extends Exclude<ScopeKind, 'user'>>(
  app: Lists,
  { list, schema, selectPage, present, table, ...spec }: Listed<R, S>,
): Route {
  return route(
    {
      method: 'GET',
      ...spec,
      query: Type.Object(table === undefined ? (pageQuery as typeof countedQuery) : countedQuery),
      answers: { 200: table === undefined ? pageOf(schema) : countedPageOf(schema) },
    },
    async (ctx, { query }) => ({
      status: 200,
      body: await readPage(
        app.keys.cursors,
        [ctx.workspaceId ?? ctx.organizationId, list],
        query,
        (before, most) => tenant(app.db, ctx, (tx) => selectPage(tx, ctx, before, most)),
        present,
        table === undefined ? null : (most) => tenant(app.db, ctx, (tx) => countRows(tx, { table }, most)),
      ),
    }),
  );
}

/** A resource that can be listed, newest first, and read one at a time. */
type Readable<R> = {
  /** The last part of the list's path, such as `models`. */
  readonly path: string;
  /** The table of which the list has every row of the workspace. */
  readonly table: string;
  /** The first part of the operations' names, such as `models` in `models.list`. */
  readonly operation: string;
  /** One such resource in words, for refusals: `there is no <noun> …`. */
  readonly noun: string;
  /** Summaries of the route that lists them, and of the route that gets one. */
  readonly summaries: readonly [string, string];
  readonly access: 'view_models' | 'upload_files' | 'invoke_predictions';
  readonly schema: TSchema;
  /** At most `most` rows with an id before `before`, newest first; null starts at the newest. */
  selectPage(tx: Tx, before: string | null, most: number): Promise<RowPage<R>>;
  selectOne(tx: Tx, id: string): Promise<R | undefined>;
  present(row: R): unknown;
  /** For work that ends: whether it has, which a caller of the second route may wait for. */
  isOver?(row: { readonly status: string }): boolean;
};

/** Makes two routes: one lists a resource, the other gets one by its id. */
export function readRoutes<R extends { readonly id: string }>(
  app: Reads,
  { path, table, operation, noun, summaries, access, schema, selectPage, selectOne, present, isOver }: Readable<R>,
): Route[] {
  return [
    listRoute(app, {
      ...{ path: `/v1/api/${path}`, list: path, operation: `${operation}.list`, summary: summaries[0] },
      ...{ access, scope: 'workspace', schema, present, table },
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
        query: Type.Object(isOver ? waitQuery : ({} as typeof waitQuery)),
        answers: { 200: schema },
      },
      async (ctx, { params: { id }, query, ...call }) => {
        const hasEnded = async () => {
          const status = await tenant(app.db, ctx, (tx) => selectStatus(tx, table, id));
          return status === undefined || (isOver?.({ status }) ?? true);
        };
        await waitUntil(app.waits, ctx, { ...call, seconds: query.wait ?? 0 }, hasEnded);
        const row = await tenant(app.db, ctx, (tx) => selectOne(tx, id));
        if (!row) throw refuse('not_found', `there is no ${noun} ${id}`);
        return { status: 200, body: present(row) };
      },
    ),
  ];
}
