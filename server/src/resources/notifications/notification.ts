import { Type } from 'typebox';
import { pageOf } from '../../api/list.ts';
import { answerOf, objectOf } from '../../api/named.ts';
import { nullable } from '../../api/nullable.ts';
import { eventTypeNames } from '../../trail/catalog.ts';
import type { Counts, NotificationRow } from './sql.ts';

const example = {
  id: 'ntf_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  workspace_id: 'ws_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  event_id: 'evt_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  type: 'batch-lifecycle',
  title: 'Batch succeeded',
  body: 'A batch went to another status: queued, running, succeeded or failed.\n\nBatch: bat_0199f3a8c4d27b1e9c55d0a1b2c3d4e5\nStatus: succeeded',
  said: null,
  link: '/batches/bat_0199f3a8c4d27b1e9c55d0a1b2c3d4e5?workspace=ws_019f2e0c51b27c4e8a5d6f7a8b9c0d1e',
  created_at: '2026-02-01T12:00:00.000Z',
  seen_at: '2026-02-01T12:00:05.000Z',
  read_at: null,
  archived_at: null,
};

const saidSchema = objectOf('SaidNotification', { title: Type.String(), body: Type.String() });
const moment = (description: string) => nullable(Type.String({ description }));
export const notificationSchema = answerOf('Notification', example, {
  id: Type.String(),
  workspace_id: nullable(
    Type.String({ description: 'Null for what is of the organization as a whole, or of your account.' }),
  ),
  event_id: Type.String(),
  type: Type.String({ enum: eventTypeNames }),
  title: Type.String({ description: 'One line, in your language.' }),
  body: Type.String({ description: 'Plain lines, in your language.' }),
  said: nullable(
    Type.Object(
      { en: saidSchema, 'pt-BR': saidSchema },
      { description: 'Both in either language. Null of what was told before this was.' },
    ),
  ),
  link: nullable(Type.String({ description: 'A page of the dashboard, without its origin.' })),
  created_at: Type.String(),
  seen_at: moment('When the inbox first showed it.'),
  read_at: moment('When you read it; null while it is unread.'),
  archived_at: moment('When you put it aside.'),
});

const bannerSchema = nullable(
  objectOf('MailSuppression', {
    id: Type.String(),
    email: Type.String(),
    reason: Type.String({ description: 'What the mail server said.' }),
    created_at: Type.String(),
  }),
);
const bannerText = {
  description:
    'Set while no mail is sent to your address because a server refused it: take it off the list to try again.',
};

/** A page of the inbox, with what is to be told above it. */
export const inboxSchema = Type.Object(
  { ...pageOf(notificationSchema).properties, mail_suppression: { ...bannerSchema, ...bannerText } },
  {
    title: 'Inbox',
    examples: [{ data: [example], next_cursor: null, has_more: false, mail_suppression: null }],
  },
);

/** Most that are counted. */
export const countMax = 99;
const countSchema = objectOf('NotificationCount', {
  count: Type.Integer({ maximum: countMax }),
  has_more: Type.Boolean({ description: `Whether there are more than ${countMax}.` }),
});
export const countsExample = { unseen: { count: 2, has_more: false }, unread: { count: 99, has_more: true } };
export const countsSchema = answerOf(
  'NotificationCounts',
  { ...countsExample, mail_suppression: null },
  { unseen: countSchema, unread: countSchema, mail_suppression: { ...bannerSchema, ...bannerText } },
);

/** Counts that go up to one more than is shown. */
export function presentCounts({ unseen, unread }: Counts) {
  const capped = (count: number) => ({ count: Math.min(count, countMax), has_more: count > countMax });
  return { unseen: capped(unseen), unread: capped(unread) };
}

export function presentNotification(row: NotificationRow) {
  const { position: _, created_at, seen_at, read_at, archived_at, ...rest } = row;
  return {
    ...rest,
    created_at: created_at.toISOString(),
    seen_at: seen_at?.toISOString() ?? null,
    read_at: read_at?.toISOString() ?? null,
    archived_at: archived_at?.toISOString() ?? null,
  };
}

/** The same notification as a stream shows it. */
export const streamExample = `id: ${example.id}\nevent: notification\ndata: ${JSON.stringify(example)}\n\nevent: counts\ndata: ${JSON.stringify(countsExample)}\n\n`;

export function notificationMessage(row: NotificationRow): string {
  return `id: ${row.id}\nevent: notification\ndata: ${JSON.stringify(presentNotification(row))}\n\n`;
}

/** Without an id: a stream resumes after the last notification. */
export function countsMessage(counts: Counts): string {
  return `event: counts\ndata: ${JSON.stringify(presentCounts(counts))}\n\n`;
}
