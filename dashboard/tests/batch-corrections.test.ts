/** What was wrong with rows of a batch is corrected, in a file or in the page, and both results are one. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCsv } from '../src/uploads/csv.ts';
import { prepareJourneys } from './journeys.ts';
import { axeViolations } from './pages.ts';

const journey = prepareJourneys();
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lastro-corrections-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

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

  // Columns that were asked to be kept are no fault, and that by which rows are known is the page's own.
  await page.getByRole('heading', { name: 'About the files' }).waitFor();
  await page.getByText(/and that the result has as they are: nota$/).waitFor();
  expect(await page.getByRole('listitem').filter({ hasText: 'original_row' }).count()).toBe(0);
  expect(await page.getByRole('heading', { name: 'Warnings', exact: true }).count()).toBe(0);

  await page.goto(`/batches/${id}`);
  await page.getByRole('heading', { name: 'Warnings', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Download both as one file' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'As it was scored, for programs' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('faulty-with-corrections.csv');
  const written = readFileSync(await download.path(), 'utf8');
  const joined = rowsOf(written);
  expect(joined.map(({ customer_id: key, corrected_in: by }) => [key, by])).toEqual(
    [0, 1, 2, 3, 4, 6, 7, 8, 9].map((c) => [`c${c}`, c === 3 || c === 8 ? correction : '']),
  );
  const first = (await resultOf(id)).filter(({ customer_id: key }) => key !== '123.456.789-00');
  // What was sent stands first, the day too; what nobody has sent is not there.
  expect(written).toMatch(/^customer_id,reference_date,score,/);
  expect(joined.map((row) => row.reference_date)).toEqual(
    joined.map((_, at) => (at === 3 ? '01/06/2022' : '30/06/2022')),
  );
  const sent = { correlation_id: '', reference_id: '', reference_date: '30/06/2022' };
  expect(joined.flatMap(({ corrected_in: by, ...row }) => (by === '' ? { ...row, ...sent } : []))).toEqual(
    first.map((row) => ({ ...row, ...sent })),
  );
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
  const [second, none] = await correct(first, ['31/05/2022']);
  expect(none).toBe(0);
  // What has been corrected is not offered again at first; each correction has the joined result of the first batch.
  await page.goto(`/batches/${first}`);
  await page.getByRole('button', { name: 'Correct once more' }).waitFor();
  expect(await page.getByRole('button', { name: 'Correct them here' }).count()).toBe(0);
  await page.goto(`/batches/${second}`);
  await page.getByText('The result of this batch has the corrected rows alone', { exact: false }).waitFor();
  await page.getByRole('button', { name: 'Download both as one file: =0.csv' }).waitFor();
  await page.goto(`/batches/${body.id}`);
  await page.getByText('the corrected rows are answered in the batch named above', { exact: false }).waitFor();
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
    // A day that was corrected in a form of its own stands in that of the file.
    const corrected = from === 0 ? '2022-06-30' : '2022-05-31';
    expect(joined.map((one) => one.reference_date)).toEqual(['2022-06-30', '2022-06-30', corrected, '2022-06-30']);
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
