/** A batch in one call before a service that misbehaves, and how rows of results are read. */
import type { ServerResponse } from 'node:http';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { readRows } from '../src/batches/rows.ts';
import { BatchFailedError } from '../src/main.ts';
import { type Asked, hangUp, type LocalServer, openLocalServer, refuse, sendJson } from './local-server.ts';

let server: LocalServer;
afterEach(() => server?.close());

const rows = (processed: number) => ({ total: 4, processed, succeeded: processed, failed: 0 });
const batchOf = (status: string, processed: number) => ({
  ...{ id: 'bat_1', status, failure: null, files: [] },
  progress: {
    rows: rows(processed),
    fraction: processed / 4,
    eta: status === 'running' ? '2026-01-01T00:00:00.000Z' : null,
  },
});
const text = '{"score":1}\n{"score":2}\n';

type Part = (asked: Asked, answer: ServerResponse, times: number) => void;

/** Answers each kind of request as the service would, unless `parts` has another answer. */
function openService(parts: Readonly<Record<string, Part>> = {}): Promise<LocalServer> {
  const counts = new Map<string, number>();
  const usual: Record<string, Part> = {
    'POST /v2/api/files/upload': ({ body }, answer) => {
      const files = JSON.parse(body).files.map((file: object, at: number) => {
        return {
          ...file,
          id: `file_${at}`,
          upload_url: `${server.url}/put/${at}`,
          headers: { 'Content-Type': 'text/csv' },
        };
      });
      sendJson(answer, 201, { id: 'upl_1', files });
    },
    'PUT /put/0': (_, answer) => sendJson(answer, 200, {}),
    'POST /v2/api/batches': (_, answer) => sendJson(answer, 202, batchOf('queued', 0)),
    'GET /v1/api/events/stream': (_, answer) => {
      answer.writeHead(200, { 'content-type': 'text/event-stream' }).write(': the events that come follow\n\n');
    },
    'GET /v2/api/batches/bat_1': (_, answer, times) => {
      sendJson(answer, 200, [batchOf('queued', 0), batchOf('running', 2), batchOf('succeeded', 4)][times]);
    },
    'GET /v2/api/batches/bat_1/result': (_, answer, times) => {
      const file = { file_id: 'file_0', path: 'a.jsonl', rows: 2, bytes: text.length, sha256: '' };
      const url = `${server.url}/get?${times}`;
      sendJson(answer, 200, { download_url: url, expires_at: '', files: [{ ...file, download_url: url }] });
    },
    'GET /get': (_, answer) => void answer.end(text),
    ...parts,
  };
  return openLocalServer((asked, answer) => {
    const name = `${asked.method} ${asked.url.split('?')[0]}`;
    const times = counts.get(name) ?? 0;
    counts.set(name, times + 1);
    usual[name](asked, answer, times);
  });
}

const asked = { model: 'credit/production', files: [{ path: 'a.csv', content: 'a\n1\n' }] };
const requests = (name: string) => server.asked.filter(({ method, url }) => `${method} ${url.split('?')[0]}` === name);

async function read<T>(entries: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const entry of entries) found.push(entry);
  return found;
}

test('it tells every phase, the last of each at least, and when it will have ended', async () => {
  server = await openService();
  const run = server.client().batches.run(asked);
  const told = await read(run);
  expect(told.map(({ phase }) => phase)).toEqual(['hashing', 'uploading', 'queued', 'running', 'done']);
  expect(told.map(({ loaded, total }) => [loaded, total])).toEqual([
    [4, 4],
    [4, 4],
    [0, 4],
    [2, 4],
    [4, 4],
  ]);
  expect(told[3].eta).toEqual(new Date('2026-01-01'));
  // Who comes late is told where it stands.
  expect((await read(run)).map(({ phase }) => phase)).toEqual(told.map(({ phase }) => phase));
  expect((await run).batch.status).toBe('succeeded');
});

test('an event of the batch has it asked for at once', async () => {
  let told: ServerResponse | undefined;
  server = await openService({
    'GET /v1/api/events/stream': ({ url }, answer) => {
      expect(url).toContain('type=batch-lifecycle&resource_id=bat_1');
      told = answer.writeHead(200, { 'content-type': 'text/event-stream' });
      told.write(': the events that come follow\n\n');
    },
    'GET /v2/api/batches/bat_1': (_, answer, times) => {
      sendJson(answer, 200, batchOf(times < 20 ? 'running' : 'succeeded', 4));
      setImmediate(() => told?.write('id: evt_1\ndata: {}\n\n'));
    },
  });
  // By its own clock it would ask once a few seconds.
  await server.client().batches.run(asked);
  expect(requests('GET /v2/api/batches/bat_1')).toHaveLength(21);
});

test('where events cannot be had, it is asked for all the same, and while the service starts anew', async () => {
  server = await openService({
    'GET /v1/api/events/stream': (_, answer) => refuse(answer, 403, 'permission_denied'),
    'GET /v2/api/batches/bat_1': (_, answer, times) => {
      if (times > 0 && times < 5) refuse(answer, 503, 'unavailable', { 'retry-after': '0' });
      else sendJson(answer, 200, times === 0 ? batchOf('running', 2) : batchOf('succeeded', 4));
    },
  });
  expect((await server.client().batches.run(asked)).batch.status).toBe('succeeded');
});

test('an upload whose answer was lost counts as sent, and one whose address has ended is declared again', async () => {
  server = await openService({
    'PUT /put/0': (_, answer, times) => {
      if (times === 0) hangUp(answer);
      else if (times === 1) refuse(answer, 403, 'signature_expired');
      else refuse(answer, 409, 'file_already_uploaded');
    },
  });
  await server.client().batches.run(asked, { idempotencyKey: 'mine' });
  const declared = requests('POST /v2/api/files/upload');
  expect(declared.map(({ headers }) => headers['idempotency-key'])).toEqual(['mine-files', 'mine-files']);
  expect(requests('PUT /put/0').map(({ body }) => body)).toEqual(['a\n1\n', 'a\n1\n', 'a\n1\n']);
  expect(requests('PUT /put/0')[0].headers).toMatchObject({ 'content-length': '4', 'content-type': 'text/csv' });
  expect(requests('PUT /put/0')[0].headers.authorization).toBeUndefined();
  expect(requests('POST /v2/api/batches')[0].headers['idempotency-key']).toBe('mine');
});

test('a download that breaks goes on where it was, at a new address', async () => {
  server = await openService({
    'GET /get': ({ headers: { range } }, answer) => {
      answer.setHeader('etag', '"abc"');
      if (range === undefined) {
        answer.writeHead(200, { 'content-length': String(text.length) }).write(text.slice(0, 15));
        return void setTimeout(hangUp, 20, answer);
      }
      answer.writeHead(206).end(text.slice(Number(/\d+/.exec(range)![0])));
    },
  });
  const { results } = await server.client().batches.run(asked);
  expect(await read(results())).toEqual([{ score: 1 }, { score: 2 }]);
  const [first, second] = requests('GET /get');
  expect([first.headers.range, second.headers.range, second.headers['if-range']]).toEqual([
    undefined,
    'bytes=15-',
    '"abc"',
  ]);
  expect(first.url).not.toBe(second.url);
});

test('a download of other bytes than were said is refused', async () => {
  server = await openService({ 'GET /get': (_, answer) => void answer.end(`${text}more`) });
  const { results } = await server.client({ maxRetries: 0 }).batches.run(asked);
  await expect(read(results())).rejects.toThrow(`${text.length + 4} of ${text.length} bytes`);
});

test('a failed batch throws its reason and those of its files', async () => {
  const files = [{ path: 'a.csv', failure: { code: 'missing_column', detail: 'it lacks customer_id' } }];
  const failed = { ...batchOf('failed', 0), files, failure: { code: 'invalid', detail: 'a file failed' } };
  server = await openService({ 'GET /v2/api/batches/bat_1': (_, answer) => sendJson(answer, 200, failed) });
  const run = server.client().batches.run(asked);
  await expect(run).rejects.toThrow(BatchFailedError);
  await expect(run).rejects.toThrow('batch bat_1 failed: invalid: a file failed; a.csv: it lacks customer_id');
});

describe('rows of a result', () => {
  const whole = (content: string, size: number) =>
    (async function* () {
      for (let at = 0; at < content.length; at += size) yield content.slice(at, at + size);
    })();

  test('of CSV are read whatever is in their fields, wherever the text is cut', async () => {
    const field = fc.oneof(fc.string(), fc.constantFrom('', '"', 'a,b', 'line\nend', '"quoted"', 'ção'));
    const tables = fc.array(fc.tuple(field, field), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(tables, fc.integer({ min: 1, max: 20 }), async (table, size) => {
        const lines = [['first', 'second'], ...table].map((row) =>
          row.map((value) => `"${value.replaceAll('"', '""')}"`).join(','),
        );
        const found = await read(readRows('a.csv', whole(`${lines.join('\r\n')}\r\n`, size)));
        expect(found).toEqual(table.map(([first, second]) => ({ first, second })));
      }),
    );
  });

  test('of CSV with semicolons are read as they stand', async () => {
    const text = '"a; b";c\r\nx,y;0,25\r\n"p;q";\r\n';
    expect(await read(readRows('a.csv', whole(text, 3)))).toEqual([
      { 'a; b': 'x,y', c: '0,25' },
      { 'a; b': 'p;q', c: '' },
    ]);
  });

  test('of JSONL are read line by line, the last without an end too', async () => {
    expect(await read(readRows('a.jsonl', whole('{"a":1}\n\n{"a":"ç\\n"}', 3)))).toEqual([{ a: 1 }, { a: 'ç\n' }]);
  });

  test('of Parquet are not', () => {
    expect(() => readRows('a.parquet', whole('', 1))).toThrow('output_format');
  });
});
