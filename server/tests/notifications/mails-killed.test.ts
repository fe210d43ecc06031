/** A worker that is killed while it hands a mail over. The number is that of the case in the study of events. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTestService, type TestService } from '../service.ts';
import { choose, emailOf, happen } from './acts.ts';
import { openSmtpSink, parseMail, type SmtpSink } from './smtp.ts';

let service: TestService;
let sink: SmtpSink;
const workers: ChildProcess[] = [];
beforeAll(async () => {
  sink = await openSmtpSink();
  service = await startTestService({ smtpUrl: sink.url }, 'api');
});
afterAll(async () => {
  for (const worker of workers) {
    worker.kill('SIGKILL');
    if (worker.exitCode === null && worker.signalCode === null) await once(worker, 'exit');
  }
  await service.close();
  await sink.close();
});

/** Starts a worker beside the service, on the same database. */
function startWorker(): ChildProcess {
  const worker = spawn(process.execPath, [fileURLToPath(new URL('../../src/main.ts', import.meta.url)), 'worker'], {
    stdio: 'ignore',
    env: {
      ...process.env,
      LASTRO_DATA_DIR: join(service.folder, `worker-${workers.length}`),
      LASTRO_MASTER_SECRET: readFileSync(join(service.folder, 'secret'), 'utf8').trim(),
      STORAGE_URL: join(service.folder, 'files'),
      DATABASE_URL: service.databaseUrl,
      SMTP_URL: sink.url,
      LOG_LEVEL: 'error',
    },
  });
  workers.push(worker);
  return worker;
}

test('E76 a worker killed before the server has taken the mail leaves at most one more, under the same name', async () => {
  const tenant = await service.tenant('Killed');
  const person = await tenant.signedIn('developer', 'workspace');
  await choose(person, 'preferences', [{ type: 'batch-lifecycle', channels: 'email' }]);
  const email = await emailOf(service, person.userId);
  await service.owner.pool.query('delete from events');
  // The server has all data of the first mail, and its answer does not come before the worker is gone.
  sink.meet(email, { at: 'data', hangMs: 10_000 });
  await happen(service, tenant.ctx, 'batch-lifecycle', { status: 'queued' });
  const first = startWorker();
  await sink.arrivals(email, 1);
  first.kill('SIGKILL');
  await once(first, 'exit');
  const rows = () =>
    service.owner.kysely.selectFrom('notification_mails').selectAll().where('user_id', '=', person.userId).execute();
  expect((await rows()).map(({ status }) => status)).toEqual(['waiting']);
  // Nobody else has the mail before the lease of who died has ended, which the test has happen at once.
  await service.owner.pool.query('update notification_mails set leased_until = now()');
  startWorker();
  await vi.waitUntil(async () => (await rows()).every(({ status }) => status === 'sent'), { timeout: 120_000 });
  const mails = sink.to(email);
  expect(mails).toHaveLength(2);
  const [one, two] = await Promise.all(mails.map(parseMail));
  expect(two.messageId).toBe(one.messageId);
  expect((await rows()).map(({ attempts }) => attempts)).toEqual([2]);
});
