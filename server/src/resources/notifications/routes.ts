import { Type } from 'typebox';
import { tenant } from '../../access/transactions.ts';
import { pageQuery, readPage } from '../../api/list.ts';
import { answerOf } from '../../api/named.ts';
import { type Route, route } from '../../api/route.ts';
import { shortText } from '../../api/texts.ts';
import type { App } from '../app.ts';
import { findSuppression } from '../notification-mails/suppressions.ts';
import { followLimits, followNotifications, openFollowing } from './follow.ts';
import { openInbox } from './inbox.ts';
import { getNotification, markAllRead, markNotification } from './mark.ts';
import {
  countsSchema,
  inboxSchema,
  notificationSchema,
  presentCounts,
  presentNotification,
  streamExample,
} from './notification.ts';
import { type Mark, selectCounts, selectNotifications } from './sql.ts';

const path = '/v1/api/notifications';
const whose =
  'Yours, of the workspace; signed in also those of the organization as a whole and of your account. A key sees what its maker is told in its workspace, as far as the key may read it.';
const params = Type.Object({ id: Type.String() });
const flag = (description: string) => Type.Optional(Type.Boolean({ description }));

const marking = [
  ['seen', 'markSeen', 'Say that the inbox has shown a notification'],
  ['read', 'markRead', 'Mark a notification as read'],
  ['unread', 'markUnread', 'Mark a notification as unread'],
  ['archive', 'archive', 'Put a notification aside'],
  ['unarchive', 'unarchive', 'Take a notification back into the inbox'],
] as const satisfies readonly (readonly [Mark, string, string])[];

export const notificationRoutes = (app: App, following = openFollowing(app)): Route[] => [
  route(
    {
      ...{ method: 'GET', path, operation: 'notifications.list' },
      summary: 'What you were told, newest first',
      description: whose,
      access: 'view_members',
      query: Type.Object({
        ...pageQuery,
        unseen: flag('true for what the inbox has not shown yet.'),
        unread: flag('true for what is unread.'),
        archived: flag('true for what was put aside, which is left out otherwise.'),
      }),
      answers: { 200: inboxSchema },
    },
    async (ctx, { query: { unseen = false, unread = false, archived = false, ...query } }) => {
      const filters = [unseen, unread, archived].map(String);
      const page = await readPage(
        app.keys.cursors,
        [ctx.workspaceId, ctx.actor.id ?? '', 'notifications', ...filters],
        query,
        (before, most) =>
          tenant(app.db, ctx, async (tx) =>
            selectNotifications(tx, await openInbox(tx, ctx), { unseen, unread, archived }, before, most),
          ),
        presentNotification,
      );
      return { status: 200, body: { ...page, mail_suppression: await findSuppression(app.db, ctx) } };
    },
  ),
  route(
    {
      ...{ method: 'GET', path: `${path}/counts`, operation: 'notifications.getCounts' },
      summary: 'How much you have not seen and not read',
      description: whose,
      access: 'view_members',
      answers: { 200: countsSchema },
    },
    async (ctx) => {
      const counts = await tenant(app.db, ctx, async (tx) => selectCounts(tx, await openInbox(tx, ctx)));
      const mail_suppression = await findSuppression(app.db, ctx);
      return { status: 200, body: { ...presentCounts(counts), mail_suppression } };
    },
  ),
  route(
    {
      ...{ method: 'GET', path: `${path}/stream`, operation: 'notifications.watch' },
      summary: 'What you are told from now on, as server-sent events',
      description: `${whose} Sends a message notification for each, and counts at first and whenever they change. Without Last-Event-ID or last_event_id it begins with what comes from now on. It ends when rights in the workspace change, and for who takes nothing for ${followLimits.slowMs / 1000} seconds: connect again with the last id.`,
      access: 'view_members',
      headers: ['Last-Event-ID'],
      query: Type.Object({ last_event_id: Type.Optional(shortText('The id of a notification: what came after it.')) }),
      answers: { 200: null },
      produces: 'text/event-stream',
      example: streamExample,
      problems: ['not_found'],
    },
    async (ctx, { query: { last_event_id }, exchange }) => {
      const last = exchange.headers['last-event-id'] ?? last_event_id;
      const id = typeof last === 'string' && last !== '' ? last : null;
      return followNotifications(app, following, ctx, id, exchange);
    },
  ),
  route(
    {
      ...{ method: 'GET', path: `${path}/{id}`, operation: 'notifications.get' },
      summary: 'One of the notifications that you were sent',
      access: 'view_members',
      params,
      answers: { 200: notificationSchema },
    },
    async (ctx, { params: { id } }) => ({
      status: 200,
      body: presentNotification(await tenant(app.db, ctx, (tx) => getNotification(tx, ctx, id))),
    }),
  ),
  route(
    {
      ...{ method: 'POST', path: `${path}/mark-all-read`, operation: 'notifications.markAllRead' },
      summary: 'Mark a notification and all that came before it as read',
      description: 'What comes meanwhile stays unread.',
      ...{ access: 'view_members', archived: 'admitted' },
      body: Type.Object(
        { before: shortText('The newest one that you know of.') },
        {
          ...{ title: 'NotificationsRead', additionalProperties: false },
          examples: [{ before: 'ntf_0199f3a8c4d27b1e9c55d0a1b2c3d4e5' }],
        },
      ),
      problems: ['not_found'],
      answers: { 200: answerOf('NotificationsMarked', { marked: 12 }, { marked: Type.Integer() }) },
    },
    async (ctx, { body: { before } }) => ({
      status: 200,
      body: { marked: await tenant(app.db, ctx, (tx) => markAllRead(tx, ctx, before)) },
    }),
  ),
  ...marking.map(([mark, verb, summary]) =>
    route(
      {
        ...{ method: 'POST', path: `${path}/{id}/${mark}`, operation: `notifications.${verb}`, summary },
        ...{ access: 'view_members', archived: 'admitted', params },
        answers: { 200: notificationSchema },
      },
      async (ctx, { params: { id } }) => ({
        status: 200,
        body: presentNotification(await tenant(app.db, ctx, (tx) => markNotification(tx, ctx, id, mark))),
      }),
    ),
  ),
];
