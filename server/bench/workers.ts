// What a second core with a worker on it brings: the same batches and ingestions of four workspaces by one worker that
// shares the first core with the API and the database, and with a second one on a second core, beside what two processes
// that only reckon gain so.
import { type ChildProcess, execFileSync, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startService } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { createKey } from '../src/resources/api-keys/create.ts';
import { createOrganization } from '../src/resources/organizations/create.ts';
import { caller, customersText, ingest, prepare, secondsOf, upload, type Workspace } from './fairness.ts';
import { compareFigures, type Row } from './figures.ts';

const workspaces = 4;
const turns = 2;
const target = 1.8;
/** Of each workspace. */
const jobs = 6;
const rows = { batch: 50_000, ingestion: 50_000 };
/** Long enough that starting a process is little of it. */
const reckoned = 3e9;

/** About a quarter of an hour. */
export async function benchWorkers(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'lastro-bench-workers-'));
  // The user of the embedded database may enter it.
  chmodSync(folder, 0o755);
  // This process, which answers requests, and the database, which it starts.
  execFileSync('taskset', ['-a', '-cp', '0', String(process.pid)]);
  const env = { PORT: '0', LASTRO_DATA_DIR: folder, LASTRO_DEMO: '0', LOG_LEVEL: 'error' };
  const service = await startService({ ...readConfig(env), requestsPerMinute: 1_000_000 }, 'api');
  const workers: ChildProcess[] = [];
  const scale = async (count: number): Promise<void> => {
    while (workers.length < count) workers.push(await startWorker(folder, workers.length));
    while (workers.length > count) await stopped(workers.pop()!);
  };
  try {
    await scale(2);
    const open = async (_: unknown, n: number): Promise<Workspace> => {
      const name = `bench-${n}`;
      const { ctx, userId } = await createOrganization(service.app.db, {
        ...{ organization: name, workspace: name, email: `${name}@bench.example` },
      });
      const { secret } = await createKey(service.app.db, ctx, { name, userId });
      const prepared = await prepare(caller(service.url, secret));
      return { ...prepared, asked: await upload(prepared.call, customersText(rows.batch)) };
    };
    const all = await Promise.all(Array.from({ length: workspaces }, open));
    const took: Record<'batches' | 'ingestions' | 'reckoning', [number[], number[]]> = {
      ...{ batches: [[], []], ingestions: [[], []], reckoning: [[], []] },
    };
    for (let turn = 0; turn < turns; turn++)
      for (const count of [1, 2]) {
        await scale(count);
        // Whoever has just started opens models first.
        for (let first = 0; first < count; first++) await batches(all, 1);
        took.batches[count - 1].push(await batches(all, jobs));
        took.ingestions[count - 1].push(await ingestions(all, jobs));
        took.reckoning[count - 1].push(await reckon(count));
      }
    return [
      rowOf('batches, two workers vs one', took.batches, { target }),
      rowOf('ingestions, two workers vs one', took.ingestions, { target }),
      rowOf('ceiling: processes that only reckon', took.reckoning, {}),
    ];
  } finally {
    await scale(0);
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function rowOf(name: string, [one, two]: readonly [number[], number[]], detail: { target?: number }): Row {
  const list = (of: readonly number[]) => of.map((seconds) => seconds.toFixed(1)).join(' ');
  return compareFigures(name, Math.min(...two), Math.min(...one), {
    ...{ unit: 's', note: `least of ${turns} turns; two ${list(two)}, one ${list(one)}`, ...detail },
  });
}

/** Seconds from the first request to the last end of so many batches of each workspace. */
async function batches(all: readonly Workspace[], count: number): Promise<number> {
  return over(all, count, '/v2/api/batches', async ({ call, asked, model }) => {
    const { id } = await call('POST', '/v2/api/batches', { files: [asked], model });
    return id as string;
  });
}

async function ingestions(all: readonly Workspace[], count: number): Promise<number> {
  return over(all, count, '/v1/api/ingestions', (workspace) =>
    // Tables that grow would take longer turn by turn.
    ingest(workspace, rows.ingestion, 'replace'),
  );
}

async function over(
  all: readonly Workspace[],
  count: number,
  path: string,
  ask: (workspace: Workspace) => Promise<string>,
): Promise<number> {
  const asked = await Promise.all(
    all.flatMap((workspace) => Array.from({ length: count }, async () => ({ workspace, id: await ask(workspace) }))),
  );
  await Promise.all(asked.map(({ workspace: { call }, id }) => secondsOf(call, `${path}/${id}`)));
  const ends = await Promise.all(asked.map(({ workspace: { call }, id }) => call('GET', `${path}/${id}`)));
  for (const { id, status } of ends) if (status !== 'succeeded') throw new Error(`${id} ${status}`);
  const at = (name: string) => ends.map((one) => Date.parse(one[name] as string));
  return (Math.max(...at('finished_at')) - Math.min(...at('started_at'))) / 1_000;
}

/** Seconds in which `count` processes reckon the same in all. */
async function reckon(count: number): Promise<number> {
  const script = `let x = 1; for (let i = 0; i < ${reckoned / count}; i++) x = Math.imul(x, 1664525) + 1013904223 | 0; if (x === 1) console.log(x)`;
  const began = performance.now();
  await Promise.all(
    Array.from({ length: count }, (_, core) => once(spawnOn(core, ['--eval', script], { stdio: 'inherit' }), 'exit')),
  );
  return (performance.now() - began) / 1_000;
}

/** Starts a program of Node that may use one core alone, and so may all that it starts. */
function spawnOn(core: number, args: readonly string[], options: SpawnOptions): ChildProcess {
  return spawn('taskset', ['-c', String(core), process.execPath, ...args], options);
}

async function startWorker(folder: string, core: number): Promise<ChildProcess> {
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
  const child = spawnOn(core, [main, 'worker'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      ...process.env,
      ...{ LASTRO_DATA_DIR: folder, LASTRO_DEMO: '0', LASTRO_COMPUTE_PROCESSES: '1', LOG_LEVEL: 'error' },
    },
  });
  let said = '';
  await new Promise<void>((ready, fail) => {
    child.stderr!.setEncoding('utf8').on('data', (part: string) => {
      said += part;
      if (said.includes('taking jobs')) ready();
    });
    child.once('exit', (code) => fail(new Error(`the worker ended with ${code}: ${said}`)));
  });
  return child;
}

async function stopped(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
