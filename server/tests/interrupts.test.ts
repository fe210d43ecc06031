import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { system } from '../src/access/transactions.ts';
import { largeShop } from './large-shop.ts';
import { startTestService, type Tenant, type TestService } from './service.ts';
import { shopTables, shopText } from './shop.ts';
import { sendTables, takeIn } from './take-in.ts';

let service: TestService;
let tenant: Tenant;
let small: { file_id: string; table: string }[];

const large = largeShop(2_000, 400_000);

beforeAll(async () => {
  service = await startTestService();
  tenant = await service.tenant('Shop');
  await takeIn(tenant.client, shopText('contract.yaml'), shopTables);
  small = await sendTables(tenant.client, shopTables);
});
afterAll(() => service.close());

async function statusesOf(id: string): Promise<unknown[]> {
  const events = await system(service.service.app.db, 'test', (tx) =>
    tx.selectFrom('events').selectAll().where('resource_id', '=', id).orderBy('sequence').execute(),
  );
  return events.map(({ payload }) => (payload as { status: string }).status);
}

async function untilPhase(path: string): Promise<void> {
  for (;;) {
    const { body } = await tenant.client.get(path);
    expect(body.status, JSON.stringify(body)).toMatch(/queued|running/);
    if (body.progress?.phase) return;
    await sleep(20);
  }
}

/** CPU ticks of the child processes of this one that compute, by their ids. */
function ticksOfChildren(): Map<number, number> {
  const ticks = new Map<number, number>();
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
    try {
      if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('compute.ts')) continue;
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      // Fields 4, 14 and 15 of proc_pid_stat(5): the parent, and time in user and kernel mode.
      if (Number(fields[1]) === process.pid) ticks.set(Number(pid), Number(fields[11]) + Number(fields[12]));
    } catch {
      // It has ended meanwhile.
    }
  return ticks;
}

/** The child that works hardest. */
async function busiestChild(): Promise<number> {
  const before = ticksOfChildren();
  await sleep(300);
  const after = [...ticksOfChildren()].map(([pid, ticks]) => [pid, ticks - (before.get(pid) ?? 0)] as const);
  return after.sort((a, b) => b[1] - a[1])[0][0];
}

test.runIf(process.platform === 'linux')(
  'a running ingestion is interrupted: its process stops, nothing is taken in, and the next one goes on',
  async () => {
    const { client } = tenant;
    const file = await client.upload('orders-large.csv', large.orders(30));
    const before = await client.get('/v1/api/ingestions?limit=1');
    const { body } = await client.post('/v1/api/ingestions', { files: [{ file_id: file, table: 'orders' }] });
    const next = await client.post('/v1/api/ingestions', { files: small });
    const path = `/v1/api/ingestions/${body.id}`;
    await untilPhase(path);
    // Stands for a native call that no signal reaches: it would never end.
    const child = await busiestChild();
    process.kill(child, 'SIGSTOP');
    const stopped = await client.post(`${path}/interrupt`);
    expect(stopped.status, stopped.text).toBe(200);
    expect(stopped.body).toMatchObject({ status: 'interrupted', snapshot_id: null, finished_at: expect.any(String) });
    const ended = await client.finished(`/v1/api/ingestions/${next.body.id}`);
    expect(ended.body).toMatchObject({ status: 'succeeded', changed: false });
    expect(ticksOfChildren().has(child)).toBe(false);
    expect((await client.get(path)).body).toMatchObject({ status: 'interrupted', changed: null, report: null });
    expect(await statusesOf(body.id)).toEqual(['queued', 'running', 'interrupted']);
    expect(before.body.data[0].status).toBe('succeeded');
    const again = await client.post(`${path}/interrupt`);
    expect(again.body).toMatchObject({ status: 409, code: 'already_finished' });
    expect((await client.post('/v1/api/ingestions/ing_none/interrupt')).status).toBe(404);
  },
);

test('a queued ingestion is interrupted before it begins', async () => {
  const { client } = tenant;
  const first = await client.post('/v1/api/ingestions', { files: small });
  const second = await client.post('/v1/api/ingestions', { files: small });
  const stopped = await client.post(`/v1/api/ingestions/${second.body.id}/interrupt`);
  expect(stopped.body).toMatchObject({ status: 'interrupted', started_at: null });
  expect((await client.finished(`/v1/api/ingestions/${first.body.id}`)).body.status).toBe('succeeded');
  expect(await statusesOf(second.body.id)).toEqual(['queued', 'interrupted']);
});

test('an erasure is interrupted as long as nothing is taken out, and not after', async () => {
  const { client } = tenant;
  const [first, second] = [
    await client.post('/v1/api/erasures', { identifier: 'nobody-1' }),
    await client.post('/v1/api/erasures', { identifier: 'nobody-2' }),
  ];
  const stopped = await client.post(`/v1/api/erasures/${second.body.id}/interrupt`);
  expect(stopped.status, stopped.text).toBe(200);
  expect(stopped.body).toMatchObject({ status: 'interrupted', erased: {}, finished_at: expect.any(String) });
  const { rows } = await service.owner.pool.query('select identifier from erasures where id = $1', [second.body.id]);
  expect(rows).toEqual([{ identifier: null }]);
  for (;;) {
    const { rows } = await service.owner.pool.query('select doomed from erasures where id = $1', [first.body.id]);
    if (rows[0].doomed !== null) break;
    await sleep(5);
  }
  const late = await client.post(`/v1/api/erasures/${first.body.id}/interrupt`);
  expect([late.status, late.body.code]).toEqual([409, 'conflict']);
  expect(late.body.detail).toContain('taken out');
  expect((await client.finished(`/v1/api/erasures/${first.body.id}`)).body.status).toBe('succeeded');
  const over = await client.post(`/v1/api/erasures/${first.body.id}/interrupt`);
  expect(over.body).toMatchObject({ code: 'already_finished' });
});
