/**
 * Processes of every role are restarted one after the other under all that customers do, and nobody who asks meanwhile
 * notices.
 */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Machine, type Machines, startMachines } from './machines/machines.ts';
import type { Tenant } from './service.ts';
import { makeSftpUser, type SftpUser } from './sftp/client.ts';
import { patiently } from './sftp/patiently.ts';
import { learnReturns } from './support/samples/batches.ts';

/** Longer than the balancer takes to ask a process anew whether it is ready; and callers are as many as they are. */
const settings = {
  LASTRO_DRAIN_SECONDS: '1.5',
  ...{ LASTRO_REQUESTS_PER_MINUTE: '0', LASTRO_WORKSPACE_REQUESTS_PER_MINUTE: '0' },
  LASTRO_WORKSPACE_REAL_TIME_PER_MINUTE: '0',
};
const callers = { predict: 3, read: 2, upload: 2, batch: 2, sftp: 1 } as const;
type Lane = keyof typeof callers;
/** Between two requests of one caller, so that the machine has time to start processes. */
const pauseMs = 20;
/** Between two questions whether a batch has ended. */
const pollMs = 300;
const batchRows = 20_000;
const sftpRows = 500;
/** How often a lane goes round before the next process is restarted: the first may have begun before. */
const roundsBetween = 2;
/** Of one API process, which the other stands in for until then. */
const answersBetween = 20;

let machines: Machines;
let tenant: Tenant;
let user: SftpUser;
let model: string;
let kept: string;
let rows: string;
beforeAll(async () => {
  machines = await startMachines({ api: 2, worker: 2, sftp: 1 }, settings);
  tenant = await machines.service.tenant('Rolled');
  ({ model_id: model } = await learnReturns(tenant.client));
  user = await makeSftpUser(machines.service, tenant);
  kept = await tenant.client.upload('kept.csv', Buffer.alloc(200_000, 'a,b\n'));
  rows = await tenant.client.upload('rows.csv', rowsText(batchRows));
});
afterAll(() => machines?.close());

type Answer = { readonly status: number; readonly bytes: Buffer };

/** What callers have seen. */
const failures: string[] = [];
/** Which process answered each request. */
const answers: string[] = [];
const requests: Record<string, number> = {};
const rounds: Record<Lane, number> = { predict: 0, read: 0, upload: 0, batch: 0, sftp: 0 };
const results = { batch: new Set<string>(), sftp: new Set<string>(), read: new Set<string>() };
let streamsEnded = 0;

const hashOf = (algorithm: 'sha256' | 'md5', bytes: Buffer | string) => createHash(algorithm).update(bytes);
/** Ids differ between batches, and nothing else does. */
const withoutIds = (bytes: Buffer) => bytes.toString().replaceAll(/\b[a-z]+_[0-9a-f]{32}\b/g, '');
const authorization = () => `Bearer ${tenant.client.key}`;

test('a restart of all processes, one after the other, fails no request, and tells streams to come again', async () => {
  const over = new AbortController();
  const lanes = (Object.keys(callers) as Lane[]).flatMap((lane) =>
    Array.from({ length: callers[lane] }, async (_, caller) => {
      for (let round = 0; !over.signal.aborted; round++) {
        await perform[lane](`${caller}-${round}`);
        rounds[lane]++;
        await sleep(pauseMs);
      }
    }),
  );
  const working = Promise.all([...lanes, followEvents(over.signal)]);
  const restarts = (async () => {
    for (const machine of machines.all) await restart(machine);
  })();
  await Promise.race([restarts, working]);
  over.abort();
  await working;
  console.log('requests', requests, 'rounds', rounds, 'streams that ended', streamsEnded);
  expect(failures).toEqual([]);
  expect(streamsEnded).toBeGreaterThan(0);
  // The same file was read, and the same rows were scored, each time.
  for (const lane of ['read', 'batch', 'sftp'] as const) expect(results[lane].size, lane).toBe(1);
  await checkBatches();
});

/** Restarts a process while the others work, and waits until it has done its part again. */
async function restart(machine: Machine): Promise<void> {
  const { role, url } = machine;
  await working(machine);
  const ended = machine.restart();
  if (url !== null) await expect.poll(() => machines.balancer.isIn(url)).toBe(false);
  await ended;
  if (url !== null) await expect.poll(() => machines.balancer.isIn(url)).toBe(true);
  await working(machine);
  console.log(`restarted ${machine.name}, a process of ${role}`);
}

/** Resolves once an API process has answered some requests more, and lanes of all other roles have gone on. */
async function working({ role, url }: Machine): Promise<void> {
  const from = answers.length;
  const done = { ...rounds };
  const lanes: readonly Lane[] = role === 'api' ? ['upload'] : role === 'worker' ? ['batch'] : ['sftp'];
  const isDone = (): boolean =>
    lanes.every((lane) => rounds[lane] >= done[lane] + roundsBetween) &&
    (url === null || answers.slice(from).filter((by) => by === url).length >= answersBetween);
  while (!isDone()) await sleep(pauseMs);
}

const perform: Readonly<Record<Lane, (round: string) => Promise<unknown>>> = {
  async predict() {
    const answer = await ask('POST', `/v1/api/prediction/${model}/production`, { body: { customer_id: 'C1' } });
    if (answer && answer.body.model_id !== model) failures.push(`predict: ${answer.bytes}`);
  },
  async read() {
    const answer = await ask('GET', `/v2/api/files/${kept}/content`);
    if (answer) results.read.add(hashOf('sha256', answer.bytes).digest('hex'));
  },
  async upload(round) {
    const bytes = Buffer.alloc(300_000, `${round},a\n`);
    const md5 = hashOf('md5', bytes).digest('base64');
    const files = [{ path: `sent/${round}.csv`, content_type: 'text/csv', md5 }];
    const declared = await ask('POST', '/v2/api/files/upload', { body: { files } });
    if (declared === null) return;
    const [{ id, upload_url, headers }] = declared.body.files;
    await ask('PUT', upload_url, { raw: bytes, headers });
    const sent = await ask('GET', `/v2/api/files/${id}/content`);
    if (sent && !sent.bytes.equals(bytes)) failures.push(`upload ${round}: other bytes`);
  },
  async batch() {
    const asked = await ask('POST', '/v2/api/batches', { body: { files: [rows], model: `${model}/production` } });
    if (asked === null) return;
    const path = `/v2/api/batches/${asked.body.id}`;
    for (;;) {
      const found = await ask('GET', path);
      if (found?.body.status === 'succeeded') break;
      if (found && !['queued', 'running'].includes(found.body.status)) failures.push(`batch: ${found.bytes}`);
      await sleep(pollMs);
    }
    const result = await ask('GET', `${path}/result`);
    const content = result && (await ask('GET', result.body.files[0].download_url));
    if (content) results.batch.add(withoutIds(content.bytes));
  },
  async sftp(round) {
    const name = `nightly-${round}`;
    await patiently(machines, user, (sftp) => sftp.put(`batch/in/${name}.csv`, sftpText()));
    const result = await patiently(machines, user, (sftp) => sftp.appears(`batch/out/${name}.result.csv`));
    results.sftp.add(withoutIds(result));
  },
};

type Asked = { readonly body?: unknown; readonly raw?: Buffer; readonly headers?: Readonly<Record<string, string>> };

/** Asks once. What fails, or is answered with a refusal, is noted, and null. */
async function ask(
  method: string,
  path: string,
  { body, raw, headers = {} }: Asked = {},
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
): Promise<(Answer & { readonly body: any }) | null> {
  const what = `${method} ${path
    .replace(/\?.*/, '')
    .replaceAll(/[a-z]+_[0-9a-f]{32}/g, '…')
    .replace(/^https?:\/\/[^/]+/, '')}`;
  requests[what] = (requests[what] ?? 0) + 1;
  const isSigned = path.startsWith('http');
  try {
    const answer = await fetch(isSigned ? path : `${machines.balancer.url}${path}`, {
      method,
      headers: {
        ...(!isSigned && { authorization: authorization() }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined ? { body: JSON.stringify(body) } : raw && { body: new Uint8Array(raw) }),
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    answers.push(answer.headers.get('x-answered-by') ?? '');
    if (!answer.ok) {
      failures.push(`${what}: ${answer.status} ${bytes}`);
      return null;
    }
    const isJson = /json/.test(answer.headers.get('content-type') ?? '');
    return { status: answer.status, bytes, body: isJson ? JSON.parse(bytes.toString()) : undefined };
  } catch (error) {
    failures.push(`${what}: ${error} ${(error as Error).cause}`);
    return null;
  }
}

/** Reads the stream of events, and comes again when it ends. */
async function followEvents(over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    try {
      const headers = { authorization: authorization() };
      const answer = await fetch(`${machines.balancer.url}/v1/api/events/stream`, { headers, signal: over });
      if (answer.status !== 200) failures.push(`stream: ${answer.status}`);
      for await (const _ of answer.body!);
      streamsEnded++;
    } catch (error) {
      if (!over.aborted) failures.push(`stream: ${error} ${(error as Error).cause}`);
    }
  }
}

/** One batch for each that was asked for and for each file that was put, however often it was sent; all have ended. */
async function checkBatches(): Promise<void> {
  const made = await machines.query<{ by: string; batches: number; succeeded: number }>(
    `select coalesce(metadata ->> 'sftp_file', id) as by, count(*)::int as batches,
       count(*) filter (where status = 'succeeded')::int as succeeded
     from batches where workspace_id = $1 group by 1`,
    [tenant.ctx.workspaceId],
  );
  expect(made.filter(({ batches, succeeded }) => batches !== 1 || succeeded !== 1)).toEqual([]);
  expect(made).toHaveLength(rounds.batch + rounds.sftp);
}

function rowsText(count: number): string {
  const lines = Array.from({ length: count }, (_, at) => `C${at % 40},row ${at},2024-0${1 + (at % 9)}-01`);
  return `customer_id,correlation_id,reference_date\n${lines.join('\n')}\n`;
}

function sftpText(): string {
  const lines = Array.from({ length: sftpRows }, (_, at) => `${model}/production,C${at % 40},row ${at},2024-03-01`);
  return `endpoint,customer_id,correlation_id,reference_date\n${lines.join('\n')}\n`;
}
