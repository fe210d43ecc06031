/** What the demo has beside its models: made once, through the API, whatever an earlier start left unfinished. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type Tenant, type TestService } from '../../../tests/service.ts';
import { takeIn } from '../../../tests/take-in.ts';
import { trainTask } from '../../../tests/train-task.ts';
import { openCaller } from './caller.ts';
import { generateLender } from './lender.ts';
import { seedExamples } from './seed-examples.ts';

let service: TestService;
let tenant: Tenant;
let lender: string;
let modelId: string;

beforeAll(async () => {
  service = await startTestService();
  tenant = await service.tenant('Lender');
  lender = join(service.folder, 'lender');
  await generateLender(lender, { customers: 200, seed: 1, from: '2023-11-01', until: '2025-10-31' });
  const tables = readdirSync(join(lender, 'tables')).map((name) => [
    ...[name.replace('.csv', ''), readFileSync(join(lender, 'tables', name), 'utf8')],
  ]);
  await takeIn(tenant.client, readFileSync(join(lender, 'contract.yaml'), 'utf8'), Object.fromEntries(tables));
  // Each horizon is learned by itself, and the others add nothing to what is looked at here.
  const whole = readFileSync(join(lender, 'tasks', 'credit', 'task.yaml'), 'utf8');
  const definition = whole.replace(/horizons: .*/, 'horizons: [30d, 90d]');
  expect(definition).not.toBe(whole);
  const { run } = await trainTask(tenant.client, { name: 'credit', definition });
  modelId = run.model_id;
});
afterAll(() => service.close());

const seed = (stop = new AbortController().signal) =>
  seedExamples(service.service.app, tenant.ctx, openCaller(service.url, tenant.client.key, stop), { lender, modelId });
const listed = async (path: string) => (await tenant.client.get(`${path}?limit=200`)).body.data;
const statusesOf = (list: readonly { readonly status: string }[]) => list.map(({ status }) => status);

/** The batch of an example and the evaluation, of a file that has no column which they need. */
async function leaveFailed(): Promise<void> {
  const { client } = tenant;
  const file = await client.upload('spoilt.csv', 'name\nAna\n');
  const model = `${modelId}/production`;
  const metadata = { example: 'examples/applications.csv' };
  const asked = [
    ['/v2/api/batches', { files: [file], model, metadata }],
    ['/v1/api/evaluations', { file, model }],
  ] as const;
  for (const [path, body] of asked) {
    const { body: made } = await client.post(path, body);
    expect((await client.finished(`${path}/${made.id}`)).body.status).toBe('failed');
  }
}

test('every list has something in it, what failed is made anew, and an interruption makes nothing twice', async () => {
  // As an earlier start may have left it.
  const [, line] = readFileSync(join(lender, 'tables', 'customers.csv'), 'utf8').split('\n');
  await tenant.client.post(`/v1/api/prediction/${modelId}/production`, { legal_document: line!.split(',')[0] });
  await leaveFailed();
  await seed();
  await seed();
  const predictions = (await tenant.client.get('/v1/api/predictions?limit=1&count=true')).body;
  expect(predictions.total).toEqual({ count: 200, has_more: false });
  const batches = await listed('/v2/api/batches');
  expect(statusesOf(batches)).toEqual(['succeeded', 'succeeded', 'failed']);
  const [spoilt, whole] = batches;
  expect(whole.progress.rows.failed).toBe(0);
  expect(spoilt.progress.rows.succeeded).toBeGreaterThan(spoilt.progress.rows.failed);
  const errors = (await tenant.client.get(`/v2/api/batches/${spoilt.id}/errors`)).body.data;
  expect(new Set(errors.map(({ code }: { code: string }) => code))).toEqual(
    new Set(['missing_input', 'invalid_input', 'reference_date_in_future', 'unknown_endpoint', 'unreadable_row']),
  );
  expect(statusesOf(await listed('/v1/api/evaluations'))).toEqual(['succeeded', 'failed']);
  expect(await listed('/v1/api/replays')).toMatchObject([{ status: 'succeeded', identical: 200, different: 0 }]);
  const lists = await listed('/v1/api/watch-lists');
  expect(lists).toHaveLength(1);
  await expect
    .poll(async () => (await tenant.client.get(`/v1/api/watch-lists/${lists[0].id}`)).body)
    .toMatchObject({ is_due: false, failure: null });
  const entries = await listed(`/v1/api/watch-lists/${lists[0].id}/entries`);
  expect(new Set(statusesOf(entries))).toEqual(new Set(['scored']));
  expect(entries).toHaveLength(40);
  expect(await listed('/v1/api/webhooks')).toMatchObject([{ status: 'disabled' }]);
  const creator = await tenant.signedIn('creator', 'organization');
  const invitations = (await creator.get('/v1/api/invitations')).body.data;
  expect(invitations).toMatchObject([{ status: 'pending', email: 'ana.souza@lender.example', role: 'analyst' }]);
  const workspaces = (await creator.get('/v1/api/workspaces')).body.data;
  expect(workspaces.map(({ name }: { name: string }) => name)).toEqual(['Sandbox', 'Lender workspace']);
});

test('a company is the same with the punctuation of its document and without', async () => {
  const lines = readFileSync(join(lender, 'tables', 'customers.csv'), 'utf8')
    .split('\n')
    .slice(1, 20);
  const written = lines.map((line) => line.split(',')[0]!).find((document) => document.includes('/'))!;
  // Asked as of one moment: what is counted in days moves from one request to the next.
  const ask = async (legal_document: string) => {
    const { status, text, body } = await tenant.client.post(`/v1/api/prediction/${modelId}/production`, {
      legal_document,
      reference_date: '2025-10-31',
    });
    expect(status, text).toBe(200);
    return body;
  };
  const [known, bare] = [await ask(written), await ask(written.replace(/\D/g, ''))];
  expect(known.unknown ?? []).not.toContainEqual(expect.objectContaining({ kind: 'entity' }));
  for (const told of ['pd_30d', 'pd_90d', 'key_factors', 'unknown', 'warnings'])
    expect(bare[told], told).toEqual(known[told]);
});

test('it ends when the service stops', async () => {
  await expect(seed(AbortSignal.abort())).rejects.toThrow('abort');
});
