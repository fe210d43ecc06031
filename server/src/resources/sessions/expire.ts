import { type Database, system, type Tx } from '../../access/transactions.ts';
import { removeInSteps } from '../in-steps.ts';
import { deviceLifeMs } from './device.ts';
import { deleteDevices, deleteSessions } from './sql.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** How long a session is kept after its longest life; what was done in it stands in the audit trail. */
const endedMs = 30 * dayMs;
/** A browser drops the cookie of a device a life after it signed in last, and a session there may last a day more. */
const unseenMs = deviceLifeMs + dayMs;
/** The number of sessions, and of devices, removed per transaction. */
const removedAtOnce = 1_000;

export type ExpiredSessions = { readonly sessions: number; readonly devices: number };

/**
 * Removes sessions that have long ended, and devices that no browser can name any more and that no session is of, some
 * at a time. `signal` stops it soon. Returns how many there were.
 */
export async function expireSessions(
  db: Database,
  signal?: AbortSignal,
  most = removedAtOnce,
): Promise<ExpiredSessions> {
  const inSteps = (remove: (tx: Tx) => Promise<number>) =>
    removeInSteps(most, signal, () => system(db, 'expire sessions', remove));
  const sessions = await inSteps((tx) => deleteSessions(tx, endedMs, most));
  const devices = await inSteps((tx) => deleteDevices(tx, unseenMs, most));
  return { sessions, devices };
}
