/** SFTP under what is hard for it: processes that die while a client sends, very many files, and a very large one. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SecondProcess, startSecondProcess } from '../second-process.ts';
import { startTestService, type Tenant, type TestService } from '../service.ts';
import { learnReturns, type Trained } from '../support/samples/batches.ts';
import { connectSftp, makeSftpUser, type Sftp } from './client.ts';

let service: TestService;
let tenant: Tenant;
let returns: Trained;
let user: Awaited<ReturnType<typeof makeSftpUser>>;

beforeAll(async () => {
  service = await startTestService({ sftpPort: 0 });
  tenant = await service.tenant('Shop');
  returns = await learnReturns(tenant.client);
  user = await makeSftpUser(service, tenant);
}, 180_000);
afterAll(() => service.close());

const rowsOf = (count: number) =>
  `endpoint,customer_id,correlation_id\n${Array.from({ length: count }, (_, at) => `${returns.model_id}/production,C${at % 40},row ${at}`).join('\n')}\n`;

const told = <T>(ask: (done: (error?: Error | null, value?: T) => void) => void) =>
  new Promise<T>((resolve, reject) => ask((error, value) => (error ? reject(error) : resolve(value as T))));
const opened = ({ raw }: Sftp, path: string) => told<Buffer>((done) => raw.open(path, 'w', done));
const written = ({ raw }: Sftp, handle: Buffer, bytes: Buffer, offset: number) =>
  told<void>((done) => raw.write(handle, bytes, 0, bytes.length, offset, done));

/** How many batches were made of each file, by name. */
async function batchesByName(): Promise<Map<string, number>> {
  const made = new Map<string, number>();
  let cursor = '';
  do {
    const { body } = await tenant.client.get(`/v2/api/batches?limit=200${cursor && `&cursor=${cursor}`}`);
    for (const { metadata } of body.data) made.set(metadata.sftp_file, (made.get(metadata.sftp_file) ?? 0) + 1);
    cursor = body.next_cursor ?? '';
  } while (cursor !== '');
  return made;
}

test('a process that is killed while clients send loses nothing that it has acknowledged, and makes nothing twice', async () => {
  const text = Buffer.from(rowsOf(2_000));
  const acknowledged: string[] = [];
  for (let round = 0; round < 20; round++) {
    const process = await startSecondProcess(service, { SFTP_PORT: '0' }, 'sftp');
    const clients = await Promise.all([0, 1, 2].map(() => connectTo(process)));
    const sending = clients.map(async (client, at) => {
      for (let file = 0; ; file++) {
        const name = `killed-${round}-${at}-${file}.csv`;
        await client.put(`batch/in/${name}`, text);
        acknowledged.push(name);
      }
    });
    // Each ends by an error once the process is gone, which may be before all are waited for.
    for (const one of sending) one.catch(() => {});
    // At another moment of the sending each time.
    await new Promise((resolve) => setTimeout(resolve, 20 + 37 * round));
    await process.kill();
    await Promise.allSettled(sending.map((one) => Promise.race([one, ended(clients)])));
  }
  expect(acknowledged.length).toBeGreaterThan(20);
  const here = await connectSftp(service, user);
  for (const name of acknowledged) {
    const result = await here.appears(`batch/out/${name.replace('.csv', '.result.csv')}`);
    expect(result.toString().trimEnd().split('\n')).toHaveLength(2_001);
  }
  const made = await batchesByName();
  for (const name of acknowledged) expect(made.get(name), name).toBe(1);
  // A file whose end nobody was told of may have been taken all the same: once, or not at all.
  for (const [name, count] of made) expect(count, name).toBe(1);
  await here.end();
});

test('a thousand small files sent at once over twenty connections are a thousand batches', async () => {
  const clients = await Promise.all(Array.from({ length: 20 }, () => connectSftp(service, user)));
  const names = Array.from({ length: 1_000 }, (_, at) => `small-${at}.csv`);
  await Promise.all(
    clients.map(async (client, at) => {
      for (const name of names.filter((_, file) => file % clients.length === at))
        await client.put(`batch/in/${name}`, rowsOf(2));
    }),
  );
  for (const name of names) await clients[0]!.appears(`batch/out/${name.replace('.csv', '.result.csv')}`);
  const made = await batchesByName();
  for (const name of names) expect(made.get(name), name).toBe(1);
  await Promise.all(clients.map((client) => client.end()));
});

test('ten gigabytes of zeros are taken in flat memory and refused; a byte more is not kept', async () => {
  const sftp = await connectSftp(service, user);
  const zeros = Buffer.alloc(256 * 1024);
  const most = 10_000_000_000;
  const handle = await opened(sftp, 'batch/in/zeros.csv');
  const before = process.memoryUsage.rss();
  let highest = before;
  let at = 0;
  // As many at once as OpenSSH's client has under way.
  const lane = async () => {
    while (at < most) {
      const from = at;
      at += zeros.length;
      await written(sftp, handle, zeros.subarray(0, Math.min(zeros.length, most - from)), from);
      highest = Math.max(highest, process.memoryUsage.rss());
    }
  };
  await Promise.all(Array.from({ length: 64 }, lane));
  await told<void>((done) => sftp.raw.close(handle, done));
  highest = Math.max(highest, process.memoryUsage.rss());
  process.stderr.write(`ten gigabytes by SFTP: ${Math.round((highest - before) / 2 ** 20)} MB more memory\n`);
  expect(highest - before).toBeLessThan(700 * 2 ** 20);
  expect((await sftp.stat('batch/in/zeros.csv')).size).toBe(most);
  for (;;) {
    const log = (await sftp.appears('batch/logs/zeros.csv.log')).toString();
    if (log.includes('refused: ')) break;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  await sftp.remove('batch/in/zeros.csv');
  const over = await opened(sftp, 'batch/in/over.csv');
  await expect(written(sftp, over, Buffer.from('x'), most)).rejects.toThrow('split it');
  await sftp.drop();
  const spools = join(service.service.app.workFolder, 'sftp');
  await expect.poll(() => (existsSync(spools) ? readdirSync(spools) : [])).toEqual([]);
});

async function connectTo(process: SecondProcess): Promise<Sftp> {
  return connectSftp({ service: { sftpPort: Number(process.url.split(':').at(-1)) } }, user);
}

/** Resolves when no client has a line any more. */
async function ended(clients: readonly Sftp[]): Promise<void> {
  await Promise.all(clients.map((client) => client.drop()));
}
