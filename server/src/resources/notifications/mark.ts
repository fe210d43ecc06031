import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { openInbox } from './inbox.ts';
import { type Mark, markOne, markReadUntil, type NotificationRow, selectNotification } from './sql.ts';

/** One notification of whoever asks. Throws Failure 'not_found'. */
export async function getNotification(tx: Tx, ctx: Context, id: string): Promise<NotificationRow> {
  return (await selectNotification(tx, await openInbox(tx, ctx), id)) ?? gone(id);
}

/** Marks one notification of whoever asks; marking it twice changes nothing. Throws Failure 'not_found'. */
export async function markNotification(tx: Tx, ctx: Context, id: string, mark: Mark): Promise<NotificationRow> {
  return (await markOne(tx, await openInbox(tx, ctx), id, mark)) ?? gone(id);
}

/**
 * Marks a notification of whoever asks and all that came before it as read; what comes meanwhile stays unread. Returns
 * how many were marked. Throws Failure 'not_found'.
 */
export async function markAllRead(tx: Tx, ctx: Context, before: string): Promise<number> {
  const inbox = await openInbox(tx, ctx);
  const { position } = (await selectNotification(tx, inbox, before)) ?? gone(before);
  return markReadUntil(tx, inbox, position);
}

function gone(id: string): never {
  throw refuse('not_found', `there is no notification ${id}`);
}
