/** Watch lists: made of pasted keys, with scores, and who has moved. */
import { expect, test } from 'vitest';
import { prepareJourneys } from './journeys.ts';
import { axeViolations, settled } from './pages.ts';

const journey = prepareJourneys();

test('a list is made of pasted keys, says who has moved and why, is changed, and is deleted', async () => {
  const { page } = journey.shown;
  const { service, tenant, versions } = journey.lender;
  const { client } = tenant;
  await page.goto('/predictions');
  await page.getByRole('link', { name: 'Watch lists' }).click();
  await page.getByRole('table', { name: 'Watch lists' }).getByText('Largest loans').waitFor();
  await page.getByRole('button', { name: 'New watch list' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Regulars');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.getByText('Paste at least one key.').waitFor();
  await dialog.getByLabel('Keys of entities').fill('c0, c1\nc2;c3\nnobody\nc1\n');
  await dialog.getByText('5 keys', { exact: true }).waitFor();
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.waitForURL(/\/watch-lists\/wat_/);
  const id = new URL(page.url()).pathname.split('/').at(-1)!;
  const main = page.locator('main');
  await main.getByText('4 of 5 scored').waitFor({ timeout: 120_000 });
  const list = async () => (await client.get(`/v1/api/watch-lists/${id}`)).body;
  const entries = main.getByRole('table', { name: 'Entities' });
  const entry = (await client.get(`/v1/api/watch-lists/${id}/entries?key=c2`)).body.data[0];
  const row = entries.getByRole('row').filter({ has: page.getByRole('link', { name: 'c2', exact: true }) });
  expect(await row.getByRole('cell').nth(1).innerText()).toContain(String(entry.score));
  expect(await row.getByRole('cell').nth(1).innerText()).toContain(entry.band);
  await row.getByRole('img', { name: /^From \d+ to \d+, 1 scores$/ }).waitFor();
  expect(await entries.getByText('Not in the data').count()).toBe(1);
  await main.getByRole('tab', { name: 'Moves' }).click();
  await main.getByText('Nobody has moved yet').waitFor();

  const other = entry.band === 'Exceptional' ? 'High Risk' : 'Exceptional';
  const { pool } = service.owner;
  await pool.query("update watch_list_entries set told_band = $2 where list_id = $1 and key = 'c2'", [id, other]);
  await pool.query("update watch_lists set as_of = as_of - interval '2 days' where id = $1", [id]);
  await expect.poll(async () => (await list()).moves, { timeout: 120_000 }).toBe(1);
  await page.reload();
  const moved = main.getByRole('table', { name: 'Moves' }).getByRole('row').nth(1);
  await moved.getByText('another day').waitFor();
  const said = await moved.getByRole('cell').nth(1).innerText();
  expect(said.indexOf(other)).toBeLessThan(said.indexOf(entry.band));
  expect(await moved.getByRole('link', { name: 'v1' }).getAttribute('href')).toContain(versions[0]);
  expect(await moved.getByRole('link', { name: 'c2', exact: true }).getAttribute('href')).toContain('/entities/');
  await settled(page);
  expect(await axeViolations(page)).toEqual([]);
  await main.getByRole('combobox', { name: 'Because of' }).selectOption('version');
  await page.getByText('Nothing matches these filters.').waitFor();

  await main.getByRole('tab', { name: 'Entities' }).click();
  await page.getByRole('button', { name: 'Change entities' }).click();
  await dialog.getByText('Remove', { exact: true }).click();
  await dialog.getByLabel('Keys of entities').fill('nobody\nc3');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await main.getByText('3 of 3 scored').waitFor();
  await expect.poll(() => entries.getByRole('row').count()).toBe(4);
  await settled(page);
  expect(await axeViolations(page)).toEqual([]);

  const { page: developer } = await journey.open({ language: 'pt-BR', cookie: await journey.signIn('developer') });
  await developer.goto(`/watch-lists/${id}?tab=moves`);
  await developer.getByText('outro dia', { exact: true }).last().waitFor();
  const { page: analyst } = await journey.open({ cookie: await journey.signIn('analyst') });
  await analyst.goto('/watch-lists');
  await analyst.getByText('You may not see this').waitFor();
  await page.getByRole('button', { name: 'Delete' }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.waitForURL(({ pathname }) => pathname === '/watch-lists');
  await expect.poll(() => page.getByText('Regulars').count()).toBe(0);
  expect((await client.get(`/v1/api/watch-lists/${id}`)).status).toBe(404);
});
