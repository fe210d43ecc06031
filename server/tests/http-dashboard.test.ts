/** The dashboard on the service's own address: what is served, how it is kept by browsers, and what is never served. */
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from './service.ts';

let folder: string;
let service: TestService;
let bare: TestService;

const script = 'document.documentElement.dataset.theme = "dark";';
const scriptHash = `sha256-${createHash('sha256').update(script).digest('base64')}`;
const page = `<!doctype html><html><head><script>${script}</script></head><body>${'<p></p>'.repeat(300)}</body></html>`;
const code = `export const rows = ${JSON.stringify(Array.from({ length: 500 }, (_, at) => ({ at })))};`;
const font = randomBytes(4_000);
const files: Readonly<Record<string, string | Buffer>> = {
  'index.html': page,
  'csp.json': JSON.stringify({ scriptHashes: [scriptHash, "x'; script-src *"] }),
  'build.json': '{"hash":"0"}',
  'favicon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'manifest.json': '{}',
  '.secret': 'not to be served',
  'assets/index-4f2a.js': code,
  'assets/index-4f2a.css': 'p { color: red }',
  'assets/geist-9c1b.woff2': font,
  'assets/hash-11aa.wasm': randomBytes(8),
  'assets/packed-2b2b.js': code,
  'assets/packed-2b2b.js.br': brotliCompressSync(`${code}//packed`),
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lastro-dashboard-'));
  mkdirSync(join(folder, 'dist', 'assets'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"name":"outside"}');
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, 'dist', name), bytes);
  service = await startTestService({ dashboardDir: join(folder, 'dist') }, 'api');
  bare = await startTestService({ dashboardDir: join(folder, 'nowhere') }, 'api');
});
afterAll(async () => {
  await service.close();
  await bare.close();
  rmSync(folder, { recursive: true });
});

type Reply = Pick<IncomingMessage, 'headers'> & { readonly status: number; readonly bytes: Buffer };

/** Sends the path as it is: `fetch` would tidy it up. */
function get(path: string, headers: Record<string, string> = {}, method = 'GET', of = service): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(of.url);
    request({ hostname, port, path, method, headers }, async (answer) => {
      const bytes = Buffer.concat(await answer.toArray());
      resolve({ status: answer.statusCode!, headers: answer.headers, bytes });
    })
      .on('error', reject)
      .end();
  });
}
const asBrowser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

test.each([
  ['assets/index-4f2a.js', 'text/javascript; charset=utf-8'],
  ['assets/index-4f2a.css', 'text/css; charset=utf-8'],
  ['assets/geist-9c1b.woff2', 'font/woff2'],
  ['assets/hash-11aa.wasm', 'application/wasm'],
])('%s is kept for good', async (name, type) => {
  const { status, headers, bytes } = await get(`/${name}?v=1`);
  expect([status, bytes.equals(Buffer.from(files[name]!))]).toEqual([200, true]);
  expect(headers).toMatchObject({
    ...{ 'content-type': type, 'cache-control': 'public, max-age=31536000, immutable' },
    ...{ 'x-content-type-options': 'nosniff', 'content-length': String(bytes.length) },
  });
});

test.each(['favicon.svg', 'manifest.json'])('%s is asked for anew each time', async (name) => {
  const first = await get(`/${name}`);
  expect([first.status, first.headers['cache-control']]).toEqual([200, 'no-cache']);
  const again = await get(`/${name}`, { 'if-none-match': `"other", ${first.headers.etag}` });
  expect([again.status, again.bytes.length]).toEqual([304, 0]);
});

test.each(['/', '/sign-in', '/models/mdl_1?tab=curves', '/entities/customers/a%2Fb', '/v10', '/index.html'])(
  '%s is the page, which loads from here alone',
  async (path) => {
    const { status, headers, bytes } = await get(path, asBrowser);
    expect([status, bytes.toString()]).toEqual([200, page]);
    expect(headers).toMatchObject({
      ...{ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' },
      ...{ 'referrer-policy': 'same-origin', 'x-content-type-options': 'nosniff' },
      ...{ 'cross-origin-opener-policy': 'same-origin', 'permissions-policy': expect.stringContaining('camera=()') },
    });
    expect(String(headers['content-security-policy']).split('; ')).toEqual([
      "default-src 'self'",
      `script-src 'self' 'wasm-unsafe-eval' '${scriptHash}'`,
      ...["style-src 'self'", "style-src-attr 'unsafe-inline'", "img-src 'self' data: blob:", "font-src 'self'"],
      ...["connect-src 'self'", "worker-src 'self'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'"],
      "object-src 'none'",
    ]);
    const again = await get(path, { ...asBrowser, 'if-none-match': String(headers.etag) });
    expect([again.status, again.bytes.length, again.headers['content-security-policy']]).toEqual([
      ...[304, 0, headers['content-security-policy']],
    ]);
  },
);

test('HEAD has the head of GET, and no body', async () => {
  for (const path of ['/', '/assets/index-4f2a.js']) {
    const [got, head] = [await get(path, asBrowser), await get(path, asBrowser, 'HEAD')];
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
    for (const name of ['content-type', 'content-length', 'etag', 'cache-control', 'content-security-policy'])
      expect([name, head.headers[name]]).toEqual([name, got.headers[name]]);
  }
});

test('what a build has compressed is sent as it is, and is no file of its own', async () => {
  const packed = await get('/assets/packed-2b2b.js', { 'accept-encoding': 'br' });
  expect(packed.headers['content-encoding']).toBe('br');
  expect(brotliDecompressSync(packed.bytes).toString()).toMatch(/\/\/packed$/);
  expect((await get('/assets/packed-2b2b.js')).bytes.toString()).toBe(String(code));
  expect((await get('/assets/packed-2b2b.js.br')).status).toBe(404);
});

test('text is compressed as the caller takes it, and what is small or compressed already is not', async () => {
  const coded = async (name: string, accepted: string) => {
    const { headers, bytes } = await get(`/${name}`, { 'accept-encoding': accepted });
    expect(headers.vary).toBe('accept-encoding');
    return [headers['content-encoding'], bytes] as const;
  };
  const script = 'assets/index-4f2a.js';
  const [brotli, small] = await coded(script, 'gzip, deflate, br, zstd');
  expect([brotli, brotliDecompressSync(small).toString(), small.length < code.length / 4]).toEqual(['br', code, true]);
  const [gzip, zipped] = await coded(script, 'gzip;q=0.5, br;q=0');
  expect([gzip, gunzipSync(zipped).toString()]).toEqual(['gzip', code]);
  expect((await coded(script, 'identity'))[0]).toBe(undefined);
  expect((await coded('assets/geist-9c1b.woff2', 'br'))[0]).toBe(undefined);
  expect((await coded('assets/index-4f2a.css', 'br'))[0]).toBe(undefined);
});

test.each([
  ...['/assets/..%2f..%2fpackage.json', '/assets/../../package.json', '/assets/%2e%2e/%2e%2e/package.json'],
  ...['/assets/', '/assets/index-0000.js', '//', '//elsewhere.example/', '/\\elsewhere.example', '/a%00b'],
  ...['/assets/index-4f2a.js%00.html', '/assets/index-4f2a.js/', '/assets//index-4f2a.js', '/%00'],
])('%s is not found, whatever is asked for', async (path) => {
  const { status, headers, bytes } = await get(path, asBrowser);
  expect([status, headers['content-type']]).toEqual([404, 'application/problem+json; charset=utf-8']);
  expect(JSON.parse(bytes.toString())).toMatchObject({ status: 404, code: 'route_not_found' });
});

test.each(['/%', '/assets/%zz'])('%s is no address', async (path) => {
  const { status, headers } = await get(path, asBrowser);
  expect([status, headers['content-type']]).toEqual([400, 'application/problem+json; charset=utf-8']);
});

test.each(['/.secret', '/csp.json', '/build.json', '/../package.json'])('%s is no file of it', async (path) => {
  expect((await get(path)).status).toBe(404);
  expect((await get(path, asBrowser)).bytes.toString()).toBe(page);
});

test('unknown addresses of the API, and of programs, are refused as ever', async () => {
  const asked: readonly [string, string, string][] = [
    ...[['GET', '/v1/api/nothing', 'text/html'] as const, ['GET', '/v2', 'text/html'] as const],
    ...[['GET', '/healthz/more', 'text/html'] as const, ['GET', '/metrics/more', 'text/html'] as const],
    ...[['GET', '/nothing', 'application/json'] as const, ['GET', '/nothing', '*/*'] as const],
    ...[['POST', '/nothing', 'text/html'] as const, ['DELETE', '/assets/index-4f2a.js', 'text/html'] as const],
  ].map((one) => [...one]);
  for (const [method, path, accept] of asked) {
    const { status, headers, bytes } = await get(path, { accept }, method);
    expect([method, path, status, headers['content-type']]).toEqual([
      ...[method, path, 404, 'application/problem+json; charset=utf-8'],
    ]);
    expect(JSON.parse(bytes.toString()).code).toBe('route_not_found');
  }
  expect((await get('/v1/api/models', asBrowser)).status).toBe(401);
  expect((await get('/healthz', asBrowser)).headers['content-type']).toContain('json');
});

test('without a build nothing is there, until one is made', async () => {
  expect((await get('/', asBrowser, 'GET', bare)).status).toBe(404);
  const dashboard = bare.service.dashboard!;
  dashboard.awaitBuild();
  const waiting = await get('/models', asBrowser, 'GET', bare);
  expect([waiting.status, waiting.headers['retry-after']]).toEqual([503, '2']);
  const text = waiting.bytes.toString();
  // Not by the browser's own refresh, which an address with a fragment, as that of a sign-in link has, does not get.
  const [, script] = /<script>(.*)<\/script>/.exec(text)!;
  expect(script).toMatch(/^setTimeout\(\(\)=>location\.reload\(\),\d+\)$/);
  const [, style] = /<style>(.*)<\/style>/s.exec(text)!;
  const hashOf = (of: string) => createHash('sha256').update(of).digest('base64');
  const policy = waiting.headers['content-security-policy'];
  expect(policy).toContain(`style-src 'sha256-${hashOf(style!)}'; script-src 'sha256-${hashOf(script!)}'`);
  expect((await get('/assets/index-4f2a.js', asBrowser, 'GET', bare)).status).toBe(404);
  mkdirSync(join(folder, 'nowhere'));
  writeFileSync(join(folder, 'nowhere', 'index.html'), '<p>first');
  dashboard.load();
  expect((await get('/models', asBrowser, 'GET', bare)).bytes.toString()).toBe('<p>first');
});
