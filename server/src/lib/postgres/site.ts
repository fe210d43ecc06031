// Where an embedded cluster lies and which user runs it. PostgreSQL refuses to run as root, and an unprivileged user
// cannot enter a closed home folder: as root, the cluster may have to lie elsewhere.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, chown, lstat, mkdir, realpath } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { Failure } from '../failure.ts';

/** Paths of sockets have at most 107 bytes on Linux and 103 on macOS. */
const socketPathBytesMax = 103;
const socketName = '.s.PGSQL.5432';

export type Site = {
  /** Holds binaries, access rules and the cluster; owned by whoever runs Node. */
  readonly folder: string;
  /** Holds data and locks; 0700, owned by whoever runs PostgreSQL. */
  readonly cluster: string;
  readonly data: string;
  /** Holds the socket; 0700, owned by whoever runs PostgreSQL. */
  readonly sockets: string;
  /** The user as whom Node starts the server; undefined when PostgreSQL runs as Node's own user. */
  readonly runAs: User | undefined;
  /** The operating system's name of Node's user, who may connect. */
  readonly userName: string;
};

type User = { readonly uid: number; readonly gid: number };

/**
 * Chooses and makes the folders of the cluster of `dataDir`. As root, when `nobody` cannot reach `dataDir`, the cluster
 * lies in a folder of `fallbackRoot` named after the hash of the path, and stays there for good.
 * Throws `Failure('unavailable')` when this system has no user to run PostgreSQL, or that user can no longer reach an
 * existing cluster.
 */
export async function chooseSite(dataDir: string, fallbackRoot: string): Promise<Site> {
  if (process.platform === 'win32') throw new Failure('unavailable', withoutEmbedded('not built for Windows'));
  const userName = nameOfUser();
  const isRoot = process.getuid?.() === 0;
  const runAs = isRoot ? findNobody() : undefined;
  const wanted = resolve(dataDir);
  const made = await mkdir(wanted, { recursive: true });
  if (made !== undefined && runAs) await letThrough(made, wanted);
  const path = await realpath(wanted);
  const folder = runAs ? await reachableFolder(path, fallbackRoot, runAs) : path;
  const cluster = join(folder, 'cluster');
  await makePrivate(cluster, runAs);
  const sockets = await socketFolder(cluster, runAs);
  return { folder, cluster, data: join(cluster, 'data'), sockets, runAs, userName };
}

/** The message that the embedded PostgreSQL cannot run here, and how to use another one instead. */
export function withoutEmbedded(why: string): string {
  return `The embedded PostgreSQL cannot run here: ${why}. Set DATABASE_URL to a PostgreSQL 15 or newer instead.`;
}

function nameOfUser(): string {
  try {
    return userInfo().username;
  } catch (cause) {
    const why = `user ${process.getuid?.()} has no entry in the system's user list`;
    throw new Failure('unavailable', withoutEmbedded(why), { cause });
  }
}

function findNobody(): User {
  const list = existsSync('/etc/passwd') ? readFileSync('/etc/passwd', 'utf8') : '';
  const [, uid, gid] = /^nobody:[^:]*:(\d+):(\d+):/m.exec(list) ?? [];
  if (uid === undefined || gid === undefined || Number(uid) === 0)
    throw new Failure('unavailable', withoutEmbedded('PostgreSQL does not run as root, and there is no user "nobody"'));
  return { uid: Number(uid), gid: Number(gid) };
}

async function reachableFolder(path: string, fallbackRoot: string, user: User): Promise<string> {
  const fallback = join(fallbackRoot, hashOf(path));
  const canReach = mayEnter(path, user);
  if (canReach && (hasCluster(path) || !hasCluster(fallback))) return path;
  if (hasCluster(path))
    throw new Failure('unavailable', `The user "nobody", who runs the database in ${path}, may no longer enter it.`);
  await mkdir(fallback, { recursive: true });
  // With a closed umask, the user for whom this folder is made could not enter it.
  await chmod(fallbackRoot, 0o755);
  await chmod(fallback, 0o755);
  if (!mayEnter(fallback, user))
    throw new Failure('unavailable', withoutEmbedded(`the user "nobody" may enter neither ${path} nor ${fallback}`));
  return fallback;
}

function hasCluster(folder: string): boolean {
  return existsSync(join(folder, 'cluster', 'data', 'PG_VERSION'));
}

/** Lets other users pass through the folders from `first` down to `last`, which a closed umask keeps them out of. */
async function letThrough(first: string, last: string): Promise<void> {
  for (let folder = last; folder.length >= first.length; folder = dirname(folder)) await chmod(folder, 0o711);
}

/** Whether a user may enter a folder, found by trying: access lists and containers overrule mode bits. */
function mayEnter(folder: string, user: User): boolean {
  return spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], { ...user, cwd: '/', stdio: 'ignore' }).status === 0;
}

async function socketFolder(cluster: string, runAs: User | undefined): Promise<string> {
  if (Buffer.byteLength(join(cluster, socketName)) <= socketPathBytesMax) return cluster;
  const folder = `/tmp/lastro-${process.getuid?.()}-${hashOf(cluster)}`;
  await makePrivate(folder, runAs);
  return folder;
}

/** Makes the folder, or checks that this program made the existing one: anybody may write to /tmp. */
async function makePrivate(folder: string, runAs: User | undefined): Promise<void> {
  const made = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (made !== undefined && runAs) await chown(folder, runAs.uid, runAs.gid);
  const { uid, mode } = await lstat(folder);
  const isOurs = uid === (runAs?.uid ?? process.getuid?.());
  // A process of root may have been killed between making the folder and changing its owner.
  if (runAs && uid === 0) return chown(folder, runAs.uid, runAs.gid);
  if (!isOurs || (mode & 0o170777) !== 0o040700)
    throw new Failure('unavailable', `${folder} is not a folder that only the database's user may enter; remove it.`);
}

function hashOf(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 16);
}
