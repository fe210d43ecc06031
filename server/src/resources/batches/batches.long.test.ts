/** Batches whose workers are killed while they score give the same bytes as undisturbed batches. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { draws } from '../../../tests/samples.ts';
import { startTestService, type TestService } from '../../../tests/service.ts';
import { learnShop } from '../../../tests/support/samples/batches.ts';
import { createTestDatabase, type TestDatabase } from '../../../tests/support/samples/lib-db.ts';
import { openDuckDb, quoteText } from '../../lib/duckdb/duckdb.ts';

const rows = 1_000_000;
const kills = 6;
const main = fileURLToPath(new URL('../../main.ts', import.meta.url));

let database: TestDatabase;
let service: TestService;
let worker: ChildProcess;

beforeAll(async () => {
  database = await createTestDatabase();
  service = await startTestService({ databaseUrl: database.url }, 'api');
  worker = startWorker();
});
afterAll(async () => {
  worker.kill('SIGKILL');
  await service.close();
  await database.drop();
});

function startWorker(): ChildProcess {
  return spawn(process.execPath, [main, 'worker'], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: database.url,
      LASTRO_DATA_DIR: service.folder,
      LASTRO_COMPUTE_PROCESSES: '2',
      LOG_LEVEL: 'error',
    },
  });
}

test('a batch whose workers die again and again writes the bytes of one left alone', async () => {
  const { client } = await service.tenant('Shop');
  const { returns } = await learnShop(client);
  const path = join(service.folder, 'rows.parquet');
  const duckdb = await openDuckDb({ folders: [service.folder] });
  // One row in a thousand cannot be scored.
  const values =
    "'C' || (i % 45) as customer_id, i::varchar as reference_id, case when i % 1000 = 7 then 'x' else '2023-09-15' end as reference_date";
  await duckdb.run(
    `copy (select ${values} from range(${rows}) t(i)) to ${quoteText(path)} (format parquet, row_group_size 98304)`,
  );
  duckdb.close();
  const file = await client.upload('rows.parquet', readFileSync(path));
  const text = await client.upload('rows.csv', `customer_id\n${'C1\nC2\nC3\n'.repeat(100_000)}`);
  const body = { files: [file, text], model: `${returns.model_id}/production`, reference_date: '2023-10-01' };
  const ask = async () => `/v2/api/batches/${(await client.post('/v2/api/batches', body)).body.id}`;
  const digests = async (batch: string) => {
    const { files } = (await client.get(`${batch}/result`)).body;
    const found = [];
    for (const { download_url, sha256, rows } of files) {
      const bytes = Buffer.from(await (await fetch(download_url)).arrayBuffer());
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256);
      found.push({ sha256, rows });
    }
    return found;
  };

  const calm = await ask();
  const expected = (await client.finished(calm)).body;
  expect(expected).toMatchObject({ status: 'succeeded', progress: { rows: { total: 1_300_000, failed: 1000 } } });

  const harried = await ask();
  const { next } = draws(7);
  let processed = 0;
  for (let kill = 0; kill < kills; kill++) {
    const pause = 500 + 4000 * next();
    for (const until = Date.now() + pause; Date.now() < until; await sleep(100)) {
      const { body } = await client.get(harried);
      expect(body.progress.rows.processed).toBeGreaterThanOrEqual(processed);
      processed = body.progress.rows.processed;
    }
    const children = childrenOf(worker.pid!);
    if (kill % 2 === 0 && children.length > 0) process.kill(children[Math.floor(next() * children.length)], 'SIGKILL');
    else {
      const gone = once(worker, 'exit');
      worker.kill('SIGKILL');
      await gone;
      worker = startWorker();
    }
  }
  const { body: found } = await client.finished(harried);
  expect(found).toMatchObject({ status: 'succeeded', progress: expected.progress });
  expect(await digests(harried)).toEqual(await digests(calm));
  const errors = async (batch: string) => (await client.get(`${batch}/errors?limit=200`)).body.data;
  expect(await errors(harried)).toEqual(await errors(calm));
});

function childrenOf(pid: number): number[] {
  try {
    const listed = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' });
    return listed.trim().split(/\s+/).map(Number);
  } catch {
    // The process has no children.
    return [];
  }
}
