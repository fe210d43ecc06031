import { deviceCookie } from '../../access/credentials/session.ts';
import type { Tx } from '../../access/transactions.ts';
import { hashToken } from '../../lib/crypto/tokens.ts';
import { readCookie } from '../../lib/http/cookies.ts';
import type { Head } from '../../lib/http/server.ts';
import { selectDevice } from './sql.ts';

/** How long a browser keeps the cookie of a device, from when somebody signed in on it last. */
export const deviceLifeMs = 365 * 24 * 60 * 60 * 1000;

/** The device that a request is from, if it is known for one of the user's. */
export async function findDevice(
  tx: Tx,
  head: Head,
  userId: string,
): Promise<{ readonly id: string; readonly token: string } | undefined> {
  const token = readCookie(head, deviceCookie);
  const id = token === undefined ? undefined : await selectDevice(tx, userId, hashToken(token));
  return id === undefined ? undefined : { id, token: token! };
}
