/** Two processes that answer, one of which is killed again and again, beside the one that seals and meters. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { draws } from '../samples.ts';
import { type SecondProcess, startSecondProcess } from '../second-process.ts';
import { startTestService, type Tenant, type TestService } from '../service.ts';
import { learnReturns } from '../support/samples/batches.ts';
import { meterAll, totals } from './metered.ts';

const answersPlanned = 6_000;
const killsPlanned = 8;
/** A process is struck after so many more answers at most, of both. */
const answersBetweenMax = 300;
const callers = 16;

let service: TestService;
let tenant: Tenant;
let processes: SecondProcess[];
beforeAll(async () => {
  service = await startTestService();
  tenant = await service.tenant('Struck');
  processes = await Promise.all([startSecondProcess(service), startSecondProcess(service)]);
});
afterAll(async () => {
  await Promise.all(processes.map((process) => process.close()));
  await service.close();
});

test(`E63: ${answersPlanned} predictions by two processes under ${killsPlanned} kills: entries, records and units are equal in number, and none is missing`, async () => {
  const draw = draws(63);
  const model = (await learnReturns(tenant.client)).model_id;
  const answered: string[] = [];
  const answersOf = [0, 0];
  let inFlight = 0;
  let mostInFlight = 0;
  let isOver = false;
  const asking = Array.from({ length: callers }, async (_, caller) => {
    const which = caller % processes.length;
    while (!isOver || answered.length < answersPlanned) {
      mostInFlight = Math.max(mostInFlight, ++inFlight);
      try {
        const reply = await fetch(`${processes[which].url}/v1/api/prediction/${model}/production`, {
          method: 'POST',
          headers: { authorization: `Bearer ${tenant.client.key}`, 'content-type': 'application/json' },
          body: JSON.stringify({ customer_id: `C${1 + (caller % 3)}` }),
        });
        const body = (await reply.json()) as { prediction_id: string };
        expect([200, 503]).toContain(reply.status);
        if (reply.status !== 200) continue;
        answered.push(body.prediction_id);
        answersOf[which]++;
      } catch (error) {
        // What was killed answers nothing.
        if (!(error instanceof TypeError)) throw error;
        await sleep(20);
      } finally {
        inFlight--;
      }
    }
  });
  const asked = Promise.all(asking);
  const struckAt: number[] = [];
  for (let strike = 0; strike < killsPlanned; strike++) {
    const due = answered.length + 1 + draw.next() * answersBetweenMax;
    while (answered.length < due) await Promise.race([sleep(10), asked]);
    struckAt.push(answered.length);
    const victim = draw.next() < 0.5 ? 0 : 1;
    await processes[victim].kill();
    processes[victim] = await startSecondProcess(service);
  }
  isOver = true;
  await asked;
  await meterAll(service);
  const metered = (await totals(tenant.client)).predictions;
  const idsIn = async (text: string): Promise<string[]> => {
    const { rows } = await service.owner.pool.query<{ id: string }>(text);
    return rows.map(({ id }) => id);
  };
  const entries = await idsIn("select target_id as id from audit_entries where action = 'prediction-request'");
  const kept = await idsIn('select id from predictions');
  console.log({ answersOf, entries: entries.length, metered, struckAt, mostInFlight });
  const ids = new Set(entries);
  expect(ids.size).toBe(entries.length);
  expect(new Set(kept)).toEqual(ids);
  expect(answered.filter((id) => !ids.has(id))).toEqual([]);
  expect(new Set(answered).size).toBe(answered.length);
  // What was kept and not answered was under way when a process was killed.
  expect(entries.length - answered.length).toBeLessThanOrEqual(mostInFlight * killsPlanned);
  expect(metered).toBe(entries.length);
  expect(Math.min(...answersOf)).toBeGreaterThan(0);
});
