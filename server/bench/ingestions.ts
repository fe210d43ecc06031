// How long predictions take while new data come in, against the same load without.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startService } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { createKey } from '../src/resources/api-keys/create.ts';
import { createOrganization } from '../src/resources/organizations/create.ts';
import { caller, ingest, prepare, secondsOf, type Workspace } from './fairness.ts';
import { compareFigures, type Row } from './figures.ts';

const size = { customers: 3_000, ordersPerCustomer: 40 };
const turns = 4;
/** Of all turns together. */
const ingestions = 20;
const ingestedRows = 200;
const callers = 4;
/** Between the answer and the next request of a caller, so that the load is not all that the machine has. */
const pauseMs = 20;
const p99Target = 2;

type Seen = { readonly ms: number; readonly status: number; readonly snapshot: unknown };

/**
 * Predicts by a few callers at a steady pace, in turns without and with ingestions one after the other; both turns last
 * as long, since the machine may be slower at times.
 */
export async function benchIngestions(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'lastro-bench-ingestions-'));
  // The user of the embedded database may enter it.
  chmodSync(folder, 0o755);
  const env = { PORT: '0', LASTRO_DATA_DIR: folder, LASTRO_DEMO: '0', LOG_LEVEL: 'error' };
  const service = await startService({ ...readConfig(env), requestsPerMinute: 1_000_000 }, 'all');
  try {
    const { ctx, userId } = await createOrganization(service.app.db, {
      ...{ organization: 'Shop', workspace: 'Shop', email: 'shop@bench.example' },
    });
    const { secret } = await createKey(service.app.db, ctx, { name: 'bench', userId });
    const workspace = await prepare(caller(service.url, secret), size);
    const ask = asker(service.url, secret, workspace);
    await predictWhile(ask, () => sleep(3_000));
    const quiet: Seen[] = [];
    const busy: Seen[] = [];
    const waits: number[] = [];
    for (let turn = 0; turn < turns; turn++) {
      const began = performance.now();
      busy.push(...(await predictWhile(ask, () => takeIn(workspace, ingestions / turns, waits))));
      const lasted = performance.now() - began;
      quiet.push(...(await predictWhile(ask, () => sleep(lasted))));
    }
    return rowsOf(quiet, busy, waits);
  } finally {
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function rowsOf(quiet: readonly Seen[], busy: readonly Seen[], waits: readonly number[]): Row[] {
  const failed = [...quiet, ...busy].filter(({ status }) => status !== 200).length;
  const snapshots = new Set(busy.map(({ snapshot }) => snapshot)).size;
  const at = (of: readonly Seen[], share: number) => {
    const ms = of.map((one) => one.ms).sort((a, b) => a - b);
    return ms[Math.ceil(share * ms.length) - 1];
  };
  const note = `${busy.length} answers through ${waits.length} ingestions from ${snapshots} snapshots, ${quiet.length} without, ${failed} failed; an ingestion took ${(waits.reduce((sum, one) => sum + one) / waits.length).toFixed(1)} s`;
  const longest = `longest ${at(busy, 1).toFixed(0)} ms with, ${at(quiet, 1).toFixed(0)} ms without`;
  return [
    compareFigures('p99 of predictions, through ingestions vs quiet', at(busy, 0.99), at(quiet, 0.99), {
      ...{ unit: 'ms', target: 1 / p99Target, note: `${note}; ${longest}` },
    }),
    compareFigures('p50 of predictions, through ingestions vs quiet', at(busy, 0.5), at(quiet, 0.5), {
      ...{ unit: 'ms', note: '' },
    }),
  ];
}

async function takeIn(workspace: Workspace, times: number, waits: number[]): Promise<void> {
  for (let time = 0; time < times; time++) {
    const id = await ingest(workspace, ingestedRows);
    waits.push(await secondsOf(workspace.call, `/v1/api/ingestions/${id}`));
  }
}

async function predictWhile(ask: (turn: number) => Promise<Seen>, work: () => Promise<unknown>): Promise<Seen[]> {
  const seen: Seen[] = [];
  let isOver = false;
  const asking = Array.from({ length: callers }, async (_, own) => {
    for (let turn = own; !isOver; turn += callers) {
      seen.push(await ask(turn));
      await sleep(pauseMs);
    }
  });
  await work();
  isOver = true;
  await Promise.all(asking);
  return seen;
}

function asker(url: string, key: string, { model }: Workspace) {
  return async (turn: number): Promise<Seen> => {
    const began = performance.now();
    const answer = await fetch(`${url}/v1/api/prediction/${model}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ customer_id: `C${(turn * 7919) % size.customers}` }),
    });
    const { snapshot_id: snapshot } = (await answer.json()) as { snapshot_id?: unknown };
    return { ms: performance.now() - began, status: answer.status, snapshot };
  };
}
