/** What receivers can do to a request and what it can reach, at the connector itself; webhooks send by it. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openAddresses } from '../../src/lib/dns/addresses.ts';
import { type Network, readNetwork } from '../../src/lib/http/networks.ts';
import {
  type Outbound,
  type OutboundAttempt,
  type OutboundRequest,
  openOutbound,
} from '../../src/lib/http/outbound.ts';
import { type Dns, openDns } from '../dns.ts';
import { receiverAuthority } from './certificates.ts';
import {
  type Behaviour,
  type Certificate,
  endless,
  type Farm,
  first,
  hangUp,
  late,
  ok,
  openFarm,
  raw,
  silent,
  status,
} from './farm.ts';
import { privateSpellings } from './spellings.ts';

let dns: Dns;
let farm: Farm;
let outbound: Outbound;
beforeAll(async () => {
  dns = await openDns();
  farm = await openFarm();
  outbound = openOutbound({
    privateNetworks: [readNetwork('127.0.0.1') as Network],
    resolve: openAddresses([dns.address]),
    ca: receiverAuthority,
  });
});
afterAll(async () => {
  expect(farm.canary.hits()).toBe(0);
  await farm.close();
  await dns.close();
});
beforeEach(() => dns.addresses.clear());

const limits = { bodyBytes: 65_536, timeMs: 5_000 };

/** Sends as webhooks do: a POST whose answer may be of any form. */
function attempt(url: string, more: Partial<OutboundRequest> = {}): Promise<OutboundAttempt> {
  const { limits: own, ...rest } = more;
  return outbound.attempt({
    ...{ url, method: 'POST', body: '{"a":1}', takes: 'any', plain: 'this machine', lane: url },
    ...rest,
    limits: { ...limits, ...own },
  });
}

async function answeredBy(behaviour: Behaviour, more: Partial<OutboundRequest> = {}) {
  const receiver = farm.receiver(behaviour);
  return { receiver, ...(await attempt(receiver.url, more)) };
}

test('E14: redirects are answers, whose targets are not asked', async () => {
  const target = farm.receiver();
  for (const code of [301, 302, 303, 307, 308]) {
    const { failure, answer } = await answeredBy(status(code, { location: target.url }));
    expect([failure, answer?.status]).toEqual([null, code]);
  }
  expect(target.requests.length).toBe(0);
});

test('E15: a receiver that says nothing is given up when its headers are late, and before the whole time is over', async () => {
  const { failure, answer, timings, remoteAddress } = await answeredBy(silent, { limits: { headMs: 300 } });
  expect([failure?.fault, answer, remoteAddress]).toEqual(['timeout', null, '127.0.0.1']);
  expect(timings.totalMs).toBeLessThan(limits.timeMs);
  expect(timings.firstByteMs).toBeGreaterThanOrEqual(290);
  const { failure: whole } = await answeredBy(silent, { limits: { timeMs: 300 } });
  expect(whole?.fault).toBe('timeout');
});

test('E15: headers that drip do not win time', async () => {
  const dripping = endless('HTTP/1.1 200 OK\r\n', 'a: b\r\n', 40);
  const { failure, answer } = await answeredBy(dripping, { limits: { headMs: 400 } });
  expect([failure?.fault, answer]).toEqual(['timeout', null]);
});

test('E16: a body that drips is given up in time, with what has come, and its connection ends', async () => {
  for (const head of ['content-length: 100000\r\n', 'transfer-encoding: chunked\r\n', '']) {
    const drop = head.startsWith('transfer') ? '1\r\na\r\n' : 'a';
    const dripping = endless(`HTTP/1.1 200 OK\r\n${head}\r\n`, drop, 40);
    const { failure, answer, timings } = await answeredBy(dripping, { limits: { timeMs: 500 } });
    expect([failure?.fault, answer?.status]).toEqual(['timeout', 200]);
    expect(answer!.body.toString()).toMatch(/^a+$/);
    expect(timings.totalMs).toBeLessThan(limits.timeMs);
  }
  await expect.poll(farm.open).toBe(0);
});

test('E17: 2 GB are given up at the limit, and their first part is all that is held', async () => {
  const part = Buffer.alloc(65_536, 'a');
  const forms: [head: string, part: Buffer][] = [
    ['content-length: 2000000000\r\n', part],
    ['transfer-encoding: chunked\r\n', Buffer.concat([Buffer.from('10000\r\n'), part, Buffer.from('\r\n')])],
    ['', part],
  ];
  const grown: number[] = [];
  for (let round = 0; round < 20; round++) {
    const before = process.memoryUsage.rss();
    for (const [head, more] of forms) {
      const { failure, answer } = await answeredBy(endless(`HTTP/1.1 200 OK\r\n${head}\r\n`, more));
      expect([failure?.fault, answer?.status, answer?.body.length]).toEqual(['response_too_large', 200, 65_536]);
    }
    grown.push(process.memoryUsage.rss() - before);
  }
  // 120 GB were offered; the first rounds warm up the buffers of both ends, which are in this process.
  expect(grown.slice(10).reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(20_000_000);
  await expect.poll(farm.open).toBe(0);
});

test('E18: headers without end, or of 1 MB, are a failure of that request alone', async () => {
  const start = 'HTTP/1.1 200 OK\r\n';
  for (const behaviour of [
    endless(start, `a: ${'b'.repeat(1_000)}\r\n`),
    endless(`${start}a: `, 'b'.repeat(10_000)),
    raw(`${start}a: ${'b'.repeat(1_000_000)}\r\n\r\n`),
    endless(`HTTP/1.1 200 ${'O'.repeat(100)}`, 'K'.repeat(10_000)),
  ]) {
    const { failure, answer } = await answeredBy(behaviour);
    expect([failure?.fault, answer]).toEqual(['response_too_large', null]);
  }
  expect((await answeredBy(ok)).answer?.status).toBe(200);
  await expect.poll(farm.open).toBe(0);
});

test.each<[name: string, Behaviour, string]>([
  ['a reset instead of an answer', hangUp('reset'), 'connection_reset'],
  ['an end instead of an answer', hangUp('end'), 'connection_reset'],
  ['a reset within the head', raw('HTTP/1.1 200 OK\r\ncontent', 'reset'), 'connection_reset'],
  ['a reset within the body', raw('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc', 'reset'), 'connection_reset'],
  ['an end within the body', raw('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc', 'end'), 'connection_reset'],
  ['a reset of a body without length', raw('HTTP/1.1 200 OK\r\n\r\nabc', 'reset'), 'connection_reset'],
  [
    'a half answer on a connection that stays',
    raw('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc', 'keep'),
    'timeout',
  ],
])('E19: %s', async (_, behaviour, fault) => {
  const { failure } = await answeredBy(behaviour, { limits: { timeMs: 500 } });
  expect(failure?.fault).toBe(fault);
});

test('E19: nobody listens', async () => {
  const { failure, remoteAddress, timings } = await attempt(`http://127.0.0.1:${farm.closedPort}/`);
  expect([failure?.fault, remoteAddress]).toEqual(['connection_refused', null]);
  expect(timings.firstByteMs).toBeNull();
});

test('E20: a certificate must be good, of a known authority, for the name, and TLS new enough', async () => {
  dns.addresses.set('hooks.example', ['127.0.0.1']);
  dns.addresses.set('elsewhere.example', ['127.0.0.1']);
  const receiver = farm.receiver();
  const at = (certificate: Certificate, host = 'hooks.example') =>
    attempt(`https://${host}:${farm.securePorts[certificate]}${receiver.path}`);
  const good = await at('good');
  expect([good.failure, good.answer?.status]).toEqual([null, 200]);
  for (const [bad, reason] of [
    [await at('expired'), /has expired/],
    [await at('self-signed'), /authority that is not trusted/],
    [await at('old TLS'), /does not speak TLS/],
    [await at('of clients'), /certificate that is not valid/],
    [await at('weak'), /certificate that is not valid/],
    [await at('mutual'), /does not speak TLS/],
    [await at('good', 'elsewhere.example'), /for another name/],
    [await attempt(`https://127.0.0.1:${farm.port}${receiver.path}`), /does not speak TLS/],
  ] as const) {
    expect(bad).toMatchObject({
      failure: { fault: 'tls_error', message: expect.stringMatching(reason) },
      answer: null,
    });
  }
  // Nothing has arrived by a worse way.
  expect(receiver.requests.length).toBe(1);
});

test('E20: what answers a greeting of TLS by something else is a failure with its class', async () => {
  const starts = ['', '15030300020228', '15030300020246', '160303', '16030300040e000000', '1703030005aaaaaaaaaa'];
  const bytes = fc
    .tuple(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 100 }))
    .map(([start, rest]) => Buffer.concat([Buffer.from(start, 'hex'), rest]));
  let answered = Buffer.alloc(0);
  const odd = createServer((socket) => socket.on('error', () => {}).once('data', () => socket.end(answered)));
  await new Promise<void>((done) => odd.listen(0, '127.0.0.1', done));
  const { port } = odd.address() as AddressInfo;
  await fc.assert(
    fc.asyncProperty(bytes, async (text) => {
      answered = text;
      const { failure, timings } = await attempt(`https://127.0.0.1:${port}/`);
      expect(['tls_error', 'connection_reset']).toContain(failure?.fault);
      expect(timings.firstByteMs).toBeNull();
    }),
    { numRuns: 100 },
  );
  odd.close();
});

test('E20: who accepts a connection and says nothing of TLS is given up as slow to connect', async () => {
  const mute = createServer(() => {});
  await new Promise<void>((done) => mute.listen(0, '127.0.0.1', done));
  const { port } = mute.address() as AddressInfo;
  const { failure, timings } = await attempt(`https://127.0.0.1:${port}/`, { limits: { connectMs: 300 } });
  mute.close();
  expect([failure?.fault, timings.firstByteMs]).toEqual(['timeout', null]);
  expect(timings.connectMs! + timings.tlsMs!).toBeGreaterThanOrEqual(290);
});

test('E21: a name that is not there, whose server fails, or never answers, and others go on meanwhile', async () => {
  dns.addresses.set('broken.example', 'broken');
  dns.addresses.set('silent.example', 'silent');
  dns.addresses.set('hooks.example', ['127.0.0.1']);
  const lost = Array.from({ length: 200 }, (_, at) =>
    attempt(`https://silent.example:${farm.port}/`, { lane: `lost ${at}` }),
  );
  const healthy = farm.receiver();
  const times: number[] = [];
  for (let at = 0; at < 100; at++) {
    const { failure, timings } = await attempt(healthy.secureUrl('hooks.example'));
    expect(failure).toBeNull();
    times.push(timings.totalMs);
  }
  const p99 = times.sort((a, b) => a - b)[98]!;
  for (const { failure, timings } of await Promise.all(lost)) {
    expect(failure?.fault).toBe('dns_error');
    expect([timings.connectMs, timings.firstByteMs]).toEqual([null, null]);
    expect(timings.totalMs).toBeLessThan(limits.timeMs);
    expect(p99 / timings.totalMs).toBeLessThan(0.2);
  }
  for (const name of ['none.example', 'broken.example'])
    expect((await attempt(`https://${name}/`)).failure?.fault).toBe('dns_error');
});

test('E22: a receiver that answers too late has got the request whole, and gets the next one too', async () => {
  const receiver = farm.receiver(first(1, late(2_000)));
  const tooLate = await attempt(receiver.url, { limits: { timeMs: 300 } });
  const again = await attempt(receiver.url);
  expect([tooLate.failure?.fault, again.failure, again.answer?.status]).toEqual(['timeout', null, 200]);
  expect(receiver.requests.map(({ body }) => body.toString())).toEqual(['{"a":1}', '{"a":1}']);
});

test('E23: a body that unpacks to 50 MB is not unpacked', async () => {
  const bomb = gzipSync(Buffer.alloc(50_000_000));
  const plain = Buffer.alloc(bomb.length, 'a');
  const cpuOf = async (headers: Record<string, string>, body: Buffer) => {
    const receiver = farm.receiver((_, { response }) => void response.writeHead(200, headers).end(body));
    const before = process.cpuUsage();
    for (let at = 0; at < 20; at++) {
      const { failure, answer } = await attempt(receiver.url);
      expect([failure, answer!.body.equals(body)]).toEqual([null, true]);
    }
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  await cpuOf({}, plain);
  const usual = await cpuOf({}, plain);
  const begun = process.cpuUsage();
  for (let at = 0; at < 20; at++) gunzipSync(bomb);
  const { user, system } = process.cpuUsage(begun);
  // Whatever else this process does meanwhile, unpacking would cost more than reading it and half as much again.
  for (const packing of ['gzip', 'deflate', 'br', 'gzip, gzip', 'zstd'])
    expect(await cpuOf({ 'content-encoding': packing }, bomb)).toBeLessThan(usual + (user + system) / 2);
});

test('E40: what is no address of a receiver is refused before anything is looked up', async () => {
  const asked = dns.asked.length;
  const { url } = farm.receiver();
  for (const [address, plain] of [
    [url, 'never'],
    ['http://hooks.example/', 'never'],
    ['https://ana:hunter2@hooks.example/', 'this machine'],
    ['https://ana@hooks.example/', 'this machine'],
    ['ftp://hooks.example/', 'this machine'],
    ['https:hooks.example', 'this machine'],
    ['https://hooks.example\\@127.0.0.2/', 'this machine'],
    ['https://hooks.example\r\nhost: other/', 'this machine'],
  ] as const) {
    expect(() => outbound.check(address, plain), address).toThrow(/address/);
    expect((await attempt(address, { plain })).failure?.fault, address).toBe('blocked_address');
  }
  expect(dns.asked.length).toBe(asked);
});

test.each(privateSpellings)('E41: https://%s is refused by itself, and nothing is connected to', async (host) => {
  for (const scheme of ['https', 'http'])
    for (const port of ['', `:${farm.port}`]) {
      const address = `${scheme}://${host}${port}/`;
      const { failure, answer, remoteAddress, timings } = await attempt(address, { plain: 'private networks' });
      expect([failure?.fault, answer, remoteAddress, timings.connectMs], address).toEqual([
        ...['blocked_address', null, null, null],
      ]);
      expect(() => outbound.check(address), address).toThrow();
    }
  expect(farm.canary.hits()).toBe(0);
});

test.each([
  ['private', ['10.0.0.1']],
  ['of the canary', ['127.0.0.2']],
  ['of the cloud', ['169.254.169.254']],
  ['of this machine by IPv6', ['::1']],
  ['translated', ['64:ff9b::7f00:2', '::ffff:127.0.0.2']],
  ['of 6to4', ['2002:7f00:2::']],
])('E42: a name whose addresses are %s is refused when it is looked up', async (_, addresses) => {
  dns.addresses.set('inside.example', addresses);
  expect(() => outbound.check('https://inside.example/', 'never')).not.toThrow();
  for (const scheme of ['https', 'http']) {
    const { failure, answer, remoteAddress } = await attempt(`${scheme}://inside.example:${farm.port}/`, {
      plain: 'private networks',
    });
    expect([failure?.fault, answer, remoteAddress]).toEqual(['blocked_address', null, null]);
    for (const address of addresses) expect(failure!.message).not.toContain(address);
  }
  expect(farm.canary.hits()).toBe(0);
});

test('E43: a name that points elsewhere with every answer never leads to what was not checked, in 200 tries', async () => {
  let times = 0;
  dns.addresses.set('moving.example', (type) => {
    if (type === 'AAAA') return [];
    times++;
    return [times % 2 === 0 ? farm.canary.address : '127.0.0.1'];
  });
  const receiver = farm.receiver();
  const found = { delivered: 0, blocked: 0 };
  for (let at = 0; at < 200; at++) {
    const { failure, answer } = await attempt(`http://moving.example:${farm.port}${receiver.path}`);
    if (answer?.status === 200) found.delivered++;
    if (failure?.fault === 'blocked_address') found.blocked++;
  }
  expect(found).toEqual({ delivered: 100, blocked: 100 });
  expect([receiver.requests.length, times, farm.canary.hits()]).toEqual([100, 200, 0]);
});

test('E43: good and private addresses of one name together are refused, in any order and family', async () => {
  const receiver = farm.receiver();
  for (const addresses of [
    ['127.0.0.1', farm.canary.address],
    [farm.canary.address, '127.0.0.1'],
    ['127.0.0.1', '::ffff:127.0.0.2'],
    ['8.8.8.8', '10.0.0.1'],
  ]) {
    dns.addresses.set('mixed.example', addresses);
    const { failure } = await attempt(`http://mixed.example:${farm.port}${receiver.path}`);
    expect(failure?.fault).toBe('blocked_address');
  }
  expect([receiver.requests.length, farm.canary.hits()]).toEqual([0, 0]);
});

test('E44: a connection that is kept open is not used again, so a name that has moved is checked again', async () => {
  const receiver = farm.receiver((_, { response }) => {
    response.writeHead(200, { connection: 'keep-alive', 'keep-alive': 'timeout=600' }).end('ok');
  });
  const url = receiver.secureUrl('moved.hooks.example');
  dns.addresses.set('moved.hooks.example', ['127.0.0.1']);
  for (let at = 0; at < 3; at++) expect((await attempt(url)).failure).toBeNull();
  await expect.poll(farm.open).toBe(0);
  dns.addresses.set('moved.hooks.example', [farm.canary.address]);
  expect((await attempt(url)).failure?.fault).toBe('blocked_address');
  expect([receiver.requests.length, farm.canary.hits()]).toEqual([3, 0]);
});

test('E45: redirects to the metadata of a cloud, or to the canary, are not followed', async () => {
  for (const location of [
    'http://169.254.169.254/latest/meta-data',
    `http://${farm.canary.address}:${farm.port}/`,
    `//${farm.canary.address}:${farm.port}/`,
  ])
    for (const code of [301, 302, 303, 307, 308]) {
      const { failure, answer } = await answeredBy(status(code, { location, refresh: `0; url=${location}` }));
      expect([failure, answer?.status]).toEqual([null, code]);
    }
  expect(farm.canary.hits()).toBe(0);
});

test('E7: an answer of any form is one: chunks, no length, no text, no sense', async () => {
  const noise = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
  for (const [behaviour, length] of [
    [status(204), 0],
    [status(201, {}, 'made'), 4],
    [raw(Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\n\r\n'), noise])), 256],
    [raw('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nx-trailer: a\r\n\r\n', 'keep'), 3],
    [raw('HTTP/1.0 200\r\n\r\nok'), 2],
    [
      raw('HTTP/1.1 200 \xe9\xff\r\ncontent-length: 2\r\nx-odd: \xe9\r\nset-cookie: a=b\r\nset-cookie: c=d\r\n\r\nok'),
      2,
    ],
  ] as const) {
    const { failure, answer } = await answeredBy(behaviour);
    expect([failure, Math.floor(answer!.status / 100), answer!.body.length]).toEqual([null, 2, length]);
  }
});

test('an answer counts that comes before the request is read, or with bytes after its end', async () => {
  const early: Behaviour = (_, { socket }) => {
    socket.write('HTTP/1.1 413 Too Large\r\ncontent-length: 0\r\n\r\n', () => socket.resetAndDestroy());
  };
  expect((await answeredBy(early, { body: 'a'.repeat(65_536) })).answer?.status).toBe(413);
  for (const text of [
    'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nokay',
    'HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\nokHTTP/1.1 500 No\r\n\r\n',
    'HTTP/1.1 204 No Content\r\n\r\nokay',
  ])
    for (const takes of ['any', 'whole'] as const) {
      const { failure, answer } = await answeredBy(raw(text), { takes });
      expect([failure, Math.floor(answer!.status / 100)]).toEqual([null, 2]);
    }
});

test('whatever bytes are answered, there is an answer or a failure with its class', async () => {
  const whole = [
    'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\nretry-after: 2\r\ncontent-length: 5\r\n\r\nhello',
    'HTTP/1.1 503 Busy\r\ntransfer-encoding: chunked\r\ntrailer: x\r\n\r\n5;a=b\r\nhello\r\n0\r\nx: y\r\n\r\n',
    'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.0 200 OK\r\n\r\nhello',
  ].map((text) => Buffer.from(text));
  const bytes = fc.uint8Array({ minLength: 0, maxLength: 4 });
  const change = fc.record({ at: fc.nat(150), remove: fc.nat(3), insert: bytes });
  const mutated = fc
    .tuple(fc.constantFrom(...whole), fc.array(change, { maxLength: 4 }))
    .map(([text, changes]) =>
      changes.reduce(
        (now, { at, remove, insert }) => Buffer.concat([now.subarray(0, at), insert, now.subarray(at + remove)]),
        text,
      ),
    );
  const noise = fc.uint8Array({ maxLength: 300 }).map((noise) => Buffer.from(noise));
  await fc.assert(
    fc.asyncProperty(fc.oneof({ weight: 9, arbitrary: mutated }, noise), async (answered) => {
      const { failure, answer, receiver } = await answeredBy(raw(answered));
      if (failure) expect(['invalid_response', 'connection_reset', 'response_too_large']).toContain(failure.fault);
      else expect(answer!.status).toBeGreaterThanOrEqual(200);
      expect(receiver.requests.length).toBe(1);
    }),
    { numRuns: 400 },
  );
  await expect.poll(farm.open).toBe(0);
});

test.each([
  ...['ⓛocalhost', 'LOCALHOST', 'loc\u00adalhost', 'localhost.', 'ｌｏｃａｌｈｏｓｔ', 'localhost%2e'],
  ...['1\u3002', 'xn--localhost-', `${'a'.repeat(64)}.example`, 'xn--a', 'a.0x7f', '-.example'],
])('a name that is written %j leads nowhere inside', async (name) => {
  const strict = openOutbound({ privateNetworks: [], resolve: openAddresses([dns.address]) });
  const { failure, remoteAddress } = await strict.attempt({ url: `https://${name}:${farm.securePorts.good}/` });
  expect(['blocked_address', 'dns_error']).toContain(failure?.fault);
  expect(remoteAddress).toBeNull();
});

test('no byte of an address or a header becomes a line of the request', async () => {
  const receiver = farm.receiver();
  const { failure } = await attempt(`${receiver.url}/a%0d%0aX-Injected:%20b?c=éd%00#e`);
  expect(failure).toBeNull();
  const [{ path, rawHeaders }] = await receiver.received(1);
  expect(path).toBe(`${receiver.path}/a%0d%0aX-Injected:%20b?c=%C3%A9d%00`);
  expect(rawHeaders.join()).not.toMatch(/injected/i);
  for (const value of ['a\r\nx-injected: b', 'a\nb', 'a\0b', 'é€'])
    await expect(attempt(receiver.url, { headers: { 'x-own': value } })).rejects.toThrow(TypeError);
  for (const name of ['x own', 'x:own', 'x\r\nown', ''])
    await expect(attempt(receiver.url, { headers: { [name]: 'a' } })).rejects.toThrow(TypeError);
  expect(receiver.requests.length).toBe(1);
});

test('headers about the connection and the host are not for callers to set', async () => {
  const receiver = farm.receiver();
  const headers = {
    ...{ Host: 'inside.example', 'Content-Length': '3', 'Transfer-Encoding': 'chunked', Connection: 'upgrade' },
    ...{ Upgrade: 'h2c', Expect: '100-continue', TE: 'trailers', Trailer: 'x', 'Accept-Encoding': 'gzip' },
  };
  await attempt(receiver.url, { headers });
  const [{ headers: sent, body }] = await receiver.received(1);
  expect(sent).toEqual({
    ...{ host: `127.0.0.1:${farm.port}`, 'content-length': '7', connection: 'close' },
    ...{ 'accept-encoding': 'identity', 'user-agent': 'Lastro' },
  });
  expect(body.toString()).toBe('{"a":1}');
});

test('neither proxies of the environment are used, nor is TLS switched off by it; authorities that it names are', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lastro-authority-'));
  const authority = join(folder, 'authority.pem');
  writeFileSync(authority, receiverAuthority);
  const receiver = farm.receiver();
  const proxy = `http://${farm.canary.address}:${farm.port}`;
  const program = `
    import { openOutbound } from '${new URL('../../src/lib/http/outbound.ts', import.meta.url)}';
    import { readNetwork } from '${new URL('../../src/lib/http/networks.ts', import.meta.url)}';
    const outbound = openOutbound({ privateNetworks: [readNetwork('127.0.0.1')], resolve: async () => ['127.0.0.1'] });
    for (const url of process.argv.slice(1)) {
      const { failure, answer } = await outbound.attempt({ url });
      console.log(failure?.fault ?? answer.status);
    }`;
  const urls = [receiver.url, receiver.secureUrl('hooks.example'), receiver.secureUrl('elsewhere.example')];
  const run = async (environment: Record<string, string>) => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--no-warnings', '--input-type=module', '-e', program, ...urls],
      {
        env: {
          ...{ NODE_USE_ENV_PROXY: '1', HTTP_PROXY: proxy, HTTPS_PROXY: proxy, ALL_PROXY: proxy, http_proxy: proxy },
          ...{ https_proxy: proxy, NODE_TLS_REJECT_UNAUTHORIZED: '0', ...environment },
        },
      },
    );
    return stdout.trim().split('\n');
  };
  try {
    expect(await run({ NODE_EXTRA_CA_CERTS: authority })).toEqual(['200', '200', 'tls_error']);
    expect(await run({})).toEqual(['200', 'tls_error', 'tls_error']);
  } finally {
    rmSync(folder, { recursive: true });
  }
  expect(farm.canary.hits()).toBe(0);
});
