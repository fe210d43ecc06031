/** Journey 9: files become a contract, a question, a model and an alias; and files that are not as they should be. */
import { readFileSync } from 'node:fs';
import type { Page, Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { lendingData, lendingFiles } from '../../server/tests/lending.ts';
import type { TestService } from '../../server/tests/service.ts';
import { prepareJourneys } from './journeys.ts';
import { settled } from './pages.ts';

// A contract and a question with a mistake in them are refused, and the alias is looked for before it is there.
const journey = prepareJourneys({ allowed: /status of 422|status of 404 .*\/aliases\/production$/ });

const files = lendingFiles(lendingData());
const rowsOf = (table: string) => files[`tables/${table}.csv`].trimEnd().split('\n').length - 1;

/** Sends CSV files by the page, each for the table of its name, and waits for what comes of them. */
async function sendFiles(
  page: Page,
  texts: Readonly<Record<string, string>>,
  tableOf: (name: string) => string = (name) => name,
): Promise<void> {
  await page.getByLabel('Choose files').setInputFiles(
    Object.entries(texts).map(([table, text]) => ({
      ...{ name: `${table}.csv`, mimeType: 'text/csv', buffer: Buffer.from(text) },
    })),
  );
  for (const table of Object.keys(texts))
    expect(await page.getByLabel(`Table of ${table}.csv`).inputValue()).toBe(tableOf(table));
  await page.getByRole('button', { name: /^Take them in/ }).click();
  await page.waitForURL(/\/data\/ingestions\/ing_/);
}

/** Writes another text in place of one of the contract in the editor. */
async function correct(page: Page, from: string, to: string): Promise<void> {
  const editor = page.getByRole('textbox', { name: 'Contract in YAML' });
  const text = await editor.inputValue();
  expect(text).toContain(from);
  await editor.fill(text.replace(from, to));
}

const succeeded = (page: Page) =>
  page.locator('#content').getByText('Succeeded', { exact: true }).first().waitFor({ timeout: 120_000 });

test('journey 9: files dropped, the contract corrected, a question, a run watched live, an alias', async () => {
  const { service } = journey.lender;
  const tenant = await service.tenant('Grower', { language: 'en' });
  const { headers } = await tenant.signedIn('creator', 'organization');
  const { page } = await journey.open({ cookie: headers.cookie });
  await page.goto('/data');
  await page.getByText('There are no data yet').waitFor();
  await page.getByRole('link', { name: 'Send data' }).first().click();
  await sendFiles(page, { customer: files['tables/customer.csv'], order: files['tables/order.csv'] });
  await page.getByText('There was no contract yet. This one was read off the files').waitFor();

  await page.goto('/');
  const step = page.getByRole('link', { name: 'Accept the contract that is read off them' });
  await expect.poll(() => step.getAttribute('href')).toContain('/data/contracts/con_');
  await page.goBack();
  await page.getByRole('link', { name: 'Look at the proposed contract' }).click();
  await page.getByRole('heading', { name: 'What was found in the files, and why' }).waitFor();
  await page.getByText(/100 % of its values are keys there/).waitFor();
  const kind = page.getByRole('listitem').filter({ hasText: 'Assumed: The rows of customer are people.' });
  await kind.getByText(`Why: By the name of the table. ${rowsOf('customer').toLocaleString('en')} rows.`).waitFor();
  await kind.getByText('If wrong: Keys of people may not be erased').waitFor();
  await kind.getByRole('button', { name: 'They are companies' }).click();
  await page.getByText('1 correction', { exact: true }).waitFor();
  await kind.waitFor({ state: 'detached' });
  await correctByClicks(page);
  await page.waitForURL(/\/data\/ingestions\/ing_/);
  await page
    .getByText(
      'The contract is active. The 2 files that asked for it are being checked under it, and come in where they fit.',
    )
    .waitFor();
  await succeeded(page);
  const changed = page.getByRole('table', { name: 'What it changed' });
  for (const table of ['customer', 'order'])
    await changed
      .getByRole('row')
      .filter({ hasText: table })
      .getByText(rowsOf(table).toLocaleString('en'), { exact: true })
      .first()
      .waitFor();
  await page.goto('/data');
  await page.getByRole('row').filter({ hasText: 'customer' }).getByText('companies').waitFor();

  const task = await writeQuestion(page);
  const counted = await tenant.client.get(`/v1/api/tasks/${task}/labels`);
  const rows = counted.body.rows.toLocaleString('en');
  await page.getByText(`${rows} known outcomes from Apr 2021`).waitFor();

  await trainLive(page, service, tenant.client);
  await page.getByRole('link', { name: 'Open the version' }).click();
  await page.getByRole('heading', { name: 'buys v1' }).waitFor();
  await page.getByRole('heading', { name: 'How good it is' }).waitFor();
  await page.getByRole('button', { name: 'Give it production' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('It does not exist yet and is made by this.').waitFor();
  await dialog.getByRole('button', { name: 'Give it production' }).click();
  await page.getByText('production is version 1 now').waitFor();
  const answer = await tenant.client.post('/v1/api/prediction/buys/production', { customer_id: 'c1' });
  expect(answer.status, answer.text).toBe(200);
  expect(page.url()).toContain(answer.body.version_id);
});

/** Says that customers are companies, and that they have no key, which the service refuses and is taken back. */
async function correctByClicks(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Correct what is wrong' }).click();
  const dialog = page.getByRole('dialog');
  const key = dialog.getByRole('checkbox', { name: 'Part of the key' });
  const note = () => dialog.getByRole('button', { name: 'Note it' }).click();
  await page.getByText('Rows are: was people').waitFor();
  await page.getByRole('button', { name: 'Change customer', exact: true }).click();
  await dialog.getByLabel('Rows are').selectOption('people');
  await note();
  await page.getByText('Assumed: The rows of customer are people.').waitFor();
  await page.getByRole('button', { name: 'They are companies' }).click();
  await page.getByText('Rows are: was people').waitFor();
  await page.getByRole('button', { name: 'Change customer.customer_id' }).click();
  await dialog.getByRole('option', { name: 'text (string)', selected: true }).waitFor({ state: 'attached' });
  await dialog.getByText('such as the customer of an order').waitFor();
  await key.uncheck();
  await note();
  await page.getByText('Part of the key: was yes').waitFor();
  await page.getByText('2 corrections', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Propose and accept' }).click();
  const row = page.getByRole('row').filter({ has: page.getByRole('button', { name: 'Change order.customer_id' }) });
  await row
    .getByRole('alert')
    .getByText(/customer\.customer_id is not the key of customer/)
    .waitFor();
  await page.getByRole('region', { name: 'Corrections' }).getByRole('button', { name: 'order.customer_id' }).click();
  await page.getByRole('button', { name: 'Change customer.customer_id' }).click();
  await key.check();
  await note();
  await page.getByText('1 correction', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Propose and accept' }).click();
}

/** Writes a question by the suggestions of the editor, and corrects its mistake as is proposed. Returns its id. */
async function writeQuestion(page: Page): Promise<string> {
  await page.goto('/tasks/new');
  await page.getByLabel('Name').fill('buys');
  const editor = page.getByRole('textbox', { name: 'Question' });
  await editor.focus();
  await page.keyboard.press('Control+End');
  const take = async (begun: string, whole: string) => {
    await page.keyboard.insertText(begun);
    await page.getByRole('option', { name: whole, selected: true }).waitFor();
    await page.keyboard.press('Tab');
  };
  await take('exi', 'exists(');
  await take('or', 'order');
  await page.keyboard.insertText("WHERE amuont > 30 AND goods IN ('bread', 'fuel')) WITHIN 30d FOR ");
  await take('cus', 'customer');
  await page.keyboard.insertText('EVERY 30d FROM 2021-04-01 UNTIL 2021-12-01');
  await page.getByRole('button', { name: 'Create task' }).click();
  await page.getByText('This is no question yet').waitFor();
  await page.getByRole('button', { name: 'Use amount' }).click();
  expect(await editor.inputValue()).toBe(
    "PREDICT exists(order WHERE amount > 30 AND goods IN ('bread', 'fuel')) WITHIN 30d FOR customer EVERY 30d FROM 2021-04-01 UNTIL 2021-12-01",
  );
  await page.getByRole('button', { name: 'Create task' }).click();
  await page.waitForURL(/\/tasks\/tsk_/);
  return /tsk_\w+/.exec(page.url())![0];
}

/** Starts a run of the task whose page it is, and sees it wait, lose its stream once, and succeed. */
async function trainLive(page: Page, { owner }: TestService, client: { post: TestService['anonymous']['post'] }) {
  const { body: before } = await client.post('/v1/api/training-runs', { entity: 'customer' });
  // It comes no further while its row is held, so that the next one is seen to wait.
  const holding = await owner.pool.connect();
  const streams: string[] = [];
  page.on('request', (request) => {
    if (/\/training-runs\/[^/]+\/events/.test(request.url())) streams.push(request.url());
  });
  const cut = (route: Route) => route.fulfill({ contentType: 'text/event-stream', body: ': here\n\n' });
  await page.route(/\/training-runs\/[^/]+\/events/, cut, { times: 1 });
  try {
    await holding.query('begin');
    await holding.query('select from training_runs where id = $1 for update', [before.id]);
    await page.getByRole('link', { name: 'Train', exact: true }).click();
    await page.getByRole('dialog', { name: 'Train a task' }).getByRole('button', { name: 'Start' }).click();
    await page.waitForURL(/\/training-runs\/run_/);
    await page.getByText('1 run is before it').waitFor();
    const overview = await page.context().newPage();
    await overview.goto('/');
    await overview.getByRole('listitem').filter({ hasText: 'TrainMinutes' }).getByText('Running').waitFor();
    await overview.close();
    expect(await page.locator('[aria-current="step"]').textContent()).toContain('Waiting for its turn');
    await expect.poll(() => streams.length).toBeGreaterThan(1);
  } finally {
    await holding.query('rollback');
    holding.release();
  }
  await client.post(`/v1/api/training-runs/${before.id}/interrupt`);
  await succeeded(page);
}

test('a question is begun with a name, and created, trained and served by one click', async () => {
  const { page } = journey.shown;
  const { tenant } = journey.lender;
  const { body } = await tenant.client.get('/v1/api/models?limit=1');
  await page.goto('/tasks/new');
  const serves = page.getByRole('checkbox', { name: 'Give its first version the alias production once it is trained' });
  await page.getByLabel('Name').fill(body.data[0].name);
  await page.getByRole('button', { name: /^Number/ }).click();
  // Where a model of the name is there, callers may name its alias, and a name that was given stays.
  await page.getByRole('button', { name: 'Create and train' }).waitFor();
  expect(await page.getByLabel('Name').inputValue()).toBe(body.data[0].name);
  expect(await serves.count()).toBe(0);
  await page.getByLabel('Name').fill('');
  // What was offered for the question before goes with it.
  await page.getByRole('button', { name: /^Category/ }).click();
  await page.getByRole('option').first().waitFor();
  const yesOrNo = page.getByRole('button', { name: /^Yes or no/ });
  await yesOrNo.click();
  await page.getByText('Begun from “Yes or no”.').waitFor();
  expect(await page.getByRole('option').count()).toBe(0);
  expect(await yesOrNo.getAttribute('aria-pressed')).toBe('true');
  const name = await page.getByLabel('Name').inputValue();
  expect(name).toMatch(/^binary-[a-z]+$/);
  expect(await serves.isChecked()).toBe(true);
  await page.getByRole('button', { name: 'Create and train' }).click();
  await page.waitForURL(/\/training-runs\/run_/);
  const run = await tenant.client.get(`/v1/api/training-runs/${/run_\w+/.exec(page.url())![0]}`);
  // Whether it has the alias in the end is another question: it may be worse than no learning.
  expect(run.body).toMatchObject({ alias: 'production', hold_back_worse: true });
  const task = await tenant.client.get(`/v1/api/tasks/${run.body.task_id}`);
  expect(task.body.name).toBe(name);
  await tenant.client.post(`/v1/api/training-runs/${run.body.id}/interrupt`);
});

test('what is said of a proposal shows at once in all of it, and what is known later is not read', async () => {
  const tenant = await journey.lender.service.tenant('Stranger', { language: 'en' });
  const { page } = await journey.open({ cookie: (await tenant.signedIn('creator', 'organization')).headers.cookie });
  const day = (k: number) => new Date(Date.UTC(2024, 0, 1 + k)).toISOString().slice(0, 10);
  const rows = (line: (k: number) => string) => Array.from({ length: 300 }, (_, k) => line(k)).join('\n');
  await page.goto('/data/send');
  await sendFiles(page, {
    customers: `id,name,joined\n${rows((k) => `C${k},Firm ${k},${day(k)}`)}\n`,
    invoices: `invoice_id,customer_id,issued_on,was_late\n${rows((k) => `I${k},C${k},${day(k + 9)},${k % 2}`)}\n`,
  });
  await page.getByRole('link', { name: 'Look at the proposed contract' }).click();
  const found = page.locator('section').filter({ has: page.getByRole('heading', { name: /^What was found/ }) });
  const guessOf = (text: string) => found.getByRole('listitem').filter({ hasText: text });
  await guessOf('rows are people').getByText('a guess').waitFor();
  await guessOf('personal data').getByText('likely').waitFor();
  // What comes last moves nothing that can be clicked before.
  const held = Promise.withResolvers<void>();
  await page.route(/\/v1\/api\/contracts\?/, async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.reload();
  await page.getByRole('button', { name: 'Accept', exact: true }).waitFor();
  const places = () =>
    page
      .locator('main button')
      .evaluateAll((all) =>
        all.map((one) => [one.textContent, ...Object.values(one.getBoundingClientRect().toJSON())]),
      );
  const early = await places();
  held.resolve();
  await guessOf('rows are people').waitFor();
  const late = await places();
  expect(late.length).toBeGreaterThan(early.length);
  expect(late.slice(0, early.length)).toEqual(early);
  // What is not kept is no doubt; it is one as soon as it is.
  const doubt = page.getByText('Assumed: name says something about its row');
  expect(await doubt.count()).toBe(0);
  await page.getByRole('button', { name: 'They are companies' }).click();
  await guessOf('rows are people').getByText('Rows are: companies').waitFor();
  await guessOf('personal data').getByText('Personal data: no').waitFor();
  await doubt.waitFor();
  const confirms = page.getByRole('listitem').filter({ has: doubt }).getByRole('button', { name: 'That is right' });
  // The second click of a double click was meant for what stood there before.
  await confirms.dispatchEvent('click', { detail: 2 });
  expect(await doubt.count()).toBe(1);
  await confirms.click();
  await doubt.waitFor({ state: 'detached' });
  await guessOf('format identifier').getByText('checked').waitFor();

  await page.getByRole('link', { name: 'Correct what is wrong' }).click();
  await page.getByRole('button', { name: 'Change invoices.was_late' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Known only from').selectOption('Only later, on a day that is not told: do not read it');
  await dialog.getByRole('button', { name: 'Note it' }).click();
  await page.getByText('known only later: not read', { exact: true }).waitFor();
  expect(await page.getByRole('button', { name: 'Accept', exact: true }).isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Propose or discard that first' }).click();
  const bar = page.getByRole('region', { name: 'Corrections' });
  expect(await bar.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
  await bar.getByRole('button', { name: 'Propose and accept' }).click();
  await page.waitForURL(/\/data\/ingestions\/ing_/);
  await succeeded(page);
  const { data } = (await tenant.client.get('/v1/api/contracts')).body;
  const { document } = data.find(({ status }: { status: string }) => status === 'active');
  expect(document).toMatch(/name: was_late\n +logicalType: integer\n +customProperties:\n +- property: mutable/);
  expect(document).not.toContain('classification');

  await page.getByRole('link', { name: 'say what is to be predicted' }).waitFor();
  const definition = 'PREDICT exists(invoices) WITHIN 5d FOR customers';
  const task = await tenant.client.post('/v1/api/tasks', { name: 'buying', definition });
  // A run that learned nothing leaves a model that answers nothing.
  const run = await tenant.client.post('/v1/api/training-runs', { task_id: task.body.id, alias: 'production' });
  await tenant.client.post(`/v1/api/training-runs/${run.body.id}/interrupt`);
  expect((await tenant.client.get('/v1/api/models')).body.data).toMatchObject([{ name: 'buying', aliases: [] }]);
  await page.reload();
  await page.getByRole('link', { name: 'train “buying”' }).click();
  await page.getByRole('dialog', { name: 'Train a task' }).getByText('buying').waitFor({ state: 'attached' });
});

const orders = (rows: readonly string[], further = '') =>
  `order_id,customer_id,placed,amount,goods${further}\n${rows.join('\n')}\n`;

test('broken rows are shown with their places, and a column that is new is accepted in one click', async () => {
  const { page } = journey.shown;
  await page.goto('/data/send');
  await sendFiles(page, {
    order: orders(['x1,c1,2022-06-01,20,bread', 'x2,c2,soon,20,fuel', 'x3,c3,2022-06-02,,fuel']),
  });
  const found = page.locator('section').filter({ has: page.getByRole('heading', { name: /^How the files deviate/ }) });
  await found.getByText('The rows are at fault: correct the files and send all of them again.').waitFor();
  await found.getByRole('row', { name: 'Row 2 soon' }).waitFor();
  expect(await page.getByRole('button', { name: /^Accept/ }).count()).toBe(0);
  const taken = async (name: string) => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      found.getByRole('button', { name, exact: true }).click(),
    ]);
    return [download.suggestedFilename(), readFileSync(await download.path(), 'utf8').replace('\ufeff', '')];
  };
  const [good, bad] = [await taken('Download the other 2 rows'), await taken('Download the row at fault')];
  expect(good[0]).toMatch(/-without-faults\.csv$/);
  expect(good[1].trim().split(/\r?\n/)).toEqual([
    'order_id,customer_id,placed,amount,goods',
    'x1,c1,2022-06-01,20,bread',
    'x3,c3,2022-06-02,,fuel',
  ]);
  expect(bad[0]).toMatch(/-rows-to-correct\.csv$/);
  expect(bad[1].trim().split(/\r?\n/).slice(1)).toEqual(['x2,c2,soon,20,fuel']);
  // What was corrected is for the table that it came from.
  await page.getByRole('link', { name: 'Send corrected files' }).click();
  await sendFiles(
    page,
    { [bad[0].replace('.csv', '')]: bad[1].replace('x2,c2,soon', 'x9,c2,2022-06-01') },
    () => 'order',
  );
  await succeeded(page);

  // Of several files only those at fault are sent again.
  await page.goto('/data/send');
  const customer = files['tables/customer.csv'].split('\n').slice(0, 2).join('\n');
  await sendFiles(page, { customer, order: orders(['x4,c1,never,20,bread']) });
  await found.getByText('The other file is without faults.', { exact: false }).waitFor();
  const partly = page.url();
  await page.getByRole('button', { name: 'Take the file without faults in' }).click();
  await page.waitForURL((url) => /\/ingestions\/ing_/.test(url.pathname) && url.href !== partly);
  await succeeded(page);
  await page.goto(partly);
  await found.getByText('The other file has been taken in since.').waitFor();
  expect(await page.getByRole('button', { name: 'Take the file without faults in' }).count()).toBe(0);

  await page.goto('/data/send');
  const sent = orders(['x1,c1,2022-06-01,20,bread,shop', 'x2,nobody,2022-06-02,30,fuel,phone'], ',channel');
  await sendFiles(page, { order: sent });
  const refused = page.url();
  await page.getByRole('button', { name: 'Accept it and take the files in' }).click();
  await page.waitForURL((url) => /\/ingestions\/ing_/.test(url.pathname) && url.href !== refused);
  await succeeded(page);
  await page.getByText(/^Next: train “.+” again on the new data or ask “.+”$/).waitFor();
  expect(await page.getByRole('link', { name: /^ask “/ }).getAttribute('href')).toContain('/playground?model=mdl_');
  const row = page.getByRole('table', { name: 'What it changed' }).getByRole('row').filter({ hasText: 'order' });
  await row.getByText('2', { exact: true }).waitFor();
  const own = page.locator('section').filter({ has: page.getByRole('heading', { name: 'What to look at' }) });
  await own.getByText(/: customer_id: 1 row: is no key of customer$/).waitFor();
  const { page: elsewhere } = await journey.open({ language: 'pt-BR', cookie: await journey.signIn('developer') });
  await elsewhere.goto(new URL(page.url()).pathname);
  await elsewhere.getByText(/: customer_id: 1 linha: não é chave de customer$/).waitFor();
  await elsewhere.getByText('tabela order: 1 de ', { exact: false }).waitFor();
  expect(await elsewhere.locator('main [lang="en"]').allTextContents()).toEqual([]);
  await elsewhere.goto('/tasks/new');
  const question = elsewhere.getByRole('textbox', { name: 'Pergunta' });
  await question.fill('PREDICT exists(order WHERE amuont > 30) WITHIN 30d FOR customer');
  // It is told while it is written, and once where it is asked for all the same.
  const mistake = elsewhere.getByText(/^amuont não é uma coluna de order, que tem .*; quis dizer amount\?$/);
  await mistake.waitFor();
  await elsewhere.getByText('Dê um nome para criá-la.').waitFor();
  await elsewhere.getByLabel('Nome').fill('buys');
  await elsewhere.getByRole('button', { name: 'Criar tarefa' }).click();
  await elsewhere.getByRole('alert').getByText('amuont', { exact: false }).first().waitFor();
  expect(await mistake.count()).toBe(1);
  await elsewhere.getByRole('button', { name: 'Usar amount' }).click();
  await elsewhere.getByText('Em palavras').waitFor();
  expect(await mistake.count()).toBe(0);
  await page.goto('/data');
  await page
    .getByText(/events \(payments, clicks\) are what happened to them on a day; other things are neither/)
    .waitFor();
  await page.getByRole('row').filter({ hasText: 'order' }).first().click();
  await page.getByText('channel', { exact: true }).first().waitFor();
});

test('a change that breaks what others rely on is marked, and changes nothing until somebody accepts it', async () => {
  const { page } = journey.shown;
  const { client } = journey.lender.tenant;
  const activeId = async () => {
    const { data } = (await client.get('/v1/api/contracts')).body;
    return data.find(({ status }: { status: string }) => status === 'active').id;
  };
  const active = await activeId();
  // The text begins with the contract that is active.
  await page.goto('/data/send?tab=contract');
  await settled(page);
  await correct(page, 'name: wealth', 'nam: wealth');
  await page.getByRole('button', { name: 'Propose it' }).click();
  await page
    .getByRole('alert')
    .getByText(/unknown field/)
    .waitFor();
  await page
    .getByRole('button', { name: /^Line \d+$/ })
    .first()
    .waitFor();
  await correct(page, 'nam: wealth', 'name: riches');
  await page.getByRole('button', { name: 'Propose and accept' }).click();
  // It is asked where the button was pressed, naming what goes; the word has to be typed.
  const asked = page.getByRole('dialog');
  await asked.getByText('wealth').first().waitFor();
  expect(await asked.getByRole('button', { name: 'Accept', exact: true }).isDisabled()).toBe(true);
  await asked.getByRole('button', { name: 'Cancel' }).click();
  // Left so, it waits where it is seen, with the reason on the page.
  await page.waitForURL(/\/data\/contracts\/con_/);
  await page
    .getByText('It is not accepted yet, as it takes away what the data have.', { exact: false })
    .first()
    .waitFor();
  const changes = page.getByRole('region', { name: 'Changes' });
  await changes.getByText('breaking', { exact: true }).first().waitFor();
  await changes.getByText('removed', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Accept', exact: true }).click();
  expect(await asked.getByRole('button', { name: 'Accept', exact: true }).isDisabled()).toBe(true);
  await asked.getByRole('button', { name: 'Cancel' }).click();
  expect(await activeId()).toBe(active);
  await page.getByRole('button', { name: 'Reject' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click();
  await page.getByText('Rejected', { exact: true }).waitFor();
  expect(await activeId()).toBe(active);
});
