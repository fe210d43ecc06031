import { deviceCookie, lifeMs, sessionCookie } from '../../access/credentials/session.ts';
import type { Tx } from '../../access/transactions.ts';
import { setCookie } from '../../lib/http/cookies.ts';
import type { Head } from '../../lib/http/server.ts';
import { recordOfUser } from '../../trail/record-of-user.ts';
import type { App } from '../app.ts';
import { sendMail } from '../mails/send.ts';
import type { Language } from '../mails/texts.ts';
import { newDevice } from '../mails/texts.ts';
import { tellOfBreakGlass } from './break-glass.ts';
import { deviceLifeMs, findDevice } from './device.ts';
import { doerOf } from './doer.ts';
import { insertDevice, insertSession, type Method, markProved, type Through } from './sql.ts';

export type Begun = { readonly sessionId: string; readonly cookies: readonly string[] };

/**
 * Signs a user in who has proved who they are: begins a session on the device that the request is from, which is known
 * from now on, and tells the user of a device that was not. Returns the cookies to set.
 */
export async function beginSession(
  app: App,
  tx: Tx,
  head: Head,
  {
    user,
    method,
    through,
  }: { user: { id: string; email: string; language: string }; method: Method; through?: Through },
): Promise<Begun> {
  const doer = doerOf(head, user);
  const { ip, userAgent } = doer;
  const known = await findDevice(tx, head, user.id);
  const device = known ?? (await insertDevice(tx, user.id, userAgent, !through));
  if (known && !through) await markProved(tx, known.id);
  const session = await insertSession(tx, { userId: user.id, deviceId: device.id, method, through, ip, userAgent });
  await recordOfUser(tx, doer, user.id, 'session-creation', {
    target: { type: 'session', id: session.id },
    payload: { method, known_device: known !== undefined },
  });
  await recordOfUser(tx, doer, user.id, 'login', { payload: { method, session_id: session.id } });
  if (known === undefined)
    await recordOfUser(tx, doer, user.id, 'device-addition', {
      target: { type: 'device', id: device.id },
      payload: { session_id: session.id },
    });
  // One factor is not enough for a break-glass admin.
  if (method !== 'password' && !through) await tellOfBreakGlass(app, tx, doer, user);
  if (known === undefined && method !== 'link')
    await sendMail(app, tx, user.email, newDevice(user.language as Language, userAgent ?? '?', ip ?? '?'));
  return {
    sessionId: session.id,
    cookies: [
      setCookie(sessionCookie, session.token, lifeMs / 1_000),
      setCookie(deviceCookie, device.token, deviceLifeMs / 1_000),
    ],
  };
}
