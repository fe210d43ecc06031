// Child processes of benchmarks: what they cost, and Python for the peers.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Cost } from './cost.ts';

/** Peers use one thread unless told otherwise: with CPU seconds more threads could only cost more. */
const threadsOf = (count: number) => ({ OMP_NUM_THREADS: `${count}`, OPENBLAS_NUM_THREADS: `${count}` });

/** The Python that has `modules`, or null after saying what is skipped and how to install it. */
export function findPython(bench: string, modules: readonly string[]): string | null {
  const python = ['python3', '/usr/bin/python3'].find(
    (command) => spawnSync(command, ['-c', `import ${modules.join(', ')}`]).status === 0,
  );
  if (python) return python;
  console.error(`\nSKIPPED peers of ${bench}: no Python with ${modules.join(', ')}. Run with --install, on Debian.\n`);
  return null;
}

/**
 * Runs a script of `server/bench` and returns the JSON of its last line. Node scripts run as this process does, and say
 * their cost by `sayCost`.
 */
export async function runScript(
  command: string,
  script: string,
  args: readonly string[],
  flags: readonly string[] = [],
): Promise<Cost> {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const own = command === process.execPath ? process.execArgv : [];
  const child = spawn(command, [...own, ...flags, path, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...threadsOf(1) },
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  const code = await new Promise<number | null>((done, fail) => child.on('close', done).on('error', fail));
  if (code !== 0) throw new Error(`${command} ${script} ${args.join(' ')} ended with ${code}; its message is above`);
  return JSON.parse(text.trim().split('\n').at(-1)!) as Cost;
}

/** A peer that stays: one JSON request a line, one JSON answer a line. */
export type Peer = { readonly child: ChildProcess; readonly ask: (request: object) => Promise<PeerAnswer> };
export type PeerAnswer = { readonly seconds: number; readonly values?: readonly number[]; readonly about?: string };

export function startPeer(python: string, script: string, threads = 1): Peer {
  const child = spawn(python, [fileURLToPath(new URL(script, import.meta.url))], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...threadsOf(threads) },
  });
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  const ask = async (request: object): Promise<PeerAnswer> => {
    child.stdin!.write(`${JSON.stringify(request)}\n`);
    const { value, done } = await lines.next();
    if (done) throw new Error('the peer stopped; its message is above');
    return JSON.parse(value) as PeerAnswer;
  };
  return { child, ask };
}
