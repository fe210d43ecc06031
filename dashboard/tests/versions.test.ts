/** What a version says of itself, and lists of it: how good it is, what it is warned of, and what it reads. */
import { expect, test } from 'vitest';
import { prepareJourneys } from './journeys.ts';
import { comparePath } from './lender.ts';
import { settled } from './pages.ts';

const journey = prepareJourneys();

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
  await page.goto(comparePath(journey.lender));
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

test('how an outcome compares with a simple rule is judged in one place, and the actions stand in one line', async () => {
  const { model, versions } = journey.lender;
  for (const [language, judgement] of [
    ['en', /surely (better|worse)/gi],
    ['pt-BR', /seguramente (melhor|pior)/gi],
  ] as const) {
    const { page } = await journey.open({ language, cookie: await journey.signIn('developer') });
    let outputs: readonly string[] = [];
    await page.route(/\/v1\/api\/models\/[^/]+\/versions\/[^/]+$/, async (route) => {
      const response = await route.fetch();
      const version = await response.json();
      outputs = Object.keys(version.metrics.outputs);
      for (const name of outputs) {
        Object.assign(version.metrics.outputs[name], { rows: 2_000, positives: 300 });
        version.metrics.outputs[name].naive.gain = { value: 0.01, low: -0.02, high: 0.04 };
      }
      version.warnings = outputs.map((output) => ({
        code: 'no_better_than_naive',
        message: `${output}: its auroc of 0.61 is not surely better than the 0.6 of the same for all`,
        output,
      }));
      await route.fulfill({ response, json: version });
    });
    await page.goto(`/models/${model}/versions/${versions[0]}`);
    await page
      .locator('#warnings')
      .getByText(/^(What to do|O que fazer):/)
      .first()
      .waitFor();
    expect(outputs.length).toBeGreaterThan(1);
    // What is folded away has no inner text.
    const judged = (await page.locator('main').innerText()).match(judgement);
    expect(judged, language).toHaveLength(outputs.length);
    const actions = page.locator('header').filter({ has: page.getByRole('heading', { level: 1 }) });
    const boxes = await actions
      .locator('button, a')
      .filter({ hasNotText: 'credit' })
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect()).map(({ top, height }) => [top, height]));
    expect(boxes.length).toBeGreaterThan(3);
    expect(new Set(boxes.map(String)).size, String(boxes)).toBe(1);
  }
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
  await page.goto(comparePath(journey.lender));
  const names = page.getByRole('table', { name: 'O que mudou no que ela lê' }).getByRole('row').locator('[lang]');
  await expect.poll(() => names.count()).toBe(10);
  expect(await names.evaluateAll((all) => all.map((one) => (one as HTMLElement).lang))).toEqual([
    'pt-BR',
    'en',
    ...Array<string>(8).fill('pt-BR'),
  ]);
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
