import { Type } from 'typebox';
import { system } from '../../access/transactions.ts';
import { answerOf } from '../../api/named.ts';
import { openRoute, type Route, route } from '../../api/route.ts';
import { shortText } from '../../api/texts.ts';
import { refuse } from '../../errors.ts';
import { bytesMax } from '../../lib/http/size-bounds.ts';
import type { App } from '../app.ts';
import { askingPage, donePage, pageExample, pageHeaders } from './page.ts';
import { deleteSuppression, selectSuppressions } from './sql.ts';
import { presentSuppression } from './suppressions.ts';
import { readUnsubscription, unsubscribe, unsubscribePath } from './unsubscribe.ts';

const byPerson = { access: 'user', scope: 'user', channels: ['dashboard'] } as const;
const suppressionsPath = '/v1/api/user/mail-suppressions';
const suppressionExample = {
  id: 'sup_019f2e0c51b27c4e8a5d6f7a8b9c0d1e',
  email: 'ana@company.com',
  reason: '550 5.1.1 no such mailbox',
  created_at: '2026-03-02T12:00:00.000Z',
};
const suppressionsSchema = answerOf(
  'MailSuppressions',
  { data: [suppressionExample] },
  {
    data: Type.Array(
      Type.Object({ id: Type.String(), email: Type.String(), reason: Type.String(), created_at: Type.String() }),
    ),
  },
);

const link = {
  path: unsubscribePath,
  access: 'public',
  query: Type.Object({ mail: shortText(), expires: shortText(), signature: shortText() }),
  produces: 'text/html',
  example: pageExample,
  problems: ['signature_invalid', 'signature_expired', 'gone'],
} as const;

export const notificationMailRoutes = (app: App): Route[] => [
  openRoute(
    {
      ...{ method: 'GET', ...link, operation: 'notificationMails.getUnsubscription' },
      summary: 'See what the link of a mail would turn off',
      description: 'A page that asks; it changes nothing.',
      answers: { 200: null },
    },
    async (_, { exchange }) => ({
      status: 200,
      headers: pageHeaders,
      body: askingPage(await readUnsubscription(app, exchange)),
    }),
  ),
  openRoute(
    {
      ...{ method: 'POST', ...link, operation: 'notificationMails.unsubscribe' },
      summary: 'Turn mails about the types of a mail off, by the link in it',
      description:
        'Without signing in, also by mail programs in one step (RFC 8058). Inbox and other types stay as they are.',
      form: true,
      body: Type.Object(
        { 'List-Unsubscribe': Type.Optional(Type.Literal('One-Click')) },
        {
          ...{ title: 'OneClick', maxProperties: 10, [bytesMax]: 1_000 },
          examples: [{ 'List-Unsubscribe': 'One-Click' }],
        },
      ),
      answers: { 200: null },
    },
    async (_, { exchange }) => ({
      status: 200,
      headers: pageHeaders,
      body: donePage(await unsubscribe(app, exchange)),
    }),
  ),
  route(
    {
      ...{ method: 'GET', path: suppressionsPath, operation: 'mailSuppressions.list', ...byPerson },
      summary: 'Your addresses to which no notification is sent, because a mail server refused them',
      answers: { 200: suppressionsSchema },
    },
    async (ctx) => {
      const rows = await system(app.db, 'list suppressions', (tx) => selectSuppressions(tx, ctx.actor.id!));
      return { status: 200, body: { data: rows.map(presentSuppression) } };
    },
  ),
  route(
    {
      ...{ method: 'DELETE', path: `${suppressionsPath}/{id}`, operation: 'mailSuppressions.delete', ...byPerson },
      summary: 'Have notifications sent to one of your addresses again',
      params: Type.Object({ id: Type.String() }),
      answers: { 204: null },
    },
    async (ctx, { params: { id } }) => {
      const isGone = await system(app.db, 'delete suppression', (tx) => deleteSuppression(tx, ctx.actor.id!, id));
      if (!isGone) throw refuse('not_found', `there is no suppression ${id}`);
      return { status: 204 };
    },
  ),
];
