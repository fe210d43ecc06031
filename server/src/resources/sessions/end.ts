import { type MovedSession, sessionCookie } from '../../access/credentials/session.ts';
import { type Database, system, type Tx } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { setCookie } from '../../lib/http/cookies.ts';
import { type Doer, recordOfUser } from '../../trail/record-of-user.ts';
import type { App } from '../app.ts';
import { sendMail } from '../mails/send.ts';
import { type Language, sessionMoved } from '../mails/texts.ts';
import { findUser } from '../users/find.ts';
import { type EndReason, endSessions } from './sql.ts';

/** Takes the cookie of the session off the browser; the device stays known. */
export const noSession = setCookie(sessionCookie, '', 0);

/** Ends one session of whoever asks. Throws Failure 'not_found' for one that has ended, or of somebody else. */
export async function endSession(db: Database, doer: Doer, id: string, reason: EndReason): Promise<void> {
  await system(db, 'end session', async (tx) => {
    const userId = doer.actor.id!;
    if ((await endSessions(tx, userId, reason, { only: id })) === 0)
      throw refuse('not_found', `there is no session ${id}`);
    await recordEnd(tx, doer, userId, id, reason);
  });
}

/** Ends all other sessions of whoever asks. Returns how many there were. */
export async function endOtherSessions(db: Database, doer: Doer, current: string): Promise<number> {
  return system(db, 'end sessions', async (tx) => {
    const userId = doer.actor.id!;
    const ended = await endSessions(tx, userId, 'ended_by_user', { except: current });
    if (ended > 0)
      await recordOfUser(tx, doer, userId, 'session-revocation', {
        payload: { reason: 'ended_by_user', sessions: ended },
      });
    return ended;
  });
}

/** Ends all sessions of a user but one. */
export async function endAllSessions(tx: Tx, userId: string, reason: EndReason, except: string | null): Promise<void> {
  await endSessions(tx, userId, reason, { except });
}

/** Ends a session that was brought from another device than the one on which it began, and tells its user. */
export async function endMovedSession(app: App, { id, userId, ip }: MovedSession): Promise<void> {
  await system(app.db, 'end moved session', async (tx) => {
    const user = await findUser(tx, userId);
    if (!user || (await endSessions(tx, userId, 'unrecognized_device', { only: id })) === 0) return;
    const actor = { type: 'system', id: null, label: 'Lastro' } as const;
    const doer = { actor, channel: 'dashboard', ip, userAgent: null, requestId: null } as const;
    await recordEnd(tx, doer, userId, id, 'unrecognized_device');
    await sendMail(app, tx, user.email, sessionMoved(user.language as Language, ip));
  });
}

async function recordEnd(tx: Tx, doer: Doer, userId: string, id: string, reason: EndReason): Promise<void> {
  await recordOfUser(tx, doer, userId, 'session-revocation', { target: { type: 'session', id }, payload: { reason } });
}
