/** How a version is held against another: its validations, the form that asks for one, and what is told of it. */
import { expect, test } from 'vitest';
import { idsFrom } from '../../server/src/lib/crypto/ids.ts';
import { validationExample } from '../../server/src/resources/validations/example.ts';
import { prepareJourneys } from './journeys.ts';
import { axeViolations, settled } from './pages.ts';

const journey = prepareJourneys();

const pathOf = () => `/models/${journey.lender.model}/versions/${journey.lender.versions[1]}?tab=validation`;

async function listed() {
  const { tenant, model, versions } = journey.lender;
  return (await tenant.client.get(`/v1/api/models/${model}/versions/${versions[1]}/validations`)).body.data;
}

/** Adds a copy of the validation that there is, as if it had been asked for at another time. */
async function addCopy(change: Readonly<Record<string, unknown>>): Promise<string> {
  const { pool } = journey.lender.service.owner;
  const [{ id }] = await listed();
  const at = new Date(change.created_at as string).getTime();
  const copy = `${idsFrom('val', at)}7aaa0000000000000001`;
  await pool.query(
    `insert into validations select (jsonb_populate_record(v, $1::jsonb)).* from validations as v where id = $2`,
    [JSON.stringify({ ...change, id: copy }), id],
  );
  return copy;
}

test('older validations are listed with what they were held against, and each has an address', async () => {
  const { page } = journey.shown;
  const [first] = await listed();
  const older = await addCopy({ alias: 'challenge', verdict: 'worse', created_at: '2024-01-01T12:00:00Z' });
  await page.goto(pathOf());
  const all = page.getByRole('table', { name: 'All validations of this version' });
  await all.getByRole('row', { name: /production \(v1\).*Lender/ }).waitFor();
  await all
    .getByRole('row', { name: /challenge \(v1\) Worse/ })
    .getByRole('button')
    .click();
  await page.waitForURL((url) => url.searchParams.get('validation') === older);
  const main = page.locator('main');
  await main.getByText('challenge (v1)').first().waitFor();
  expect(await all.locator('[aria-current]').count()).toBe(1);
  await settled(page);
  expect(await axeViolations(page)).toEqual([]);
  // One beyond those that are listed has an address all the same.
  await page.route(/\/validations\?limit=20$/, (route) =>
    route.continue({ url: route.request().url().replace('limit=20', 'limit=1') }),
  );
  await page.goto(`${pathOf()}&validation=${older}`);
  await main.getByText('challenge (v1)').first().waitFor();
  expect(await all.getByRole('row').count()).toBe(2);
  await page.getByRole('button', { name: 'Load more' }).click();
  const { length: count } = await listed();
  await expect.poll(() => all.getByRole('row').count()).toBe(1 + count);
  await page.unrouteAll();
  await page.goto(`${pathOf()}&validation=${first.id}`);
  await main.getByText('production (v1)').first().waitFor();
});

test('a validation that runs is stopped by whoever may, and others only see how far it is', async () => {
  const { page } = journey.shown;
  const running = await addCopy({
    ...{ status: 'running', verdict: null, result: null, fraction: 0.42, finished_at: null },
    created_at: new Date().toISOString(),
  });
  const { page: other } = await journey.open({ language: 'pt-BR', cookie: await journey.signIn('analyst') });
  await other.goto(pathOf());
  await other.getByRole('progressbar', { name: 'Andamento da validação' }).waitFor();
  expect(await other.getByRole('button', { name: 'Parar' }).count()).toBe(0);
  await page.goto(pathOf());
  await page.getByText('42%', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('table', { name: 'All validations of this version' }).getByText('Interrupted').waitFor();
  expect((await listed())[0]).toMatchObject({ id: running, status: 'interrupted' });
});

test('a validation is asked for against a version, by columns and as of a day, and refusals stand at their fields', async () => {
  // A refusal is an answer that the browser tells of.
  const { page } = await journey.open({ allowed: /status of 422/ });
  const { tenant, model, versions } = journey.lender;
  await page.goto(pathOf());
  await page.getByRole('button', { name: 'New validation' }).click();
  const dialog = page.getByRole('dialog');
  const against = dialog.getByLabel('Held against');
  await dialog.getByRole('checkbox', { name: 'segment' }).check();
  expect(await dialog.getByRole('checkbox', { name: 'customer_id' }).count()).toBe(0);
  expect(await against.inputValue()).toBe('alias production');
  const day = dialog.getByLabel('Reference day');
  await day.fill('2100-01-01');
  await dialog.getByRole('button', { name: 'Start' }).click();
  await dialog
    .getByRole('alert')
    .getByText(/lies in the future/)
    .waitFor();
  expect(await day.getAttribute('aria-invalid')).toBe('true');
  expect(await axeViolations(page)).toEqual([]);
  await day.fill('2022-06-30');
  await against.selectOption(`version ${versions[0]}`);
  await dialog.getByRole('button', { name: 'Start' }).click();
  await dialog.waitFor({ state: 'detached' });
  const [asked] = await listed();
  expect(asked).toMatchObject({
    ...{ alias: null, compare_with_version_id: versions[0], segments: ['segment'] },
    as_of: '2022-07-01T02:59:59.999Z',
  });
  await page.waitForURL((url) => url.searchParams.get('validation') === asked.id);
  const ended = await tenant.client.finished(`/v1/api/models/${model}/versions/${versions[1]}/validations/${asked.id}`);
  expect(ended.body, ended.text).toMatchObject({ status: 'succeeded' });
  const main = page.locator('main');
  await main.getByText('Told apart by').waitFor();
  await main.getByRole('table', { name: 'Gates' }).waitFor();
});

test('the verdict says why in words, and bands, what is missing, hindsight and latencies are shown below', async () => {
  const reason = 'how much for certain came of what the data as they are change: 0.31 (0.22 to 0.4), at most 0 asked';
  const { result } = validationExample;
  const leak = {
    ...{ name: 'hindsight', status: 'failed', value: 0.31, low: 0.22, high: 0.4, before: 0.01, borne_out: false },
    ...{ threshold: 0, message: reason },
  };
  const shown = await addCopy({
    ...{ verdict: 'broken', created_at: '2024-02-01T12:00:00Z', segments: ['region'] },
    result: {
      ...result,
      ...{ verdict: 'broken', reason, checks: [...result.checks, leak] },
      bands: [
        ...result.bands,
        { ...result.bands[0], name: 'High Risk', observed: 0.3, observed_high: 0.35, means_to: 0.2 },
      ],
      months: [...result.months, { ...result.months[0], name: '2025-11', model: 0.8 }],
      missing: [{ at: 'order.amount', importance: 0.12, judged: 0.04, present: 0.61 }],
    },
  });
  const { page } = await journey.open();
  await page.goto(`${pathOf()}&validation=${shown}`);
  const main = page.locator('main');
  await main.getByText('It reads what is not known in time, so that it is not as good as it looks.').waitFor();
  await main
    .getByText('Knows no more of a moment by what came later: 0.31 (0.22 to 0.4), where at most 0 is asked.')
    .waitFor();
  await main.getByText(/Jul 1, 2025 – Oct 1, 2025/).waitFor();
  const bands = main.getByRole('table', { name: 'What came in each band' });
  await bands
    .getByRole('img', { name: /^Medium Risk: 6.9% came \(5.3% to 8.9%\), and it means 4.5% to 10%/ })
    .waitFor();
  await main
    .getByRole('table', { name: 'How far both differ' })
    .getByRole('row', { name: /KS.*0\.06/ })
    .waitFor();
  const missing = main.getByRole('table', { name: 'What is missing now' });
  await missing.getByRole('row', { name: /order\.amount 12%.*4%.*61%/ }).waitFor();
  await main.getByRole('table', { name: 'Hindsight' }).getByRole('img').first().waitFor();
  await main
    .getByRole('table', { name: 'How fast it answers' })
    .getByRole('row', { name: /0\.8 ms 1\.3 ms/ })
    .waitFor();
  await main.getByRole('img', { name: /of both in each month/ }).waitFor();
  await settled(page);
  expect(await axeViolations(page)).toEqual([]);
  const { page: other } = await journey.open({
    ...{ language: 'pt-BR', width: 390, theme: 'dark' },
    cookie: await journey.signIn('analyst'),
  });
  await other.goto(`${pathOf()}&validation=${shown}`);
  await other.getByText('Lê o que não se sabe a tempo, e por isso não é tão boa quanto parece.').waitFor();
  await other.getByRole('table', { name: 'Saber depois' }).waitFor();
  await settled(other);
  expect(await other.locator('main [lang="en"]').count()).toBe(0);
  expect(await axeViolations(other)).toEqual([]);
  expect(await other.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});
