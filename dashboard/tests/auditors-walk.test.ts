/** From one answered prediction to its rows, version, training, data, contract and people, by clicking alone. */
import { expect, test } from 'vitest';
import { prepareJourneys } from './journeys.ts';
import { settled } from './pages.ts';

const journey = prepareJourneys();

test('an auditor gets from a prediction to all that it rests on, and to who answers for it', async () => {
  const { model, versions, ingestion, contract, tenant } = journey.lender;
  const promoted = versions[1];
  const { page } = journey.shown;
  const main = page.locator('main');
  const validations = `/models/${model}/versions/${promoted}?tab=validation`;

  // The gates are there before anything was validated.
  await page.goto(`/models/${model}/versions/${versions[0]}?tab=validation`);
  await main.getByText('Not validated yet').waitFor();
  await page.getByRole('button', { name: 'Change the gates' }).waitFor();

  // A Creator asks for a second person, and a Developer is the one.
  await page.goto(validations);
  await page.getByRole('button', { name: 'Change the gates' }).click();
  const gates = page.getByRole('dialog');
  await gates.getByLabel('Threshold: Ranks as before').fill('a lot');
  await expect
    .poll(() => gates.getByRole('button', { name: 'Save the gates' }).getAttribute('aria-disabled'))
    .toBe('true');
  await gates.getByLabel('Threshold: Ranks as before').fill('0.25');
  await gates.getByLabel('Two people').check();
  await gates.getByRole('button', { name: 'Save the gates' }).click();
  await gates.waitFor({ state: 'detached' });
  const { body: kept } = await tenant.client.get(`/v1/api/models/${model}/gates`);
  expect(kept).toMatchObject({ approvals: 1, checks: { rank_consistency: { threshold: 0.25, required: true } } });
  const path = `/v1/api/models/${model}/aliases/production`;
  const refused = await tenant.client.send('PUT', path, { body: { version_id: promoted } });
  expect(refused.body.code, refused.text).toBe('gates_failed');
  expect(refused.text).toContain('"approvals"');

  const second = await journey.open({ cookie: await journey.signIn('developer') });
  await second.page.goto(validations);
  const approvals = second.page.getByRole('region', { name: 'Approvals' });
  await second.page.getByLabel('Comment').fill('looked at the months, one by one');
  await second.page.getByRole('button', { name: 'Approve this version' }).click();
  await approvals.getByText('looked at the months, one by one').waitFor();
  const moved = await tenant.client.send('PUT', path, { body: { version_id: promoted } });
  expect(moved.status, moved.text).toBe(200);
  const { body: answer } = await tenant.client.post('/v1/api/prediction/credit/production', { customer_id: 'c3' });

  // What was asked, and the rows that its reasons were computed from.
  await page.goto(`/predictions?open=${answer.prediction_id}`);
  const drawer = page.getByRole('complementary', { name: 'credit' });
  await drawer.getByText('"c3"').first().waitFor();
  await drawer.getByRole('button', { name: 'Where it comes from' }).click();
  const rows = page.getByRole('dialog', { name: 'Where it comes from' });
  // A row of an entity leads to its page, under whichever reason rests on one.
  const entities = rows.locator('a[href^="/entities/"]');
  await rows.getByRole('button', { pressed: true }).waitFor();
  for (const reason of await rows.locator('button[aria-pressed]').all()) {
    await reason.click();
    await settled(page);
    await rows.getByRole('table').first().waitFor();
    if ((await entities.count()) > 0) break;
  }
  expect(await entities.first().getAttribute('href')).toMatch(/^\/entities\/(customer|loan)\/[cl]?\d+(\?|$)/);
  await rows
    .getByRole('link', { name: /\.csv$/ })
    .first()
    .click();
  await page.waitForURL(/\/data\/ingestions\/ing_/);
  await main.getByText('.csv').first().waitFor();
  await page.goBack();

  // Its version, what that was learned from, and under which contract.
  await drawer.getByRole('link', { name: 'v2', exact: true }).click();
  await page.waitForURL(new RegExp(`/models/${model}/versions/${promoted}`));
  await main.getByRole('link', { name: /ngestion …/ }).click();
  await page.waitForURL(`**/data/ingestions/${ingestion}**`);
  await main.getByRole('link', { name: 'See the audit log' }).waitFor();
  await page.goBack();
  await main.getByRole('link', { name: /^run_/ }).click();
  await page.waitForURL(/\/training-runs\/run_/);
  await main.getByRole('link', { name: 'See the audit log' }).waitFor();
  await main.getByRole('link', { name: /^version \d+$/ }).click();
  await page.waitForURL(`**/data/contracts/${contract}**`);
  await main.getByRole('link', { name: 'See the audit log' }).click();
  await page.waitForURL(new RegExp(`/audit\\?.*${contract}`));
  await main
    .getByText(/contract/i)
    .first()
    .waitFor();

  // People: who approved the version, and who moved the alias to it.
  await page.goto(`/predictions?open=${answer.prediction_id}`);
  await drawer.getByRole('link', { name: 'v2', exact: true }).click();
  await page.getByRole('tab', { name: 'Validation' }).click();
  await main.getByText('looked at the months, one by one').waitFor();
  await page.getByRole('tab', { name: 'Overview' }).click();
  await main.getByRole('link', { name: 'See the audit log' }).click();
  await page.waitForURL(new RegExp(`/audit\\?.*${promoted}`));
  // Each act with who did it, as the log itself shows it.
  const table = main.getByRole('table').first();
  await table
    .getByRole('row', { name: /Model version promoted/ })
    .first()
    .waitFor();
  const who = async (act: string) =>
    table.getByRole('row').filter({ hasText: act }).first().getByRole('cell').allInnerTexts();
  expect((await who('Model version approved')).join(' ')).toMatch(/developer-\d+@/);
  expect((await who('Model version promoted')).join(' ')).toContain('Lender key');
});
