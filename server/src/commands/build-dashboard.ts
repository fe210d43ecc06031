import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import type { Dashboard } from '../dashboard.ts';

type Say = (line: string) => void;

const repository = fileURLToPath(new URL('../../..', import.meta.url));
/** What a build is not made of: what it makes, what is installed, and tests. */
const left = /^(node_modules|dist.*|tests|\..*)$|\.gen\.ts$/;
const waitMs = 250;
/** Characters that are kept of what a build says. */
const toldMax = 100_000;
/** Longest to wait for the build of another process; one takes seconds. */
const waitMsMax = 120_000;

/**
 * Builds the dashboard of the project in a child process where it is missing or older than its sources, and has it
 * served. Where it cannot be built, says why in one line. `stop` ends the child.
 */
export async function buildDashboard(
  dashboard: Dashboard,
  say: Say,
  stop: AbortSignal,
  project = repository,
): Promise<void> {
  const folder = join(project, 'dashboard');
  if (!existsSync(join(folder, 'build.ts')) || isNew(project)) return;
  const state = dashboard.isBuilt() ? 'the dashboard is older than its sources' : 'there is no dashboard';
  if (!isInstalled(folder)) {
    // A build that came with the program says nothing of its sources.
    if (!dashboard.isBuilt() || existsSync(noteIn(project))) say(`${state}: vite, which builds it, is not installed`);
    return;
  }
  dashboard.awaitBuild();
  say('building the dashboard');
  try {
    await withoutOthers(folder, stop, async () => {
      // The one waited for may have built what is wanted.
      if (!isNew(project)) await build(project, stop);
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : error;
    if (!stop.aborted) say(`${state}: it could not be built: ${reason} (npm run build -w dashboard says it at length)`);
  } finally {
    dashboard.load();
  }
}

async function build(project: string, stop: AbortSignal): Promise<void> {
  const folder = join(project, 'dashboard');
  // Of the sources as they are now: what changes meanwhile is built by the next start.
  const hash = hashOf(project);
  const child = spawn(process.execPath, ['build.ts'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    signal: stop,
  });
  let told = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (told.length < toldMax) told += text;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(reasonIn(stripVTControlCharacters(told)) ?? `build.ts ended with ${code}`);
  writeFileSync(noteIn(project), `${JSON.stringify({ hash })}\n`);
}

/** The line of a failed build that says what is wrong; null without one. What Vite says begins with its code. */
function reasonIn(said: string): string | null {
  return said.match(/^(?:\[[A-Z_]+\] |\S*Error|error).*/m)?.[0] ?? null;
}

/** Where a build says what it was made of. */
function noteIn(project: string): string {
  return join(project, 'dashboard', 'dist', 'build.json');
}

/** Whether the build is of the sources as they are. */
function isNew(project: string): boolean {
  const file = noteIn(project);
  return existsSync(file) && (JSON.parse(readFileSync(file, 'utf8')) as { hash?: unknown }).hash === hashOf(project);
}

/** The hash of all that a build is made of: times of files say nothing, as every checkout sets them anew. */
function hashOf(project: string): string {
  const hash = createHash('sha256');
  const add = (path: string): void => {
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(project, path)))
      .update('\0');
  };
  const addFolder = (path: string): void => {
    const entries = readdirSync(join(project, path), { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (left.test(entry.name)) continue;
      if (entry.isDirectory()) addFolder(`${path}/${entry.name}`);
      else add(`${path}/${entry.name}`);
    }
  };
  for (const path of ['dashboard', 'sdk/src']) addFolder(path);
  add('package-lock.json');
  return hash.digest('hex');
}

function isInstalled(folder: string): boolean {
  try {
    createRequire(join(folder, 'build.ts')).resolve('vite');
    return true;
  } catch {
    // It is not found, whatever is wrong with it.
    return false;
  }
}

/** Runs `work` while no other process does so in this folder. One that has ended in the middle keeps nobody out. */
async function withoutOthers(folder: string, stop: AbortSignal, work: () => Promise<void>): Promise<void> {
  const lock = join(folder, 'node_modules', '.build');
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  for (let waited = 0; !take(lock); waited += waitMs) {
    const holder = holderOf(lock);
    // Empty, it was taken just now, and is about to name its holder.
    if (holder !== null && (waited >= waitMsMax || (holder !== '' && !isAlive(Number(holder))))) release(lock, holder);
    else await sleep(waitMs, undefined, { signal: stop });
  }
  try {
    await work();
  } finally {
    release(lock, String(process.pid));
  }
}

/** What is written in the lock; null where it has been let go of. */
function holderOf(lock: string): string | null {
  try {
    return readFileSync(lock, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Removes the lock, unless it is another's by now. */
function release(lock: string, holder: string): void {
  if (holderOf(lock) === holder) rmSync(lock, { force: true });
}

function take(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    // Of another user, and there.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
