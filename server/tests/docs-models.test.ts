/** The commands of docs/replay.md, watch-a-model.md, watch-entities.md and validate-versions.md, run as they stand. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client, TestService } from './service.ts';
import { day } from './shop.ts';
import { startShop, type Trained } from './support/samples/batches.ts';
import { runFolder } from './support/samples/lib-db.ts';

let service: TestService;
let client: Client;
let returns: Trained;
/** Where the commands run: it has the key where the demo leaves it. */
let folder: string;

beforeAll(async () => {
  ({ service, client, returns } = await startShop());
  folder = mkdtempSync(join(runFolder(), 'docs-'));
  mkdirSync(join(folder, 'data'));
  writeFileSync(join(folder, 'data', 'demo.json'), JSON.stringify({ api_key: client.key }));
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

/** The blocks of a page that ask the service, with the reader's own names in place of the page's. */
function commandsOf(page: string, own: Readonly<Record<string, string>> = {}): string[] {
  const text = readFileSync(join(import.meta.dirname, '..', '..', 'docs', page), 'utf8');
  const blocks = [...text.matchAll(/^```\n([\s\S]*?)^```$/gm)].map(([, block]) => block);
  return blocks
    .filter((block) => block.includes('curl '))
    .map((block) =>
      Object.entries({ 'http://localhost:4000': service.url, ...own }).reduce(
        (replaced, [theirs, ours]) => replaced.replaceAll(theirs, ours),
        block,
      ),
    );
}

/** Runs commands, and returns what the last of them printed. */
function run(commands: string): Promise<string> {
  const env = { PATH: process.env.PATH, URL: service.url, KEY: client.key, MODEL: returns.model_id };
  const script = `set -eu\n${commands.replaceAll('curl -s', 'curl -sS --fail-with-body')}`;
  return new Promise((resolve, reject) =>
    execFile('bash', ['-c', script], { cwd: folder, env }, (error, out, said) =>
      error ? reject(new Error(`${commands}\n${out}\n${said}`)) : resolve(out),
    ),
  );
}

const answered = async (alias: string, inputs: object) => {
  const reply = await client.post(`/v1/api/prediction/${alias}/production`, inputs);
  expect(reply.status, reply.text).toBe(200);
  return reply.body.prediction_id as string;
};

test('a prediction is replayed, and the hash of what was sent is the one that is told', async () => {
  const [one, many] = commandsOf('replay.md', {
    'credit/production': 'returns/production',
    '{"legal_document": "11222333000181"}': '{"customer_id": "C1"}',
    '2026-01-01T00:00:00-03:00': '2020-01-01T00:00:00-03:00',
    '2026-02-01T00:00:00-03:00': '2099-01-01T00:00:00-03:00',
  });
  const [, told, hash] = /^(\{.*\})(\w{64}) {2}-\n$/s.exec(await run(one))!;
  expect(JSON.parse(told)).toMatchObject({ bit_identical: true, log_intact: true, output_hash: hash });
  const { id } = JSON.parse(await run(many));
  const { body } = await client.get(`/v1/api/replays/${id}?wait=60`);
  expect(body).toMatchObject({ status: 'succeeded', identical: 1, different: 0 });
});

test('what came is told by prediction, by entity and day, and by the key of a new row; a monitor is set', async () => {
  const asOf = day(250);
  const prediction = await answered('returns', { customer_id: 'C2', reference_date: asOf });
  await answered('returns', { customer_id: 'C3', reference_date: asOf });
  const row = { order_id: 'L-2031', customer_id: 'C4', ordered_at: asOf, amount: 20 };
  await answered('late', row);
  const [outcomes, monitor] = commandsOf('watch-a-model.md', {
    'prd_…': prediction,
    'default-90d': 'returns',
    '11222333000181': 'C3',
    'loan-default': 'late',
    loans: 'orders',
    '2026-01-31': asOf,
  });
  const { data } = JSON.parse(await run(outcomes));
  expect(data).toHaveLength(3);
  expect(JSON.parse(await run(monitor))).toMatchObject({ auto_rollback: true, rollback_days: 30 });
});

test('a list of entities is made, and scored', async () => {
  const [make] = commandsOf('watch-entities.md', {
    'default-90d': 'returns',
    '11222333000181': 'C3',
    '44555666000172': 'C4',
  });
  const { id } = JSON.parse(await run(make));
  await expect
    .poll(async () => (await client.get(`/v1/api/watch-lists/${id}`)).body)
    .toMatchObject({ is_due: false, failure: null });
  const { data } = (await client.get(`/v1/api/watch-lists/${id}/entries`)).body;
  expect(data.map(({ key, status }: { key: string; status: string }) => `${key} ${status}`).sort()).toEqual([
    'C3 scored',
    'C4 scored',
  ]);
});

test('a version is validated, and gates are set', async () => {
  const [validate, gates] = commandsOf('validate-versions.md', { 'VERSION=2': 'VERSION=1', state: 'segment' });
  expect(JSON.parse(await run(validate))).toMatchObject({ status: 'succeeded', failure: null });
  expect(JSON.parse(await run(gates))).toMatchObject({
    approvals: 1,
    automatic: false,
    checks: { discrimination: { threshold: -0.01, must_tell: true } },
  });
  expect((await client.get(`/v1/api/models/${returns.model_id}/gates`)).body.approvals).toBe(1);
});
