import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type Tenant, type TestService } from '../../../tests/service.ts';
import { openCaller } from './caller.ts';
import { generateLender } from './lender.ts';
import { demoTasks } from './lines.ts';
import { seedModels } from './seed-models.ts';
import { openSteps } from './steps.ts';

const period = { from: '2023-11-01', until: '2025-10-31' };
let service: TestService;
let tenant: Tenant;
let plan: Parameters<typeof seedModels>[2];
const lender = () => join(service.folder, 'lender');

beforeAll(async () => {
  service = await startTestService();
  tenant = await service.tenant('Lender');
  const { client } = tenant;
  await generateLender(lender(), { customers: 200, seed: 1, ...period });
  const [, applicant] = readFileSync(join(lender(), 'applications.csv'), 'utf8').split('\n');
  plan = { seed: 1, ...period, customer: { legal_document: applicant!.split(',')[1] } };
  const document = readFileSync(join(lender(), 'contract.yaml'), 'utf8');
  await client.post('/v1/api/contracts', { document, accept: true });
  const files = [];
  for (const name of readdirSync(join(lender(), 'tables')))
    files.push({
      ...{ file_id: await client.uploadFile(join(lender(), 'tables', name)), mode: 'replace' },
      table: name.replace('.csv', ''),
    });
  const { body } = await client.post('/v1/api/ingestions', { files });
  expect((await client.finished(`/v1/api/ingestions/${body.id}`)).body.status).toBe('succeeded');
});
afterAll(() => service.close());

/** Seeds with only these tasks open. Returns what is said, and the names of the models that then serve. */
async function seedOnly({ ctx, client }: Tenant, ...names: readonly string[]) {
  const others = demoTasks(plan).filter(({ name }) => !names.includes(name));
  const models = others.map(({ name }) => ({ name, model_id: name, example: {} }));
  const said: string[] = [];
  let kept: readonly string[] = [];
  const stop = new AbortController().signal;
  const call = openCaller(service.url, client.key, stop);
  const steps = await openSteps(service.service.app, ctx, ['lines', ...names], stop);
  const keep = (all: readonly { name: string }[]) => (kept = all.slice(others.length).map(({ name }) => name));
  await seedModels(call, lender(), plan, models, (line) => said.push(line), keep, steps);
  const { data } = (await client.get('/v1/api/setup-steps')).body;
  const told = data.map(({ step, status, detail }: Record<string, string>) => [step, status, detail]);
  return { said, kept, told };
}

test('what cannot be trained is said with its reason, and what was interrupted is left alone', async () => {
  const { client } = tenant;
  const define = (name: string, rest: object) => client.post('/v1/api/tasks', { name, ...rest });
  const train = await client.upload('labels.csv', 'date,legal_document,label\n2025-01-01,nobody,1\n');
  const ofNobody = 'entity: customers\nkey: legal_document\nlabel: label\nkind: binary\n';
  const task = await define('new-loan', { definition: ofNobody, labels: { train } });
  expect(task.status, task.text).toBe(201);
  const definition = 'PREDICT exists(loans) WITHIN 90d FOR customers';
  const stopped = await define('late-payer', { definition });
  const run = await client.post('/v1/api/training-runs', { task_id: stopped.body.id });
  await client.post(`/v1/api/training-runs/${run.body.id}/interrupt`);
  const { said, kept, told } = await seedOnly(tenant, 'new-loan', 'late-payer');
  expect(said).toEqual([
    'preparing models of the other kinds in the background: new-loan, late-payer',
    expect.stringMatching(/^error: new-loan is not ready: .*failed.*start again to try again$/),
    'late-payer is left out: its training was interrupted',
    expect.stringContaining('6 models of other kinds are ready'),
  ]);
  expect(kept).toEqual([]);
  expect(told).toEqual([
    ['lines', 'ready', null],
    ['new-loan', 'failed', expect.stringContaining('failed')],
    ['late-payer', 'failed', 'its training was interrupted'],
  ]);
  expect((await client.get('/v1/api/contracts')).body.data[0].document).toContain('chargebacks');
});

test('nothing is asked for when all of them serve', async () => {
  const { said, kept, told } = await seedOnly(tenant);
  expect([said, kept, told[0]]).toEqual([[], [], ['lines', 'ready', null]]);
});

test('a contract that somebody changed is not undone', async () => {
  const other = await service.tenant('Other');
  const document = readFileSync(join(lender(), 'contract.yaml'), 'utf8');
  for (const text of [document, document.replace('Deposit accounts.', 'Accounts.')])
    await other.client.post('/v1/api/contracts', { document: text, accept: true });
  const { said, told } = await seedOnly(other, 'fraud');
  const detail = 'the contract of the workspace was changed';
  expect(told).toEqual(['lines', 'fraud'].map((step) => [step, 'failed', detail]));
  expect(said.at(-1)).toBe('the contract of the demo workspace was changed: models of the other kinds are left out');
});
