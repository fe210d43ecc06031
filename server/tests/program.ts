/** The service as its users start it, `run.mjs` and all that it starts, on a folder of its own; test support. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import type pg from 'pg';
import { withClient } from '../src/lib/db/migrate.ts';
import { launchPostgres } from '../src/lib/postgres/launch.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

export type Ended = { readonly code: number | null; readonly signal: string | null };

export type Program = {
  /** Of `run.mjs`, which leads a process group of its own. */
  readonly pid: number;
  readonly child: ChildProcess;
  /** What it said on stderr. */
  readonly lines: readonly string[];
  /** Where it answers. Rejects with what it said when it ends before. */
  readonly answers: Promise<string>;
  readonly ended: Promise<Ended>;
  /** Resolves once it has said something that matches. */
  said(pattern: RegExp): Promise<string>;
};

export type Process = { readonly pid: number; readonly parent: number; readonly command: string };

/** A folder for a service's data that the user of an embedded database may enter. */
export function makeDataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'lastro-program-'));
  chmodSync(folder, 0o755);
  return folder;
}

/** Rows of the folder's embedded database, as its owner sees them. The service may run or not. */
export async function queryRows<T extends pg.QueryResultRow>(folder: string, text: string, values: unknown[] = []) {
  const postgres = await launchPostgres({ dataDir: join(folder, 'postgres'), log: () => {} });
  try {
    return await withClient(postgres.connection, async (client) => (await client.query<T>(text, values)).rows);
  } finally {
    await postgres.close();
  }
}

/** Kills what is left of the folder's service. */
export async function killAll(folder: string): Promise<void> {
  for (const { pid } of processesOf(folder)) kill(pid, 'SIGKILL');
  await gone(folder);
}

export async function removeDataFolder(folder: string): Promise<void> {
  await killAll(folder);
  rmSync(folder, { recursive: true, force: true });
}

/** Starts `lastro <role>` without the demo on a port that the system chooses; of `tree` where that is not this one. */
export function startProgram(
  folder: string,
  {
    role = 'all',
    env = {},
    tree = root,
  }: { role?: string; env?: Readonly<Record<string, string>>; tree?: string } = {},
): Program {
  return follow([process.execPath, join(tree, 'run.mjs'), 'server/src/main.ts', role], folder, env);
}

/** Starts the service by `npm start`, with npm as the program. */
export function startByNpm(folder: string): Program {
  return follow(['npm', '--prefix', root, 'start'], folder, {});
}

function follow([command, ...args]: readonly string[], folder: string, env: Readonly<Record<string, string>>): Program {
  const child = spawn(command, args, {
    // Linux tells by it whose children those are that no parent is left of.
    cwd: folder,
    // A terminal would signal all of the group.
    detached: true,
    env: environment(folder, env),
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  const lines: string[] = [];
  const reader = createInterface({ input: child.stderr! });
  reader.on('line', (line) => lines.push(line));
  const ended = once(child, 'close').then(([code, signal]): Ended => ({ code, signal }));
  const said = async (pattern: RegExp): Promise<string> => {
    for (let isOver = false; ; ) {
      const line = lines.find((line) => pattern.test(line));
      if (line !== undefined) return line;
      if (isOver) throw new Error(`it ended and never said ${pattern}:\n${lines.join('\n')}`);
      isOver = await Promise.race([once(reader, 'line').then(() => false), ended.then(() => true)]);
    }
  };
  const answers = said(/answers at/).then((line) => /http\S+/.exec(line)![0]);
  answers.catch(() => {});
  return { pid: child.pid!, child, lines, answers, ended, said };
}

/** Runs `lastro admin bootstrap` beside the service, and returns the key. */
export async function bootstrap(folder: string, organization: string, tree = root): Promise<string> {
  const email = `creator@${organization.toLowerCase()}.example`;
  const args = ['server/src/main.ts', 'admin', 'bootstrap', '--organization', organization, '--email', email];
  const child = spawn(process.execPath, [join(tree, 'run.mjs'), ...args], {
    cwd: folder,
    env: environment(folder, {}),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  child.stdout.on('data', (block) => {
    out += block;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`admin bootstrap ended with ${code}`);
  return JSON.parse(out).api_key;
}

function environment(folder: string, env: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    LASTRO_DATA_DIR: folder,
    LASTRO_DEMO: '0',
    LASTRO_COMPUTE_PROCESSES: '1',
    PORT: '0',
    ...env,
  };
}

/** The processes of a folder's service: those in the folder or with it on their command line, and their children. */
export function processesOf(folder: string, ...roots: readonly number[]): Process[] {
  const all = process.platform === 'linux' ? linuxProcesses() : systemProcesses();
  const found = new Set(roots);
  for (const { pid, command, cwd } of all) if (command.includes(folder) || cwd.startsWith(folder)) found.add(pid);
  for (let before = 0; before < found.size; ) {
    before = found.size;
    for (const { pid, parent } of all) if (found.has(parent)) found.add(pid);
  }
  return all.filter(({ pid }) => found.has(pid) && pid !== process.pid);
}

function linuxProcesses(): (Process & { cwd: string })[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        // What has ended and was not yet asked about has no command line and no folder any more.
        if (state === 'Z') return [];
        return [{ pid: Number(name), parent: Number(parent), command, cwd: readlinkSync(`/proc/${name}/cwd`) }];
      } catch {
        return [];
      }
    });
}

function systemProcesses(): (Process & { cwd: string })[] {
  const { stdout } = spawnSync('ps', ['-axo', 'pid=,ppid=,args='], { encoding: 'utf8' });
  return stdout.split('\n').flatMap((line) => {
    const [, pid, parent, command] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return pid === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), command: command!, cwd: '' }];
  });
}

/** Resolves once no process of the folder's service is left. */
export async function gone(folder: string): Promise<void> {
  while (processesOf(folder).length > 0) await sleep(20);
}

export function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
