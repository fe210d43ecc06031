/** An alias that a run holds back, and the same question asked less far ahead. */
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { Tenant } from '../../server/tests/service.ts';
import { csv, customerRows, day, shopText } from '../../server/tests/shop.ts';
import { takeIn } from '../../server/tests/take-in.ts';
import { prepareJourneys } from './journeys.ts';
import { type Shown, settled } from './pages.ts';

const journey = prepareJourneys();
const query = 'PREDICT exists(orders) WITHIN 30d, 90d FOR customers EVERY 30d';

let tenant: Tenant;
let asked: string;
let shown: Shown;
beforeAll(async () => {
  if (!journey.browser) return;
  tenant = await journey.lender.service.tenant('Holding', { language: 'en' });
  const { client } = tenant;
  const tables = { customers: shopText('tables/customers.csv'), orders: shopText('tables/orders.csv') };
  await takeIn(client, shopText('contract.yaml'), tables);
  // Of what each customer always does the last time tells all, and trees of few rows only about as much.
  const labels = Array.from({ length: 12 * customerRows.length }, (_, i) => [
    day(100 + 30 * Math.floor(i / customerRows.length)),
    customerRows[i % customerRows.length][0],
    (37 * (i % customerRows.length)) % 101,
  ]);
  const train = await client.upload('train.csv', csv('date,customer_id,spent', labels));
  const definition =
    'entity: customers\nkey: customer_id\ntime: date\nlabel: spent\nkind: regression\nmetric: mae\nwindow: 1d\n';
  const always = await client.post('/v1/api/tasks', { name: 'always', definition, labels: { train } });
  expect(always.status, always.text).toBe(201);
  asked = (await client.post('/v1/api/tasks', { name: 'again', definition: query })).body.id;
});

beforeEach(async () => {
  if (!journey.browser) return;
  shown = await journey.open({ cookie: (await tenant.signedIn('creator', 'organization')).headers.cookie });
});

test('a version that is surely worse than no learning is not given the alias of its run', async () => {
  const { page } = shown;
  await page.goto('/training-runs?start=always');
  const form = page.getByRole('dialog', { name: 'Train a task' });
  await form.getByLabel('Task').selectOption('always');
  const holds = form.getByRole('checkbox', { name: /^Not to a version that is surely worse/ });
  expect(await holds.count(), 'there is no alias to hold back').toBe(0);
  await form.getByLabel('Alias', { exact: true }).selectOption('production');
  expect(await holds.isChecked()).toBe(true);
  await form.getByRole('button', { name: 'Start' }).click();
  await page.getByText(/^The alias was not moved: this is surely worse/).waitFor({ timeout: 120_000 });
  await page.getByText('Surely worse than without learning', { exact: true }).waitFor();
  expect(await page.getByText('production', { exact: true }).count()).toBe(0);
});

test('a question is asked anew up to a time ahead, as it was written otherwise', async () => {
  const { page } = shown;
  await page.goto(`/tasks/new?from=${asked}&days=30`);
  await settled(page);
  expect(await page.getByLabel('Name').inputValue()).toBe('again-2');
  const written = page.getByRole('textbox', { name: 'Question' });
  expect(await written.inputValue()).toBe(query.replace('30d, 90d', '30d'));
  const { body } = await tenant.client.get('/v1/api/tasks');
  const always = body.data.find(({ name }: { readonly name: string }) => name === 'always');
  await page.goto(`/tasks/new?from=${always.id}&days=30`);
  await expect.poll(() => written.inputValue()).toContain('label: spent');
  await page.getByText('Query', { exact: true }).click();
  await expect.poll(() => written.inputValue()).toBe('PREDICT ');
});
