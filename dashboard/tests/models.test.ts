/** Models: versions compared and the alias moved (journey 8), and what is asked of their training and evaluation. */
import { readFileSync } from 'node:fs';
import { beforeEach, expect, test } from 'vitest';
import { prepareJourneys } from './journeys.ts';
import { comparePath } from './lender.ts';
import { settled } from './pages.ts';

const journey = prepareJourneys({ allowed: /412|409/ });

const production = async () => {
  const { client } = journey.lender.tenant;
  return (await client.get(`/v1/api/models/${journey.lender.model}/aliases/production`)).body.version_id;
};

beforeEach(async () => {
  if (!journey.browser) return;
  const { tenant, model, versions } = journey.lender;
  const set = await tenant.client.send('PUT', `/v1/api/models/${model}/aliases/production`, {
    body: { version_id: versions[0] },
  });
  expect(set.status, set.text).toBe(200);
});

test('journey 8: compare, move with a typed confirmation, next prediction by the new one, roll back', async () => {
  const { page } = journey.shown;
  const { versions, tenant } = journey.lender;
  await page.goto(comparePath(journey.lender));
  await settled(page);
  await page.getByRole('button', { name: 'Move production', exact: true }).click();
  const dialog = page.getByRole('dialog');
  expect(await dialog.getByRole('button', { name: 'Move production' }).isDisabled()).toBe(true);
  const changes = dialog.getByRole('table', { name: 'What changes for callers' });
  await changes.getByRole('row', { name: /^in 90 days · AUROC/ }).waitFor();
  await dialog.getByLabel(/Type production/).fill('production');
  await dialog.getByRole('button', { name: 'Move production' }).click();
  await page.getByText('production is version 2 now').waitFor();
  expect(await production()).toBe(versions[1]);
  const { body } = await tenant.client.post('/v1/api/prediction/credit/production', { customer_id: 'c1' });
  expect(body.version_id).toBe(versions[1]);
  await page.goto(`/models/${journey.lender.model}`);
  await settled(page);
  await page.getByRole('button', { name: 'Roll back' }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Roll back' }).click();
  await expect.poll(production).toBe(versions[0]);
});

test('a version is shown beside the one that answers, and what fails is named and overridden with a reason', async () => {
  const { page } = journey.shown;
  const { versions, tenant, model } = journey.lender;
  await page.goto(`/models/${model}/versions/${versions[1]}?tab=validation`);
  await settled(page);
  const gates = page.getByRole('table', { name: 'Gates' });
  await gates.getByRole('row', { name: /Ranks as before.*Passed/ }).waitFor();
  const migration = page.getByRole('table', { name: 'Bands before and now' });
  await migration.getByRole('rowheader', { name: 'Very High Risk' }).waitFor();
  const decided = page.getByRole('table', { name: 'What would be decided' });
  const score = page.getByRole('slider', { name: 'Accept from score' });
  await score.fill('0');
  await decided.getByRole('row', { name: /^Approved 100% \(\d+\) 100% \(\d+\)$/ }).waitFor();
  await score.fill('20');
  await decided.getByRole('row', { name: /^Approved 0% \(0\) 0% \(0\)$/ }).waitFor();
  await page.getByText(/would be accepted that the version before refuses/).waitFor();

  const gatesPath = `/v1/api/models/${model}/gates`;
  const body = { checks: { rank_consistency: { threshold: 2 } } };
  expect((await tenant.client.send('PUT', gatesPath, { body })).status).toBe(200);
  const fresh = `/v1/api/models/${model}/aliases/guarded`;
  await tenant.client.send('PUT', fresh, { body: { version_id: versions[0] } });
  try {
    await page.goto(comparePath(journey.lender));
    await settled(page);
    await page.getByLabel('Alias').first().selectOption('guarded');
    await page.getByRole('button', { name: 'Move guarded', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(/Type guarded/).fill('guarded');
    await dialog.getByRole('button', { name: 'Move guarded' }).click();
    await dialog.getByText(/Ranks as before.*Measured 1, Asked 2/).waitFor();
    const anyway = dialog.getByRole('button', { name: 'Move it all the same' });
    expect(await anyway.isDisabled()).toBe(true);
    await dialog.getByLabel('Why').fill('agreed in the credit committee');
    await anyway.click();
    await page.getByText('guarded is version 2 now').waitFor();
  } finally {
    await tenant.client.send('PUT', gatesPath, { body: {} });
    await tenant.client.send('DELETE', fresh);
  }
});

test('two tabs that move one alias: the second is told who points where now, and asked again', async () => {
  const { versions, tenant, model } = journey.lender;
  const { page } = journey.shown;
  await page.goto(comparePath(journey.lender));
  await settled(page);
  await page.getByRole('button', { name: 'Move production', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('It points at version 1 now.').waitFor();
  const other = await tenant.client.send('PUT', `/v1/api/models/${model}/aliases/production`, {
    body: { version_id: versions[1] },
  });
  expect(other.status, other.text).toBe(200);
  await tenant.client.send('PUT', `/v1/api/models/${model}/aliases/production`, { body: { version_id: versions[0] } });
  await dialog.getByLabel(/Type production/).fill('production');
  await dialog.getByRole('button', { name: 'Move production' }).click();
  await dialog.getByText('Somebody moved production meanwhile.').waitFor();
  expect(await production()).toBe(versions[0]);
});

test('of two versions that answer the same it is said that they do, and no difference is told', async () => {
  const { page } = journey.shown;
  await page.goto(comparePath(journey.lender));
  await page
    .getByText('Versions 1 and 2 answer the same: all that was measured of them is equal to the last digit.')
    .waitFor();
  await settled(page);
  const said = await page.locator('main').innerText();
  expect(said).not.toMatch(/within chance|largest move|What moved in what it reads|The rows of the two may differ/);
  const { client } = journey.lender.tenant;
  const rows = Array.from({ length: 60 }, (_, c) => `c${c},2021-08-15,${Number(c % 3 === 0)},${Number(c % 3 === 0)}`);
  const file = await client.upload('both.csv', `customer_id,date,pd_30d,pd_90d\n${rows.join('\n')}\n`);
  const [one, other] = journey.lender.versions.map((version) => `${journey.lender.model}/${version}`);
  const asked = await client.post('/v1/api/evaluations', { file, model: one, compare_with: other });
  await client.finished(`/v1/api/evaluations/${asked.body.id}`);
  await page.goto(`/evaluations/${asked.body.id}`);
  await page.getByText('These two answer the same.').waitFor();
});

test('a menu is seen at its place alone, from the moment it is opened', async () => {
  const { page } = journey.shown;
  await page.goto('/models');
  await settled(page);
  const places = await page.getByRole('button', { name: 'Language', exact: true }).evaluate(async (button) => {
    const seen = new Set<string>();
    const look = () => {
      const menu = document.querySelector(':popover-open:has([role="menu"])');
      if (!menu || getComputedStyle(menu).visibility !== 'visible') return;
      const { left, top } = menu.getBoundingClientRect();
      seen.add(`${left} ${top}`);
    };
    (button as HTMLElement).click();
    for (let frame = 0; frame < 10; frame++) {
      look();
      await new Promise(requestAnimationFrame);
    }
    return [...seen];
  });
  expect(places).toHaveLength(1);
  await page.keyboard.press('Escape');
});

test('known outcomes and the options of a training are said in plain words, with the term of the field', async () => {
  const plain = [
    {
      language: 'en',
      outcomes: /an outcome that is known by now \(labels\)/,
      drawn: /A bar counts the cases that are learned from, not all there are: .* \(EVERY\)/,
      more: 'More options, seldom needed',
      options: ['Learn first what usually happens to everybody', 'Move the alias even where the inputs have changed'],
      terms: [/pre-trains an encoder/, /fine-tuning/, /graph model/],
    },
    {
      language: 'pt-BR',
      outcomes: /um desfecho que já se conhece \(rótulos\)/,
      drawn: /Uma barra conta os casos com que se aprende, não todos os que há: .* \(EVERY\)/,
      more: 'Mais opções, raramente necessárias',
      options: [
        'Antes, aprender o que costuma acontecer com todos',
        'Mover o alias mesmo que as entradas tenham mudado',
      ],
      terms: [/pré-treina um codificador/, /ajuste fino/, /modelo de grafo/],
    },
  ] as const;
  for (const { language, outcomes, drawn, more, options, terms } of plain) {
    const { page } = await journey.open({ language, cookie: await journey.signIn('creator') });
    await page.goto(`/tasks/${journey.lender.task}`);
    await page.getByText(outcomes).waitFor();
    await page.getByText(drawn).waitFor();
    await page.goto(`/training-runs?start=${journey.lender.task}`);
    const dialog = page.getByRole('dialog');
    await dialog.getByText(more).click();
    for (const name of options) {
      const box = dialog.getByRole('checkbox', { name, exact: true });
      expect(await box.getAttribute('aria-describedby'), 'its explanation is read with it').not.toBeNull();
    }
    for (const term of terms) await dialog.getByText(term).first().waitFor();
  }
});

test('a task says in words what it asks, and spells its query once', async () => {
  const { page } = journey.shown;
  const { client } = journey.lender.tenant;
  const target = {
    ...{ entity: 'customer', kind: 'binary', target: { table: 'order', reference: 'customer_id', horizons: ['30d'] } },
    anchors: { every: '30d', from: '2021-04-01', until: '2021-12-01' },
  };
  const of = async (name: string, definition: string) => {
    const { body, text, status } = await client.post('/v1/api/tasks', { name, definition });
    expect(status, text).toBe(201);
    await page.goto(`/tasks/${body.id}`);
    await page.getByText(body.question.en.sentence, { exact: true }).waitFor();
    return body.query as string;
  };
  const query = 'query: predict exists(order) within 30 days for customer every 30d from 2021-04-01 until 2021-12-01';
  const spelled = await of('asked-in-words', query);
  expect(spelled).not.toBe(query);
  await page.getByText(query, { exact: true }).waitFor();
  expect(await page.getByText(spelled, { exact: true }).count()).toBe(0);
  // One that is no query is spelled as one besides.
  await page.getByText(await of('asked-by-fields', JSON.stringify(target)), { exact: true }).waitFor();
});

test('a new evaluation says which columns its file needs, gives an example, and checks the first rows', async () => {
  const { page } = journey.shown;
  await page.goto(`/evaluations/new?model=${journey.lender.model}`);
  const needs = page.getByText('What the file needs').locator('..');
  await needs.getByText(/Only rows later than .* tell how well it foresees/).waitFor();
  for (const column of ['customer_id needed', 'date needed', 'pd_30d, pd_90d optional'])
    expect(await needs.innerText()).toContain(column);
  const [download] = await Promise.all([page.waitForEvent('download'), needs.getByRole('button').click()]);
  expect(readFileSync(await download.path(), 'utf8')).toMatch(
    /^\ufeffcustomer_id,date,pd_30d,pd_90d\r\n[^,]*,\d{4}-\d\d-\d\d,1,1\r\n$/,
  );
  const choose = (text: string) =>
    page
      .locator('input[type=file]')
      .setInputFiles({ name: 'labelled.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
  const start = page.getByRole('button', { name: 'Evaluate', exact: true });
  await choose('customer,date\nc1,2021-08-15\n');
  await page
    .getByText(/^Columns that the model needs are missing: customer_id\. Choose below the columns that have them/)
    .waitFor();
  expect(await start.isDisabled()).toBe(true);
  // What has another name is found by it, or chosen.
  await choose('customer,reference_date,pd_30d,pd_90d\nc1,2021-08-15,1,1\nc2,2021-08-15,0,0\n');
  await page.getByText('Found by its name. The first value is “2021-08-15”.').waitFor();
  await page.getByRole('combobox', { name: 'customer_id' }).selectOption('customer');
  await expect.poll(() => start.isDisabled()).toBe(false);
  await start.click();
  await page.getByText('reference_date → date, customer → customer_id').waitFor();
  await page.getByText('Not in the tables').first().waitFor({ timeout: 120_000 });
  await page.getByRole('link', { name: 'Evaluate again' }).click();
  await expect.poll(() => page.url()).toContain('reference_date');
  // The columns of a file that was sent before are read and chosen as well.
  await page.getByText(/^Columns found: \d of \d that can be read$/).click();
  await expect.poll(() => page.getByRole('combobox', { name: 'customer_id' }).inputValue()).toBe('customer');
  await page.getByRole('combobox', { name: 'customer_id' }).selectOption('');
  await page.getByText(/^Columns that the model needs are missing: customer_id\./).waitFor();
  await page.goto(`/evaluations/new?model=${journey.lender.model}`);
  // Days are read as the file writes them.
  const rows = ['c1,15/08/2021,1,maybe', 'c2,16/08/2021,1,1', 'c3,08/17/2021,0,0'];
  await choose(`customer_id,date,pd_30d,pd_90d\n${rows.join('\n')}\n`);
  await page.getByText(/^date is to be .*08\/17\/2021/).waitFor();
  await page.getByText(/^pd_90d is to be .*maybe/).waitFor();
  await expect.poll(() => start.isDisabled()).toBe(false);
  await choose('customer_id,date,pd_30d,pd_90d\nc1,15/08/2021,1,maybe\n');
  await expect.poll(() => start.isDisabled()).toBe(true);
});

test('no cell of a table is cut off where others have room', async () => {
  const { page } = await journey.open({ width: 1366, language: 'pt-BR', cookie: await journey.signIn('developer') });
  await page.goto('/models');
  const table = page.getByRole('table');
  await table.getByRole('cell').first().waitFor();
  await table.getByRole('columnheader', { name: 'Mais nova' }).waitFor();
  const cut = await table.evaluate((element) => {
    const cells = [...element.querySelectorAll('[role="columnheader"], [role="cell"]')];
    return cells.flatMap((cell) => {
      const { paddingLeft, paddingRight } = getComputedStyle(cell);
      const content = document.createRange();
      content.selectNodeContents(cell);
      const room =
        cell.getBoundingClientRect().width - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
      return content.getBoundingClientRect().width > room + 0.02 ? [cell.textContent] : [];
    });
  });
  expect(cut).toEqual([]);
});

test('the document of a version opens as a page to print, in the language of the reader', async () => {
  const { model, versions } = journey.lender;
  const { page, context } = await journey.open({ language: 'pt-BR', cookie: await journey.signIn('analyst') });
  await page.goto(`/models/${model}/versions/${versions[0]}`);
  await settled(page);
  const opening = context.waitForEvent('page');
  await page.getByRole('link', { name: 'Documento' }).click();
  const document = await opening;
  await document.getByRole('heading', { level: 1, name: 'Documento do modelo: credit, versão 1' }).waitFor();
  expect(await document.getByRole('heading', { level: 2 }).count()).toBe(13);
  const text = await document.locator('body').innerText();
  expect(text).toMatch(/O que teria significado aceitar a partir de um score: pd_90d/);
});
