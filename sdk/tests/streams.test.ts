/** Streams of server-sent events: how they are read, and how they go on after they break. */
import type { ServerResponse } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { NotFoundError } from '../src/main.ts';
import { readMessages } from '../src/streams/messages.ts';
import { hangUp, type LocalServer, openLocalServer, refuse } from './local-server.ts';

let server: LocalServer;
afterEach(() => server?.close());

async function messagesIn(...chunks: string[]) {
  const found = [];
  for await (const message of readMessages(
    (async function* () {
      yield* chunks;
    })(),
  ))
    found.push(message);
  return found;
}

test('messages are read as HTML says, wherever the chunks are cut', async () => {
  const text =
    ': hello\n\nid: 1\nevent: a\ndata: x\ndata:y\n\ndata\n\r\nid: 2\r\ndata: z\r\n\r\nevent: unfinished\ndata: no';
  const expected = [
    null,
    { id: '1', event: 'a', data: 'x\ny' },
    { id: '1', event: 'message', data: '' },
    { id: '2', event: 'message', data: 'z' },
  ];
  expect(await messagesIn(text)).toEqual(expected);
  expect(await messagesIn(...text)).toEqual(expected);
  for (let at = 1; at < text.length; at++)
    expect(await messagesIn(text.slice(0, at), text.slice(at))).toEqual(expected);
});

function open(answer: ServerResponse): void {
  answer.writeHead(200, { 'content-type': 'text/event-stream' });
  answer.write(': the events that come follow\n\n');
}

function tell(answer: ServerResponse, id: string): void {
  const event = { id, type: 'batch-lifecycle', data: { id: 'bat_1', status: 'queued' } };
  answer.write(`id: ${id}\nevent: batch-lifecycle\ndata: ${JSON.stringify(event)}\n\n`);
}

async function first(count: number, stream: AsyncIterable<{ readonly id: string }>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of stream) {
    ids.push(id);
    if (ids.length === count) break;
  }
  return ids;
}

test('a stream that breaks, ends or is refused for a while goes on after the last event that arrived', async () => {
  server = await openLocalServer((_, answer, at) => {
    if (at === 2) return refuse(answer, 429, 'rate_limited', { 'retry-after': '0' });
    open(answer);
    if (at === 0) {
      tell(answer, 'evt_1');
      tell(answer, 'evt_2');
      answer.write('id: evt_3\ndata: {"id"');
      setTimeout(hangUp, 20, answer);
    } else if (at === 1) {
      tell(answer, 'evt_3');
      answer.end();
    } else tell(answer, 'evt_4');
  });
  const stream = server.client().events.stream({ types: ['batch-lifecycle', 'batch-request'], resource_id: 'bat_1' });
  expect(await first(4, stream)).toEqual(['evt_1', 'evt_2', 'evt_3', 'evt_4']);
  expect(server.asked.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, 'evt_2', 'evt_3', 'evt_3']);
  expect(server.asked[3].url).toBe('/v1/api/events/stream?resource_id=bat_1&type=batch-lifecycle%2Cbatch-request');
});

test('it begins after the event that the caller knows', async () => {
  server = await openLocalServer((_, answer) => {
    open(answer);
    tell(answer, 'evt_2');
  });
  expect(await first(1, server.client().events.stream({ after: 'evt_1' }))).toEqual(['evt_2']);
  expect(server.asked[0].headers['last-event-id']).toBe('evt_1');
});

test('leaving the loop hangs up', async () => {
  const left = Promise.withResolvers<void>();
  server = await openLocalServer((_, answer) => {
    answer.on('close', left.resolve);
    open(answer);
    tell(answer, 'evt_1');
  });
  await first(1, server.client().events.stream());
  await left.promise;
});

test('a signal ends it with its reason', async () => {
  const ending = new AbortController();
  server = await openLocalServer((_, answer) => {
    open(answer);
    tell(answer, 'evt_1');
  });
  const ids: string[] = [];
  const read = async () => {
    for await (const { id } of server.client().events.stream({}, { signal: ending.signal })) {
      ids.push(id);
      ending.abort(new Error('enough'));
    }
  };
  await expect(read()).rejects.toThrow('enough');
  expect(ids).toEqual(['evt_1']);
});

test('what connecting again does not mend is thrown', async () => {
  server = await openLocalServer((_, answer) => refuse(answer, 404, 'not_found'));
  await expect(first(1, server.client().events.stream({ after: 'evt_0' }))).rejects.toThrow(NotFoundError);
  expect(server.asked).toHaveLength(1);
});

test('the stream of a training run ends with the run', async () => {
  server = await openLocalServer((_, answer, at) => {
    open(answer);
    const statuses = at === 0 ? ['queued', 'running'] : ['running', 'succeeded'];
    for (const status of statuses) answer.write(`event: run\ndata: ${JSON.stringify({ id: 'run_1', status })}\n\n`);
    setTimeout(hangUp, 20, answer);
  });
  const statuses = [];
  for await (const { status } of server.client().trainingRuns.stream('run_1')) statuses.push(status);
  expect(statuses).toEqual(['queued', 'running', 'running', 'succeeded']);
});
