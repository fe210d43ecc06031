import http, { createServer as createHttp, type RequestListener } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, createServer as createTcp, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { authority, certificate, certificateKey } from '../../../tests/support/samples/certificates.ts';
import { openAddresses } from '../dns/addresses.ts';
import { Failure } from '../failure.ts';
import { type Network, readNetwork } from './networks.ts';
import { openOutbound } from './outbound.ts';

const networks = (...texts: string[]): readonly Network[] => texts.map((text) => readNetwork(text) as Network);
const loopback = networks('127.0.0.1', '::1');
/** Reaches this machine, by whatever name. */
const local = openOutbound({ privateNetworks: loopback, resolve: async () => ['127.0.0.1'], ca: authority });
/** As it is without settings, and it may not look anything up. */
const bare = openOutbound({
  privateNetworks: [],
  resolve: async (host) => {
    throw new Error(`looked ${host} up`);
  },
});

const opened: { server: Server; sockets: Set<Socket> }[] = [];
afterEach(() => {
  for (const { server, sockets } of opened.splice(0)) {
    server.close();
    for (const socket of sockets) socket.destroy();
  }
});

/** Listens until the test ends. Returns the port, and how many connections there were and are. */
async function listen(server: Server): Promise<{ port: number; seen: () => number; open: () => number }> {
  const sockets = new Set<Socket>();
  let seen = 0;
  server.on('connection', (socket: Socket) => {
    seen++;
    sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)));
  });
  opened.push({ server, sockets });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return { port: (server.address() as AddressInfo).port, seen: () => seen, open: () => sockets.size };
}
const overHttp = (answer: RequestListener) => listen(createHttp(answer));
const overHttps = (answer: RequestListener, options = { cert: certificate, key: certificateKey }) =>
  listen(createHttps(options, answer) as unknown as Server);
/** A server that says what it likes as soon as it is asked. */
const overTcp = (answer: (socket: Socket) => void) =>
  listen(createTcp((socket) => socket.once('data', () => answer(socket))));

/** What a sending was refused with. */
async function refusal(sending: Promise<unknown>): Promise<Failure> {
  const error = await sending.then(
    () => new Error('it was sent'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof Failure)) throw error;
  return error;
}

test('a request arrives as it was asked for, and its answer comes back whole', async () => {
  const { port } = await overHttps(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    const { method, url, headers } = request;
    response.writeHead(201, { 'X-Of': ['a', 'b'], 'content-type': 'application/json' });
    response.end(JSON.stringify({ method, url, headers, body }));
  });
  const answer = await local.send({
    url: `https://idp.example:${port}/token?a=b%20c#d`,
    method: 'POST',
    headers: { Authorization: 'Basic x', 'Accept-Encoding': 'gzip', Host: 'other.example', Connection: 'keep-alive' },
    body: 'grant=çode',
  });
  expect(answer.status).toBe(201);
  expect(answer.headers.get('x-of')).toBe('a, b');
  expect(JSON.parse(answer.body.toString())).toEqual({
    method: 'POST',
    url: '/token?a=b%20c',
    headers: {
      ...{ authorization: 'Basic x', host: `idp.example:${port}`, 'accept-encoding': 'identity', connection: 'close' },
      ...{ 'content-length': '11', 'user-agent': 'Lastro' },
    },
    body: 'grant=çode',
  });
});

test('fetch takes and gives what the global one does', async () => {
  const { port } = await overHttps(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    response.writeHead(request.url === '/empty' ? 204 : 400, { 'x-type': request.headers['content-type'] ?? 'none' });
    response.end(body);
  });
  const body = new URLSearchParams({ code: 'é&' });
  const answer = await local.fetch(`https://idp.example:${port}/`, { method: 'post', body, redirect: 'manual' });
  expect(answer).toBeInstanceOf(Response);
  expect([answer.status, answer.ok, await answer.text()]).toEqual([400, false, 'code=%C3%A9%26']);
  expect(answer.headers.get('x-type')).toBe('application/x-www-form-urlencoded;charset=UTF-8');
  const empty = await local.fetch(new URL(`https://idp.example:${port}/empty`), { headers: new Headers({ a: 'b' }) });
  expect([empty.status, await empty.text()]).toEqual([204, '']);
  expect(await refusal(local.fetch('https://ana:hunter2@idp.example/'))).toMatchObject({ reason: 'outbound_refused' });
});

test.each([
  ...['', 'idp.example', '//idp.example', 'ftp://idp.example', 'file:///etc/passwd', 'data:text/plain,a', 'https://'],
  ...['https:idp.example', 'https:/idp.example', 'https:\\\\idp.example', 'https://idp.example\\@127.0.0.1/'],
  ...[' https://idp.example', 'https://idp.example ', 'https://idp.ex\tample', 'https://idp.example/\r\nHost: a'],
  ...['https://ana@idp.example', 'https://ana:hunter2@idp.example', 'https://@idp.example', 'https://:@idp.example'],
  ...[
    'https://idp.example:0',
    'https://idp.example:65536',
    'https://idp..example',
    'https://.',
    'https://idp.example..',
  ],
  ...[
    'https://idp.example%00.a',
    'https://idp$.example',
    'https://[fe80::1%25eth0]',
    'https://[::1%lo]',
    'https://[::1].',
  ],
  ...[`https://${'a.'.repeat(127)}example`, `https://idp.example/${'a'.repeat(2_048)}`],
])('%j is no address', async (url) => {
  const error = await refusal(bare.send({ url }));
  expect(error).toMatchObject({ code: 'invalid', reason: 'outbound_refused' });
  expect(error.message).not.toMatch(/hunter2|looked/);
});

test.each([
  ...['127.0.0.1', '127.1', '0x7f000001', '0x7F.1', '2130706433', '017700000001', '0177.0.0.1', '127.0.0.1.', '0'],
  ...['%31%32%37.0.0.1', '①②⑦.0.0.1', '１２７。０。０。１', '[::]', '[::1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]'],
  ...['[::127.0.0.1]', '[64:ff9b::127.0.0.1]', '[2002:7f00:1::]', '[fd00:ec2::254]', '169.254.169.254', '0xa9fea9fe'],
  ...['2852039166', '[::ffff:169.254.169.254]', '10.0.0.1', '100.64.0.1', '192.168.0.1', '255.255.255.255'],
])('T48: https://%s is no public address', async (host) => {
  for (const port of ['', ':8443']) {
    const error = await refusal(bare.send({ url: `https://${host}${port}/` }));
    expect(error).toMatchObject({
      reason: 'outbound_refused',
      message: expect.stringMatching(/is not a public address$/),
    });
  }
});

test('T48: http is refused without looking anything up, where there are no private networks', async () => {
  for (const host of ['127.0.0.1', '169.254.169.254', 'idp.example', '8.8.8.8'])
    expect(await refusal(bare.send({ url: `http://${host}/` }))).toMatchObject({
      reason: 'outbound_refused',
      message: `the address of ${host} must begin with https://`,
    });
});

test('T48: any spelling of a special address is refused', async () => {
  const first = [10n, 127n, 224n, 255n, 0n].map((byte) => byte << 24n);
  const special = fc.tuple(fc.constantFrom(...first), fc.nat({ max: 0xffffff })).map(([a, b]) => a | BigInt(b));
  const part = (base: number) => (value: bigint) =>
    base === 16 ? `0x${value.toString(16)}` : base === 8 ? `0${value.toString(8)}` : `${value}`;
  const spelt = fc.tuple(
    special,
    fc.integer({ min: 1, max: 4 }),
    fc.array(fc.constantFrom(8, 10, 16), { minLength: 4 }),
  );
  await fc.assert(
    fc.asyncProperty(spelt, async ([address, parts, bases]) => {
      const bytes = [24n, 16n, 8n].slice(0, parts - 1).map((shift) => (address >> shift) & 0xffn);
      const rest = address & ((1n << BigInt(8 * (5 - parts))) - 1n);
      const host = [...bytes, rest].map((value, at) => part(bases[at]!)(value)).join('.');
      expect(await refusal(bare.send({ url: `https://${host}` })), host).toMatchObject({ reason: 'outbound_refused' });
    }),
    { numRuns: 500 },
  );
});

test.each([
  ['metadata.google.internal', ['169.254.169.254']],
  ['localtest.example', ['127.0.0.1']],
  ['six.example', ['::1']],
  ['mapped.example', ['::ffff:10.0.0.1']],
  ['zoned.example', ['fe80::1%eth0']],
  ['mixed.example', ['8.8.8.8', '10.0.0.1']],
  ['mixed.example', ['2606:4700:4700::1111', '8.8.8.8', 'fd00::1']],
  ['none.example', []],
  ['odd.example', ['elsewhere']],
])('T48: a name %s of %j is refused, and no address of it told', async (name, addresses) => {
  const outbound = openOutbound({ privateNetworks: networks('10.9.0.0/16'), resolve: async () => addresses });
  for (const scheme of ['https', 'http'])
    expect(await refusal(outbound.send({ url: `${scheme}://${name}/` }))).toMatchObject({
      reason: 'outbound_refused',
      message: `${name} has no address, or one that is not public`,
    });
});

test('T48: localhost is what the hosts file says, and refused', async () => {
  const { port, seen } = await overHttps((_, response) => response.end());
  const outbound = openOutbound({ privateNetworks: [], resolve: openAddresses([]), ca: authority });
  for (const host of ['localhost', 'LOCALHOST', 'localhost.'])
    expect(await refusal(outbound.send({ url: `https://${host}:${port}/` }))).toMatchObject({
      reason: 'outbound_refused',
      message: 'localhost has no address, or one that is not public',
    });
  expect(seen()).toBe(0);
});

test('T48: a name is looked up once, and what was checked is connected to (DNS rebinding)', async () => {
  const { port } = await overHttps((_, response) => response.end('checked'));
  const answers = [['127.0.0.1'], ['169.254.169.254']];
  const asked: string[] = [];
  const outbound = openOutbound({
    privateNetworks: loopback,
    ca: authority,
    resolve: async (host) => {
      asked.push(host);
      return answers[asked.length - 1]!;
    },
  });
  const answer = await outbound.send({ url: `https://idp.example:${port}/` });
  expect(answer.body.toString()).toBe('checked');
  expect(asked).toEqual(['idp.example']);
  // The next request looks it up anew.
  expect(await refusal(outbound.send({ url: `https://idp.example:${port}/` }))).toMatchObject({
    reason: 'outbound_refused',
  });
});

test('of several addresses, those that do not answer are passed over', async () => {
  const { port } = await overHttps((_, response) => response.end('here'));
  const outbound = openOutbound({
    privateNetworks: loopback,
    ca: authority,
    resolve: async () => ['::1', '127.0.0.1'],
  });
  const answer = await outbound.send({ url: `https://idp.example:${port}/` });
  expect(answer.body.toString()).toBe('here');
});

test('a private network is reached by http too, and nothing else is', async () => {
  const { port } = await overHttp((request, response) => response.end(request.headers.host));
  const answer = await local.send({ url: `http://idp.example.:${port}/` });
  expect(answer.body.toString()).toBe(`idp.example:${port}`);
  for (const host of ['127.0.0.1', '0x7f.1', '[::ffff:127.0.0.1]'])
    expect((await local.send({ url: `http://${host}:${port}/` })).status).toBe(200);
  for (const addresses of [['8.8.8.8'], ['127.0.0.1', '8.8.8.8']]) {
    const outbound = openOutbound({ privateNetworks: loopback, resolve: async () => addresses });
    const error = await refusal(outbound.send({ url: `http://idp.example:${port}/` }));
    expect(error.message).toBe(`the address of idp.example:${port} must begin with https://`);
  }
  expect(await refusal(local.send({ url: 'https://127.0.0.2/' }))).toMatchObject({ reason: 'outbound_refused' });
});

test.each([
  [301, 'http://169.254.169.254/latest/meta-data/'],
  [302, 'https://127.0.0.1/'],
  [307, '/elsewhere'],
  [308, 'https://idp.example/'],
])('T48: a redirect %i to %s is not followed', async (status, location) => {
  const { port, seen } = await overHttps((_, response) => response.writeHead(status, { location }).end());
  const answer = await local.send({ url: `https://idp.example:${port}/` });
  expect([answer.status, answer.headers.get('location')]).toEqual([status, location]);
  const fetched = await local.fetch(`https://idp.example:${port}/`, { redirect: 'follow' });
  expect([fetched.status, fetched.redirected]).toEqual([status, false]);
  expect(seen()).toBe(2);
});

test('a certificate must be for the name, and of an authority that is trusted', async () => {
  const { port } = await overHttps((_, response) => response.end('ok'));
  expect((await local.send({ url: `https://127.0.0.1:${port}/` })).status).toBe(200);
  expect((await local.send({ url: `https://IDP.example.:${port}/` })).status).toBe(200);
  const wrong = await refusal(local.send({ url: `https://other.example:${port}/` }));
  expect(wrong).toMatchObject({
    reason: 'outbound_failed',
    message: `other.example:${port} has a certificate for another name`,
  });
  const trusting = openOutbound({ privateNetworks: loopback, resolve: async () => ['127.0.0.1'] });
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
  try {
    const unknown = await refusal(trusting.send({ url: `https://idp.example:${port}/` }));
    expect(unknown.message).toBe(`idp.example:${port} has a certificate of an authority that is not trusted here`);
  } finally {
    delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  }
});

test('a proxy of the process is not used', async () => {
  const proxy = await overHttp((_, response) => response.end('proxy'));
  const { port } = await overHttp((_, response) => response.end('itself'));
  const before = http.globalAgent;
  // As Node makes it when it is started with NODE_USE_ENV_PROXY.
  http.globalAgent = new http.Agent({ proxyEnv: { http_proxy: `http://127.0.0.1:${proxy.port}` } });
  try {
    expect((await local.send({ url: `http://idp.example:${port}/` })).body.toString()).toBe('itself');
  } finally {
    http.globalAgent = before;
  }
  expect(proxy.seen()).toBe(0);
});

test('T48: a body of 100 MB is given up at its limit', async () => {
  let sent = 0;
  const part = Buffer.alloc(65_536, 'a');
  const { port } = await overHttp(async (_, response) => {
    while (sent < 100_000_000 && !response.destroyed) {
      sent += part.length;
      if (!response.write(part)) await sleep(1);
    }
    response.end();
  });
  const error = await refusal(local.send({ url: `http://idp.example:${port}/` }));
  expect(error).toMatchObject({
    reason: 'outbound_failed',
    message: `idp.example:${port} answered with more than 1000000 bytes`,
  });
  expect(sent).toBeLessThan(50_000_000);
});

test('a body that says it is too long is not read, and one as long as the limit is', async () => {
  const { port } = await overHttp((request, response) => response.end('a'.repeat(Number(request.url!.slice(1)))));
  const send = (length: number) =>
    local.send({ url: `http://idp.example:${port}/${length}`, limits: { bodyBytes: 1_000 } });
  expect((await send(1_000)).body.length).toBe(1_000);
  expect((await refusal(send(1_001))).message).toMatch(/more than 1000 bytes$/);
  const declared = await overTcp((socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2000000\r\n\r\n'));
  expect((await refusal(local.send({ url: `http://idp.example:${declared.port}/` }))).message).toMatch(/more than/);
});

test('T48: what never ends is given up in time: silence, a head or a body that drips, interim answers', async () => {
  const drip = (head: string, drop: string) => (socket: Socket) => {
    socket.write(head);
    const dripping = setInterval(() => socket.write(drop), 20);
    socket.on('close', () => clearInterval(dripping));
  };
  const head = 'HTTP/1.1 200 OK\r\n';
  for (const answer of [
    () => {},
    drip(head, 'a: b\r\n'),
    drip(`${head}content-length: 100000\r\n\r\n`, 'a'),
    drip(`${head}transfer-encoding: chunked\r\n\r\n`, '1\r\na\r\n'),
  ]) {
    const { port, open } = await overTcp(answer);
    const url = `http://idp.example:${port}/`;
    const error = await refusal(local.send({ url, limits: { timeMs: 300 } }));
    expect(error).toMatchObject({
      reason: 'outbound_failed',
      message: `idp.example:${port} did not answer within 0.3 seconds`,
    });
    await expect.poll(open).toBe(0);
  }
  const interim = await overTcp(drip('', 'HTTP/1.1 103 Early Hints\r\n\r\n'));
  expect(await refusal(local.send({ url: `http://idp.example:${interim.port}/` }))).toMatchObject({
    reason: 'outbound_failed',
    message: `idp.example:${interim.port} goes on answering with status 1xx`,
  });
});

test('looking a name up counts to the time, and may fail for a while', async () => {
  const slow = openOutbound({ privateNetworks: [], resolve: () => new Promise(() => {}) });
  const late = await refusal(slow.send({ url: 'https://idp.example/', limits: { timeMs: 50 } }));
  expect(late.message).toBe('idp.example did not answer within 0.05 seconds');
  const busy = Object.assign(new Error('getaddrinfo EAI_AGAIN idp.example'), { code: 'EAI_AGAIN' });
  const broken = openOutbound({ privateNetworks: [], resolve: () => Promise.reject(busy) });
  expect(await refusal(broken.send({ url: 'https://idp.example/' }))).toMatchObject({
    reason: 'outbound_failed',
    message: 'idp.example cannot be looked up at the moment',
  });
});

test('who asked may give up', async () => {
  const { port, open } = await overTcp(() => {});
  const reason = new Error('enough');
  const stop = new AbortController();
  const sending = local.send({ url: `http://idp.example:${port}/`, signal: stop.signal });
  await expect.poll(open).toBe(1);
  stop.abort(reason);
  await expect(sending).rejects.toBe(reason);
  await expect.poll(open).toBe(0);
  const url = `http://idp.example:${port}/`;
  await expect(local.send({ url, signal: stop.signal })).rejects.toBe(reason);
});

test('headers have a limit', async () => {
  const { port } = await overTcp((socket) => {
    const flood = () => !socket.destroyed && socket.write(`a: ${'b'.repeat(1_000)}\r\n`, () => setImmediate(flood));
    socket.write('HTTP/1.1 200 OK\r\n', flood);
  });
  const error = await refusal(local.send({ url: `http://idp.example:${port}/` }));
  expect(error).toMatchObject({
    reason: 'outbound_failed',
    message: `idp.example:${port} answered with headers that are too large`,
  });
});

test('a request has a limit', async () => {
  const { port, seen } = await overHttp((_, response) => response.end());
  const url = `http://idp.example:${port}/`;
  const limits = { requestBytes: 10 };
  expect((await local.send({ url, method: 'POST', body: 'a'.repeat(10), limits })).status).toBe(200);
  const error = await refusal(local.send({ url, method: 'POST', body: 'é'.repeat(6), limits }));
  expect(error.message).toBe(`idp.example:${port} is not sent more than 10 bytes`);
  expect(seen()).toBe(1);
});

test.each([
  ['content-encoding: gzip', gzipSync(Buffer.alloc(10_000_000))],
  ['content-encoding: br', Buffer.from('a')],
  ['content-encoding: identity, gzip', gzipSync('a')],
  ['transfer-encoding: gzip, chunked', Buffer.from('1\r\na\r\n0\r\n\r\n')],
])('what is compressed is refused: %s', async (header, body) => {
  const length = header.startsWith('content') ? `content-length: ${body.length}\r\n` : '';
  const { port, open } = await overTcp((socket) => {
    socket.write(`HTTP/1.1 200 OK\r\n${header}\r\n${length}\r\n`);
    socket.write(body);
  });
  const error = await refusal(local.send({ url: `http://idp.example:${port}/` }));
  expect(error.message).toMatch(/compressed/);
  await expect.poll(open).toBe(0);
});

test.each([
  ['a body with a length', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"a":1}'],
  ['a body in chunks', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n7\r\n{"a":1}\r\n'],
  ['the last chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n7\r\n{"a":1}\r\n0\r\n'],
  ['a body that ends with its connection', 'HTTP/1.1 200 OK\r\n\r\n{"a":1}'],
  ['one of HTTP/1.0', 'HTTP/1.0 200 OK\r\n\r\n{"a":1}'],
  ['a head', 'HTTP/1.1 200 OK\r\ncontent-type: a'],
  ['nothing', ''],
])('an answer that is cut in %s is a failure, by a reset or an end', async (_, text) => {
  const ends: ((socket: Socket) => void)[] = [(socket) => socket.end(), (socket) => socket.resetAndDestroy()];
  for (const end of ends) {
    const { port } = await overTcp((socket) => socket.write(text, () => setTimeout(() => end(socket), 20)));
    const error = await refusal(local.send({ url: `http://idp.example:${port}/` }));
    expect(error).toMatchObject({
      reason: 'outbound_failed',
      message: expect.stringMatching(/before its answer was whole|neither of a Content-Length nor chunked/),
    });
  }
});

test.each([
  ['HELO\r\n\r\n', 'answered with what is no HTTP'],
  [
    'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n',
    'ended the connection before its answer was whole',
  ],
  ['HTTP/1.1 999 Odd\r\ncontent-length: 0\r\n\r\n', 'answered with status 999'],
  ['HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab', 'answered with what is no HTTP'],
  ['HTTP/1.1 200 OK\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\na', 'answered with what is no HTTP'],
])('%j is no answer', async (text, reason) => {
  const { port } = await overTcp((socket) => socket.write(text));
  expect(await refusal(local.send({ url: `http://idp.example:${port}/` }))).toMatchObject({
    reason: 'outbound_failed',
    message: `idp.example:${port} ${reason}`,
  });
});

test('an answer without a body is one, whatever ends it', async () => {
  const { port } = await overTcp((socket) => socket.end('HTTP/1.0 200 OK\r\n\r\n'));
  const answer = await local.send({ url: `http://idp.example:${port}/`, method: 'POST', body: 'event' });
  expect([answer.status, answer.body.length]).toEqual([200, 0]);
});

test('who does not listen, or speaks no TLS, cannot be reached', async () => {
  const { port } = await overHttp((_, response) => response.end());
  const error = await refusal(local.send({ url: `https://idp.example:${port}/` }));
  expect(error.message).toBe(`idp.example:${port} does not speak TLS as it is spoken here`);
  const closed = await overHttp(() => {});
  await new Promise((done) => opened.at(-1)!.server.close(done));
  expect(await refusal(local.send({ url: `https://idp.example:${closed.port}/` }))).toMatchObject({
    reason: 'outbound_failed',
    message: `idp.example:${closed.port} cannot be reached`,
  });
});

test('each request has a connection of its own, which ends with it', async () => {
  const { port, seen, open } = await overHttps((_, response) => response.end('ok'));
  for (let times = 0; times < 3; times++) await local.send({ url: `https://idp.example:${port}/` });
  expect(seen()).toBe(3);
  await expect.poll(open).toBe(0);
});

test('a host that does not answer is asked so often at once, and others are asked meanwhile', async () => {
  const waiting: Socket[] = [];
  const slow = await overTcp((socket) => waiting.push(socket));
  const quick = await overHttp((_, response) => response.end('here'));
  const ask = (port: number) => local.send({ url: `http://slow.example:${port}/` });
  const asked = Array.from({ length: 50 }, () => refusal(ask(slow.port)));
  const more = await refusal(ask(slow.port));
  expect([more.reason, more.message]).toEqual(['outbound_failed', expect.stringMatching(/50 other requests/)]);
  expect((await ask(quick.port)).status).toBe(200);
  await vi.waitUntil(() => waiting.length === asked.length, { timeout: 5_000 });
  for (const socket of waiting.splice(0)) socket.destroy();
  for (const failure of await Promise.all(asked)) expect(failure.message).not.toMatch(/50 other requests/);
  const again = refusal(ask(slow.port));
  await vi.waitUntil(() => waiting.length === 1, { timeout: 5_000 });
  waiting[0].destroy();
  expect((await again).message).not.toMatch(/50 other requests/);
});

test('other lanes are counted apart from the host', async () => {
  const { port, open } = await overTcp(() => {});
  const stop = new AbortController();
  const ask = (lane: string) => local.attempt({ url: `http://slow.example:${port}/`, lane, signal: stop.signal });
  const asked = Array.from({ length: 51 }, () => ask('one').catch(() => null));
  const other = ask('other').catch(() => null);
  await vi.waitUntil(() => open() === 51, { timeout: 5_000 });
  stop.abort(new Error('enough'));
  const results = await Promise.all(asked);
  expect(results.filter((result) => result?.failure?.fault === 'busy').length).toBe(1);
  expect(await other).toBeNull();
});

test('an attempt tells the address and the times, also of what failed', async () => {
  const secure = await overHttps((_, response) => response.end('ok'));
  const good = await local.attempt({ url: `https://idp.example:${secure.port}/` });
  expect(good).toMatchObject({ failure: null, answer: { status: 200 }, remoteAddress: '127.0.0.1' });
  const { dnsMs, connectMs, tlsMs, firstByteMs, totalMs } = good.timings;
  for (const part of [dnsMs, connectMs, tlsMs, firstByteMs]) expect(part).toBeGreaterThanOrEqual(0);
  expect(dnsMs! + connectMs! + tlsMs! + firstByteMs!).toBeLessThanOrEqual(totalMs);
  const blocked = await local.attempt({ url: 'https://127.0.0.2/' });
  expect(blocked).toMatchObject({ failure: { fault: 'blocked_address' }, answer: null, remoteAddress: null });
  expect(blocked.timings).toMatchObject({ connectMs: null, tlsMs: null, firstByteMs: null });
  const odd = await local.attempt({ url: 'https://ana:hunter2@idp.example/' });
  expect(odd).toMatchObject({ failure: { fault: 'blocked_address' }, answer: null });
  const cut = await overTcp((socket) =>
    socket.end('HTTP/1.1 503 Busy\r\nretry-after: 7\r\ncontent-length: 9\r\n\r\nbus'),
  );
  const partly = await local.attempt({ url: `http://idp.example:${cut.port}/` });
  expect(partly).toMatchObject({ failure: { fault: 'connection_reset' }, answer: { status: 503 } });
  expect([partly.answer!.headers.get('retry-after'), partly.answer!.body.toString()]).toEqual(['7', 'bus']);
  expect(partly.timings.tlsMs).toBeNull();
});

test('bodies that need not be whole are taken as they come, up to their limit', async () => {
  const packed = gzipSync(Buffer.alloc(1_000_000));
  for (const [head, body, length] of [
    ['HTTP/1.0 200 OK\r\n\r\n', Buffer.from('until the end'), 13],
    [`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${packed.length}\r\n\r\n`, packed, packed.length],
  ] as const) {
    const { port } = await overTcp((socket) => socket.write(head) && socket.end(body));
    const { failure, answer } = await local.attempt({ url: `http://idp.example:${port}/`, takes: 'any' });
    expect([failure, answer?.status, answer?.body.length]).toEqual([null, 200, length]);
  }
  const { port } = await overTcp((socket) => socket.write(`HTTP/1.1 200 OK\r\n\r\n${'a'.repeat(2_000)}`));
  const limits = { bodyBytes: 1_000 };
  const { failure, answer } = await local.attempt({ url: `http://idp.example:${port}/`, takes: 'any', limits });
  expect([failure?.fault, answer?.status, answer?.body.length]).toEqual(['response_too_large', 200, 1_000]);
});

test('this machine may be reached by http where that is said, at the two addresses that localhost has', async () => {
  const { port, seen } = await overHttp((_, response) => response.end());
  const none = openOutbound({ privateNetworks: [], resolve: async () => ['127.0.0.1'] });
  const here = await none.send({ url: `http://hooks.example:${port}/`, plain: 'this machine' });
  expect(here.status).toBe(200);
  const fault = async (url: string, plain: 'never' | 'this machine', outbound = none) => {
    const { failure } = await outbound.attempt({ url, plain });
    return failure?.message;
  };
  expect(await fault(`https://127.0.0.1:${port}/`, 'this machine')).toMatch(/is not a public address/);
  expect(await fault('http://127.0.0.2/', 'this machine')).toMatch(/is not a public address/);
  expect(await fault('http://10.0.0.1/', 'this machine')).toMatch(/is not a public address/);
  expect(await fault('http://8.8.8.8/', 'this machine')).toMatch(/must begin with https/);
  expect(await fault(`http://127.0.0.1:${port}/`, 'never', local)).toMatch(/must begin with https/);
  expect(seen()).toBe(1);
  expect(() => none.check('http://localhost:3000/hook', 'this machine')).not.toThrow();
  expect(() => none.check('http://hooks.example/', 'never')).toThrow(/must begin with https/);
  expect(() => none.check('https://0x7f.1/', 'never')).toThrow(/is not a public address/);
});

test('of many addresses of a name only some are tried', async () => {
  const { port, seen } = await overHttp((_, response) => response.end());
  const many = Array.from({ length: 100 }, (_, at) => `127.0.1.${at + 1}`);
  const outbound = openOutbound({
    privateNetworks: networks('127.0.0.0/8'),
    resolve: async () => [...many, '127.0.0.1'],
  });
  const { failure } = await outbound.attempt({ url: `http://idp.example:${port}/` });
  expect([failure?.fault, seen()]).toEqual(['connection_refused', 0]);
});

test('bytes that are part of no body have an end too: extensions of chunks, trailers', async () => {
  const flood = (start: string, more: string) => (socket: Socket) => {
    const go = () => !socket.destroyed && socket.write(more, () => setImmediate(go));
    socket.write(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${start}`, go);
  };
  const long = 'a'.repeat(10_000);
  for (const answer of [flood('', `1;${long}\r\na\r\n`), flood('0\r\n', `a: ${long}\r\n`), flood('1;', long)]) {
    const { port, open } = await overTcp(answer);
    const limits = { bodyBytes: 65_536 };
    const { failure } = await local.attempt({ url: `http://idp.example:${port}/`, limits });
    expect(failure?.fault).toBe('response_too_large');
    await expect.poll(open).toBe(0);
  }
});
