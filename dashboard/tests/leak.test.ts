/** A training that is refused for a column that gives the answer away, and what its page leads to. */
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { Tenant } from '../../server/tests/service.ts';
import { csv, day, returnsTask, shopText } from '../../server/tests/shop.ts';
import { takeIn } from '../../server/tests/take-in.ts';
import { prepareJourneys } from './journeys.ts';
import { type Shown, settled } from './pages.ts';

const journey = prepareJourneys();
const customers = 40;
const isLeaving = (customer: number) => (customer % 3 === 0 ? 1 : 0);

let tenant: Tenant;
let run: string;
let labels: string;
let shown: Shown;
beforeAll(async () => {
  if (!journey.browser) return;
  tenant = await journey.lender.service.tenant('Leaking', { language: 'en' });
  const { client } = tenant;
  const contract = shopText('contract.yaml').replace(
    '      - name: since\n',
    '      - name: left\n        logicalType: integer\n      - name: since\n',
  );
  const rows = Array.from({ length: customers }, (_, c) => [`C${c}`, c % 2 ? 'retail' : 'trade', isLeaving(c), day(0)]);
  await takeIn(client, contract, {
    customers: csv('customer_id,segment,left,since', rows),
    orders: shopText('tables/orders.csv'),
  });
  const asked = Array.from({ length: 6 * customers }, (_, i) => [
    day(100 + Math.floor(i / customers)),
    `C${i % customers}`,
    isLeaving(i % customers),
  ]);
  labels = await client.upload('train.csv', csv('date,customer_id,returns', asked));
  const { definition } = returnsTask;
  const task = await client.post('/v1/api/tasks', { name: 'leaving', definition, labels: { train: labels } });
  expect(task.status, task.text).toBe(201);
  run = (await client.post('/v1/api/training-runs', { task_id: task.body.id, alias: 'production' })).body.id;
  const { body } = await client.finished(`/v1/api/training-runs/${run}`);
  expect(body.failure).toMatchObject({ code: 'leakage_found' });
});

beforeEach(async () => {
  if (!journey.browser) return;
  shown = await journey.open({ cookie: (await tenant.signedIn('creator', 'organization')).headers.cookie });
});

test('a run that is refused for a column leads to its question with that column not read', async () => {
  const { page } = shown;
  await page.goto(`/training-runs/${run}`);
  const column = page.getByRole('group', { name: 'customers.left' });
  await column.waitFor();
  expect(await column.getByRole('radio').count()).toBe(3);
  // The alias was asked for, and nothing has it.
  expect(await page.getByText('production', { exact: true }).count()).toBe(0);
  // Of another table's column no row that is asked about says how it went.
  expect(await page.getByRole('group', { name: 'orders.amount' }).getByRole('radio').count()).toBe(2);
  expect(await column.getByRole('radio', { name: /^Do not read this column/ }).isChecked()).toBe(true);
  await page.getByRole('link', { name: 'Write the question anew' }).click();
  await page.waitForURL(/\/tasks\/new/);
  await settled(page);
  expect(await page.getByLabel('Name').inputValue()).toBe('leaving-2');
  const written = page.getByRole('textbox', { name: 'Question' });
  expect(await written.inputValue()).toContain('hide: [ orders.amount, customers.left ]');
  await page.getByText('Its label files are used again.').waitFor();
  await page.getByRole('button', { name: 'Create task' }).click();
  await page.waitForURL(/\/tasks\/tsk_/);
  const { body } = await tenant.client.get('/v1/api/tasks');
  const [made] = body.data.filter(({ name }: { name: string }) => name === 'leaving-2');
  expect(made.labels).toEqual({ train: labels });
  expect(made.definition).toContain('hide: [ orders.amount, customers.left ]');
});

test('a column of whom is asked about may be read of earlier rows, or trusted', async () => {
  const { page } = shown;
  for (const [choice, line] of [
    [/^It tells how each row went/, 'outcome: [ left ]'],
    [/^It is known in time/, 'trust: [ customers.left ]'],
  ] as const) {
    await page.goto(`/training-runs/${run}`);
    await page.getByRole('group', { name: 'customers.left' }).getByRole('radio', { name: choice }).check();
    await page.getByRole('link', { name: 'Write the question anew' }).click();
    await expect.poll(() => page.getByRole('textbox', { name: 'Question' }).inputValue()).toContain(line);
    expect((await page.getByLabel('Name').inputValue()).startsWith('leaving-')).toBe(true);
  }
});

test('the overview and the audit log tell of the run that failed', async () => {
  const { page } = shown;
  await page.goto('/');
  await page.getByRole('link', { name: 'A training run failed: leaving' }).click();
  await page.waitForURL((url) => url.pathname === `/training-runs/${run}`);
  await page.goto('/audit?hide_reads=true');
  await page.getByRole('row', { name: /Training run failed.*Failed/ }).waitFor();
  const asked = page.getByRole('row', { name: /Training run changed its status: Queued.*Done/ });
  await asked.waitFor();
});

test('the step that refused is the one marked, with its reason', async () => {
  const { page } = shown;
  await page.goto(`/training-runs/${run}`);
  const steps = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Steps' }) });
  const refused = steps.getByRole('listitem').filter({ hasText: 'It was refused here' });
  await refused.getByText('Looking for columns that tell the answer (leakage)').waitFor();
  await refused.getByText('customers.left', { exact: false }).waitFor();
});

test('a contract that says so since is followed: accepted where it is proposed, and the same run asked again', async () => {
  const { page } = shown;
  const { client } = tenant;
  await page.goto(`/training-runs/${run}`);
  await page.getByRole('link', { name: /^It is written later than its row/ }).click();
  await page.waitForURL(/late=/);
  for (const name of ['customers.left', 'orders.amount']) {
    const row = page
      .getByRole('row')
      .filter({ has: page.getByRole('button', { name: `Change ${name}`, exact: true }) });
    if (name === 'orders.amount') await row.scrollIntoViewIfNeeded();
    else await expect.poll(() => row.evaluate((one) => one.getBoundingClientRect().top)).toBeGreaterThan(0);
    const below = row.locator('xpath=following-sibling::tr[1]');
    await below.getByRole('button', { name: 'Only later, on a day that is not told: do not read it' }).click();
    await below.getByText('Known only later: nothing reads it under this contract.').waitFor();
  }
  await page.getByRole('button', { name: 'Propose and accept' }).click();
  const asked = page.getByRole('dialog');
  await asked.getByText('customers.left.mutable').waitFor();
  // The tasks that were written with it name it; no model answers.
  await asked.getByText(/^The task leaving-2 names it\.$/).waitFor();
  // Who does not accept it there finds it waiting, with the reason.
  await asked.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('It is not accepted yet, as files or models may break by it.', { exact: false }).waitFor();
  await page.getByRole('button', { name: 'Accept', exact: true }).click();
  await asked.getByRole('button', { name: 'Accept', exact: true }).click();
  await expect.poll(async () => activeText(client)).toContain('mutable');
  // The ingestion that follows leads to the training that failed, and to the alias that it was to have.
  await page.waitForURL(/\/data\/ingestions\/ing_/);
  await page.getByRole('link', { name: 'train “leaving” again, whose last training failed' }).click();
  const training = page.getByRole('dialog', { name: 'Train a task' });
  await training.getByRole('option', { name: 'production', selected: true }).waitFor({ state: 'attached' });

  await page.goto(`/training-runs/${run}`);
  await page.getByText(/The contract in force, version 2, has followed it/).waitFor();
  expect(await page.getByRole('radio').count()).toBe(0);
  await page.getByRole('button', { name: 'Train again, for production' }).click();
  await page.waitForURL((url) => /\/training-runs\/run_/.test(url.pathname) && !url.pathname.endsWith(run));
  const again = await client.get(`/v1/api/training-runs/${/run_\w+/.exec(page.url())![0]}`);
  expect(again.body).toMatchObject({ alias: 'production', contract_number: 2 });
  // What is intended has not happened.
  await page.getByText('→ production when done').waitFor();
  await client.post(`/v1/api/training-runs/${again.body.id}/interrupt`);
});

async function activeText(client: Tenant['client']): Promise<string> {
  const { data } = (await client.get('/v1/api/contracts')).body;
  return data.find(({ status }: { status: string }) => status === 'active').document;
}
