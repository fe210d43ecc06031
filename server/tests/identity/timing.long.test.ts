/** What the time of an answer tells, and what proving who one is costs. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openApiKeys } from '../../src/access/credentials/api-key.ts';
import { unknownKeysMax, waitingKeysMax } from '../../src/access/guesses.ts';
import { system } from '../../src/access/transactions.ts';
import { makeToken } from '../../src/lib/crypto/tokens.ts';
import { startTestService, type TestService } from '../service.ts';
import { signUp } from './browser.ts';

/** Other programs of the machine may disturb a round; what is slow, or tells, is so every time. */
const attemptsMax = 3;
let service: TestService;

beforeAll(async () => {
  service = await startTestService({ trustedProxies: ['127.0.0.1', '::1'], requestsPerMinute: 1_000_000 });
});
afterAll(() => service.close());

const quantile = (times: readonly number[], q: number): number =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(q * times.length))];

async function timed(run: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await run();
  return performance.now() - begun;
}

/**
 * How likely two samples of one distribution lie as far apart as these (Kolmogorov and Smirnov; the series and its
 * correction for small samples as in Numerical Recipes §14.3).
 */
function likelihoodOfOne(a: readonly number[], b: readonly number[]): number {
  const all = [...a.map((time) => ({ time, of: 1 / a.length })), ...b.map((time) => ({ time, of: -1 / b.length }))];
  let apart = 0;
  let distance = 0;
  for (const { of } of all.sort((x, y) => x.time - y.time)) {
    apart += of;
    distance = Math.max(distance, Math.abs(apart));
  }
  const root = Math.sqrt((a.length * b.length) / (a.length + b.length));
  const lambda = (root + 0.12 + 0.11 / root) * distance;
  let sum = 0;
  for (let k = 1; k <= 100; k++) sum += (k % 2 ? 2 : -2) * Math.exp(-2 * k * k * lambda * lambda);
  return Math.min(1, Math.max(0, sum));
}

const triesOfEach = 200;

async function trySignIn(email: string, ip: string): Promise<number> {
  const body = JSON.stringify({ email, password: 'a wrong password of some length' });
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': ip };
  return timed(async () => {
    const answer = await fetch(`${service.url}/v1/api/sessions`, { method: 'POST', headers, body });
    await answer.arrayBuffer();
    expect(answer.status).toBe(401);
  });
}

test(`T02 the time of a refusal tells no address that has an account, ${triesOfEach} tries each`, async () => {
  const ana = await signUp(service, 'Ana');
  const told = [];
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const times = { unknown: [] as number[], wrong: [] as number[] };
    for (let at = 0; at < triesOfEach; at++) {
      // Without those before, which would make the account and the network wait.
      await service.owner.pool.query('delete from attempts');
      const pair = [
        ['unknown', 'bia@ana-company.example'],
        ['wrong', ana.email],
      ] as const;
      for (const [kind, email] of at % 2 ? pair : pair.toReversed())
        times[kind].push(await trySignIn(email, '203.0.113.1'));
    }
    const medians = [quantile(times.unknown, 0.5), quantile(times.wrong, 0.5)];
    const ratio = Math.max(...medians) / Math.min(...medians);
    const likelihood = likelihoodOfOne(times.unknown, times.wrong);
    told.push({ ratio, likelihood });
    console.log(`medians ${medians.map((time) => time.toFixed(2)).join(' and ')} ms, p ${likelihood.toFixed(3)}`);
    if (ratio <= 1.05 && likelihood > 0.01) return;
  }
  expect.fail(`the times of refusals tell: ${JSON.stringify(told)}`);
});

const ratePerSecond = 200;
const roundSeconds = 5;
const wrongPerSecond = 20;

/** Begins a run every so often, however long they take; resolves with how long each took, in ms. */
async function atRate(perSecond: number, run: () => Promise<unknown>): Promise<number[]> {
  const begun = performance.now();
  const running: Promise<number>[] = [];
  for (let at = 0; at < perSecond * roundSeconds; at++) {
    await sleep(Math.max(0, begun + (at * 1_000) / perSecond - performance.now()));
    running.push(timed(run));
  }
  return Promise.all(running);
}

/** The least ratio of the p99 of `measured` to that of `base`, of rounds in turn, until one is within the bound. */
async function leastRatio(
  what: string,
  bound: number,
  base: () => Promise<number[]>,
  measured: () => Promise<number[]>,
) {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < attemptsMax && least > bound; attempt++) {
    const [a, b] = [await base(), await measured()];
    const [p99a, p99b] = [quantile(a, 0.99), quantile(b, 0.99)];
    console.log(
      `${what}: p99 ${p99b.toFixed(2)} ms of ${p99a.toFixed(2)} ms, medians ${quantile(b, 0.5).toFixed(2)} of ${quantile(a, 0.5).toFixed(2)}`,
    );
    least = Math.min(least, p99b / p99a);
  }
  return least;
}

const wrongKey = (ip: string) => ask(makeToken('lst'), ip);

async function ask(key: string, ip: string): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, 'x-forwarded-for': ip };
  const answer = await fetch(`${service.url}/v1/api/models`, { headers });
  await answer.arrayBuffer();
  return answer;
}

test(`T91 proving a key costs little more than a transaction that does nothing, ${ratePerSecond} times a second`, async () => {
  const { client } = await service.tenant('Fast');
  const { db } = service.service.app;
  const head = { method: 'GET', url: '/', headers: { authorization: `Bearer ${client.key}` }, ip: '203.0.113.2' };
  const read = openApiKeys(db).recognise(head, 'workspace')!;
  const nothing = () => system(db, 'test', (tx) => sql`select 1`.execute(tx));
  const rounds = [() => atRate(ratePerSecond, nothing), () => atRate(ratePerSecond, () => read(false))] as const;
  expect(await leastRatio('proving a key', 3, ...rounds)).toBeLessThanOrEqual(3);
});

test(`T91 ${wrongPerSecond} wrong keys a second, also from the same address, hold up nobody`, async () => {
  const { client } = await service.tenant('Beside');
  const use = () =>
    atRate(ratePerSecond / 2, async () => expect((await ask(client.key, '203.0.113.3')).status).toBe(200));
  const flooded = async () => {
    const wrong = atRate(wrongPerSecond, () => wrongKey('203.0.113.3'));
    const times = await use();
    await wrong;
    return times;
  };
  await use();
  expect(await leastRatio('a key beside wrong ones', 2, use, flooded)).toBeLessThanOrEqual(2);
});

test('T91 wrong keys are throttled, and keys that are good are not', async () => {
  const { client, as } = await service.tenant('Guessed');
  const ip = '203.0.113.4';
  expect((await ask(client.key, ip)).status).toBe(200);
  for (let at = 0; at < unknownKeysMax; at += 10) {
    const answers = await Promise.all(Array.from({ length: 10 }, () => wrongKey(ip)));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(401));
  }
  const burst = Array.from({ length: 10 * waitingKeysMax }, () => wrongKey(ip));
  const known = await ask(client.key, ip);
  const answers = await Promise.all(burst);
  const throttled = answers.filter(({ status }) => status === 429);
  expect(throttled.length).toBeGreaterThan(0);
  for (const { headers } of throttled) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  expect(answers.filter(({ status }) => ![401, 429].includes(status))).toEqual([]);
  expect(known.status).toBe(200);
  // A key that this process has not met waits for moments, and comes in; other addresses do not wait.
  expect((await ask((await as('developer')).key, ip)).status).toBe(200);
  expect((await wrongKey('203.0.113.5')).status).toBe(401);
});
