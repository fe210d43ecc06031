// What it costs to find out who asks: a key that is known from memory beside one that is read from the database, at the
// door itself and over HTTP, in one process and by turns. Whoever answers by memory asks for the epochs of rights with
// what it commits anyway, which is not in these figures.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AccessRequest, admit, type Guards } from '../src/access/admit.ts';
import { openApiKeys } from '../src/access/credentials/api-key.ts';
import type { Credential } from '../src/access/credentials/credential.ts';
import { openSignedAddresses } from '../src/access/credentials/signed-address.ts';
import type { Database } from '../src/access/transactions.ts';
import { type Route, route } from '../src/api/route.ts';
import { serveRoutes } from '../src/api/serve.ts';
import { startService } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { newId } from '../src/lib/crypto/ids.ts';
import { openLog } from '../src/lib/http/log.ts';
import { type Head, openHttp } from '../src/lib/http/server.ts';
import { createKey } from '../src/resources/api-keys/create.ts';
import { createOrganization } from '../src/resources/organizations/create.ts';
import { recordDenial } from '../src/trail/record.ts';
import { compareTurns, measure, type Row } from './figures.ts';

const turns = 5;
const checks = { known: 20_000, read: 2_000 };
const requests = 2_000;
const wantedRatio = 10;

type Cost = { readonly wallUs: number; readonly cpuUs: number };
type Costs = { known: Cost[]; read: Cost[] };

/** About a minute. */
export async function benchAccess(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'lastro-bench-access-'));
  // The user of the embedded database may enter it.
  chmodSync(folder, 0o755);
  const env = { PORT: '0', LASTRO_DATA_DIR: folder, LASTRO_DEMO: '0', LOG_LEVEL: 'error' };
  const service = await startService(readConfig(env), 'none');
  try {
    const { db } = service.app;
    const names = { organization: 'Bench', workspace: 'Bench', email: 'ana@bench.example' };
    const { ctx, userId } = await createOrganization(db, names);
    const { secret } = await createKey(db, ctx, { name: 'bench', userId });
    const keys = openApiKeys(db);
    return [
      ...rowsOf('at the door', await atTheDoor(db, keys, secret)),
      ...rowsOf('over HTTP', await overHttp(db, keys, secret)),
    ];
  } finally {
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The check of a key and of its right, one after the other. */
async function atTheDoor(db: Database, keys: Credential, secret: string): Promise<Costs> {
  const guards: Guards = { recordDenial: (ctx, path) => recordDenial(db, ctx, path), rateLimit: { count: () => ({}) } };
  const request: Omit<AccessRequest, 'cached'> = {
    ...{
      anyOf: ['view_models'],
      route: 'GET /bench',
      scope: 'workspace',
      whenArchived: 'refused',
      fresh: false,
      bound: false,
      pace: 'other',
    },
    ...{ credentials: [keys], refused: [] },
  };
  const head: Head = {
    ...{ requestId: 'req_bench', ip: '127.0.0.1', method: 'GET', url: '/bench', tell: () => {} },
    headers: { authorization: `Bearer ${secret}` },
  };
  const check = (cached: boolean) => admit(guards, { ...request, cached }, head);
  return byTurns(
    () => repeat(checks.known, () => check(true)),
    () => repeat(checks.read, () => check(false)),
  );
}

/** A request that is let in and answered with nothing, on one connection. */
async function overHttp(db: Database, keys: Credential, secret: string): Promise<Costs> {
  const http = openHttp({
    ...{ log: openLog('silent'), trustedProxies: [], newRequestId: () => newId('req') },
    document: { info: { title: 'Bench', version: '1' } },
  });
  const at = (path: string, cachedKey: boolean): Route =>
    route(
      {
        ...{ method: 'GET', path, operation: `bench.${cachedKey ? 'get' : 'find'}`, summary: 'Nothing' },
        ...{ access: 'view_models', answers: { 204: null }, cachedKey },
      },
      async () => ({ status: 204 }),
    );
  serveRoutes(http, [at('/known', true), at('/read', false)], {
    credentials: { brought: [keys], signedAddress: openSignedAddresses(db, Buffer.from('bench')) },
    ...{ recordDenial: (ctx, path) => recordDenial(db, ctx, path), rateLimit: { count: () => ({}) } },
    bodySecret: Buffer.from('bench'),
  });
  const url = `http://127.0.0.1:${await http.listen(0, '127.0.0.1')}`;
  const headers = { authorization: `Bearer ${secret}` };
  const ask = async (path: string): Promise<void> => {
    const answer = await fetch(`${url}${path}`, { headers });
    if (answer.status !== 204) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  };
  try {
    return await byTurns(
      () => repeat(requests, () => ask('/known')),
      () => repeat(requests, () => ask('/read')),
    );
  } finally {
    await http.close();
  }
}

async function byTurns(known: () => Promise<Cost>, read: () => Promise<Cost>): Promise<Costs> {
  const costs: Costs = { known: [], read: [] };
  await read();
  await known();
  for (let turn = 0; turn < turns; turn++) {
    costs.known.push(await known());
    costs.read.push(await read());
  }
  return costs;
}

/** Microseconds of one run, by the clock and of the processor of this process. */
async function repeat(times: number, run: () => Promise<unknown>): Promise<Cost> {
  const begun = performance.now();
  const cpuSeconds = await measure(async () => {
    for (let at = 0; at < times; at++) await run();
  });
  return { wallUs: ((performance.now() - begun) * 1_000) / times, cpuUs: (cpuSeconds * 1e6) / times };
}

function rowsOf(where: 'at the door' | 'over HTTP', { known, read }: Costs): Row[] {
  // Over HTTP both pay for the request itself, here also for whoever asks.
  const target = where === 'at the door' ? { target: wantedRatio } : {};
  const row = (what: string, of: (cost: Cost) => number): Row =>
    compareTurns(`a known key ${where}, beside one that is read, ${what}`, known.map(of), read.map(of), {
      ...{ unit: 'us', ...target },
    });
  return [row('time', ({ wallUs }) => wallUs), row('CPU', ({ cpuUs }) => cpuUs)];
}
