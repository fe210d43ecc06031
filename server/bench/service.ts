// The service answering one question at a time, against FastAPI and xgboost with the same trees, and against bare
// node:http.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readVersion } from '../src/ml/version/version.ts';
import { compareFigures, compareTurns, type Row } from './figures.ts';
import { findPython } from './processes.ts';
import { compareWithBatch, compareWithCore } from './service-batch.ts';
import { type Asked, load, type Server, type Turn } from './service-load.ts';
import { writePeerModel } from './service-peer.ts';

const turns = 3;
const turnSeconds = 6;
const warmUpSeconds = 4;
const sweep = [1, 8, 32, 128, 512, 1024];
const compared = 32;
const requestsMade = 500;
const openLoop = { connections: 64, seconds: 12 };

type Demo = { readonly api_key: string; readonly model_id: string; readonly alias: string };

/**
 * Seeds the demo lender, then asks for about eight minutes; `long`: beside a batch of 10M rows. Without the peer it
 * says so and measures the rest.
 */
export async function benchService({ long }: { long: boolean }): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'lastro-bench-service-'));
  const children: ChildProcess[] = [];
  try {
    const service = await startService(folder, 'all', children);
    const { demo, documents, example } = await readDemo(service.url, folder);
    const requests = makeRequests(demo, documents);
    const ours: Server = { ...service, requests };
    const echo: Server = { ...(await startEcho(example, children)), requests };
    const python = findPython('service', ['fastapi', 'uvicorn', 'uvloop', 'httptools', 'xgboost', 'numpy']);
    const peer = python ? { ...(await startPeer(python, folder, demo, documents, children)), requests } : null;
    const rows = await compareAtOnce(ours, peer, echo);
    rows.push(...(await compareSweep(ours, peer)));
    rows.push(...(await compareOpenLoop(ours, peer)));
    const model = `${demo.model_id}/${demo.alias}`;
    const batch = { key: demo.api_key, model, documents, long };
    rows.push(...(await compareWithBatch(ours, batch)));
    rows.push(...(await compareWithCore(ours, batch, folder)));
    return rows;
  } finally {
    for (const child of children.reverse()) await stop(child);
    rmSync(folder, { recursive: true, force: true });
  }
}

const microseconds = { unit: 'CPU us per answer' };
const whole = (turn: Turn): number => turn.ownUs + turn.databaseUs;
const own = (turn: Turn): number => turn.ownUs;

/** At one concurrency, taking turns; ours twice a turn, as the control. */
async function compareAtOnce(ours: Server, peer: Server | null, echo: Server): Promise<Row[]> {
  const found: Record<'ours' | 'again' | 'peer' | 'echo', Turn[]> = { ours: [], again: [], peer: [], echo: [] };
  const at = { connections: compared, seconds: turnSeconds };
  for (const server of [ours, peer, echo]) if (server) await load(server, { ...at, seconds: warmUpSeconds });
  for (let turn = 0; turn < turns; turn++) {
    found.ours.push(await load(ours, at));
    if (peer) found.peer.push(await load(peer, at));
    found.again.push(await load(ours, at));
    found.echo.push(await load(echo, at));
  }
  const all = [...found.ours, ...found.again];
  const rates = (of: readonly Turn[]): number[] => of.map(({ perSecond }) => perSecond);
  const rows = [
    compareTurns('control: ours against ours', found.ours.map(whole), found.again.map(whole), microseconds),
    compareTurns('service and PostgreSQL, vs bare node:http', all.map(whole), found.echo.map(own), microseconds),
    compareTurns('service alone, vs bare node:http', all.map(own), found.echo.map(own), microseconds),
  ];
  if (!peer) return rows;
  const note = 'key, audit, four reasons; the same trees; ours commits to disk, the peer flushes a line';
  rows.push(
    compareTurns('service and PostgreSQL, vs FastAPI + xgboost', all.map(whole), found.peer.map(own), {
      ...microseconds,
      target: 3,
      note,
    }),
    compareTurns('service alone, vs FastAPI + xgboost', all.map(own), found.peer.map(own), microseconds),
    compareFigures('answers a second', Math.max(...rates(all)), Math.max(...rates(found.peer)), {
      unit: 'per s',
      better: 'more',
      note: `best of turns at ${compared} connections; as noisy as the machine is busy`,
    }),
  );
  return rows;
}

async function compareSweep(ours: Server, peer: Server | null): Promise<Row[]> {
  const rows: Row[] = [];
  let errors = 0;
  let answers = 0;
  for (const connections of sweep) {
    const at = { connections, seconds: turnSeconds };
    const turn = await load(ours, at);
    const other = peer ? await load(peer, at) : turn;
    errors += turn.errors;
    answers += turn.answers;
    const told = ({ perSecond, p50, p99, errors }: Turn): string =>
      `${Math.round(perSecond)}/s p50 ${p50} p99 ${p99} ms, ${errors} errors`;
    const note = `ours ${told(turn)} (database ${turn.databaseUs.toFixed(0)} us)${peer ? `; peer ${told(other)}` : ''}`;
    rows.push(compareFigures(`${connections} at once`, whole(turn), whole(other), { ...microseconds, note }));
  }
  rows.push({
    name: `errors of 1 to ${sweep.at(-1)} at once`,
    ours: errors,
    peer: 0,
    ratio: errors === 0 ? 1 : 0,
    target: 1,
    unit: 'errors',
    note: `of ${answers + errors} requests`,
  });
  return rows;
}

/** Requests come by the clock, at half of what each takes. */
async function compareOpenLoop(ours: Server, peer: Server | null): Promise<Row[]> {
  const found: Turn[][] = [];
  const rates: number[] = [];
  for (const server of peer ? [ours, peer] : [ours]) {
    const { perSecond } = await load(server, { connections: openLoop.connections, seconds: turnSeconds });
    rates.push(Math.round(perSecond / 2));
    found.push([]);
  }
  for (let turn = 0; turn < turns; turn++)
    for (const [s, server] of [ours, peer].entries())
      if (server) found[s].push(await load(server, { ...openLoop, rate: rates[s] }));
  const p99 = (of: readonly Turn[]): number => Math.min(...of.map((turn) => turn.p99));
  const told = (of: readonly Turn[]): string => of.map((turn) => `${turn.p50}/${turn.p99}`).join(' ');
  const theirs = found[1] ?? found[0];
  return [
    compareFigures('p99 of an open loop at half of its own capacity', p99(found[0]), p99(theirs), {
      unit: 'ms',
      note: `p50/p99 of turns: ours at ${rates[0]}/s ${told(found[0])}${peer ? `; peer at ${rates[1]}/s ${told(theirs)}` : ''}`,
    }),
  ];
}

export function makeRequests({ api_key, model_id, alias }: Demo, documents: readonly string[]): Asked[] {
  return Array.from({ length: requestsMade }, (_, at) => ({
    method: 'POST',
    path: `/v1/api/prediction/${model_id}/${alias}`,
    headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ legal_document: documents[(at * 7919) % documents.length] }),
  }));
}

const seedingTimeoutMs = 900_000;

/** What the demo seeded, once it answers. */
export async function readDemo(url: string, folder: string) {
  const file = join(folder, 'data', 'demo.json');
  const until = Date.now() + seedingTimeoutMs;
  while (!existsSync(file)) {
    if (Date.now() > until) throw new Error('the demo was not seeded in time; the messages are above');
    await sleep(500);
  }
  const demo = JSON.parse(readFileSync(file, 'utf8')) as Demo;
  const customers = readFileSync(join(folder, 'data', 'demo-lender', 'tables', 'customers.csv'), 'utf8');
  const documents = customers
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(',')[0]);
  const [{ path, headers, body }] = makeRequests(demo, documents);
  const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body });
  if (!answer.ok) throw new Error(`the service answers ${answer.status}: ${await answer.text()}`);
  return { demo, documents, example: await answer.text() };
}

type Started = { readonly url: string; readonly pid: number };

export async function startService(folder: string, role: 'all' | 'api', children: ChildProcess[]): Promise<Started> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('../src/main.ts', import.meta.url)), role], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, PORT: '0', LASTRO_DATA_DIR: join(folder, 'data'), LASTRO_DEMO: '1' },
  });
  children.push(child);
  return { url: await findInOutput(child, child.stderr!, /answers at (\S+)/), pid: child.pid! };
}

async function startEcho(example: string, children: ChildProcess[]): Promise<Started> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('children/echo.ts', import.meta.url)), example], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const port = await findInOutput(child, child.stdout!, /"port":(\d+)/);
  return { url: `http://127.0.0.1:${port}`, pid: child.pid! };
}

async function startPeer(
  python: string,
  folder: string,
  { api_key, model_id, alias }: Demo,
  documents: readonly string[],
  children: ChildProcess[],
): Promise<Started> {
  const work = join(folder, 'data', 'work');
  const version = readdirSync(work, { recursive: true, encoding: 'utf8' }).find((name) => /ver_[0-9a-f]+$/.test(name));
  const { horizons, trees, features } = writePeerModel(folder, readVersion(join(work, version!)), documents, api_key);
  console.log(
    `the peer has the trees of ${model_id}/${alias}: ${horizons} horizons, ${trees} trees, ${features} features`,
  );
  const port = await freePort();
  const options = [
    '--port',
    String(port),
    '--loop',
    'uvloop',
    '--http',
    'httptools',
    '--no-access-log',
    '--backlog',
    '4096',
  ];
  const app = ['--app-dir', fileURLToPath(new URL('peers', import.meta.url)), 'service:app'];
  const child = spawn(python, ['-m', 'uvicorn', ...options, ...app], {
    stdio: ['ignore', 'inherit', 'pipe'],
    env: { ...process.env, OMP_NUM_THREADS: '1', LASTRO_PEER: folder, PYTHONDONTWRITEBYTECODE: '1' },
  });
  children.push(child);
  await findInOutput(child, child.stderr!, /(running) on/);
  return { url: `http://127.0.0.1:${port}`, pid: child.pid! };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address ? address.port : 0;
}

/**
 * The first group of `pattern` in what a child says, which it otherwise keeps to itself. Throws where the child ends
 * before.
 */
export function findInOutput(child: ChildProcess, output: NodeJS.ReadableStream, pattern: RegExp): Promise<string> {
  return new Promise((found, fail) => {
    let text = '';
    output.setEncoding('utf8').on('data', (part: string) => {
      text = (text + part).slice(-10_000);
      const match = pattern.exec(text);
      if (match) found(match[1]);
    });
    child.once('exit', (code) => fail(new Error(`a process ended with ${code} before it answered: ${text}`)));
  });
}

const stopTimeoutMs = 15_000;

export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await Promise.race([ended, sleep(stopTimeoutMs)]);
  child.kill('SIGKILL');
}
