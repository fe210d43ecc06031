/** Journey 10: looking into one case, and into those that are tied to it. */
import { expect, test } from 'vitest';
import { prepareJourneys } from './journeys.ts';
import { settled } from './pages.ts';

const journey = prepareJourneys();

test('journey 10: from a prediction to its entity and its network, by the keyboard alone', async () => {
  const { page } = journey.shown;
  await page.goto(`/predictions?open=${journey.lender.prediction}`);
  await settled(page);
  const link = page.getByRole('complementary').getByRole('link', { name: /c\d+$/ });
  await link.focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/entities\/customer\/c\d+/);
  await settled(page);
  await page.getByRole('tab', { name: /Network/ }).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/tab=network/);
  await page.goBack();
  await page.waitForURL((url) => !url.search.includes('tab=network'));
  await page.keyboard.press('g');
  await page.keyboard.press('p');
  await page.waitForURL(({ pathname }) => pathname === '/predictions');
  const search = page.getByRole('dialog').getByRole('combobox', { name: 'Search pages, names, keys, ids and actions' });
  await page.keyboard.press('Control+k');
  await search.fill(journey.lender.batch);
  await page.keyboard.press('Enter');
  await page.waitForURL(new RegExp(`/batches/${journey.lender.batch}`));
  await page.keyboard.press('Control+k');
  await search.fill('c57');
  await page.getByRole('option', { name: /^c57\s*customer$/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/entities\/customer\/c57/);
});

test('entities are searched in a table of a list, and no mistyped one is asked about', async () => {
  const { page } = journey.shown;
  await page.goto('/entities?table=custmer&query=c1');
  await page.getByText('custmer is no table of entities').waitFor();
  await page.goto('/entities');
  const table = page.getByLabel('Table', { exact: true });
  await expect.poll(() => table.inputValue()).toBe('customer');
  // The key stands first.
  const search = page.getByRole('search');
  expect(await search.getByRole('textbox').or(search.getByRole('combobox')).first().getAttribute('id')).toBe(
    await page.getByLabel('Key begins with').getAttribute('id'),
  );
  await page.getByLabel('Key begins with').fill('c57');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/entities\?table=customer&query=c57/);
  await page.getByRole('table', { name: 'Find' }).getByText('c57').click();
  await page.waitForURL(/\/entities\/customer\/c57/);
  await table.waitFor({ state: 'detached' });
  // All tables are searched where one chooses so; else the one that was looked at last.
  await page.goto('/entities');
  await table.selectOption({ label: 'loan' });
  await page.getByLabel('Key begins with').fill('l1');
  await page.keyboard.press('Enter');
  await page.getByRole('table', { name: 'Find' }).getByRole('row').nth(1).click();
  await page.waitForURL(/\/entities\/loan\//);
  await page.goto('/entities');
  await expect.poll(() => table.inputValue()).toBe('loan');
  await table.selectOption({ label: 'all tables' });
  await page.getByLabel('Key begins with').fill('c57');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/entities\?query=c57/);
  await page.getByRole('table', { name: 'Find' }).getByText('c57').waitFor();
  expect(await table.inputValue()).toBe('');
});

test('where no key is at hand, those that were asked about lately lead on', async () => {
  const { page } = await journey.open();
  await page.goto('/entities');
  const asked = page.getByRole('table', { name: 'Asked about lately' });
  await asked.getByRole('row').nth(1).click();
  await page.waitForURL(/\/entities\/customer\/c\d+/);
  // What was opened is told above, and not twice.
  const key = new URL(page.url()).pathname.split('/').at(-1)!;
  await page.goto('/entities');
  await page.getByRole('table', { name: 'Opened lately' }).getByText(key, { exact: true }).waitFor();
  expect(await asked.getByText(key, { exact: true }).count()).toBe(0);
});

test('an entity leads on to those that it refers to', async () => {
  const { page } = journey.shown;
  const { client } = journey.lender.tenant;
  const { body: found } = await client.get('/v1/api/entities?table=loan&query=l&limit=1');
  const [loan] = found.data;
  const { body: entity } = await client.get(`/v1/api/entities/loan/${loan.key}`);
  expect(entity.references).toMatchObject([{ reference: 'customer_id', table: 'customer' }]);
  await page.goto(`/entities/loan/${loan.key}`);
  const references = page.getByRole('table', { name: 'What it refers to' });
  await references.getByRole('row').filter({ hasText: 'customer_id' }).getByRole('link').click();
  await page.waitForURL(new RegExp(`/entities/customer/${entity.references[0].key}`));
  await page.getByRole('table', { name: 'What refers to it' }).waitFor();
  expect(await references.count()).toBe(0);
});

test('whom an entity refers to has no link where its key is personal, and the page says why and what to do', async () => {
  const { page } = await journey.open();
  const { client } = journey.lender.tenant;
  const { body: found } = await client.get('/v1/api/entities?table=loan&query=l&limit=1');
  const path = `/v1/api/entities/loan/${found.data[0].key}`;
  // As the service answers where the contract marks keys of customers as personal.
  await page.route(`**${path}*`, async (route) => {
    const response = await route.fetch();
    const entity = await response.json();
    const references = entity.references.map((one: object) => ({ ...one, key: null }));
    await route.fulfill({ response, json: { ...entity, references } });
  });
  await page.goto(`/entities/loan/${found.data[0].key}`);
  const references = page.getByRole('table', { name: 'What it refers to' });
  await references.getByText(/^customer #\d+$/).waitFor();
  expect(await references.getByRole('link').count()).toBe(0);
  await page.getByText('a link would tell who somebody is', { exact: false }).waitFor();
  await page.getByRole('link', { name: 'Mark them otherwise in the contract to see them here.' }).waitFor();
  await page.getByRole('link', { name: 'Find by key.' }).click();
  await page.waitForURL(/\/entities\?table=customer/);
});

test('where nothing makes embeddings the page says so, and asks the service for none', async () => {
  const { page } = journey.shown;
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto('/entities/customer/c1?tab=similar');
  await page.getByText('No embeddings of this table yet').first().waitFor();
  await page.goto('/embeddings?entity=customer');
  await page.getByText('No embeddings of this table yet').first().waitFor();
  expect(asked.filter((path) => path.startsWith('/v1/api/embeddings'))).toEqual([]);
});

test('a table whose keys are listed is searched first, and why those of another are not is said', async () => {
  const { page } = await journey.open();
  // As where the contract marks keys of customers as personal.
  await page.route(/\/v1\/api\/contracts\?/, async (route) => {
    const response = await route.fetch();
    const listed = await response.json();
    const data = listed.data.map((one: { readonly document: string }) => ({
      ...one,
      document: one.document.replace(
        /(name: customer_id\n)( +)(?=logicalType: string\n +primaryKey: true)/,
        '$1$2classification: pii\n$2',
      ),
    }));
    expect(data[0].document).toContain('classification: pii');
    await route.fulfill({ response, json: { ...listed, data } });
  });
  await page.goto('/entities');
  await page.getByText('Keys of customer say who people are, and are not listed: type one in full').waitFor();
  await page.getByRole('link', { name: /^Mark them otherwise/ }).waitFor();
  expect(await page.getByLabel('Table', { exact: true }).inputValue()).not.toBe('customer');
});

test('scores of an entity lie at the moments that they speak of, and the overview says how old the data are', async () => {
  const { page } = journey.shown;
  const { client } = journey.lender.tenant;
  // The latest moment is asked about first.
  for (const reference_date of ['2022-06-30', '2021-06-30', '2021-12-31'])
    await client.post('/v1/api/prediction/credit/production', { customer_id: 'c59', reference_date });
  await page.goto('/entities/customer/c59?tab=scores');
  await settled(page);
  await page.getByText(/^3 answers, as of Jun 30, 2021 to Jun 30, 2022/).waitFor();
  await page.getByRole('button', { name: 'View as table' }).first().click();
  const days = page.getByRole('figure').getByRole('row');
  await expect
    .poll(() => days.allInnerTexts())
    .toEqual([
      expect.stringMatching(/As of\s+Version/),
      expect.stringMatching(/^Jun 30, 2022.*Version 1/s),
      expect.stringMatching(/^Dec 31, 2021.*Version 1/s),
      expect.stringMatching(/^Jun 30, 2021.*Version 1/s),
    ]);
  await page.goto('/');
  await page.getByRole('note').filter({ hasText: 'The newest event in the data' }).waitFor();
  await page.getByRole('link', { name: 'Training runs made 2 versions: credit' }).waitFor();
});
