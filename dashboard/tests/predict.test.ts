/** Journeys 1 and 5: the first minute, and a form made of a schema. */
import { expect, test } from 'vitest';
import { lendingData } from '../../server/tests/lending.ts';
import { trainAndAsk } from '../../server/tests/lending-service.ts';
import { prepareJourneys } from './journeys.ts';
import { askedCustomers } from './lender.ts';
import { settled } from './pages.ts';

// A form that lacks what the model needs is refused.
const journey = prepareJourneys({ allowed: /status of 422/ });
/** In microseconds. */
const day = 86_400_000_000;

test('journey 1: a prediction by code appears in the list that is followed, opens, and says why', async () => {
  const { page } = journey.shown;
  const { client } = journey.lender.tenant;
  await page.goto('/predictions');
  await settled(page);
  await page.getByRole('switch', { name: 'Live' }).click();
  await client.post('/v1/api/prediction/credit/production', { customer_id: 'c50' });
  const row = page.getByRole('row').filter({ hasText: 'c50' });
  await row.waitFor();
  await row.click();
  const pane = page.getByRole('complementary', { name: 'credit' });
  await pane.getByText('What moved it').waitFor();
  expect(page.url()).toMatch(/open=prd_/);
  await pane.getByRole('button', { name: 'Code' }).click();
  await page.getByText('TypeScript').click();
  await expect
    .poll(() => page.getByRole('region', { name: 'code' }).last().textContent())
    .toMatch(/lastro\.predict\('/);
  await page.keyboard.press('Escape');
  const address = page.url();
  await page.goto('/models');
  await page.goto(address);
  await page.getByRole('complementary', { name: 'credit' }).waitFor();
});

test('a prediction is replayed on its page: the same to the byte, where it differs, or what is gone', async () => {
  const cookie = await journey.signIn('developer');
  const { page } = await journey.open({ language: 'pt-BR', cookie, allowed: /status of (404|410)/ });
  const { prediction, service } = journey.lender;
  const outcome = async () => {
    await page.goto(`/predictions?open=${prediction}`);
    await page.getByRole('button', { name: 'Repetir', exact: true }).click();
    const section = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Repetição' }) });
    await section.getByText(/Igual até|Não é igual|Não pode/).waitFor();
    return (await section.innerText()).replaceAll(/\s+/g, ' ');
  };
  const { body } = await journey.lender.tenant.client.post(`/v1/api/predictions/${prediction}/replay`);
  expect(await outcome()).toContain(`Igual até o último byte SHA-256 ${body.replayed_hash.slice(0, 16)}…`);
  const { rows } = await service.owner.pool.query('select outputs, version_id from predictions where id = $1', [
    prediction,
  ]);
  const change = (column: string, value: unknown) =>
    service.owner.pool.query(`update predictions set ${column} = $1 where id = $2`, [value, prediction]);
  await change('outputs', JSON.stringify({ ...rows[0].outputs, score: 1 }));
  const altered = await outcome();
  expect(altered).toContain('Não é igual A resposta que foi enviada sai de novo, e o registro tem outra');
  expect(altered).toContain('Difere em: /score');
  await change('outputs', JSON.stringify(rows[0].outputs));
  await change('version_id', 'ver_0');
  expect(await outcome()).toContain('Não pode ser respondida de novo A versão não existe mais');
  await change('version_id', rows[0].version_id);
});

test('a prediction shows from which rows its reasons come, and the file of a row what read it', async () => {
  const { page } = journey.shown;
  const { client } = journey.lender.tenant;
  const { body } = await client.post('/v1/api/prediction/credit/production', { customer_id: 'c6' });
  const { body: told } = await client.get(`/v1/api/predictions/${body.prediction_id}/lineage`);
  const of = told.factors.find(({ rows }: { rows: number }) => rows > 0);
  await page.goto(`/predictions?open=${body.prediction_id}`);
  await page.getByRole('button', { name: 'Where it comes from' }).click();
  const dialog = page.getByRole('dialog', { name: 'Where it comes from' });
  await dialog
    .getByRole('button', { name: of.text.split(';')[0] })
    .first()
    .click();
  const { body: rows } = await client.get(`/v1/api/predictions/${body.prediction_id}/lineage?factor=${of.code}`);
  const [feature] = rows.data.filter(({ rows }: { rows: readonly unknown[] }) => rows.length > 0);
  const table = dialog.getByRole('table', { name: feature.description, exact: true }).first();
  await table.getByText(feature.rows[0].key, { exact: true }).first().waitFor();
  await table.getByRole('link', { name: feature.rows[0].path }).first().click();
  await page.waitForURL(new RegExp(`/data/ingestions/${feature.rows[0].ingestion_id}`));
  await page.getByRole('button', { name: 'What read it' }).first().click();
  const readers = page.getByRole('dialog', { name: /^What read / });
  await readers.getByRole('link', { name: 'credit, version 1' }).waitFor();
  await readers.getByText('the newest has rows of it').waitFor();
  // And on to what was answered from it.
  const [, path] = /^What read (.+)$/.exec(await readers.getByRole('heading').first().innerText())!;
  const answered = readers.getByRole('link', { name: /^[\d,]+$/ });
  const count = Number((await answered.innerText()).replaceAll(',', ''));
  await answered.click();
  await page.waitForURL(/\/predictions\?file=file_/);
  await page.getByText(`From data with rows of ${path}`).waitFor();
  const listed = page.getByRole('table').first();
  await expect.poll(() => listed.getAttribute('aria-rowcount')).toBe(String(Math.min(count, 200) + 1));
  await page.getByRole('button', { name: 'Clear filters' }).first().click();
  await page.waitForURL(/\/predictions(\?(?!file=).*)?$/);
});

test('a band is a filter that is in the address, and its count is that of the rows', async () => {
  const { page } = journey.shown;
  await page.goto('/predictions');
  await settled(page);
  const filters = page.getByRole('button', { name: /\d+\+/ });
  await expect.poll(() => filters.count()).toBe(6);
  // The band and where it begins, then how many, then their share.
  const texts = await Promise.all((await filters.all()).map((filter) => filter.innerText()));
  const counts = texts.map((text) => Number(/\+\s+(\d+)/.exec(text)![1]));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(askedCustomers);
  const fullest = counts.indexOf(Math.max(...counts));
  await filters.nth(fullest).click();
  await page.waitForURL(/band=/);
  await settled(page);
  const table = page.getByRole('table', { name: 'Predictions' });
  await expect.poll(async () => Number(await table.getAttribute('aria-rowcount')) - 1).toBe(counts[fullest]);
});

test('journey 5: the form is that of the schema; what it asks is what curl asks', async () => {
  const { page } = journey.shown;
  await page.goto('/playground?model=credit');
  await settled(page);
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  await page.getByRole('alert').first().waitFor();
  const field = page.getByLabel(/customer_id/).first();
  await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true);
  await field.fill('c3');
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  await page
    .getByText(/Answered in/)
    .first()
    .waitFor();
  const { body } = await journey.lender.tenant.client.post('/v1/api/prediction/credit/production', {
    customer_id: 'c3',
  });
  await page.getByText(String(body.score), { exact: true }).first().waitFor();
  await page.reload();
  await settled(page);
  await expect
    .poll(() =>
      page
        .getByLabel(/customer_id/)
        .first()
        .inputValue(),
    )
    .toBe('c3');
});

test('that all inputs are known, and that there is little history, are two things with names of their own', async () => {
  const { page } = journey.shown;
  await page.route('**/v1/api/prediction/**', async (route) => {
    const response = await route.fetch();
    const json = { ...(await response.json()), data_coverage: 'full', data_coverage_share: 0.066 };
    await route.fulfill({ response, json });
  });
  await page.goto('/playground?model=credit');
  await page
    .getByLabel(/customer_id/)
    .first()
    .fill('c3');
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  const known = page.locator('section').filter({ has: page.getByRole('heading', { name: 'What was known' }) });
  await known.last().waitFor();
  const text = await known.last().innerText();
  expect(text).toMatch(/Inputs\s+all known/);
  expect(text).toMatch(/History\s+6\.6% of what the model reads has a value for this one: little is known of it yet/);
  expect(text).not.toMatch(/full|enough/i);
});

test('what is asked is said in words, what is usual beside each chance, and a stranger is no assessment', async () => {
  const { page } = await journey.open({ language: 'pt-BR', width: 390, cookie: await journey.signIn('developer') });
  const sentence =
    'Para cada cliente com ao menos um empréstimo até então: a chance de haver, nos próximos 30 e 90 dias, ao menos uma parcela ainda sem pagamento 30 dias depois do vencimento';
  await page.goto(`/tasks/${journey.lender.task}`);
  await page.getByText(sentence).waitFor();
  await page.goto('/playground?model=credit');
  await page.getByText(sentence).waitFor();
  const ask = async (key: string) => {
    await page
      .getByLabel(/customer_id/)
      .first()
      .fill(key);
    await page.getByRole('button', { name: 'Perguntar', exact: true }).click();
  };
  await ask('c3');
  const answer = page.getByRole('region', { name: 'A resposta' });
  await answer.getByText(/O primeiro é a chance de haver, nos próximos 30 dias,/).waitFor();
  const entity = answer.getByRole('link', { name: 'Abrir a entidade c3' });
  expect(await entity.getAttribute('href')).toMatch(/^\/entities\/customer\/c3\b/);
  const { body: metrics } = await journey.lender.tenant.client.get(
    `/v1/api/models/${journey.lender.model}/versions/${journey.lender.versions[0]}/metrics`,
  );
  for (const { positives, rows } of metrics.outputs) {
    const share = new Intl.NumberFormat('pt-BR', { style: 'percent', maximumFractionDigits: 1 }).format(
      positives / rows,
    );
    await answer.getByText(`taxa geral ${share}`, { exact: true }).first().waitFor();
  }
  const months = /de [a-z]{3}\. de \d{4}( a [a-z]{3}\. de \d{4})?/.source;
  const measured = new RegExp(`nos [\\d.–]+ casos mais novos, ${months}, em que a versão foi medida`);
  await answer.getByText(measured).waitFor();
  await answer.getByText(new RegExp(`a média dos [\\d.]+ casos ${months} com que aprendeu`)).waitFor();
  // The average case and the usual rate are two measures, between which an answer may lie.
  await answer.getByText(/A taxa geral acima, .* é outra medida/).waitFor();
  // The newest day of the data is that which the service says, on the clocks of the workspace.
  const { body: direct } = await journey.lender.tenant.client.post('/v1/api/prediction/credit/production', {
    customer_id: 'c3',
  });
  const [, newest] = /the newest data are of (\S+),/.exec(direct.warnings[0].message)!;
  const day = new Intl.DateTimeFormat('pt-BR', { dateStyle: 'medium', timeZone: 'UTC' }).format(Date.parse(newest));
  const days = new Intl.NumberFormat('pt-BR').format(direct.data_age);
  await answer
    .getByText(`Os dados mais novos são de ${day}, ${days} dias antes do momento perguntado`)
    .first()
    .waitFor();
  await answer.getByRole('button', { name: `Perguntar para ${day}` }).click();
  await answer.getByText('Os dados mais novos são', { exact: false }).waitFor({ state: 'detached' });
  await answer.getByText(/^Score de 0 a 1000/).waitFor();
  expect(new URL(page.url()).search).toContain(newest);
  const isNoAssessment = answer.getByText('Nada se sabe de quem se pergunta: a resposta é o que é comum');
  expect(await isNoAssessment.count()).toBe(0);
  await ask('ninguém');
  await isNoAssessment.waitFor();
  await answer.getByText('Nada se sabe', { exact: true }).waitFor();
  // It is read before the number, and that something has no value is no reason for or against.
  const said = await answer.innerText();
  expect(said.indexOf('não um julgamento')).toBeLessThan(said.indexOf('Score de 0 a 1000'));
  expect(said).toContain('Não há: nada se sabe que fale a favor ou contra.');
  expect(said).not.toMatch(/(aumenta|diminui) o risco/);
  await answer.getByRole('link', { name: 'Abrir nas previsões' }).click();
  const drawer = page.getByRole('complementary', { name: 'credit' });
  await drawer.getByText('Nada se sabe de quem se pergunta: a resposta é o que é comum').waitFor();
  await drawer.getByText('Não há: nada se sabe que fale a favor ou contra.').waitFor();
  expect(await drawer.getByRole('button', { name: 'Medir as contribuições' }).count()).toBe(0);
});

test('whom a question is about is said in words of a case that it is not about', async () => {
  const { client } = journey.lender.tenant;
  const { customer, loan } = lendingData();
  const firstOf = (id: unknown) =>
    Math.min(...loan.flatMap(({ customer_id, opened }) => (customer_id === id ? (opened as number) : [])));
  const { customer_id: who } = customer.find(
    ({ customer_id: id, joined }) =>
      firstOf(id) < Number.POSITIVE_INFINITY && firstOf(id) > (joined as number) + 3 * day,
  )!;
  const reference_date = new Date((firstOf(who) - day) / 1000).toISOString().slice(0, 10);
  const { body } = await client.post('/v1/api/prediction/credit/production', { customer_id: who, reference_date });
  for (const [language, said] of [
    ['en', 'The question is about cases with at least one loan so far, and this one'],
    ['pt-BR', 'A pergunta é sobre casos com ao menos um empréstimo até então, e este'],
  ] as const) {
    const { page } = await journey.open({ language, cookie: await journey.signIn('creator') });
    await page.goto(`/predictions?open=${body.prediction_id}`);
    const note = page.getByRole('note').filter({ hasText: said });
    await note.waitFor();
    expect(await note.innerText()).not.toContain('exists(');
  }
});

test('an answer as of a time before all that was learned from says so, and asks as of the first such day', async () => {
  const { page } = await journey.open({ language: 'pt-BR', cookie: await journey.signIn('developer') });
  await page.goto('/playground?model=credit');
  const key = page.getByLabel(/customer_id/).first();
  await key.fill('c3');
  await page
    .getByLabel(/reference_date/)
    .first()
    .fill('2018-01-01');
  await page.getByRole('button', { name: 'Perguntar', exact: true }).click();
  const answer = page.getByRole('region', { name: 'A resposta' });
  const note = answer.getByRole('note').filter({ hasText: 'anterior ao primeiro caso com que o modelo aprendeu' });
  await note.waitFor();
  await note.getByRole('button', { name: /^Perguntar para / }).click();
  await note.waitFor({ state: 'detached' });
  await answer.getByText(/^Score de 0 a 1000/).waitFor();
  expect(new URL(page.url()).search).not.toContain('2018-01-01');
});

test('an answer fades when its inputs change and goes with a refusal; a day that is none is never left out', async () => {
  const { page } = await journey.open({ width: 390, language: 'pt-BR', cookie: await journey.signIn('developer') });
  await page.goto('/playground?model=credit');
  const key = page.getByLabel(/customer_id/).first();
  const day = page.getByLabel(/reference_date/).first();
  const ask = page.getByRole('button', { name: 'Perguntar', exact: true });
  await key.fill('13.823.607/0001-14');
  await page.getByText(/^Os dígitos verificadores estão errados/).waitFor();
  await key.fill('c3');
  expect(await page.getByText(/^Os dígitos verificadores/).count()).toBe(0);
  await ask.click();
  const answer = page.getByRole('region', { name: 'A resposta' });
  const score = answer.getByText(/^Score de 0 a 1000/);
  await score.waitFor();
  await answer.getByText('Seu intervalo, dito acima').waitFor();
  await answer.getByText('onde está a taxa de casos como este', { exact: true }).waitFor();
  // 31 February: the control shows it, and has no value for it.
  await day.focus();
  await page.keyboard.type('02312021');
  await page.keyboard.press('Tab');
  await page.getByText('Isto não é um dia completo do calendário. Complete ou apague.').waitFor();
  await answer.getByText('Esta é a resposta a entradas anteriores. Pergunte de novo para as atuais.').waitFor();
  await ask.click();
  await answer.getByText('A resposta aparece aqui').waitFor();
  expect(await score.count()).toBe(0);
  await day.fill('2021-12-31');
  await ask.click();
  await score.waitFor();
  await day.fill('2099-12-31');
  await ask.click();
  await page.getByText('Este dia está no futuro.').waitFor();
  expect(await score.count()).toBe(0);
  // What is said of the whole lies above the button, not behind it.
  const box = page.getByRole('alert').filter({ hasText: 'Uma entrada foi recusada' });
  const isSeen = box.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
  });
  expect(await isSeen).toBe(true);
});

test('on a phone the answer comes into sight, and choosing a workspace closes the menu', async () => {
  const { page } = await journey.open({ width: 390 });
  await page.goto('/playground?model=credit');
  await settled(page);
  await page
    .getByLabel(/customer_id/)
    .first()
    .fill('c3');
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  const answer = page.getByRole('region', { name: 'The answer' });
  await answer.waitFor();
  await expect.poll(() => answer.evaluate((element) => element === document.activeElement)).toBe(true);
  const top = () => answer.evaluate((element) => element.getBoundingClientRect().top / window.innerHeight);
  await expect.poll(top).toBeLessThan(0.5);
  await page.getByRole('button', { name: 'Open the menu' }).click();
  const menu = page.getByRole('navigation', { name: 'Pages' });
  await menu.getByRole('button', { name: /Lender workspace/ }).click();
  await page.getByRole('menuitem', { name: /Lender workspace/ }).click();
  await menu.waitFor({ state: 'hidden' });
});

test('all moments of a page are told on the clock of the workspace, wherever the browser is', async () => {
  const { page } = await journey.open({ timeZone: 'Pacific/Auckland' });
  const { client } = journey.lender.tenant;
  const ask = (reference_date: string) =>
    client.post('/v1/api/prediction/credit/production', { customer_id: 'c58', reference_date });
  for (const day of ['2022-04-30', '2022-05-31']) await ask(day);
  const { body: answer } = await ask('2022-06-30');
  // There it is the next afternoon, at the end of the day of the workspace.
  const endOfDay = 'Jun 30, 2022, 11:59 PM GMT-3';
  await page.goto(`/predictions?open=${answer.prediction_id}`);
  const pane = page.getByRole('complementary');
  await pane.getByText(endOfDay).waitFor();
  // When it was asked is on the same clock, and says so too.
  const times = await pane.locator('time').allTextContents();
  expect(times).toHaveLength(2);
  for (const time of times) expect(time).toMatch(/ GMT-3$/);
  await page.getByRole('row').filter({ hasText: 'c58' }).getByText('as of Jun 30, 2022').waitFor();
  await page.goto('/entities/customer/c58?as_of=2022-06-30');
  await page.getByText(endOfDay).waitFor();
  await page.goto('/entities/customer/c58?tab=scores');
  await page.getByText('3 answers, as of Apr 30, 2022 to Jun 30, 2022.').waitFor();
  await page.getByRole('row').filter({ hasText: 'credit' }).getByText('Jun 30, 2022').waitFor();
  // In the evening of the workspace, when the day of UTC is the next one already.
  await page.clock.setSystemTime(new Date('2030-01-02T01:00:00Z'));
  await page.goto('/entities/customer/c58');
  await expect
    .poll(() => page.getByRole('slider').getAttribute('max'))
    .toBe(String(Date.parse('2030-01-01') / (24 * 60 * 60_000)));
});

test('each word of a question is explained by one that can be asked of the tables', async () => {
  const { page } = journey.shown;
  const { client } = journey.lender.tenant;
  await page.goto('/tasks/new');
  await settled(page);
  await page.getByText('trains nothing and is not billed').waitFor();
  await page.getByText('The words of a question').click();
  const uses = page.getByRole('group').getByRole('button', { name: 'Use', exact: true });
  const count = await uses.count();
  expect(count).toBeGreaterThan(6);
  const question = page.getByRole('textbox', { name: 'Question' });
  for (let at = 0; at < count; at++) {
    await uses.nth(at).click();
    const definition = await question.inputValue();
    const { body: read } = await client.post('/v1/api/tasks/question', { definition });
    await page.getByText(read.question.en.sentence).waitFor();
    const { status, text } = await client.post('/v1/api/tasks', { name: `word-${at}`, definition });
    expect(status, `${definition} ${text}`).toBe(201);
  }
});

test('what would change an answer is moved, found and tried, and nothing of it is kept but what is tried', async () => {
  const { client } = journey.lender.tenant;
  const { body } = await trainAndAsk(client, 'month', { customer_id: 'c3', opened: '2021-11-02', size: 604 });
  const kept = async () => (await client.get('/v1/api/predictions?count=true')).body.total.count;
  const { page } = journey.shown;
  const inputs = encodeURIComponent(JSON.stringify({ customer_id: 'c3', opened: '2021-11-02', size: 604 }));
  await page.goto(`/playground?model=${body.model_id}&inputs=${inputs}`);
  await settled(page);
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  await page.getByRole('button', { name: 'See what could be otherwise' }).click();
  const slider = page.getByLabel('Value of size');
  await slider.waitFor();
  await page.getByText(/customer_id \(names another row\)/).waitFor();
  const before = await kept();
  await slider.fill('608');
  await page.getByText(/608 \(now: 604\)/).waitFor();
  await settled(page);
  const asked = await client.post(`/v1/api/prediction/${body.model_id}/production/counterfactuals`, {
    inputs: { customer_id: 'c3', opened: '2021-11-02', size: 608 },
    changeable: [],
  });
  const [name, value] = Object.entries(asked.body.prediction).find(([, value]) => typeof value === 'number')!;
  const said = `${(100 * Number(value)).toFixed(Number(value) >= 0.1 ? 1 : 2)}%`;
  await expect
    .poll(() => page.getByRole('row').filter({ hasText: name }).last().getByRole('cell').last().innerText())
    .toBe(said);
  await page.getByLabel(/^Threshold/).fill('99');
  await page.getByRole('button', { name: 'Find the smallest change' }).click();
  await page.getByText('The answer is so already.').waitFor();
  await page.getByLabel(/^Threshold/).fill('0.001');
  await page.getByRole('button', { name: 'Find the smallest change' }).click();
  await page.getByText(/No change of these inputs|Nothing of these inputs|No change that was tried/).waitFor();
  expect(await kept()).toBe(before);
  await page.getByRole('button', { name: 'Take these values over' }).click();
  await expect.poll(kept).toBe(before + 1);
  await expect.poll(() => page.getByLabel(/^size/).first().inputValue()).toBe('608');
});

test('of somebody who is asked about by a key it is said, in Portuguese too, that no input could be otherwise', async () => {
  const { page } = await journey.open({ language: 'pt-BR', cookie: await journey.signIn('developer') });
  await page.goto('/playground?model=credit&inputs=%7B%22customer_id%22%3A%22c3%22%7D');
  await page.getByRole('button', { name: 'Perguntar', exact: true }).click();
  await page.getByRole('button', { name: 'Ver o que poderia ser diferente' }).click();
  await page.getByText(/Esta versão responde sobre alguém dos seus dados/).waitFor();
});
