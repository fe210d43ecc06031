/** What is sent again, and what is not, before a server that misbehaves. */
import { getEventListeners } from 'node:events';
import { afterEach, describe, expect, test } from 'vitest';
import { delayBefore } from '../src/http/retry.ts';
import { ConflictError, ConnectionError, RateLimitError, ServiceError, TimeoutError } from '../src/main.ts';
import { hangUp, type LocalServer, openLocalServer, refuse, sendJson } from './local-server.ts';

let server: LocalServer;
afterEach(() => server?.close());

const batch = { files: ['file_1'], model: 'credit/production' };
const soon = { 'retry-after': '0' };

test('what is refused for a while is sent again, as Retry-After says, with the same Idempotency-Key', async () => {
  server = await openLocalServer((_, answer, at) => {
    if (at === 0) refuse(answer, 429, 'rate_limited', soon);
    else if (at === 1) refuse(answer, 503, 'unavailable', soon);
    else sendJson(answer, 202, { id: 'bat_1' });
  });
  expect(await server.client().batches.create(batch)).toEqual({ id: 'bat_1' });
  const keys = server.asked.map(({ headers }) => headers['idempotency-key']);
  expect(keys).toHaveLength(3);
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(new Set(keys).size).toBe(1);
  expect(server.asked.map(({ body }) => JSON.parse(body))).toEqual([batch, batch, batch]);
});

test('each call has a key of its own, unless the caller has one', async () => {
  server = await openLocalServer((_, answer) => sendJson(answer, 202, {}));
  const client = server.client();
  await client.batches.create(batch);
  await client.batches.create(batch);
  await client.batches.create(batch, { idempotencyKey: 'mine' });
  await client.predictions.create('credit', 'production', {});
  const [first, second, third, prediction] = server.asked.map(({ headers }) => headers['idempotency-key']);
  expect(first).not.toBe(second);
  expect(third).toBe('mine');
  expect(prediction).toBeUndefined();
});

test('a connection that breaks, before an answer or within it, is tried again', async () => {
  server = await openLocalServer((_, answer, at) => {
    if (at === 0) return hangUp(answer);
    if (at === 1) {
      answer.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
      answer.write('{"data"');
      return void setImmediate(hangUp, answer);
    }
    sendJson(answer, 200, { id: 'bat_1' });
  });
  expect(await server.client().batches.get('bat_1')).toEqual({ id: 'bat_1' });
  expect(server.asked).toHaveLength(3);
});

test('after maxRetries the failure is thrown, with what is known of it', async () => {
  server = await openLocalServer((_, answer) => refuse(answer, 503, 'unavailable', soon));
  const client = server.client({ maxRetries: 1 });
  const error = await client.models.list().catch((thrown) => thrown);
  expect(error).toBeInstanceOf(ServiceError);
  expect(error).toMatchObject({ status: 503, code: 'unavailable', requestId: 'req_1', retryAfter: 0, errors: [] });
  expect(error.message).toBe('503 unavailable: because of unavailable (req_1)');
  expect(server.asked).toHaveLength(2);
  await client.models.list({}, { maxRetries: 0 }).catch(() => {});
  expect(server.asked).toHaveLength(3);
});

test('what might be done twice is not sent again: a POST without a key whose answer is lost', async () => {
  server = await openLocalServer((_, answer) => hangUp(answer));
  await expect(server.client().apiKeys.create({ name: 'key' })).rejects.toThrow(ConnectionError);
  expect(server.asked).toHaveLength(1);
});

test('what would be refused again is not sent again', async () => {
  const refusals = [
    [409, 'conflict'],
    [422, 'invalid'],
    [429, 'quota_exceeded'],
    [500, 'object_damaged'],
    [507, 'insufficient_storage'],
  ] as const;
  server = await openLocalServer((_, answer, at) => refuse(answer, refusals[at][0], refusals[at][1], soon));
  const client = server.client();
  for (const [status] of refusals) await expect(client.models.list()).rejects.toMatchObject({ status });
  expect(server.asked).toHaveLength(refusals.length);
});

test('a longer Retry-After than a minute is left to the caller', async () => {
  server = await openLocalServer((_, answer) => refuse(answer, 429, 'rate_limited', { 'retry-after': '61' }));
  const error = await server
    .client()
    .models.list()
    .catch((thrown) => thrown);
  expect(error).toBeInstanceOf(RateLimitError);
  expect(error.retryAfter).toBe(61);
  expect(server.asked).toHaveLength(1);
});

test('an answer that does not come in time is a TimeoutError', async () => {
  server = await openLocalServer(() => {});
  const asked = server.client({ maxRetries: 0 }).models.list({}, { timeoutMs: 20 });
  await expect(asked).rejects.toThrow(TimeoutError);
});

test('what the service is asked to wait is added to the time that it has', async () => {
  server = await openLocalServer((_, answer) => void setTimeout(sendJson, 300, answer, 200, { status: 'succeeded' }));
  const client = server.client({ maxRetries: 0, timeoutMs: 100 });
  await expect(client.batches.get('bat_1')).rejects.toThrow(TimeoutError);
  expect(await client.batches.get('bat_1', { wait: 60 })).toEqual({ status: 'succeeded' });
});

describe('a signal', () => {
  test('is let go of where files are refused, or cannot be read', async () => {
    server = await openLocalServer((_, answer) => refuse(answer, 403, 'permission_denied'));
    const { signal } = new AbortController();
    const { files } = server.client();
    await expect(files.send([{ path: 'a.csv', content: 'a' }], { signal })).rejects.toThrow('403');
    const unreadable = () => {
      throw new Error('gone');
    };
    await expect(files.send([{ path: 'a.csv', content: unreadable }], { signal })).rejects.toThrow('gone');
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('ends a request, and is what is thrown', async () => {
    const ending = new AbortController();
    server = await openLocalServer(() => ending.abort(new Error('enough')));
    await expect(server.client().models.list({}, { signal: ending.signal })).rejects.toThrow('enough');
  });

  test('ends the wait between two attempts', async () => {
    const ending = new AbortController();
    server = await openLocalServer((_, answer) => {
      refuse(answer, 429, 'rate_limited', { 'retry-after': '50' });
      answer.on('close', () => setTimeout(() => ending.abort(new Error('enough')), 20));
    });
    await expect(server.client().models.list({}, { signal: ending.signal })).rejects.toThrow('enough');
    expect(server.asked).toHaveLength(1);
  });

  test('that has ended already sends nothing', async () => {
    server = await openLocalServer((_, answer) => sendJson(answer, 200, {}));
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(server.client().models.list({}, { signal })).rejects.toThrow('enough');
    expect(server.asked).toHaveLength(0);
  });
});

test('an answer of no service, such as a proxy, is told by its status', async () => {
  server = await openLocalServer((_, answer, at) => {
    answer.writeHead(at === 0 ? 409 : 200, { 'content-type': 'text/html' }).end('<html>');
  });
  const client = server.client({ maxRetries: 0 });
  const error = await client.models.list().catch((thrown) => thrown);
  expect(error).toBeInstanceOf(ConflictError);
  expect(error).toMatchObject({ status: 409, code: null, detail: 'Conflict', requestId: null });
  await expect(client.models.list()).rejects.toThrow(ConnectionError);
});

test('delays double from half a second up to 8, less a random part', () => {
  const lost = { status: null, code: null, retryAfter: null };
  const delays = (random: number) => [0, 1, 2, 5, 9].map((retries) => delayBefore(lost, true, retries, random));
  expect(delays(0)).toEqual([500, 1000, 2000, 8000, 8000]);
  expect(delays(1)).toEqual([375, 750, 1500, 6000, 6000]);
  expect(delayBefore(lost, false, 0, 0)).toBeNull();
});
