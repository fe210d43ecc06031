import { createHash, randomBytes } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { chmod, mkdir, readdir, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

export type WorkFolder = {
  readonly path: string;
  /** Removes the folder with everything in it. */
  close(): Promise<void>;
};

/** The owner of a folder touches it at this interval, for processes that cannot check whether the owner still runs. */
const touchEveryMs = 60 * 60 * 1000;
const untouchedMs = 24 * touchEveryMs;

/** The folders of this process. Its process id is not enough: in a container every start may have the same id. */
const ownFolders = new Set<string>();

/**
 * Makes a work folder for this process, which nobody else can enter, and removes those of processes that have ended.
 * `namespace` says where process ids are comparable. A folder of another namespace, such as another container's, is
 * removed when nobody has touched it for a day.
 */
export async function openWorkFolder(root: string, namespace = processNamespace()): Promise<WorkFolder> {
  const own = `${namespace}-${process.pid}-${randomBytes(4).toString('hex')}`;
  const path = join(root, own);
  ownFolders.add(own);
  await mkdir(path, { recursive: true, mode: 0o700 });
  // An earlier program may have left it open to others.
  await chmod(root, 0o700);
  for (const name of await readdir(root))
    if (!ownFolders.has(name) && !(await isInUse(root, name, namespace)))
      await rm(join(root, name), { recursive: true, force: true });
  const timer = setInterval(() => void touch(path), touchEveryMs).unref();
  return {
    path,
    async close() {
      clearInterval(timer);
      await rm(path, { recursive: true, force: true });
      ownFolders.delete(own);
    },
  };
}

async function isInUse(root: string, name: string, namespace: string): Promise<boolean> {
  const [home, pid] = name.split('-');
  if (home === namespace) return Number(pid) !== process.pid && isRunning(Number(pid));
  const found = await stat(join(root, name)).catch(() => null);
  return found !== null && Date.now() - found.mtimeMs < untouchedMs;
}

async function touch(path: string): Promise<void> {
  const now = new Date();
  await utimes(path, now, now).catch(() => {});
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Identifies the machine and, on Linux, its namespace of process ids, of which each container has its own. */
function processNamespace(): string {
  let numbers = '';
  try {
    numbers = readlinkSync('/proc/self/ns/pid');
  } catch {
    // Other systems have one namespace for all processes.
  }
  return createHash('sha256').update(`${hostname()} ${numbers}`).digest('hex').slice(0, 16);
}
