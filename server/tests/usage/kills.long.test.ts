/**
 * kill -9 of the service in the middle of predictions: every answered call has its audit entry and its unit of usage,
 * and the counts are equal.
 */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  bootstrap,
  gone,
  kill,
  makeDataFolder,
  type Program,
  processesOf,
  queryRows,
  removeDataFolder,
  startProgram,
} from '../program.ts';
import { draws } from '../samples.ts';
import { type Client, openClient } from '../service.ts';
import { learnReturns } from '../support/samples/batches.ts';
import { totals } from './metered.ts';

const answersPlanned = 10_000;
const killsPlanned = 6;
const callers = 16;
const seed = 20_261_123;

const draw = draws(seed);
let folder: string;
let port: string;
let program: Program;
let client: Client;

beforeAll(async () => {
  folder = makeDataFolder();
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = String((server.address() as { port: number }).port);
  server.close();
  await once(server, 'close');
  program = await start();
  client = openClient(await program.answers, await bootstrap(folder, 'Struck'));
});
afterAll(() => removeDataFolder(folder));

async function start(): Promise<Program> {
  const program = startProgram(folder, { env: { PORT: port } });
  await program.answers;
  return program;
}

test(`E63: ${answersPlanned} predictions under ${killsPlanned} kills: entries, records and units are equal in number, and none is missing`, async () => {
  const model = (await learnReturns(client)).model_id;
  const answered: string[] = [];
  let inFlight = 0;
  let mostInFlight = 0;
  const asking = Array.from({ length: callers }, async (_, caller) => {
    while (answered.length < answersPlanned) {
      mostInFlight = Math.max(mostInFlight, ++inFlight);
      try {
        const { status, body } = await client.post(`/v1/api/prediction/${model}/production`, {
          customer_id: `C${1 + (caller % 3)}`,
        });
        if (status === 200) answered.push(body.prediction_id);
        else expect(status).toBe(503);
      } catch (error) {
        // What was killed answers nothing.
        if (!(error instanceof TypeError) && !/fetch failed|terminated/.test(String(error))) throw error;
        await sleep(20);
      } finally {
        inFlight--;
      }
    }
  });
  const asked = Promise.all(asking);
  const struckAt: number[] = [];
  for (let strike = 0; strike < killsPlanned; strike++) {
    // At another place of the work each time, and every other time with its database.
    const due = (answersPlanned * (strike + draw.next())) / (killsPlanned + 1);
    while (answered.length < due) await Promise.race([sleep(10), asked]);
    struckAt.push(answered.length);
    const all = processesOf(folder);
    const serving = all.find(({ parent }) => parent === program.pid)!;
    for (const { pid } of strike % 2 === 0 ? [serving] : all) kill(pid, 'SIGKILL');
    await program.ended;
    if (strike % 2 === 1) await gone(folder);
    program = await start();
  }
  await asked;

  // Everything that was kept is sealed and metered by the service itself.
  const counted = async () => (await totals(client)).predictions;
  let [before, now] = [-1, await counted()];
  while (now < answered.length || now !== before) {
    await sleep(3_000);
    [before, now] = [now, await counted()];
  }
  kill(program.pid, 'SIGTERM');
  expect(await program.ended).toEqual({ code: 0, signal: null });
  const [{ unsealed }] = await queryRows<{ unsealed: number }>(
    folder,
    'select count(*)::int as unsealed from audit.unsealed',
  );
  // What the process does as it stops may wait for the next start.
  expect(unsealed).toBeLessThan(10);
  const entries = await queryRows<{ id: string }>(
    folder,
    "select target_id as id from audit_entries where action = 'prediction-request'",
  );
  const kept = await queryRows<{ id: string }>(folder, 'select id from predictions');
  const ids = new Set(entries.map(({ id }) => id));
  console.log({ answered: answered.length, entries: entries.length, metered: now, struckAt, mostInFlight });
  expect(ids.size).toBe(entries.length);
  expect(new Set(kept.map(({ id }) => id))).toEqual(ids);
  expect(answered.filter((id) => !ids.has(id))).toEqual([]);
  expect(new Set(answered).size).toBe(answered.length);
  // What was kept and not answered was under way when a process was killed.
  expect(entries.length - answered.length).toBeLessThanOrEqual(mostInFlight * killsPlanned);
  expect(now).toBe(entries.length);
});
