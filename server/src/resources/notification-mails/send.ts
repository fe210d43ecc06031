import { setTimeout as sleep } from 'node:timers/promises';
import { permissionsOf } from '../../access/authorize.ts';
import { system } from '../../access/transactions.ts';
import { readMailRefusal } from '../../lib/mail/mail.ts';
import { eventTypes } from '../../trail/catalog.ts';
import type { App } from '../app.ts';
import { personalTypes } from '../notification-preferences/mandatory.ts';
import { writeMail } from './letter.ts';
import {
  type ClaimedMail,
  claimMails,
  insertSuppression,
  type MailEnd,
  type MailItem,
  type Receiver,
  selectItems,
  selectReceiver,
  settleMail,
} from './sql.ts';

/** Most mails of notifications that are handed to the mail server at once, by all processes. */
export const sendingMax = 5;
/** Longer than one mail may take to be sent: who has not said by then what became of it is gone. */
const leaseMs = 120_000;
const pollMs = 200;
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** How long a mail waits after each attempt that a later one may better; after the last it is given up. */
export const retryPausesMs: readonly number[] = [
  ...[minuteMs, 4 * minuteMs, 16 * minuteMs, hourMs],
  ...[4 * hourMs, 12 * hourMs, 24 * hourMs, 24 * hourMs],
];

/** Sends the mails that are due, some at once, until none is left or `signal` aborts; then those being sent end. */
export async function sendNotificationMails(app: App, signal: AbortSignal): Promise<void> {
  const sending = new Set<Promise<void>>();
  for (;;) {
    const claimed = signal.aborted
      ? []
      : await system(app.db, 'claim notification mails', (tx) => claimMails(tx, sendingMax, leaseMs));
    for (const mail of claimed) {
      const one: Promise<void> = sendOne(app, mail)
        .catch((error) => app.log.warn({ err: error, mail: mail.id }, 'what became of a mail cannot be recorded'))
        .finally(() => sending.delete(one));
      sending.add(one);
    }
    if (sending.size === 0) return;
    await Promise.race([...sending, sleep(pollMs)]);
  }
}

async function sendOne(app: App, mail: ClaimedMail): Promise<void> {
  const { receiver, items } = await system(app.db, 'read notification mail', async (tx) => ({
    receiver: await selectReceiver(tx, mail),
    items: await selectItems(tx, mail.id),
  }));
  const end = receiver ? await hand(app, mail, receiver, readableNow(receiver, items)) : nothingToTell;
  if (end.status !== 'sent') app.log.info({ mail: mail.id, ...end }, 'a mail was not sent');
  await system(app.db, 'settle notification mail', async (tx) => {
    if (receiver && end.status === 'suppressed' && !receiver.is_suppressed)
      await insertSuppression(tx, mail.user_id, receiver.email, end.failure ?? '');
    await settleMail(tx, mail, end);
  });
}

const nothingToTell = { status: 'dropped' } as const;

async function hand(app: App, mail: ClaimedMail, receiver: Receiver, items: readonly MailItem[]): Promise<MailEnd> {
  if (items.length === 0) return nothingToTell;
  if (receiver.is_suppressed) return { status: 'suppressed' };
  try {
    await app.mailer.send(writeMail(app, mail, receiver, items));
    return { status: 'sent' };
  } catch (error) {
    const { kind, text } = readMailRefusal(error);
    if (kind === 'address') return { status: 'suppressed', failure: text };
    const againInMs = kind === 'later' ? retryPausesMs[mail.attempts - 1] : undefined;
    return againInMs === undefined
      ? { status: 'failed', failure: text }
      : { status: 'waiting', againInMs, failure: text };
  }
}

/** What its receiver may still read; of what concerns themselves, they are told in any case. */
function readableNow({ roles }: Receiver, items: readonly MailItem[]): MailItem[] {
  const permissions = permissionsOf(roles, null);
  return items.filter(({ type }) => personalTypes.includes(type) || permissions.has(eventTypes[type].readBy));
}
