/** Journeys 6 and 7: a batch by dropping a file, and a batch with trouble. */
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Route } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCsv } from '../src/uploads/csv.ts';
import { prepareJourneys } from './journeys.ts';
import { axeViolations, settled } from './pages.ts';

const journey = prepareJourneys({ allowed: /Failed to load resource|ERR_INTERNET_DISCONNECTED|net::/ });
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lastro-batches-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes a file of customers, some of whose dates are none. */
function write(name: string, rows: number, isBroken: (row: number) => boolean = () => false): string {
  const lines = Array.from({ length: rows }, (_, c) => `c${c % 60},ref-${c},${isBroken(c) ? 'soon' : '2022-06-30'}`);
  const path = join(folder, name);
  writeFileSync(path, `customer_id,correlation_id,reference_date\n${lines.join('\n')}\n`);
  return path;
}

test('journey 6: a file is dropped, checked, sent, scored and its result fetched', async () => {
  const { page } = journey.shown;
  await page.goto(`/batches/new?model=${journey.lender.model}&target=production`);
  await settled(page);
  const path = write('portfolio.csv', 5_000);
  writeFileSync(path, readFileSync(path, 'utf8').replace('correlation_id', 'my_ref'));
  await page.locator('input[type="file"]').setInputFiles(path);
  await page.getByText(/rows are as the model takes them/).waitFor();
  await page
    .getByText(/^Columns that the model does not read, and that will be in the result as they are: my_ref\./)
    .waitFor();
  await page.getByLabel('Your own reference').selectOption('my_ref');
  await page.getByRole('button', { name: /Score the rows/ }).click();
  await page.waitForURL(/\/batches\/bat_/);
  await page.getByText('Succeeded').first().waitFor({ timeout: 120_000 });
  await settled(page);
  await page.getByRole('button', { name: 'Download portfolio.csv' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'As it was scored, for programs' }).click(),
  ]);
  const bytes = readFileSync(await download.path());
  const id = /bat_\w+/.exec(page.url())![0];
  const { body } = await journey.lender.tenant.client.get(`/v2/api/batches/${id}/result`);
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(body.files[0].sha256);
  expect(download.suggestedFilename()).toMatch(/^portfolio-results-.+-v1\.csv$/);
  const [header, first] = bytes.toString().split('\n');
  const told = (name: string) => first.split(',')[header.split(',').indexOf(name)];
  expect([told('customer_id'), told('reference_id')]).toEqual(['c0', 'ref-0']);
  expect([header.split(',').at(-2), first.split(',').at(-2)]).toEqual(['row', '1']);
  expect(header.split(',').at(-1)).toBe('warnings');
});

test('the rows of a result are as of moments of the workspace, wherever the browser is', async () => {
  const { page } = await journey.open({ timeZone: 'Pacific/Auckland' });
  await page.goto(`/batches/${journey.lender.batch}`);
  const preview = page.getByRole('region', { name: 'First rows of portfolio.csv' });
  await preview.getByText('Jun 30, 2022, 11:59 PM GMT-3').first().waitFor();
});

test('journey 7: broken rows are told before and after, with the rows they stand in', async () => {
  const { page } = journey.shown;
  await page.goto(`/batches/new?model=${journey.lender.model}&target=production`);
  await settled(page);
  await page.locator('input[type="file"]').setInputFiles(write('broken.csv', 300, (row) => row % 100 === 7));
  await page
    .getByText(/“soon”/)
    .first()
    .waitFor();
  await page.getByRole('button', { name: /Score the rows/ }).click();
  await page.waitForURL(/\/batches\/bat_/);
  await page.getByText('Succeeded').first().waitFor({ timeout: 120_000 });
  await page.getByRole('heading', { name: 'Rows that were left out' }).waitFor();
  const table = page.getByRole('table', { name: 'Rows that were left out' });
  // The header is no row of the data.
  for (const row of [8, 108, 208])
    await table
      .getByRole('cell', { name: String(row), exact: true })
      .first()
      .waitFor();
  await page.getByRole('button', { name: 'Language' }).click();
  await page.getByRole('menuitem', { name: 'Português' }).click();
  const said = page.getByText('esperava uma data como 2024-01-31, e encontrou “soon”');
  await said.first().waitFor();
  expect(await said.count()).toBe(3);
  // The choice stays with the person.
  await page.getByRole('button', { name: 'Idioma' }).click();
  await page.getByRole('menuitem', { name: 'English' }).click();
  await page.getByRole('heading', { name: 'Rows that were left out' }).waitFor();
});

test('the rows of a batch that were left out are scored again as the batch was asked', async () => {
  const { page } = journey.shown;
  const { client } = journey.lender.tenant;
  const lines = Array.from({ length: 20 }, (_, c) => `c${c};${c === 3 ? 'soon' : '30/06/2022'};ref-${c}`);
  const text = `Cliente;Quando;my_ref\n${lines.join('\n')}\n`;
  const file = await client.upload('clientes.csv', text);
  const asked = {
    ...{ column_mapping: { customer_id: 'Cliente', reference_date: 'Quando' }, reference_date: '2022-05-31' },
    ...{ reference_column: 'my_ref', include: ['interval'], output_format: 'csv', csv_dialect: 'excel_semicolon' },
  };
  const { body } = await client.post('/v2/api/batches', {
    ...{ files: [file], model: `${journey.lender.model}/production` },
    ...asked,
  });
  await client.finished(`/v2/api/batches/${body.id}`);
  await page.goto(`/batches/${body.id}`);
  await page.getByRole('link', { name: 'Send the corrected file' }).click();
  await page
    .getByText('Columns and options are those of the batch that the rows are from.', { exact: false })
    .waitFor();
  const path = join(folder, 'clientes-rows-to-correct.csv');
  writeFileSync(path, text.replace('soon', '30/06/2022'));
  await page.locator('input[type="file"]').setInputFiles(path);
  await page.getByText(/rows are as the model takes them/).waitFor();
  expect(await page.getByLabel('Your own reference').inputValue()).toBe('my_ref');
  await page.getByRole('button', { name: /Score the rows/ }).click();
  await page.waitForURL(/\/batches\/bat_/);
  const again = await client.finished(`/v2/api/batches/${/bat_\w+/.exec(page.url())![0]}`);
  const include = ['interval', 'input_columns'];
  expect(again.body).toMatchObject({ status: 'succeeded', ...asked, include, progress: { rows: { failed: 0 } } });
  // Both lead to each other, and the list says so too.
  expect(again.body.corrects).toBe(body.id);
  await page.getByRole('link', { name: /^Corrects .* of the batch of clientes/ }).click();
  await page.waitForURL(`**/batches/${body.id}**`);
  await page.getByRole('link', { name: /corrected in the batch/ }).click();
  await page.waitForURL(`**/batches/${again.body.id}**`);
  await page.goto('/batches');
  await page.getByRole('row').filter({ hasText: 'corrects …' }).first().waitFor();
});

/** A batch of ten rows: two have a day that is none, one a CPF with wrong check digits. */
async function runFaulty(name: string) {
  const { client } = journey.lender.tenant;
  const whoOf = (c: number) => (c === 8 ? '123.456.789-00' : `c${c}`);
  const lines = Array.from(
    { length: 10 },
    (_, c) => `${whoOf(c)};${c === 3 || c === 5 ? 'soon' : '30/06/2022'};"=1+1 ""<b>"" ${c}"`,
  );
  const file = await client.upload(name, `customer_id;reference_date;nota\n${lines.join('\n')}\n`);
  const { body } = await client.post('/v2/api/batches', {
    ...{ files: [file], model: `${journey.lender.model}/production`, output_format: 'csv', include: ['warnings'] },
  });
  await client.finished(`/v2/api/batches/${body.id}`);
  return body.id as string;
}

/** The rows of a CSV text by the names of their columns. */
function rowsOf(text: string): Record<string, string>[] {
  const reader = openCsv(',');
  const [head, ...rows] = [...reader.push(text.replace('\ufeff', '')), ...reader.end()];
  return rows.map((cells) => Object.fromEntries(head.map((name, at) => [name, cells[at]])));
}

test('rows with something wrong are corrected in the page, and both results are one file in the first order', async () => {
  const { page } = journey.shown;
  const { client } = journey.lender.tenant;
  const id = await runFaulty('faulty.csv');
  await page.goto(`/batches/${id}`);
  const mistyped = page.getByRole('table', { name: 'Rows scored though their document is mistyped' });
  await mistyped.getByRole('cell', { name: '9', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Show the values' }).click();
  await mistyped.getByText('•••.456.789-••').waitFor();
  // What is taken as a file says which rows they were, and only of the rows that were chosen.
  await page.getByLabel('Scored with a mistyped document (1)').uncheck();
  const [taken] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download the rows of faulty.csv' }).click(),
  ]);
  const text = readFileSync(await taken.path(), 'utf8').replace('\ufeff', '');
  const wrong = ['4;c3;soon;"=1+1 ""<b>"" 3"', '6;c5;soon;"=1+1 ""<b>"" 5"'];
  expect(text.trimEnd().split('\r\n')).toEqual(['original_row;customer_id;reference_date;nota', ...wrong]);
  await page.getByLabel('Scored with a mistyped document (1)').check();

  await page.getByRole('button', { name: 'Correct them here' }).click();
  const day = page.getByLabel('reference_date, row 4');
  await expect.poll(() => day.evaluate((field) => field === document.activeElement)).toBe(true);
  expect(await day.inputValue()).toBe('soon');
  await page
    .getByRole('cell', { name: /reference_date, row 4|soon/ })
    .first()
    .getByText('expected a date', { exact: false })
    .waitFor();
  // What nothing is wrong with is shown and is no field; of other rows nothing is there.
  expect(await page.getByLabel(/, row \d+$/).count()).toBe(3);
  await day.fill('soon enough');
  await page.getByText('reference_date is to be', { exact: false }).waitFor();
  await day.fill('01/06/2022');
  await page.keyboard.press('Enter');
  const below = page.getByLabel('reference_date, row 6');
  await expect.poll(() => below.evaluate((field) => field === document.activeElement)).toBe(true);
  await page.getByLabel('customer_id, row 9').fill('c8');
  await page.getByText('2 of 3 rows changed.', { exact: false }).waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Score the 2 corrected rows' }).click();
  await page.waitForURL((url) => /\/batches\/bat_/.test(url.pathname) && !url.pathname.includes(id));
  const correction = /bat_\w+/.exec(page.url())![0];
  const { body } = await client.finished(`/v2/api/batches/${correction}`);
  const told = { status: 'succeeded', corrects: id, include: ['warnings', 'input_columns'] };
  expect(body).toMatchObject({ ...told, progress: { rows: { succeeded: 2, failed: 0 } } });
  const resultOf = async (batch: string) =>
    rowsOf(await (await fetch((await client.get(`/v2/api/batches/${batch}/result`)).body.download_url)).text());
  const corrected = await resultOf(correction);
  expect(corrected.map((row) => [row.original_row, row.customer_id, row.as_of.slice(0, 10)])).toEqual([
    // The day of a file of few rows could be read as one of another month: it is written without doubt.
    ['4', 'c3', '2022-06-02'],
    ['9', 'c8', '2022-07-01'],
  ]);

  await page.goto(`/batches/${id}`);
  await page.getByRole('button', { name: 'Download both as one file' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'As it was scored, for programs' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('faulty-with-corrections.csv');
  const joined = rowsOf(readFileSync(await download.path(), 'utf8'));
  expect(joined.map(({ customer_id: key, corrected_in: by }) => [key, by])).toEqual(
    [0, 1, 2, 3, 4, 6, 7, 8, 9].map((c) => [`c${c}`, c === 3 || c === 8 ? correction : '']),
  );
  const first = (await resultOf(id)).filter(({ customer_id: key }) => key !== '123.456.789-00');
  expect(joined.filter((row) => row.corrected_in === '').map(({ corrected_in: _, ...row }) => row)).toEqual(first);
  expect(joined[3].score).toBe(corrected[0].score);
});

test('rows of several files that are corrected once more stand in the place of their first row', async () => {
  const { page } = journey.shown;
  const { client } = journey.lender.tenant;
  const textOf = (from: number) =>
    Array.from({ length: 4 }, (_, c) => `c${from + c},${c === 2 ? 'soon' : '2022-06-30'}`).join('\n');
  const files = [0, 10].map((from) => client.upload(`=${from}.csv`, `customer_id,reference_date\n${textOf(from)}\n`));
  const { body } = await client.post('/v2/api/batches', {
    ...{ files: await Promise.all(files), model: `${journey.lender.model}/production`, include: ['row'] },
  });
  await client.finished(`/v2/api/batches/${body.id}`);
  const correct = async (id: string, days: readonly string[]) => {
    await page.goto(`/batches/${id}`);
    await page.getByRole('button', { name: 'Correct them here' }).click();
    // Each says the number that it has in the first file, though it is another one in that of its batch.
    const fields = page.getByLabel('reference_date, row 3');
    await fields.first().waitFor();
    for (const [at, day] of days.entries()) await fields.nth(at).fill(day);
    await page.getByRole('button', { name: /^Score the/ }).click();
    await page.waitForURL((url) => /\/batches\/bat_/.test(url.pathname) && !url.pathname.includes(id));
    const made = /bat_\w+/.exec(page.url())![0];
    const { body: ended } = await client.finished(`/v2/api/batches/${made}`);
    return [made, ended.progress.rows.failed];
  };
  const [first, left] = await correct(body.id, ['2022-06-30', 'later']);
  expect(left).toBe(1);
  const [second, none] = await correct(first, ['2022-05-31']);
  expect(none).toBe(0);
  await page.goto(`/batches/${body.id}`);
  for (const [from, by] of [
    [0, first],
    [10, second],
  ] as const) {
    await page.getByRole('button', { name: `Download both as one file: =${from}.csv` }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'As it was scored, for programs' }).click(),
    ]);
    const joined = rowsOf(readFileSync(await download.path(), 'utf8'));
    expect(joined.map((one) => [one.customer_id, one.row, one.corrected_in])).toEqual(
      [1, 2, 3, 4].map((row) => [`c${from + row - 1}`, String(row), row === 3 ? by : '']),
    );
  }
  // A correction whose rows do not say which ones they are is not joined by guess.
  const file = await client.upload('nameless.csv', 'customer_id,reference_date\nc2,2022-06-30\n');
  const nameless = await client.post('/v2/api/batches', {
    ...{ files: [file], model: `${journey.lender.model}/production`, corrects: body.id },
  });
  await client.finished(`/v2/api/batches/${nameless.body.id}`);
  await page.reload();
  await page.getByRole('button', { name: 'Download both as one file: =0.csv' }).click();
  await page.getByRole('menuitem', { name: 'As it was scored, for programs' }).click();
  await page.getByText('The two cannot be joined here', { exact: false }).waitFor();
});

test('on a phone, in Portuguese, rows are corrected by what leads to them', async () => {
  const { page } = await journey.open({ language: 'pt-BR', width: 390, cookie: await journey.signIn('creator') });
  await page.goto(`/batches/${await runFaulty('celular.csv')}`);
  await page.getByRole('button', { name: 'Corrigir aqui' }).click();
  await page.getByLabel('reference_date, linha 6').fill('30/06/2022');
  await page.getByRole('button', { name: 'Pontuar a linha corrigida' }).waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  expect(await axeViolations(page)).toEqual([]);
  // Who may not have the rows is told how many there are, and who may.
  const other = await journey.open({ cookie: await journey.signIn('developer') });
  await other.page.goto(page.url());
  await other.page.getByText('1 row was scored though', { exact: false }).waitFor();
  expect(await other.page.getByRole('button', { name: 'Correct them here' }).count()).toBe(0);
  expect(await other.page.getByText('456.789', { exact: false }).count()).toBe(0);
});

test('days are found by their values, and between several the page asks which', async () => {
  const { page } = journey.shown;
  const send = async (name: string, text: string) => {
    await page.goto(`/batches/new?model=${journey.lender.model}&target=production`);
    await settled(page);
    writeFileSync(join(folder, name), text);
    await page.locator('input[type="file"]').setInputFiles(join(folder, name));
  };
  await send('one-day.csv', 'customer_id;Quando\nc1;30/06/2022\n');
  await page.getByText('Found by its values, which are days', { exact: false }).waitFor();
  expect(await page.getByLabel('reference_date').first().inputValue()).toBe('Quando');
  await send('two-days.csv', 'customer_id;Quando;Desde\nc1;30/06/2022;30/06/2020\n');
  await page
    .getByText('Several columns have days: Quando and Desde.', { exact: false })
    .filter({ hasText: 'all rows are answered as of now' })
    .waitFor();
  await page.getByLabel('reference_date').first().selectOption('Quando');
  await page.getByText('Several columns have days', { exact: false }).waitFor({ state: 'detached' });
});

test('the network is lost amid an upload, and back: the batch goes on', async () => {
  const { page, context } = journey.shown;
  await page.goto(`/batches/new?model=${journey.lender.model}&target=production`);
  await settled(page);
  // The connection goes while the bytes are on their way, once.
  const cut = async (route: Route) => {
    await context.setOffline(true);
    await route.abort('internetdisconnected');
  };
  await page.route(/\/v2\/api\/files\/[^/]+\/upload/, cut, { times: 1 });
  await page.locator('input[type="file"]').setInputFiles(write('later.csv', 200));
  await page.getByRole('button', { name: /Score the rows/ }).click();
  await page.getByText('The connection is lost. It goes on by itself as soon as it is back.').waitFor();
  await page.getByText('No connection to the service').waitFor();
  await context.setOffline(false);
  await page.waitForURL(/\/batches\/bat_/, { timeout: 60_000 });
});

test('a large file that breaks off goes on where it was', async () => {
  const { page } = journey.shown;
  await page.goto(`/batches/new?model=${journey.lender.model}&target=production`);
  await settled(page);
  const offsets: string[] = [];
  await page.route(/\/v2\/api\/files\/[^/]+\/upload/, async (route) => {
    const request = route.request();
    if (request.method() !== 'PATCH') return route.continue();
    offsets.push(request.headers()['upload-offset']!);
    // The second part is lost on its way, once.
    return offsets.length === 2 ? route.abort('connectionreset') : route.continue();
  });
  const rows = 'c1,2022-06-30,'.padEnd(1_000, 'x');
  const path = join(folder, 'large.csv');
  writeFileSync(path, `customer_id,reference_date,note\n${`${rows}\n`.repeat(70_000)}`);
  await page.locator('input[type="file"]').setInputFiles(path);
  const done = page.getByRole('button', { name: /Score the rows/ });
  await expect.poll(() => offsets.length, { timeout: 60_000 }).toBe(3);
  const part = String(64 * 1024 * 1024);
  expect(offsets).toEqual(['0', part, part]);
  await page.getByText('100%').first().waitFor();
  await done.waitFor();
  await page.unrouteAll({ behavior: 'wait' });
});

test('a file that lacks what the model needs is not sent to be scored', async () => {
  const { page } = journey.shown;
  const path = join(folder, 'wrong.csv');
  writeFileSync(path, 'name,age\nAna,3\n');
  await page.goto(`/batches/new?model=${journey.lender.model}&target=production`);
  await settled(page);
  await page.locator('input[type="file"]').setInputFiles(path);
  await page.getByText(/Columns that the model needs are missing: customer_id/).waitFor();
  expect(await page.getByRole('button', { name: /Score the rows/ }).isDisabled()).toBe(true);
});

test('a file from Excel in Portuguese is scored as it is, and its result reads there as people write', async () => {
  const { page } = journey.shown;
  const path = join(folder, 'carteira.csv');
  const lines = Array.from({ length: 30 }, (_, c) => `${c === 4 ? 'nobody' : `c${c}`};2022-06-30;x`);
  writeFileSync(path, `Cliente;Reference Date;nota\n${lines.join('\n')}\n`);
  await page.goto(`/batches/new?model=${journey.lender.model}&target=production`);
  await settled(page);
  await page.locator('input[type="file"]').setInputFiles(path);
  await page.getByText(/Columns that the model needs are missing: customer_id/).waitFor();
  const start = page.getByRole('button', { name: /Score the rows/ });
  expect(await start.isDisabled()).toBe(true);
  const day = page.getByLabel('reference_date', { exact: false }).first();
  expect(await day.inputValue()).toBe('Reference Date');
  await page.getByText('Found by its name. The first value is “2022-06-30”.').waitFor();
  await page.getByLabel('customer_id').selectOption('Cliente');
  await page.getByText(/rows are as the model takes them/).waitFor();
  await page.getByText('Add the bounds of each answer').click();
  await start.click();
  await page.waitForURL(/\/batches\/bat_/);
  await page.getByText('Succeeded').first().waitFor({ timeout: 120_000 });
  await settled(page);
  await page.getByText('Cliente → customer_id, Reference Date → reference_date').waitFor();
  await page.getByText('Row 5.', { exact: true }).waitFor();
  await page.getByLabel('Rows shown').selectOption({ label: 'not in the data' });
  const preview = page.getByRole('region', { name: 'First rows of carteira.csv' });
  expect(await preview.getByRole('row').count()).toBe(2);
  await preview.getByRole('cell', { name: 'nobody' }).waitFor();
  const shown = async (name: string) => {
    const heads = await preview.getByRole('columnheader').allInnerTexts();
    return preview.getByRole('row').last().getByRole('cell').nth(heads.indexOf(name));
  };
  // The number of a row in the file stands first, and stays in sight where the rows are scrolled aside.
  const number = preview.getByRole('row').last().getByRole('cell').first();
  expect((await preview.getByRole('columnheader').allInnerTexts())[0]).toBe('row');
  expect(await number.innerText()).toMatch(/^\d+$/);
  await preview.evaluate((panel) => panel.scrollTo({ left: panel.scrollWidth }));
  const [left, panelLeft] = [(await number.boundingBox())!.x, (await preview.boundingBox())!.x];
  expect(Math.abs(left - panelLeft)).toBeLessThan(3);
  await preview.evaluate((panel) => panel.scrollTo({ left: 0 }));
  // As the page says answers elsewhere, and all digits on hover.
  for (const chance of ['pd_30d', 'pd_90d']) {
    expect(await (await shown(chance)).innerText()).toMatch(/^\d+(\.\d+)?%$/);
    expect(await (await shown(chance)).getAttribute('title')).toMatch(/^0\.\d{3,}$/);
  }
  expect(await (await shown('score')).innerText()).toMatch(/^\d+$/);
  expect(await (await shown('interval')).innerText()).toMatch(/^pd_30d [\d.]+% – [\d.]+% · .*score \d+ – \d+$/);
  expect(await (await shown('as_of')).innerText()).toBe('Jun 30, 2022, 11:59 PM');
  const { body: workspace } = await journey.lender.tenant.client.get('/v1/api/workspace');
  const timeZone: string = workspace.time_zone;
  await page.getByRole('button', { name: 'Language' }).click();
  await page.getByRole('menuitem', { name: 'Português' }).click();
  await page.getByRole('button', { name: 'Baixar carteira.csv' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Para planilha: uma coluna por motivo, códigos por extenso' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('carteira-planilha.csv');
  const reader = openCsv(';');
  const [head, ...excel] = reader.push(readFileSync(await download.path(), 'utf8'));
  const id = /bat_\w+/.exec(page.url())![0];
  const { body } = await journey.lender.tenant.client.get(`/v2/api/batches/${id}/result`);
  const plain = (await (await fetch(body.download_url)).text()).trimEnd().split('\n');
  const asOf = `as_of (${timeZone})`;
  // Columns are called as in the API; each reason and each bound has one of its own.
  const heads: Record<string, readonly string[]> = {
    key_factors: [1, 2, 3, 4].map((number) => `key_factors_${number}`),
    interval: ['score', 'pd_30d', 'pd_90d'].flatMap((name) => [`${name}_lower`, `${name}_upper`]),
    ...{ as_of: [asOf], customer_id: ['Cliente'] },
  };
  const names = plain[0].split(',').flatMap((name) => heads[name] ?? [name]);
  expect([head[0].replace('\ufeff', ''), ...head.slice(1)].toSorted()).toEqual(names.toSorted());
  // One's own column is called as in one's own file.
  expect(head[0]).toBe('\ufeffCliente');
  expect(excel).toHaveLength(plain.length - 1);
  const rows = excel.map((cells) => Object.fromEntries(head.map((name, at) => [name, cells[at]])));
  for (const row of rows) {
    const [from, score, to] = ['score_lower', 'score', 'score_upper'].map((name) =>
      Number(row[name]?.replace(',', '.')),
    );
    expect(from).toBeLessThanOrEqual(score);
    expect(to).toBeGreaterThanOrEqual(score);
  }
  const reasons = rows.flatMap(({ key_factors_1: reason }) => (reason === '' ? [] : [reason]));
  expect(reasons.length).toBeGreaterThan(20);
  for (const reason of reasons) expect(reason).toMatch(/^[^["].*; (raises|lowers) the risk/);
  expect([...new Set(rows.map((row) => row[asOf]))]).toEqual(['30/06/2022 23:59']);
  expect(rows.find((row) => row['\ufeffCliente'] === 'nobody')).toMatchObject({
    ...{ data_coverage: 'nenhuma conhecida', warnings: 'não está nos dados' },
  });
  for (const { risk_band: band } of rows) expect(band).toMatch(/^(Risco|Excepcional)/);
  const decimals = excel.flatMap((cells) => cells.filter((cell) => /^\d+,\d+$/.test(cell)));
  expect(decimals.length).toBeGreaterThan(20);
  expect(plain[1]).toContain(decimals[0].replace(',', '.'));
});
