/** Where the focus is after a step, what single keys do, and what is told by whom: the parts that axe does not see. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { prepareJourneys } from './journeys.ts';
import { settled } from './pages.ts';

const journey = prepareJourneys();

/** What has the focus: its role, else its element, and its text. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const { id, localName, textContent } = document.activeElement!;
    return `${localName}${id && `#${id}`} ${textContent?.trim().slice(0, 40)}`;
  });

const isFocused = (page: Page, selector: string) =>
  page.evaluate((selector) => document.activeElement?.matches(selector) ?? false, selector);

test('another page begins at its content, a change of what is filtered does not', async () => {
  const { page } = journey.shown;
  await page.goto('/predictions');
  await settled(page);
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'API keys' }).click();
  await page.getByRole('heading', { name: 'API keys' }).waitFor();
  await expect.poll(() => focused(page)).toMatch(/^main#content API keys/);
  await page.goto('/predictions');
  await settled(page);
  const band = page.getByRole('button', { name: /\d+\+/ }).first();
  await band.click();
  await page.waitForURL(/band=/);
  await settled(page);
  expect(await isFocused(page, 'main')).toBe(false);
});

test('a pane has the focus, arrow keys go on in its table, and Escape gives the focus back', async () => {
  const { page } = journey.shown;
  await page.goto('/predictions');
  await settled(page);
  const openers = page.locator('[data-open]');
  await openers.first().focus();
  await page.keyboard.press('Space');
  await page.waitForURL(/open=prd_/);
  await expect.poll(() => isFocused(page, 'aside')).toBe(true);
  expect(await page.locator('[data-row="0"]').getAttribute('aria-current')).toBe('true');
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => isFocused(page, '[data-row="1"] [data-open]')).toBe(true);
  const first = page.url();
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.href !== first);
  await expect.poll(() => page.locator('[data-row="1"]').getAttribute('aria-current')).toBe('true');
  await page.keyboard.press('Escape');
  await page.getByRole('complementary').waitFor({ state: 'detached' });
  await expect.poll(() => isFocused(page, '[data-row="1"] [data-open]')).toBe(true);
});

test('on a narrow screen what lies over the page keeps the focus in it, and gives it back', async () => {
  const { page } = await journey.open({ width: 390 });
  await page.goto('/predictions');
  await settled(page);
  const menu = page.getByRole('button', { name: 'Open the menu' });
  expect(await menu.getAttribute('aria-expanded')).toBe('false');
  await menu.click();
  await expect.poll(() => isFocused(page, 'nav')).toBe(true);
  expect(await page.locator('main').evaluate((main) => main.closest('[inert]') !== null)).toBe(true);
  await page.keyboard.press('Escape');
  await expect.poll(() => isFocused(page, '[aria-label="Open the menu"]')).toBe(true);
  await page.locator('[data-open]').first().click();
  await expect.poll(() => isFocused(page, 'aside')).toBe(true);
  expect(await page.getByRole('table').evaluate((table) => table.closest('[inert]') !== null)).toBe(true);
  await page.getByRole('complementary').getByRole('button', { name: 'Close' }).click();
  await expect.poll(() => isFocused(page, '[data-row="0"] [data-open]')).toBe(true);
});

test('what a dialog says is said within it, and shortcuts wait until it is closed', async () => {
  const { page } = journey.shown;
  await page.goto('/predictions');
  await settled(page);
  await page.getByRole('button', { name: 'Code' }).click();
  const dialog = page.getByRole('dialog', { name: 'The same by code' });
  await dialog.getByRole('button', { name: 'Copy' }).click();
  const said = page.getByText('Copied', { exact: true });
  await dialog.getByText('Copied', { exact: true }).waitFor();
  expect(await said.count()).toBe(1);
  expect(await said.evaluate((text) => text.closest('dialog') !== null)).toBe(true);
  await page.keyboard.press('g');
  await page.keyboard.press('k');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(new URL(page.url()).pathname).toBe('/predictions');
});

test('single keys are switched off in the account, for this device', async () => {
  const { page } = await journey.open();
  await page.goto('/account');
  await page.getByRole('group', { name: 'Keyboard shortcuts' }).getByText('Off').click();
  await page.reload();
  await page.getByRole('heading', { name: 'Your account', exact: true }).click();
  await page.keyboard.press('?');
  await page.keyboard.press('Control+k');
  const search = page.getByPlaceholder('Search pages, names, keys, ids and actions');
  await search.waitFor();
  expect(await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).count()).toBe(0);
});

test('what is typed before the list of commands has come stands in its box', async () => {
  const { page } = await journey.open();
  await page.goto('/webhooks');
  await settled(page);
  const loads = Promise.withResolvers<void>();
  await page.route(/\/assets\/[^/]*\.js$/, async (route) => {
    await loads.promise;
    await route.continue();
  });
  await page.keyboard.press('Control+k');
  await page.keyboard.type('API ke');
  const list = page.getByRole('dialog').getByRole('combobox');
  expect(await list.count()).toBe(0);
  loads.resolve();
  await list.waitFor();
  expect(await list.inputValue()).toBe('API ke');
  await page.keyboard.type('ys');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/api-keys/);
});

test('no hint lies over the menu of a phone that was opened by a press', async () => {
  const { page } = await journey.open({ width: 390 });
  await page.clock.install();
  await page.goto('/webhooks');
  await settled(page);
  await page.getByRole('button', { name: 'Open the menu' }).click();
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  await page.clock.runFor(2_000);
  expect(await page.getByRole('tooltip').count()).toBe(0);
});

test('a model and a task are found by their names', async () => {
  const { page } = journey.shown;
  await page.goto('/members');
  await settled(page);
  await page.keyboard.press('Control+k');
  const search = page.getByRole('dialog').getByRole('combobox');
  await search.fill(journey.lender.model);
  await page.getByRole('option').first().waitFor();
  await search.fill('credit');
  const found = page.getByRole('dialog').getByRole('option', { name: /credit/ });
  await expect.poll(() => found.count()).toBeGreaterThanOrEqual(2);
  await page.keyboard.press('Enter');
  await page.waitForURL(new RegExp(`/models/${journey.lender.model}`));
  await page
    .getByRole('heading', { name: /credit/ })
    .first()
    .waitFor();
});
