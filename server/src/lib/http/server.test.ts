import { once } from 'node:events';
import { Agent, request as ask } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setImmediate as tick } from 'node:timers/promises';
import { pino } from 'pino';
import { Type } from 'typebox';
import { afterEach, describe, expect, test } from 'vitest';
import { Failure } from '../failure.ts';
import { type HttpOptions, type HttpRoute, openHttp } from './server.ts';

const log = pino({ level: 'silent' });
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

let counter = 0;
async function serve(routes: readonly Partial<HttpRoute>[], limits: HttpOptions['limits'] = {}) {
  const http = openHttp({
    log,
    trustedProxies: [],
    newRequestId: () => `req_${++counter}`,
    document: { info: { title: 'Test', version: '1' } },
    limits,
  });
  for (const route of routes)
    http.add({ method: 'GET', path: '/', schema: {}, body: 'none', handle: async () => ({ status: 200 }), ...route });
  const port = await http.listen(0, '127.0.0.1');
  closers.push(() => http.close());
  return { http, port, url: `http://127.0.0.1:${port}` };
}

/** A connection that sends exactly the bytes it is given. */
async function open(port: number): Promise<Socket & { heard(): Promise<string> }> {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (bytes) => {
    text += bytes;
  });
  socket.on('error', () => {});
  const ended = new Promise((resolve) => socket.on('close', resolve));
  await once(socket, 'connect');
  closers.push(async () => socket.destroy());
  return Object.assign(socket, {
    async heard() {
      await ended;
      return text;
    },
  });
}

/** Sends a little text again and again until the connection ends. */
function drip(socket: Socket, text: string): void {
  const timer = setInterval(() => socket.writable && socket.write(text), 10);
  socket.on('close', () => clearInterval(timer));
}

/** A handler that answers only when it is told to go on. */
function heldHandler() {
  const begun = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const handle = async () => {
    begun.resolve();
    await goOn.promise;
    return { status: 200, body: '"done"' };
  };
  return { handle, begun: begun.promise, goOn: goOn.resolve };
}

function problemIn(text: string) {
  const [head, body] = text.split('\r\n\r\n');
  const problem = JSON.parse(body);
  expect(head).toContain('application/problem+json');
  expect(head.toLowerCase()).toContain(`request-id: ${problem.request_id}`);
  return problem;
}

const json = Type.Object({ text: Type.String() }, { additionalProperties: false });
const echo: Partial<HttpRoute> = {
  method: 'POST',
  path: '/echo',
  body: 'json',
  schema: { body: json },
  handle: async ({ body }) => ({ status: 200, body: JSON.stringify(body) }),
};

describe('who keeps the server waiting is cut', () => {
  test('in the head', async () => {
    const { port } = await serve([echo]);
    const socket = await open(port);
    socket.write('POST /echo HTTP/1.1\r\nHost: here\r\nX: ');
    socket.write('y'.repeat(20_000));
    expect(problemIn(await socket.heard())).toMatchObject({ status: 431, code: 'headers_too_large' });
  });

  test('in a JSON body', async () => {
    const { port } = await serve([echo], { bodyMs: 100 });
    const socket = await open(port);
    socket.write('POST /echo HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n');
    drip(socket, ' ');
    expect(problemIn(await socket.heard())).toMatchObject({ status: 408, code: 'timeout' });
  });

  test('in a form', async () => {
    const { port } = await serve([{ ...echo, body: 'form' }], { bodyMs: 100 });
    const socket = await open(port);
    const type = 'Content-Type: application/x-www-form-urlencoded';
    socket.write(`POST /echo HTTP/1.1\r\nHost: here\r\n${type}\r\nContent-Length: 1000\r\n\r\n`);
    drip(socket, 'a');
    expect(problemIn(await socket.heard())).toMatchObject({ status: 408, code: 'timeout' });
  });

  test('in a chunked JSON body', async () => {
    const { port } = await serve([echo], { bodyMs: 100 });
    const socket = await open(port);
    socket.write(
      'POST /echo HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
    );
    drip(socket, '1\r\n \r\n');
    expect(problemIn(await socket.heard())).toMatchObject({ status: 408, code: 'timeout' });
  });

  test('in a body that nobody reads', async () => {
    const { port } = await serve([{ method: 'POST' }], { bodyMs: 100 });
    const socket = await open(port);
    socket.write('POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 1000\r\n\r\n');
    drip(socket, ' ');
    expect(await socket.heard()).toMatch(/^HTTP\/1.1 200 /);
  });

  test('in a stream that has stopped', async () => {
    let seen = 0;
    const gone = Promise.withResolvers<unknown>();
    const { port } = await serve(
      [
        {
          method: 'PUT',
          body: 'stream',
          async handle({ stream }) {
            try {
              for await (const bytes of stream) seen += bytes.length;
            } catch (error) {
              gone.resolve(error);
              throw error;
            }
            return { status: 200 };
          },
        },
      ],
      { silenceMs: 100 },
    );
    const socket = await open(port);
    socket.write('PUT / HTTP/1.1\r\nHost: here\r\nContent-Length: 1000\r\n\r\nfirst');
    await socket.heard();
    expect(await gone.promise).toBeInstanceOf(Error);
    expect(seen).toBe('first'.length);
  });
});

describe('what is no request', () => {
  test.each([
    ['no HTTP', 'HELLO\r\n\r\n'],
    ['two lengths', 'POST /echo HTTP/1.1\r\nHost: here\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n'],
    [
      'a length and chunks',
      'POST /echo HTTP/1.1\r\nHost: here\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
    ],
  ])('%s is a problem document', async (_, text) => {
    const { port } = await serve([echo]);
    const socket = await open(port);
    socket.write(text);
    expect(problemIn(await socket.heard())).toMatchObject({ status: 400, code: 'malformed' });
  });

  test('a request without a host, or with an expectation, is answered', async () => {
    const { port } = await serve([{}]);
    const socket = await open(port);
    socket.end('GET / HTTP/1.1\r\nExpect: miracles\r\nConnection: close\r\n\r\n');
    expect(await socket.heard()).toMatch(/^HTTP\/1.1 200 .*request-id: req_/s);
  });
});

describe('admission', () => {
  test('is asked for before the body is read', async () => {
    const { port } = await serve([
      {
        ...echo,
        async admit() {
          throw new Failure('unauthenticated', 'no');
        },
      },
    ]);
    const socket = await open(port);
    socket.write('POST /echo HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n');
    await once(socket, 'data');
    socket.end();
    expect(problemIn(await socket.heard())).toMatchObject({ status: 401 });
  });

  test('hands on what it found', async () => {
    const { url } = await serve([
      {
        admit: async ({ headers }) => headers.who,
        handle: async ({ admitted }) => ({ status: 200, body: JSON.stringify(admitted) }),
      },
    ]);
    const answer = await fetch(url, { headers: { who: 'me' } });
    expect(await answer.json()).toBe('me');
  });
});

test('an answer sets every cookie that it is told to, at admission and after', async () => {
  const { url } = await serve([
    {
      admit: async (head) => head.tell({ 'set-cookie': 'seen=1', 'x-left': '2' }),
      handle: async () => ({
        status: 200,
        headers: { 'set-cookie': ['session=a; HttpOnly', 'device=b'], 'x-left': '1' },
      }),
    },
  ]);
  const { headers } = await fetch(url);
  expect(headers.getSetCookie()).toEqual(['seen=1', 'session=a; HttpOnly', 'device=b']);
  expect(headers.get('x-left')).toBe('1');
});

test('a refusal half-way through a body does not hold up the next request of its connection', async () => {
  const refusing: Partial<HttpRoute> = {
    method: 'PUT',
    path: '/bytes',
    body: 'stream',
    async handle({ stream }) {
      for await (const _ of stream.iterator({ destroyOnReturn: false }))
        throw new Failure('insufficient_storage', 'The storage is full.');
      return { status: 200 };
    },
  };
  const { port } = await serve([
    refusing,
    { path: '/next', handle: async () => ({ status: 200, body: '"answered"' }) },
  ]);
  const socket = await open(port);
  const bytes = Buffer.alloc(1 << 20);
  socket.write(`PUT /bytes HTTP/1.1\r\nhost: x\r\ncontent-length: ${bytes.length}\r\n\r\n`);
  socket.write(bytes);
  socket.write('GET /next HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
  const text = await socket.heard();
  expect(text).toMatch(/^HTTP\/1.1 507 /);
  expect(text).toMatch(/HTTP\/1.1 200 OK[\s\S]*"answered"$/);
});

describe('HEAD', () => {
  test('has the head of GET, and releases the stream unread', async () => {
    let isRead = false;
    const gone = Promise.withResolvers<void>();
    const { url } = await serve([
      {
        async handle() {
          const body = new Readable({
            read() {
              isRead = true;
            },
            destroy(_error, done) {
              gone.resolve();
              done(null);
            },
          });
          return { status: 200, headers: { 'content-length': '12345', 'content-type': 'text/csv' }, body };
        },
      },
    ]);
    const answer = await fetch(url, { method: 'HEAD' });
    expect([answer.status, answer.headers.get('content-length')]).toEqual([200, '12345']);
    await gone.promise;
    expect(isRead).toBe(false);
  });
});

describe('closing', () => {
  test('lets a request in flight finish, and refuses the next on its connection', async () => {
    const { handle, begun, goOn } = heldHandler();
    const { http, port } = await serve([{ handle }]);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const answered = once(ask({ port, agent }).end(), 'response');
    await begun;
    const closed = http.close();
    await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toThrow();
    goOn();
    const [response] = await answered;
    expect([response.statusCode, response.headers.connection]).toEqual([200, 'close']);
    response.resume();
    await closed;
    agent.destroy();
  });

  test('answers 503 to a request on a connection that is busy', async () => {
    const { handle, begun, goOn } = heldHandler();
    const { http, port } = await serve([{ handle }]);
    const socket = await open(port);
    socket.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n');
    await begun;
    const closed = http.close();
    socket.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n');
    await tick();
    goOn();
    expect(await socket.heard()).toMatch(/^HTTP\/1.1 200 /);
    await closed;
  });

  test('ends streams that would go on for ever', async () => {
    const { http, url } = await serve([
      {
        async handle(exchange) {
          const body = new Readable({ read() {} });
          body.push('first');
          exchange.onClose(() => body.push(null));
          return { status: 200, headers: { 'content-type': 'text/event-stream' }, body };
        },
      },
    ]);
    const answer = await fetch(url);
    const text = answer.text();
    await http.close();
    expect(await text).toBe('first');
  });

  test('waits for so long and no longer', async () => {
    const begun = Promise.withResolvers<void>();
    const { http, url } = await serve(
      [
        {
          async handle() {
            begun.resolve();
            return new Promise(() => {});
          },
        },
      ],
      { closeMs: 50 },
    );
    const answer = fetch(url);
    answer.catch(() => {});
    await begun.promise;
    await http.close();
    await expect(answer).rejects.toThrow();
  });
});

test('the end of a request is told once, whoever ends it', async () => {
  const told: string[] = [];
  const begun = Promise.withResolvers<void>();
  const gone = Promise.withResolvers<void>();
  const { url, port } = await serve([
    {
      method: 'POST',
      path: '/left',
      body: 'json',
      schema: { body: json },
      async handle(exchange) {
        exchange.onClose(() => {
          told.push('left');
          gone.resolve();
        });
        begun.resolve();
        await gone.promise;
        return { status: 200 };
      },
    },
    {
      path: '/answered',
      async handle(exchange) {
        exchange.onClose(() => told.push('answered'));
        return { status: 200 };
      },
    },
  ]);
  await (await fetch(`${url}/answered`)).text();
  const body = JSON.stringify({ text: 'x' });
  const socket = await open(port);
  socket.write(
    `POST /left HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  await begun.promise;
  expect(told).toEqual(['answered']);
  socket.destroy();
  await gone.promise;
  expect(told).toEqual(['answered', 'left']);
});
