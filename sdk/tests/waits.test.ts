/** How work is waited for: by answers that the service holds back, or by asking again. */
import { afterEach, expect, test } from 'vitest';
import { TimeoutError } from '../src/main.ts';
import { type LocalServer, openLocalServer, refuse, sendJson } from './local-server.ts';

let server: LocalServer;
afterEach(() => server?.close());

const answering = (...statuses: string[]) =>
  openLocalServer((_, answer, at) => sendJson(answer, 200, { status: statuses[Math.min(at, statuses.length - 1)] }));

test.each(['batches', 'ingestions', 'trainingRuns', 'evaluations', 'erasures'] as const)(
  '%s: the answer waits',
  async (noun) => {
    server = await answering('queued', 'failed');
    expect(await server.client()[noun].wait('id_1')).toEqual({ status: 'failed' });
    expect(server.asked.map(({ url }) => url.split('?')[1])).toEqual(['wait=60', 'wait=60']);
  },
);

test('an export is asked for again', async () => {
  server = await answering('queued', 'interrupted');
  expect(await server.client().auditExports.wait('id_1')).toEqual({ status: 'interrupted' });
  expect(server.asked).toHaveLength(2);
});

test('no longer than the caller says', async () => {
  server = await answering('running');
  await expect(server.client().auditExports.wait('exp_1', { withinMs: 1 })).rejects.toThrow(TimeoutError);
  await expect(server.client().batches.wait('bat_1', { withinMs: 1 })).rejects.toThrow('still running');
  expect(server.asked.at(-1)!.url).toMatch(/wait=[01]$/);
});

test('whoever waits for more than the service holds back is answered at once now and then', async () => {
  server = await openLocalServer(({ url }, answer, at) => {
    if (url.endsWith('wait=60')) refuse(answer, 429, 'rate_limited', { 'retry-after': '0' });
    else sendJson(answer, 200, { status: at < 5 ? 'running' : 'succeeded' });
  });
  expect(await server.client({ maxRetries: 1 }).batches.wait('bat_1')).toEqual({ status: 'succeeded' });
  const waits = server.asked.map(({ url }) => Number(url.split('=')[1]));
  expect(waits).toEqual([60, 0, 60, 0, 60, 0]);
});

test('nor does it keep whoever waits for longer than the caller says', async () => {
  server = await openLocalServer(({ url }, answer) => {
    if (url.endsWith('wait=0')) sendJson(answer, 200, { status: 'running' });
    else refuse(answer, 429, 'rate_limited', { 'retry-after': '30' });
  });
  await expect(server.client().batches.wait('bat_1', { withinMs: 20 })).rejects.toThrow(/still .* after 20 ms/);
  expect(server.asked.length).toBeLessThan(5);
});

test('what answers at once is not asked again at once', async () => {
  server = await answering('running');
  await expect(server.client().batches.wait('bat_1', { withinMs: 200 })).rejects.toThrow(TimeoutError);
  expect(server.asked.length).toBeLessThan(5);
});

test('goes on while the service starts anew, and ends where asking fails for good', async () => {
  server = await openLocalServer((_, answer, at) => {
    if (at === 0 || at > 5) sendJson(answer, 200, { status: at === 0 ? 'running' : 'succeeded' });
    else refuse(answer, 503, 'unavailable', { 'retry-after': '0' });
  });
  expect(await server.client().batches.wait('bat_1')).toEqual({ status: 'succeeded' });
  await server.close();
  server = await openLocalServer((_, answer) => refuse(answer, 503, 'unavailable', { 'retry-after': '0' }));
  await expect(server.client().batches.wait('bat_1')).rejects.toThrow('503 unavailable');
  expect(server.asked).toHaveLength(21);
});
