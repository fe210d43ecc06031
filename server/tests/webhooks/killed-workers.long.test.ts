/** Workers that are killed, frozen or told to stop while they deliver. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Tenant } from '../service.ts';
import { ok as answersOk, late, silent } from './farm.ts';
import {
  deliveriesOf,
  delivery,
  emit,
  ended,
  type Hooks,
  inDatabase,
  register,
  startHooks,
  startWorker,
  until,
  type Worker,
} from './hooks.ts';

let hooks: Hooks;
let here: Tenant;
const started: Worker[] = [];

beforeAll(async () => {
  hooks = await startHooks({}, 'api');
  here = await hooks.service.tenant('Here');
});
afterEach(async () => {
  for (const worker of started.splice(0)) {
    worker.kill('SIGKILL');
    await worker.ended;
  }
});
afterAll(() => hooks.close());

const events = ['batch-request'];

function work(): Worker {
  const worker = startWorker(hooks);
  started.push(worker);
  return worker;
}

/** Has the leases of deliveries end, as they do after a minute. */
const endLeases = () => inDatabase(hooks, "update webhook_deliveries set lease_until = now() where status = 'running'");
const attemptsOf = async (id: string) =>
  (await delivery(here.client, id)).attempts.map((one: Record<string, unknown>) => [one.number, one.error_class]);

test('E24: what was committed when all workers died is sent by the next one', async () => {
  const receiver = hooks.farm.receiver(silent);
  const { id } = await register(here.client, receiver.url, { events });
  const first = work();
  await emit(hooks, here);
  await receiver.received(1);
  await emit(hooks, here);
  first.kill('SIGKILL');
  await first.ended;
  await emit(hooks, here);
  receiver.behave(answersOk);
  await endLeases();
  work();
  const rows = await ended(here.client, id, 3);
  expect(rows.map(({ status }) => status)).toEqual(['succeeded', 'succeeded', 'succeeded']);
  expect(await attemptsOf(rows[0].id)).toEqual([
    [1, 'interrupted'],
    [2, null],
  ]);
});

test('E25: what was answered when its worker died is sent once more, with the same id', async () => {
  const receiver = hooks.farm.receiver();
  const { id } = await register(here.client, receiver.url, { events });
  const first = work();
  receiver.behave(async (request, answer, times) => {
    first.kill('SIGKILL');
    await first.ended;
    answersOk(request, answer, times);
  });
  await emit(hooks, here);
  await receiver.received(1);
  await first.ended;
  receiver.behave(answersOk);
  await endLeases();
  work();
  const [row] = await ended(here.client, id, 1);
  expect(row).toMatchObject({ status: 'succeeded', attempt_count: 2 });
  expect(receiver.requests.map(({ headers }) => headers['webhook-id'])).toEqual([row.message_id, row.message_id]);
});

test('E28: a worker that was frozen past its lease changes nothing any more', async () => {
  const receiver = hooks.farm.receiver();
  const { id } = await register(here.client, receiver.url, { events });
  const frozen = work();
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  receiver.behave(async (_, { response }) => {
    await held;
    response.writeHead(500).end();
  });
  await emit(hooks, here);
  await receiver.received(1);
  frozen.kill('SIGSTOP');
  receiver.behave(answersOk);
  await endLeases();
  const other = work();
  const [row] = await ended(here.client, id, 1);
  const before = await delivery(here.client, row.id);
  expect(before).toMatchObject({ status: 'succeeded', attempt_count: 2 });
  // What it tells of is its own again only if nobody asks whose it is.
  other.kill('SIGTERM');
  await other.ended;
  frozen.kill('SIGCONT');
  release();
  await emit(hooks, here);
  await ended(here.client, id, 2);
  frozen.kill('SIGTERM');
  expect(await frozen.ended).toBe(0);
  expect(await delivery(here.client, row.id)).toEqual(before);
});

test('E30: a worker that is told to stop takes nothing more, ends what it sends, and leaves nothing taken', async () => {
  const receiver = hooks.farm.receiver(late(1_500));
  const { id } = await register(here.client, receiver.url, { events });
  const worker = work();
  await emit(hooks, here, { count: 12 });
  await receiver.received(1);
  worker.kill('SIGTERM');
  expect(await worker.ended).toBe(0);
  const rows = await deliveriesOf(here.client, id);
  const counts = Map.groupBy(rows, ({ status }) => status);
  expect([...counts.keys()].sort()).toEqual(['queued', 'succeeded']);
  expect(counts.get('succeeded')).toHaveLength(receiver.requests.length);
  receiver.behave(answersOk);
  work();
  await ended(here.client, id, 12);
  await until(async () => (receiver.requests.length === 12 ? true : undefined));
});
