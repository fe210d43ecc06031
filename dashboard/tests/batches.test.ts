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
  const preview = page.getByRole('region', { name: 'Rows of portfolio.csv' });
  await preview.getByText('Jun 30, 2022, 11:59 PM GMT-3').first().waitFor();
});

test('the rows of a result are ordered and chosen by band in the whole file, and counted by band', async () => {
  const { page } = journey.shown;
  const { client } = journey.lender.tenant;
  // More rows than are shown at first.
  const rows = Array.from({ length: 300 }, (_, c) => `c${c % 60},${c}.06250`);
  const file = await client.upload('many.csv', `customer_id,mine\n${rows.join('\n')}\n`);
  const asked = { files: [file], model: `${journey.lender.model}/production`, reference_date: '2022-06-30' };
  const { body } = await client.post('/v2/api/batches', { ...asked, include: ['row', 'input_columns'] });
  await client.finished(`/v2/api/batches/${body.id}`);
  const { download_url: address } = (await client.get(`/v2/api/batches/${body.id}/result`)).body;
  const [header, ...lines] = (await (await fetch(address)).text()).trimEnd().split('\n');
  const [scoreAt, bandAt] = ['score', 'risk_band'].map((name) => header.split(',').indexOf(name));
  // Sentences have commas, and stand behind both.
  const scored = lines.map((line) => line.split(',')).map((cells) => [Number(cells[scoreAt]), cells[bandAt]] as const);
  const scores = scored.map(([score]) => score).sort((a, b) => a - b);

  await page.goto(`/batches/${body.id}`);
  const table = page.getByRole('region', { name: 'Rows of many.csv' });
  const head = (name: string) => table.getByRole('columnheader', { name, exact: true });
  const firstScore = async () => {
    const heads = await table.getByRole('columnheader').allInnerTexts();
    return table.getByRole('row').nth(1).getByRole('cell').nth(heads.indexOf('score')).innerText();
  };
  // What was sent stands as it was written.
  await table.getByRole('cell', { name: '7.06250', exact: true }).waitFor();
  await head('score').getByRole('button').click();
  await page.getByText('200 of 300 rows', { exact: true }).waitFor();
  await expect.poll(firstScore).toBe(String(scores.at(-1)));
  expect(await head('score').getAttribute('aria-sort')).toBe('descending');
  await head('score').getByRole('button').click();
  await expect.poll(firstScore).toBe(String(scores[0]));
  expect(await head('score').getAttribute('aria-sort')).toBe('ascending');
  await page.getByRole('button', { name: 'Load more' }).click();
  await page.getByText('300 of 300 rows', { exact: true }).waitFor();

  // One's own columns stand beside the keys.
  expect((await table.getByRole('columnheader').allInnerTexts()).slice(0, 3)).toEqual(['row', 'customer_id', 'mine']);
  const counts = Map.groupBy(scored, ([, band]) => band);
  const [band, of] = [...counts].toSorted(([, one], [, other]) => one.length - other.length)[0];
  const filter = page.getByRole('button', { name: new RegExp(`^${band}`) });
  await expect.poll(async () => (await filter.innerText()).split('\n')).toContain(String(of.length));
  await filter.click();
  await page.getByText(`${Math.min(200, of.length)} of ${of.length} rows`, { exact: true }).waitFor();
  await expect.poll(firstScore).toBe(String(Math.min(...of.map(([score]) => score))));
  await page.evaluate(() => scrollTo(0, 0));
  expect(await axeViolations(page)).toEqual([]);
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

test('days are found by their values, and between several the page asks which', async () => {
  const { page } = journey.shown;
  const send = async (name: string, text: string) => {
    await page.goto(`/batches/new?model=${journey.lender.model}&target=production`);
    await settled(page);
    writeFileSync(join(folder, name), text);
    await page.locator('input[type="file"]').setInputFiles(join(folder, name));
  };
  // A file of one column has no second one that could be left unread.
  await send('no-day.csv', 'customer_id\nc1\n');
  await page.getByText('Columns found: 1 of 2 that can be read').waitFor();
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

test('data that are old are told before rows are scored, and one click answers as of their newest day', async () => {
  const { page } = journey.shown;
  await page.goto(`/batches/new?model=${journey.lender.model}&target=production`);
  const warning = page.getByRole('note').filter({ hasText: /The newest data are of .+ days before the moment asked/ });
  await warning.waitFor();
  const file = join(folder, 'undated.csv');
  writeFileSync(file, 'customer_id\nc1\n');
  await page.locator('input[type="file"]').setInputFiles(file);
  await page.getByText('Columns found: 1 of 2 that can be read').waitFor();
  const day = page.getByLabel('As of the end of the day');
  expect(await day.inputValue()).toBe('');
  await warning.getByRole('button', { name: /^Ask as of / }).click();
  await warning.waitFor({ state: 'detached' });
  await page.getByText(/^Rows are answered as of .+, the newest day of the data\.$/).waitFor();
  const chosen = await day.inputValue();
  await day.fill('1999-01-31');
  await page.getByText(/^On Jan 31, 1999 nothing had happened yet: the data begin on .+ 20\d\d\./).waitFor();
  await day.fill('2199-01-31');
  await page.getByText(/^Jan 31, 2199 lies ahead/).waitFor();
  await day.fill(chosen);
  await page.getByText(/the newest day of the data\.$/).waitFor();
  await page.getByRole('button', { name: /Score the rows/ }).click();
  await page.waitForURL(/\/batches\/bat_/);
  const id = /bat_\w+/.exec(page.url())![0];
  const { body } = await journey.lender.tenant.client.get(`/v2/api/batches/${id}?wait=60`);
  expect(body).toMatchObject({ status: 'succeeded', reference_date: chosen, warnings: [] });
  // Rows that say their own days are of those.
  await page.goto(`/batches/new?model=${journey.lender.model}&target=production`);
  await warning.waitFor();
  await page.locator('input[type="file"]').setInputFiles(write('dated.csv', 20));
  await warning.waitFor({ state: 'detached' });
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
  await page.waitForURL(/\/batches\/bat_/, { timeout: 120_000 });
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
  await expect.poll(() => offsets.length, { timeout: 120_000 }).toBe(3);
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
  const preview = page.getByRole('region', { name: 'Rows of carteira.csv' });
  await expect.poll(() => preview.getByRole('row').count()).toBe(2);
  await preview.getByRole('cell', { name: 'nobody' }).waitFor();
  const shown = async (name: string) => {
    const heads = await preview.getByRole('columnheader').allInnerTexts();
    return preview.getByRole('row').last().getByRole('cell').nth(heads.indexOf(name));
  };
  // The number of a row in the file stands first, and stays in sight where the rows are scrolled aside.
  const number = preview.getByRole('row').last().getByRole('cell').first();
  expect((await preview.getByRole('columnheader').allInnerTexts()).slice(0, 2)).toEqual(['row', 'customer_id']);
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
  // Of somebody unknown the row has a number, and no reason for or against.
  await page.getByText('Nothing is known behind 1 of the 1 rows shown').waitFor();
  expect(await (await shown('data_coverage')).innerText()).toBe('nothing known');
  expect(await (await shown('key_factors')).innerText()).toBe('none: nothing is known of whom it is about');
  // Its band is no judgement, and counts in none.
  await page.getByLabel('Rows shown').selectOption({ label: 'All rows' });
  await page.getByRole('button', { name: 'Nothing known: 1, in no band' }).click();
  await expect.poll(() => preview.getByRole('row').count()).toBe(2);
  await preview.getByRole('cell', { name: 'nobody' }).waitFor();
  const bandOfUnknown = await (await shown('risk_band')).innerText();
  await page.getByRole('button', { name: new RegExp(`^${bandOfUnknown}`) }).click();
  await expect.poll(() => preview.getByRole('cell', { name: 'nobody' }).count()).toBe(0);
  await page.getByRole('button', { name: new RegExp(`^${bandOfUnknown}`) }).click();
  await preview
    .getByRole('cell', { name: /(raises|lowers) the risk/ })
    .first()
    .waitFor();
  // A row opens: each of its reasons whole, one below the other.
  const inBrief = await (await shown('key_factors')).getAttribute('title');
  await preview
    .getByRole('button', { name: /^All of row/ })
    .last()
    .click();
  const told = preview.getByRole('listitem');
  await expect.poll(async () => (await told.allInnerTexts()).join('\n')).toContain(inBrief!);
  expect(await axeViolations(page)).toEqual([]);
  await preview
    .getByRole('button', { name: /^All of row/ })
    .last()
    .click();
  await expect.poll(() => told.count()).toBe(0);
  const { body: workspace } = await journey.lender.tenant.client.get('/v1/api/workspace');
  const timeZone: string = workspace.time_zone;
  await page.getByRole('button', { name: 'Language' }).click();
  await page.getByRole('menuitem', { name: 'Português' }).click();
  await page.getByRole('button', { name: 'Baixar carteira.csv' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Para planilha em português: 1,5, ponto e vírgula entre as colunas' }).click(),
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
    as_of: [asOf],
  };
  // What was sent stands first, as in one's own file; what nobody has sent is not there.
  const sent = ['Cliente', 'Reference Date', 'nota'];
  expect(head.slice(0, 3)).toEqual(['\ufeffCliente', ...sent.slice(1)]);
  const known = ['customer_id', 'correlation_id', 'reference_id', ...sent];
  const names = plain[0].split(',').flatMap((name) => (known.includes(name) ? [] : (heads[name] ?? [name])));
  expect(head.slice(3).toSorted()).toEqual(names.toSorted());
  expect(new Set(excel.map((cells) => cells.slice(1, 3).join()))).toEqual(new Set(['2022-06-30,x']));
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
    ...{ data_coverage: 'nada se sabe', warnings: 'não está nos dados' },
    // As the page gives no reasons of somebody unknown, the file that is passed on gives none.
    ...{ key_factors_1: '', key_factors_4: '' },
  });
  for (const { risk_band: band } of rows) expect(band).toMatch(/^(Risco|Excepcional)/);
  const decimals = excel.flatMap((cells) => cells.filter((cell) => /^\d+,\d+$/.test(cell)));
  expect(decimals.length).toBeGreaterThan(20);
  expect(plain[1]).toContain(decimals[0].replace(',', '.'));
});
