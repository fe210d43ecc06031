import { Type } from 'typebox';
import { tenant } from '../../access/transactions.ts';
import { pageOf, pageQuery, readPage } from '../../api/list.ts';
import { readMoment } from '../../api/moment.ts';
import { type Route, route } from '../../api/route.ts';
import { refuse } from '../../errors.ts';
import { eventPermissions } from '../../trail/catalog.ts';
import type { App } from '../app.ts';
import { eventSchema, filterQuery, presentEvent, readFilter, streamExample } from './event.ts';
import { followEvents, followLimits, openFollowing } from './follow.ts';
import { newestPosition, positionOf, selectEvent, selectEvents, selectNewestEvents } from './sql.ts';

const readable = 'Each event is told to those who may read what it is about, and to nobody else.';
const after = Type.Optional(Type.String({ description: 'The id of an event: what came after it.' }));
export const eventRoutes = (app: App, following = openFollowing(app)): Route[] => [
  route(
    {
      method: 'GET',
      path: '/v1/api/events',
      operation: 'events.list',
      summary:
        'What happened in the workspace, in the order in which it was committed, oldest first unless asked otherwise',
      description: `${readable} Whoever asks again with the last id as after is told every event once.`,
      access: eventPermissions,
      query: Type.Object({
        ...pageQuery,
        ...filterQuery,
        after,
        since: Type.Optional(Type.String({ description: 'RFC 3339: what happened at that moment or later.' })),
        newest_first: Type.Optional(Type.Boolean({ description: 'true: what happened last leads.' })),
      }),
      answers: { 200: pageOf(eventSchema) },
      problems: ['not_found'],
    },
    async (ctx, { query: { type, resource_type, resource_id, since, after, newest_first, ...page } }) => {
      const narrowed = {
        ...readFilter(ctx, { type, resource_type, resource_id }),
        since: since === undefined ? undefined : readMoment('since', since),
      };
      const body = await readPage(
        app.keys.cursors,
        [
          ctx.workspaceId,
          'events',
          type,
          resource_type,
          resource_id,
          since,
          after,
          ...(newest_first ? ['newest first'] : []),
        ],
        page,
        (last, most) =>
          tenant(app.db, ctx, async (tx) => {
            const start = after === undefined ? 0 : await positionOf(tx, after);
            const reached = last === null ? null : await positionOf(tx, last);
            return newest_first
              ? selectNewestEvents(tx, start, reached, most, narrowed)
              : selectEvents(tx, reached ?? start, most, narrowed);
          }),
        presentEvent,
      );
      return { status: 200, body };
    },
  ),
  route(
    {
      method: 'GET',
      path: '/v1/api/events/stream',
      operation: 'events.watch',
      summary: 'What happens in the workspace, as server-sent events',
      description: `${readable} Without Last-Event-ID or last_event_id it begins with what happens from now on. It ends when rights in the workspace change, and for who takes nothing for ${followLimits.slowMs / 1000} seconds: connect again with the last id.`,
      access: eventPermissions,
      headers: ['Last-Event-ID'],
      query: Type.Object({ ...filterQuery, last_event_id: after }),
      answers: { 200: null },
      produces: 'text/event-stream',
      example: streamExample,
      problems: ['not_found'],
    },
    async (ctx, { query: { last_event_id, ...asked }, exchange }) => {
      const filter = readFilter(ctx, asked);
      const last = exchange.headers['last-event-id'] ?? last_event_id;
      const start = await tenant(app.db, ctx, (tx) =>
        typeof last === 'string' && last !== '' ? positionOf(tx, last) : newestPosition(tx),
      );
      return followEvents(following, ctx, { filter, after: start }, exchange);
    },
  ),
  route(
    {
      method: 'GET',
      path: '/v1/api/events/{id}',
      operation: 'events.get',
      summary: 'One event',
      description: readable,
      access: eventPermissions,
      params: Type.Object({ id: Type.String() }),
      answers: { 200: eventSchema },
    },
    async (ctx, { params: { id } }) => {
      const { types } = readFilter(ctx, {});
      const row = await tenant(app.db, ctx, (tx) => selectEvent(tx, id, types));
      if (!row) throw refuse('not_found', `there is no event ${id}`);
      return { status: 200, body: presentEvent(row) };
    },
  ),
];
