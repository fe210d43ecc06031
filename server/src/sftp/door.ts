import { contextOfSftp } from '../access/credentials/sftp-user.ts';
import { openSftpServer, type SftpLimits, type SftpServer } from '../lib/sftp/server.ts';
import type { App } from '../resources/app.ts';
import { usableHostKey } from '../resources/sftp-server/host-keys.ts';
import { noteSignIn, signInToSftp } from '../resources/sftp-users/sign-in.ts';
import { openTree } from './tree.ts';

const minuteMs = 60_000;

export const sftpLimits: SftpLimits = {
  connectionsMax: 500,
  connectionsPerAddress: 50,
  channelsMax: 10,
  handlesMax: 64,
  attemptsMax: 6,
  signInMs: 2 * minuteMs,
  idleMs: 15 * minuteMs,
  connectionMs: 24 * 60 * minuteMs,
};

/** How long a host key is good until it is looked up again: who connects very often costs no more. */
const hostKeyMs = 1_000;

/** The door for SFTP, not listening yet. `count`: how an attempt to sign in ended. */
export async function openSftpDoor(
  app: App,
  count: (outcome: 'let in' | 'refused') => void,
  limits: SftpLimits = sftpLimits,
): Promise<SftpServer> {
  const hostKey = hostKeyOf(app);
  // So that clients can be told it before the first of them comes.
  await hostKey();
  return openSftpServer({
    hostKey,
    limits,
    async signIn(attempt) {
      const user = await signInToSftp(app, attempt).catch((error) => {
        count('refused');
        throw error;
      });
      count(user ? 'let in' : 'refused');
      return user;
    },
    treeOf(user, ip) {
      void noteSignIn(app, contextOfSftp(user, ip)).catch((error) => app.log.warn({ err: error }, 'sign-in not noted'));
      return openTree(app, user, ip);
    },
    onFault: (error) => app.log.error({ err: error }, 'SFTP'),
  });
}

/** Tells the host key of now. */
function hostKeyOf(app: App): () => Promise<string> {
  let known: { readonly at: number; readonly key: Promise<string> } | null = null;
  return () => {
    if (!known || performance.now() - known.at > hostKeyMs) known = { at: performance.now(), key: usableHostKey(app) };
    return known.key;
  };
}
