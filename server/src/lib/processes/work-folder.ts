import { createHash, randomBytes } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { mkdir, readdir, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

export type WorkFolder = {
  readonly path: string;
  /** Removes it with all that is in it. */
  close(): Promise<void>;
};

/** Of processes that cannot be asked for: whoever has a folder touches it each hour. */
const touchEveryMs = 60 * 60 * 1000;
const untouchedMs = 24 * touchEveryMs;

/** Folders of this process. Its number alone tells too little: in a container every start has the same. */
const ownFolders = new Set<string>();

/**
 * Makes a folder for this process; those of processes that are gone are removed. `namespace` is where process numbers
 * mean something: of folders from elsewhere, as of another container, only their age tells.
 */
export async function openWorkFolder(root: string, namespace = processNamespace()): Promise<WorkFolder> {
  const own = `${namespace}-${process.pid}-${randomBytes(4).toString('hex')}`;
  const path = join(root, own);
  ownFolders.add(own);
  await mkdir(path, { recursive: true });
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

/** The machine, and on Linux the namespace of its process numbers, which a container has of its own. */
function processNamespace(): string {
  let numbers = '';
  try {
    numbers = readlinkSync('/proc/self/ns/pid');
  } catch {
    // Other systems have one for all.
  }
  return createHash('sha256').update(`${hostname()} ${numbers}`).digest('hex').slice(0, 16);
}
