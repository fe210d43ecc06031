import { Type } from 'typebox';
import type { Context } from '../../access/context.ts';
import { type Tx, tenant } from '../../access/transactions.ts';
import { countedPageOf, countedQuery, readPage } from '../../api/list.ts';
import { listRoute } from '../../api/read-routes.ts';
import { type Route, route } from '../../api/route.ts';
import { shortText } from '../../api/texts.ts';
import { countRows, type Listed, type RowPage } from '../../lib/db/page.ts';
import type { App } from '../app.ts';
import { targetSchema } from '../batches/target.ts';
import { aliasName } from '../models/alias.ts';
import {
  changeWatchList,
  createWatchList,
  deleteWatchList,
  type Key,
  type WatchListChange,
  type WatchListRequest,
} from './create.ts';
import { addEntries, removeEntries, setEntries } from './entries.ts';
import { entryExample } from './example.ts';
import { requireList } from './require.ts';
import { entriesOf, movesOf, selectEntries, selectLists, selectMoves } from './sql.ts';
import {
  causes,
  entriesMax,
  entrySchema,
  entryStatuses,
  keyLengthMax,
  keysMax,
  moveSchema,
  movesToldMax,
  presentEntry,
  presentList,
  presentMove,
  thresholdSaid,
  thresholdSchema,
  watchListSchema,
} from './watch-list.ts';

const access = 'invoke_predictions';
const path = '/v1/api/watch-lists';
const params = Type.Object({ id: Type.String() });
const keySchema = Type.Union([Type.String({ minLength: 1, maxLength: keyLengthMax }), Type.Number()]);
const keys = Type.Array(keySchema, {
  maxItems: keysMax,
  description: `Keys of entities; at most ${keysMax} at once.`,
});
const threshold = Type.Union([...thresholdSchema.anyOf, Type.Null()], {
  description: `${thresholdSaid} By default null where the model has bands or classes, else a difference of 0.1 of probabilities, and a share of 0.2 of numbers.`,
});
const keysBody = Type.Object(
  { keys },
  { title: 'WatchListKeys', additionalProperties: false, examples: [{ keys: [entryExample.key] }] },
);

type KeysChange = (app: App, ctx: Context, id: string, keys: readonly Key[]) => Promise<unknown>;

export const watchListRoutes = (app: App): Route[] => [
  route(
    {
      method: 'POST',
      path,
      operation: 'watchLists.create',
      summary: 'Watch entities by an alias of a model, and be told when they move',
      description: `The entities are scored by the version that the alias points at: soon, once a day, when newer data are there and when the alias points at another version. Who moves to another band, class, or by the threshold is told once, as watch-list-move; more than ${movesToldMax} moves of one rescoring are one event with their number. Nothing is charged for these scores, and they are not among predictions.`,
      ...{ access, creates: true, problems: ['invalid', 'not_found', 'limit_exceeded'] },
      body: Type.Object(
        {
          name: Type.String({ minLength: 1, maxLength: 200 }),
          model: targetSchema('The alias that scores: "<model>/<alias>", or its parts.'),
          threshold: Type.Optional(threshold),
          keys: Type.Optional(keys),
        },
        {
          title: 'WatchListRequest',
          additionalProperties: false,
          examples: [{ name: 'Largest exposures', model: 'credit/production', keys: [entryExample.key] }],
        },
      ),
      answers: { 201: watchListSchema },
    },
    (ctx, { body }) => createWatchList(app, ctx, body as WatchListRequest),
  ),
  listRoute(app, {
    ...{ path, list: 'watch-lists', operation: 'watchLists.list', summary: 'Watch lists, newest first' },
    ...{ access, scope: 'workspace', schema: watchListSchema, present: presentList, table: 'watch_lists' },
    selectPage: (tx, _, before, most) => selectLists(tx, before, most),
  }),
  route(
    {
      method: 'GET',
      path: `${path}/{id}`,
      operation: 'watchLists.get',
      summary: 'One watch list',
      ...{ access, params, answers: { 200: watchListSchema } },
    },
    async (ctx, { params: { id } }) => ({
      status: 200,
      body: presentList(await tenant(app.db, ctx, (tx) => requireList(tx, id))),
    }),
  ),
  route(
    {
      method: 'PATCH',
      path: `${path}/{id}`,
      operation: 'watchLists.update',
      summary: 'Change the name, the alias or the threshold of a watch list',
      description: 'What the version of another alias says otherwise is told as moves, because of the version.',
      ...{ access, params, problems: ['invalid'] },
      body: Type.Object(
        {
          name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
          alias: Type.Optional(aliasName()),
          threshold: Type.Optional(threshold),
        },
        { title: 'WatchListChange', additionalProperties: false, examples: [{ threshold: { difference: 50 } }] },
      ),
      answers: { 200: watchListSchema },
    },
    async (ctx, { params: { id }, body }) => ({
      status: 200,
      body: await changeWatchList(app, ctx, id, body as WatchListChange),
    }),
  ),
  route(
    {
      method: 'DELETE',
      path: `${path}/{id}`,
      operation: 'watchLists.delete',
      summary: 'Delete a watch list, with its entries and moves',
      ...{ access, params, answers: { 204: null } },
    },
    async (ctx, { params: { id } }) => {
      await deleteWatchList(app, ctx, id);
      return { status: 204 };
    },
  ),
  route(
    {
      method: 'GET',
      path: `${path}/{id}/entries`,
      operation: 'watchLists.listEntries',
      summary: 'The entries of a watch list with their present scores, newest first',
      ...{ access, params },
      query: Type.Object({
        ...countedQuery,
        status: Type.Optional(Type.String({ enum: [...entryStatuses] })),
        band: Type.Optional(shortText('Those in this band, or class.')),
        key: Type.Optional(Type.String({ maxLength: keyLengthMax, description: 'The one with this key.' })),
      }),
      answers: { 200: countedPageOf(entrySchema) },
    },
    async (ctx, { params: { id }, query: { status, band, key, ...query } }) => {
      const of = entriesOf(id, { status, band, key });
      return {
        status: 200,
        body: await pageOfList(app, ctx, { id, of, query }, selectEntries, presentEntry),
      };
    },
  ),
  ...(
    [
      ['PUT', '', 'setEntries', 'Make the entries of a watch list those of some keys', setEntries],
      ['POST', '', 'addEntries', 'Add entries to a watch list', addEntries],
      ['POST', '/removal', 'removeEntries', 'Remove entries from a watch list, with their moves', removeEntries],
    ] as const satisfies readonly (readonly [string, string, string, string, KeysChange])[]
  ).map(([method, rest, verb, summary, work]) =>
    route(
      {
        method,
        path: `${path}/{id}/entries${rest}`,
        operation: `watchLists.${verb}`,
        summary,
        description: `Who is on the list already, and stays on it, keeps its score and its moves. A list has at most ${entriesMax} entries.`,
        ...{ access, params, problems: ['limit_exceeded'] },
        body: keysBody,
        answers: { 200: watchListSchema },
      },
      async (ctx, { params: { id }, body }) => ({ status: 200, body: await work(app, ctx, id, body.keys) }),
    ),
  ),
  route(
    {
      method: 'GET',
      path: `${path}/{id}/moves`,
      operation: 'watchLists.listMoves',
      summary: 'Moves of the entries of a watch list, newest first',
      ...{ access, params },
      query: Type.Object({
        ...countedQuery,
        entry_id: Type.Optional(shortText('Those of one entry.')),
        because: Type.Optional(Type.String({ enum: [...causes] })),
      }),
      answers: { 200: countedPageOf(moveSchema) },
    },
    async (ctx, { params: { id }, query: { entry_id, because, ...query } }) => ({
      status: 200,
      body: await pageOfList(app, ctx, { id, of: movesOf(id, { entry_id, because }), query }, selectMoves, presentMove),
    }),
  ),
];

type Query = { readonly limit?: number; readonly cursor?: string; readonly count?: boolean };

/** A page of what a list has. Throws Failure 'not_found' where there is no such list. */
function pageOfList<R extends { readonly id: string }, T>(
  app: App,
  ctx: Context,
  { id, of, query }: { readonly id: string; readonly of: Listed; readonly query: Query },
  select: (tx: Tx, of: Listed, before: string | null, most: number) => Promise<RowPage<R>>,
  present: (row: R) => T,
) {
  return readPage(
    app.keys.cursors,
    [ctx.workspaceId, of.table, ...Object.values(of.filters ?? {})],
    query,
    (before, most) =>
      tenant(app.db, ctx, async (tx) => {
        await requireList(tx, id);
        return select(tx, of, before, most);
      }),
    present,
    (most) => tenant(app.db, ctx, (tx) => countRows(tx, of, most)),
  );
}
