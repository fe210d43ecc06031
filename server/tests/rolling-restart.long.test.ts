/** Processes behind a balancer are restarted one after the other, and nobody who asks meanwhile notices. */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Balancer, startBalancer } from './balancer.ts';
import { type SecondProcess, startSecondProcess } from './second-process.ts';
import type { Tenant, TestService } from './service.ts';
import { startShop } from './support/samples/batches.ts';

/** Longer than the balancer takes to ask a process anew whether it is ready. */
const drain = { LASTRO_DRAIN_SECONDS: '1.5' };
const predictors = 4;
const readers = 2;
/** Between two requests of one caller, so that the machine has time to start processes. */
const pauseMs = 20;

let service: TestService;
let tenant: Tenant;
let model: string;
let file: string;
let processes: SecondProcess[];
let balancer: Balancer;

beforeAll(async () => {
  const { returns, ...shop } = await startShop();
  ({ service, tenant } = shop);
  model = returns.model_id;
  file = await tenant.client.upload('kept.csv', Buffer.alloc(200_000, 'a,b\n'));
  processes = await Promise.all([startSecondProcess(service, drain), startSecondProcess(service, drain)]);
  balancer = await startBalancer(processes.map(({ url }) => url));
});
afterAll(async () => {
  await balancer?.close();
  await Promise.all((processes ?? []).map((process) => process.kill()));
  await service.close();
});

test('a restart of one process after the other fails no request, and tells streams to come again', async () => {
  const authorization = `Bearer ${tenant.client.key}`;
  const answers: string[] = [];
  const failures: string[] = [];
  let streamsEnded = 0;
  const stop = new AbortController();
  const over = stop.signal;
  const ask = async (path: string, check: (answer: Response) => Promise<boolean>, body?: object): Promise<void> => {
    try {
      const answer = await fetch(`${balancer.url}${path}`, {
        method: body ? 'POST' : 'GET',
        headers: { authorization, 'content-type': 'application/json' },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      if (!(await check(answer))) failures.push(`${path}: ${answer.status}`);
      answers.push(answer.headers.get('x-answered-by')!);
    } catch (error) {
      failures.push(`${path}: ${error} ${(error as Error).cause}`);
    }
  };
  const predict = async (): Promise<void> => {
    const isRight = async (answer: Response) =>
      answer.status === 200 && ((await answer.json()) as { model_id: string }).model_id === model;
    while (!over.aborted) {
      await ask(`/v1/api/prediction/${model}/production`, isRight, { customer_id: 'C1' });
      await sleep(pauseMs);
    }
  };
  const content = `/v2/api/files/${file}/content`;
  const sha256 = (bytes: ArrayBuffer): string => createHash('sha256').update(Buffer.from(bytes)).digest('hex');
  const first = await fetch(`${balancer.url}${content}`, { headers: { authorization } });
  const digest = sha256(await first.arrayBuffer());
  const read = async (): Promise<void> => {
    const isWhole = async (answer: Response) => answer.status === 200 && sha256(await answer.arrayBuffer()) === digest;
    while (!over.aborted) {
      await ask(content, isWhole);
      await sleep(pauseMs);
    }
  };
  const followEvents = async (): Promise<void> => {
    while (!over.aborted) {
      try {
        const answer = await fetch(`${balancer.url}/v1/api/events/stream`, {
          headers: { authorization },
          signal: over,
        });
        if (answer.status !== 200) failures.push(`stream: ${answer.status}`);
        for await (const _ of answer.body!);
        streamsEnded++;
      } catch (error) {
        if (!over.aborted) failures.push(`stream: ${error} ${(error as Error).cause}`);
      }
    }
  };
  const load = Promise.all([
    ...Array.from({ length: predictors }, predict),
    ...Array.from({ length: readers }, read),
    followEvents(),
  ]);

  for (const [at, old] of processes.entries()) {
    await answersOf(answers, old.url);
    await old.close();
    expect(balancer.isIn(old.url)).toBe(false);
    processes[at] = await startSecondProcess(service, { ...drain, PORT: new URL(old.url).port });
    expect(processes[at].url).toBe(old.url);
    await expect.poll(() => balancer.isIn(old.url)).toBe(true);
    // The other one is stopped only when this one answers.
    await answersOf(answers, old.url);
  }
  stop.abort();
  await load;
  expect(failures).toEqual([]);
  expect(streamsEnded).toBeGreaterThan(0);
});

/** Resolves once the process at `url` has answered some requests more. */
async function answersOf(answers: readonly string[], url: string): Promise<void> {
  const few = 20;
  const from = answers.length;
  while (answers.slice(from).filter((by) => by === url).length < few) await sleep(pauseMs);
}
