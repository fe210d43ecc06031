/** Journey 8: two versions compared, the alias moved, rolled back, and moved by two at once. */
import { readFileSync } from 'node:fs';
import { beforeEach, expect, test } from 'vitest';
import { prepareJourneys } from './journeys.ts';
import { settled } from './pages.ts';

const journey = prepareJourneys({ allowed: /412|409/ });

const comparePath = () => {
  const { model, versions } = journey.lender;
  return `/models/${model}/compare?base=${versions[0]}&candidate=${versions[1]}`;
};
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
  await page.goto(comparePath());
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

test('two tabs that move one alias: the second is told who points where now, and asked again', async () => {
  const { versions, tenant, model } = journey.lender;
  const { page } = journey.shown;
  await page.goto(comparePath());
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

test('a version says in plain sentences how good it is, and lists say it in a few words', async () => {
  const { page } = journey.shown;
  const { model, versions } = journey.lender;
  const verdict = /[Ss]urely better|Not surely better|Surely worse|Too few cases to say/;
  const ranks =
    /Of two cases, one that comes true and one that does not, it names the right one \d+(\.\d)? times of 100; the best simple rule/;
  for (const path of [`/models/${model}/versions/${versions[0]}`, `/models/${model}`]) {
    await page.goto(path);
    const main = page.locator('main');
    await main.getByText(ranks).first().waitFor();
    await main.getByText(verdict).first().waitFor();
    await main.getByText('The score and its band come from this output.').first().waitFor();
    await main
      .getByText(
        /^Measured on [\d,]+ later cases, of \w+ \d{4}( to \w+ \d{4})?; [\d.]+% of them came true \([\d,]+\)\./,
      )
      // The days learned from hold those measured on, which would else contradict each other.
      .filter({
        hasText: /after measuring it learned anew from [\d,]+ cases, of \w+ \d{4} to \w+ \d{4}, these among them/,
      })
      .first()
      .waitFor();
    await main
      .getByText(/Its chances (are|may be)|Whether its chances are right cannot be told yet/)
      .filter({ visible: true })
      .first()
      .waitFor();
  }
  await page.goto('/models');
  await page
    .getByRole('table', { name: 'Models' })
    .getByRole('row')
    .filter({ hasText: /than a simple rule|orders surely better|too few cases to say/ })
    .waitFor();
});

test('lists say how much a version is warned of and lead there, where it is said what to do', async () => {
  const { page } = journey.shown;
  const { model, versions } = journey.lender;
  const { body } = await journey.lender.tenant.client.get(`/v1/api/models/${model}/versions/${versions[0]}`);
  const warned: readonly { code: string; output?: string }[] = body.warnings;
  const ofChances = warned.filter(({ code }) => code === 'poorly_calibrated' || code === 'calibration_unknown');
  expect(ofChances.length).toBeGreaterThan(0);
  await page.goto('/models');
  const link = page.getByRole('table', { name: 'Models' }).getByRole('link', { name: /^\d+ warnings?/ });
  await link.click();
  await page.waitForURL(new RegExp(`/models/${model}/versions/${versions[0]}.*#warnings$`));
  const section = page.locator('#warnings');
  await expect.poll(() => section.getByText('What to do:').count()).toBeGreaterThanOrEqual(ofChances.length);
  const green = page.locator('main').getByText(/^Surely better than the best simple rule$/);
  for (const { output } of ofChances) {
    const told = section.getByRole('listitem').filter({ hasText: output! });
    await told.getByText('As the training measured it').first().waitFor();
    const headline = page.locator('main').getByRole('paragraph').filter({ hasText: output! }).filter({ has: green });
    expect(await headline.count(), `${output} is warned of below`).toBe(0);
  }
});

test('answers and batches are warned of what the page of their version says its figures show, though no training warned', async () => {
  const { page } = journey.shown;
  const { model, versions, batch } = journey.lender;
  await page.route(/\/v1\/api\/models\/[^/]+\/versions\/[^/]+$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), warnings: [] } });
  });
  await page.goto(`/models/${model}/versions/${versions[0]}`);
  const section = page.locator('#warnings');
  await section.getByText('Training gave no warning of this').waitFor();
  const outputs = await section.locator('li code').allInnerTexts();
  expect(outputs.length).toBeGreaterThan(0);
  const days = outputs.map((output) => /\d+/.exec(output)![0]);
  await page.goto(`/batches/${batch}`);
  const note = page.getByRole('note').filter({ hasText: 'What was found of this version on later cases' });
  for (const one of days)
    await note
      .getByText(new RegExp(`in .*\\b${one}\\b.* days`))
      .first()
      .waitFor();
  await page.goto(`/playground?model=${model}&inputs=${encodeURIComponent(JSON.stringify({ customer_id: 'c1' }))}`);
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  const said = page.getByRole('note').filter({ hasText: /poorly calibrated|too few later cases/ });
  for (const one of days)
    await said
      .filter({ hasText: `${one} days` })
      .first()
      .waitFor();
});

test('a version says that an outcome comes far more often of late, with both rates and what it means', async () => {
  const { page } = journey.shown;
  const { model, versions } = journey.lender;
  await page.route(/\/v1\/api\/models\/[^/]+\/versions\/[^/]+$/, async (route) => {
    const response = await route.fetch();
    const version = await response.json();
    version.metrics.label_rates = [
      { month: '2024-01', rows: 2_000, mean: 0.05 },
      { month: '2024-02', rows: 500, mean: 0.6 },
    ];
    await route.fulfill({ response, json: version });
  });
  await page.goto(`/models/${model}/versions/${versions[0]}`);
  const told = page.locator('#warnings').getByRole('listitem').filter({ hasText: 'newest cases' });
  await told
    .getByText(
      'Of the 500 newest cases, of Feb 2024, 60% came true; of the 2,000 before, of Jan 2024, 5%. It learned mostly from a time when the outcome was rarer',
    )
    .waitFor();
  await told.getByText('Find out whether the outcome really comes so often now.').waitFor();
  await page.goto('/models');
  await page
    .getByRole('link', { name: /\d+ warnings?.*The outcome comes far more often, or less, than it did/ })
    .waitFor();
});

test('a comparison says what trainings warned of its versions, as their own pages do', async () => {
  const { page } = journey.shown;
  const { model, versions } = journey.lender;
  const { body: version } = await journey.lender.tenant.client.get(`/v1/api/models/${model}/versions/${versions[0]}`);
  const warned: readonly { code: string; output?: string }[] = version.warnings;
  expect(warned.map(({ code }) => code)).toContain('poorly_calibrated');
  await page.goto(comparePath());
  await settled(page);
  for (const [at, id] of versions.entries()) {
    const head = page
      .getByRole('paragraph')
      .filter({ has: page.getByRole('link', { name: `v${at + 1}`, exact: true }) });
    const said = head.locator('span', { hasText: 'Poorly calibrated' }).first();
    for (const { code, output } of warned)
      if (code === 'poorly_calibrated' && output) await said.getByText(output, { exact: true }).waitFor();
    expect(await head.getByRole('link').getAttribute('href')).toContain(`/models/${model}/versions/${id}`);
  }
});

test('of two versions that answer the same it is said that they do, and no difference is told', async () => {
  const { page } = journey.shown;
  await page.goto(comparePath());
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

test('a page in Portuguese says what a training warns of, and nothing in English', async () => {
  const { page } = journey.shown;
  const { model, versions } = journey.lender;
  const speak = async (button: string, language: string) => {
    await page.getByRole('button', { name: button, exact: true }).click();
    await page.getByRole('menuitem', { name: language }).click();
  };
  await page.goto(`/models/${model}/versions/${versions[0]}`);
  await settled(page);
  await page.getByText('As the training measured it').first().click();
  await page
    .getByText(/probabilities were wrong by more than chance/)
    .first()
    .waitFor();
  await speak('Language', 'Português');
  await page
    .getByText(/linhas posteriores as probabilidades erraram mais do que por acaso: em média foi dito 0,/)
    .first()
    .waitFor();
  expect(await page.locator('main [lang="en"]').allTextContents()).toEqual([]);
  await speak('Idioma', 'English');
  await page.getByText('What to look at before trusting it').waitFor();
});

test('the list of models and the page of the version count the same warnings, which say nothing twice', async () => {
  const { page } = journey.shown;
  await page.goto('/models');
  const tag = page.getByRole('row', { name: /credit/ }).getByRole('link', { name: /\d+ warnings?/ });
  const counted = /\d+ warnings?/.exec(await tag.innerText())![0];
  await tag.click();
  await page.getByRole('heading', { name: `What to look at before trusting it: ${counted}` }).waitFor();
  await settled(page);
  await page.locator('main').getByText('The other outcomes').click();
  const said = await page.locator('main p').allInnerTexts();
  // Each outcome's own figures; how to read a calibration slope is the same of all.
  const figures = said.filter((text) => /of the .* (newest )?cases/.test(text));
  expect(figures.length).toBeGreaterThan(0);
  expect(figures).toEqual([...new Set(figures)]);
});

test('pages in Portuguese name what versions read in Portuguese, and in English where a version has no other words', async () => {
  const { page } = await journey.open({ language: 'pt-BR', cookie: await journey.signIn('developer') });
  const { model, versions } = journey.lender;
  await page.goto(`/models/${model}/versions/${versions[0]}?tab=features`);
  const read = page.getByRole('table', { name: 'O que lê' });
  await read
    .getByText(/nos últimos \d+ dias/)
    .first()
    .waitFor();
  expect(await page.locator('main [lang="en"]').count()).toBe(0);
  // How programs call it stands in the file and on hover; on the page it would say the same twice.
  expect(await read.getByRole('columnheader').allInnerTexts()).toEqual([
    'Importância',
    'Atributo',
    'De onde vem',
    'Conhecido em',
  ]);
  // The two versions read the same: something must have moved to be named.
  await page.route(/versions\/[^/]+\/features/, async (route) => {
    const response = await route.fetch();
    const { data, ...rest } = await response.json();
    const isBase = route.request().url().includes(versions[0]);
    const moved = data.map((feature: { importance: number }, at: number) => ({
      ...feature,
      importance: feature.importance + (isBase ? 0 : 0.1 / (at + 1)),
      ...(at === 1 && { description: 'days since the last order', language: 'en' }),
    }));
    await route.fulfill({ response, json: { data: moved, ...rest } });
  });
  await page.goto(comparePath());
  const names = page.getByRole('table', { name: 'O que mudou no que ela lê' }).getByRole('row').locator('[lang]');
  await expect.poll(() => names.count()).toBe(10);
  expect(await names.evaluateAll((all) => all.map((one) => (one as HTMLElement).lang))).toEqual([
    'pt-BR',
    'en',
    ...Array<string>(8).fill('pt-BR'),
  ]);
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

test('lists say of which output a figure is, and that its rows may have been learned from', async () => {
  const { page } = journey.shown;
  const { client } = journey.lender.tenant;
  await page.goto('/models');
  await page
    .getByRole('table', { name: 'Models' })
    .getByRole('row')
    .filter({ hasText: /AUROC.*pd_\d+d/ })
    .waitFor();
  const rows = Array.from({ length: 60 }, (_, c) => `c${c},2021-08-15,${Number(c % 3 === 0)},${Number(c % 3 === 0)}`);
  const file = await client.upload('learned.csv', `customer_id,date,pd_30d,pd_90d\n${rows.join('\n')}\n`);
  const asked = await client.post('/v1/api/evaluations', { file, model: `${journey.lender.model}/production` });
  const { body } = await client.finished(`/v1/api/evaluations/${asked.body.id}`);
  expect(body.result.learned.rows).toBe(60);
  await page.goto('/evaluations');
  const row = page.getByRole('row').filter({ hasText: 'learned.csv' });
  await expect
    .poll(() => row.innerText())
    .toMatch(/ranks \d+ of 100 pairs right[\s\S]*had learned from[\s\S]*AUROC [\d.]+ · pd_90d/);
  await row.click();
  await page.getByText('May measure memory').waitFor();
  expect(await page.locator('main').innerText()).not.toContain('names the right one');
  const { page: elsewhere } = await journey.open({ language: 'pt-BR', cookie: await journey.signIn('developer') });
  await elsewhere.goto(`/evaluations/${asked.body.id}`);
  await elsewhere
    .getByText(/^\w+: 60 linhas, \d+ delas positivas, são poucas para dizer muito$/)
    .first()
    .waitFor();
  expect(await elsewhere.locator('main [lang="en"]').allTextContents()).toEqual([]);
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
  await page.getByText('Not in the tables').first().waitFor({ timeout: 60_000 });
  await page.getByRole('link', { name: 'Evaluate again' }).click();
  await expect.poll(() => page.url()).toContain('reference_date');
  // The columns of a file that was sent before are read and chosen as well.
  await page.getByText(/^Columns: \d of \d are read$/).click();
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
