// Clusters in other processes, and what of them is alive: read from /proc, so these samples are for Linux.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { PostgresConnection } from '../../../src/lib/postgres/launch.ts';

/** An own folder that any user can reach. The caller removes it. */
export function reachableFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pg-'));
  chmodSync(folder, 0o755);
  return folder;
}

/** For the caller to kill in the end, should a test have failed before it did. */
export const nodesElsewhere: ChildProcess[] = [];

/** A Node process of its own that launches the cluster and waits to be killed. */
export async function launchElsewhere(dataDir: string): Promise<{ node: ChildProcess; attached: boolean }> {
  const node = nodeElsewhere(dataDir);
  const [line] = await once(createInterface({ input: node.stdout! }), 'line');
  return { node, attached: line === 'true' };
}

/** The same, not yet launched. It says on standard output whether it is attached. */
export function nodeElsewhere(dataDir: string): ChildProcess {
  const code = `
    import { launchPostgres } from ${JSON.stringify(join(import.meta.dirname, '../../../src/lib/postgres/launch.ts'))};
    const postgres = await launchPostgres({ dataDir: ${JSON.stringify(dataDir)}, log() {} });
    console.log(postgres.attached);
    setInterval(() => {}, 1000);`;
  const node = spawn(process.execPath, ['--input-type=module-typescript', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  nodesElsewhere.push(node);
  return node;
}

export type Alive = {
  readonly postmaster: number;
  readonly backends: number[];
  readonly sh: number;
  readonly watch: number;
};

/**
 * The processes of the running cluster in `dataDir`. Throws unless they are what they should be: when the shell is
 * gone, the postmaster's parent is a stranger, who must not be killed.
 */
export function processesOf(dataDir: string): Alive {
  const postmaster = Number(readFileSync(join(dataDir, 'cluster/data/postmaster.pid'), 'utf8').split('\n', 1)[0]);
  const all = readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number);
  const sh = parentOf(postmaster)!;
  const watch = all.find((pid) => parentOf(pid) === sh && pid !== postmaster)!;
  for (const pid of [sh, watch])
    if (!commandOf(pid).includes(join(dataDir, 'cluster'))) throw new Error(`process ${pid} is not the cluster's`);
  return { postmaster, backends: all.filter((pid) => parentOf(pid) === postmaster), sh, watch };
}

function commandOf(pid: number): string {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
}

function parentOf(pid: number): number | undefined {
  try {
    return Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]);
  } catch {
    return undefined;
  }
}

/** Whom a kill may hit together with Node. */
export const victims: Readonly<Record<string, (alive: Alive) => number[]>> = {
  nothing: () => [],
  'the shell': ({ sh }) => [sh],
  'the shell and its watch': ({ sh, watch }) => [sh, watch],
  'the shell and the postmaster': ({ sh, postmaster }) => [sh, postmaster],
  'the postmaster': ({ postmaster }) => [postmaster],
  'a backend': ({ backends }) => [backends[0]],
  everything: ({ sh, watch, postmaster, backends }) => [sh, watch, postmaster, ...backends],
};

/** Resolves when no process works in the cluster's data folder any more. */
export async function allGone(dataDir: string): Promise<void> {
  const data = join(dataDir, 'cluster/data');
  const isThere = (pid: string) => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === data;
    } catch {
      return false;
    }
  };
  while (readdirSync('/proc').some(isThere)) await sleep(10);
}

/** Runs statements over a connection of their own; the first column of the last one's rows, as numbers. */
export async function query(connection: PostgresConnection, sql: string): Promise<number[]> {
  const client = new pg.Client(connection);
  client.on('error', () => {});
  await client.connect();
  try {
    const results: pg.QueryArrayResult | pg.QueryArrayResult[] = await client.query({ text: sql, rowMode: 'array' });
    return [results]
      .flat()
      .at(-1)!
      .rows.map((row) => Number(row[0]));
  } finally {
    await client.end();
  }
}

/** Kills by id at once; those already gone do not matter. */
export function killAll(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended with its parent.
    }
  }
}

/** Asks again, for at most some 20 s, until it is answered. */
export async function eventually<T>(ask: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await ask();
    } catch (error) {
      if (tries === 2000) throw error;
      await sleep(10);
    }
  }
}
