import { BlockList, isIPv6 } from 'node:net';
import { contextOfSftp } from '../access/credentials/sftp-user.ts';
import { openSftpServer, type SftpLimits, type SftpServer } from '../lib/sftp/server.ts';
import type { App } from '../resources/app.ts';
import { fileBytesMax } from '../resources/sftp-files/sftp-file.ts';
import { usableHostKey } from '../resources/sftp-server/host-keys.ts';
import { noteSignIn, signInToSftp } from '../resources/sftp-users/sign-in.ts';
import { openSpoolRoom, type SpoolLimits } from './spool-room.ts';
import { openTree } from './tree.ts';

const minuteMs = 60_000;

export type DoorLimits = SftpLimits &
  SpoolLimits & { readonly connectionsPerUser: number; readonly connectionsPerWorkspace: number };

/** Of one process. */
export const sftpLimits: DoorLimits = {
  connectionsMax: 500,
  connectionsPerAddress: 50,
  connectionsPerUser: 50,
  connectionsPerWorkspace: 100,
  channelsMax: 10,
  handlesMax: 64,
  attemptsMax: 6,
  signInMs: 2 * minuteMs,
  idleMs: 15 * minuteMs,
  connectionMs: 24 * 60 * minuteMs,
  // Four of the largest files at once.
  spooledBytesMax: 4 * fileBytesMax,
  quotaEveryBytes: 64_000_000,
};

/** How long a host key is good until it is looked up again: who connects very often costs no more. */
const hostKeyMs = 1_000;

/**
 * The door for SFTP, not listening yet. `count`: how an attempt to sign in ended. `proxies`: addresses and networks of
 * proxies that say by the PROXY protocol whom they connect.
 */
export async function openSftpDoor(
  app: App,
  count: (outcome: 'let in' | 'refused') => void,
  { proxies = [], limits = sftpLimits }: { readonly proxies?: readonly string[]; readonly limits?: DoorLimits } = {},
): Promise<SftpServer> {
  const hostKey = hostKeyOf(app);
  const room = openSpoolRoom(app, limits);
  // So that clients can be told it before the first of them comes.
  await hostKey();
  return openSftpServer({
    hostKey,
    limits,
    isProxy: isAmong(proxies),
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
      return openTree(app, user, ip, room);
    },
    sharesOf: ({ credentialId, workspaceId }) => [
      { holder: credentialId, connectionsMax: limits.connectionsPerUser },
      { holder: workspaceId, connectionsMax: limits.connectionsPerWorkspace },
    ],
    onFault: (error) => app.log.error({ err: error }, 'SFTP'),
  });
}

/** Tells whether an address is one of these, or in one of these networks. */
function isAmong(networks: readonly string[]): (ip: string) => boolean {
  const list = new BlockList();
  const familyOf = (ip: string) => (isIPv6(ip) ? 'ipv6' : 'ipv4');
  for (const network of networks) {
    const [address, bits] = network.split('/');
    if (bits === undefined) list.addAddress(address, familyOf(address));
    else list.addSubnet(address, Number(bits), familyOf(address));
  }
  return (ip) => list.check(ip, familyOf(ip));
}

/** Tells the host key of now. */
function hostKeyOf(app: App): () => Promise<string> {
  let known: { readonly at: number; readonly key: Promise<string> } | null = null;
  return () => {
    if (!known || performance.now() - known.at > hostKeyMs) known = { at: performance.now(), key: usableHostKey(app) };
    return known.key;
  };
}
