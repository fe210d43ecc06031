/** What goes wrong around a page: its rights, the service, the build, the texts, the clock. */
import { readFileSync } from 'node:fs';
import type { Page, Response } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { startService } from '../../server/src/app.ts';
import { readConfig } from '../../server/src/config.ts';
import { choose, happen } from '../../server/tests/notifications/acts.ts';
import type { Tenant } from '../../server/tests/service.ts';
import { pageGroups } from '../src/shell/page-list.ts';
import { prepareJourneys } from './journeys.ts';
import { pagePaths } from './page-paths.ts';
import { settled } from './pages.ts';

const journey = prepareJourneys();
const refused = /status of 40[34]/;

async function cookieOf(tenant: Tenant): Promise<string> {
  return (await tenant.signedIn('creator', 'organization')).headers.cookie;
}

async function isTooWide(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
}

test('rights that are taken away while a page is open: what is refused then says so, and the menu follows', async () => {
  const { tenant } = journey.lender;
  const member = await tenant.signedIn('developer', 'workspace');
  const creator = await tenant.signedIn('creator', 'organization');
  const { page } = await journey.open({ cookie: member.headers.cookie, allowed: refused });
  await page.goto('/api-keys');
  await settled(page);
  await page.getByRole('button', { name: 'New key' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('late');
  const changed = await creator.send('PATCH', `/v1/api/members/${member.userId}`, { body: { role: 'auditor' } });
  expect(changed.status, changed.text).toBe(200);
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { name: 'You may not see this' }).waitFor();
  const menu = page.getByRole('navigation', { name: 'Pages' });
  expect(await menu.getByRole('link', { name: 'API keys' }).count()).toBe(0);
  const { body } = await tenant.client.get('/v1/api/api-keys');
  expect(body.data.map(({ name }: { name: string }) => name)).not.toContain('late');
});

test('a service that is gone is looked for less and less often, and pages go on when it is back', async () => {
  const { page } = await journey.open({ allowed: /ERR_FAILED/ });
  await page.goto('/');
  await settled(page);
  const asked: string[] = [];
  page.on('request', (request) => void asked.push(new URL(request.url()).pathname));
  await page.route(/\/(v1|v2|healthz)/, (route) => route.abort());
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Models', exact: true }).click();
  const notice = page.getByRole('status').filter({ hasText: 'No connection to the service' });
  await notice.waitFor();
  const looked = () => asked.filter((path) => path === '/healthz').length;
  const before = looked();
  asked.length = 0;
  // Two looks are three seconds, in which the page would have asked for what it follows.
  await expect.poll(looked, { timeout: 120_000 }).toBeGreaterThanOrEqual(2);
  expect(before).toBeGreaterThan(0);
  expect(asked.filter((path) => path !== '/healthz')).toEqual([]);
  await page.unroute(/\/(v1|v2|healthz)/);
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await page.waitForResponse(/\/v1\/api\//);
  await notice.waitFor({ state: 'detached' });
});

test('a redeploy under an old tab: pointing at a page loses nothing, opening it loads the new build once', async () => {
  const { page } = await journey.open({ allowed: /status of 404/ });
  let loads = 0;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loads++;
  });
  await page.goto('/members');
  await settled(page);
  // What is loaded anew is the page of the new build, whose files are there.
  await page.route('**/assets/**', (route) =>
    loads > 1 ? route.continue() : route.fulfill({ status: 404, body: '' }),
  );
  const link = page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Webhooks' });
  const asked = page.waitForResponse((response) => response.url().includes('/assets/') && response.status() === 404);
  await link.hover();
  await asked;
  expect(loads).toBe(1);
  await link.click();
  await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
  await settled(page);
  expect(new URL(page.url()).pathname).toBe('/webhooks');
  expect(loads).toBe(2);
});

test('ids of another organization in the address are there for nobody else', async () => {
  const { lender } = journey;
  const { page } = await journey.open({ cookie: await cookieOf(lender.stranger), allowed: refused });
  const listed = new Set(pageGroups.flatMap(({ pages }) => pages.map(({ to }): string => to)));
  const ids = pagePaths(lender).filter((path) => /_/.test(path) && !listed.has(path));
  expect(ids.length).toBeGreaterThan(8);
  const told = async (address: string, text: string) => {
    await page.goto(address);
    await settled(page);
    await expect.poll(() => page.getByText(text).count(), { message: address }).toBeGreaterThan(0);
    expect(await page.locator('#content').textContent(), address).not.toMatch(/\bcredit\b|\bc\d+\b|portfolio/);
  };
  for (const path of ids) await told(path, 'There is nothing here');
  await told(`/models/${lender.model}?workspace=${lender.tenant.ctx.workspaceId}`, 'You are not in this workspace');
});

test('a workspace with nothing in it: each page says what comes there, and how', async () => {
  const { page } = await journey.open({ cookie: await cookieOf(journey.lender.stranger) });
  const empty: Readonly<Record<string, string>> = {
    '/predictions': 'No prediction has been asked for yet',
    '/batches': 'No batch has been run yet',
    '/data': 'There are no data yet',
    '/tasks': 'There is no question yet',
    '/training-runs': 'Nothing has been trained yet',
    '/models': 'There is no model yet',
    '/evaluations': 'Nothing has been evaluated yet',
    '/webhooks': 'No webhook yet',
    '/invoices': 'No invoice yet',
  };
  for (const path of pageGroups.flatMap(({ pages }) => pages.map(({ to }): string => to))) {
    await page.goto(path);
    await settled(page);
    expect(await page.getByRole('heading', { level: 1 }).count(), path).toBe(1);
    expect(await page.getByRole('alert').count(), path).toBe(0);
    const text = (await page.locator('#content').textContent())!;
    expect(text, path).not.toMatch(/undefined|NaN|null|Infinity|Invalid Date/);
    if (empty[path]) expect(text, path).toContain(empty[path]);
  }
});

test('an archived workspace is read, and says that nothing in it changes', async () => {
  const { service } = journey.lender;
  const tenant = await service.tenant('Closed', { language: 'en' });
  const creator = await tenant.signedIn('creator', 'organization');
  const archived = await creator.post('/v1/api/workspace/archive', {});
  expect(archived.status, archived.text).toBeLessThan(300);
  const { page } = await journey.open({ cookie: creator.headers.cookie });
  const notice = page.getByText('This workspace is archived: it can be read, and nothing in it changes.');
  for (const path of ['/', '/predictions', '/models', '/webhooks', '/members']) {
    await page.goto(path);
    await settled(page);
    await notice.waitFor();
    expect(await page.getByRole('alert').count(), path).toBe(0);
  }
  await page.goto('/api-keys');
  const newKey = page.getByRole('button', { name: 'New key' }).first();
  await newKey.waitFor();
  expect(await newKey.getAttribute('aria-disabled')).toBe('true');
  expect(await newKey.getAttribute('aria-description')).toMatch(/archived/);
  expect((await creator.post('/v1/api/api-keys', { name: 'late' })).status).toBe(409);
  for (const path of ['/playground', '/batches/new', '/tasks/new']) {
    await page.goto(path);
    await page.getByRole('heading', { name: 'Archived' }).waitFor();
  }
  await page.goto('/workspace');
  await page.getByRole('button', { name: 'Take out of the archive' }).click();
  await page.getByRole('dialog').getByRole('textbox').fill('Closed workspace');
  await page.getByRole('dialog').getByRole('button', { name: 'Take out of the archive' }).click();
  await notice.waitFor({ state: 'detached' });
});

const hostile = {
  html: `<img src=x onerror="document.title='pwned'"><script>document.title='pwned'</script>`,
  formula: `=HYPERLINK("https://evil.example","a")`,
  command: `@SUM(1+1)*cmd|' /C calc'!A0`,
  rightToLeft: 'invoice\u202egnp.exe \u0627\u0644\u0639\u0631\u0628\u064a\u0629',
  long: 'x'.repeat(300),
} as const;

/** Nothing of a page is made of a hostile text, and nothing is wider than the window. */
async function expectTexts(page: Page, message: string): Promise<void> {
  expect(await page.title(), message).not.toContain('pwned');
  expect(await page.locator('img[src="x"], body script:not([src])').count(), message).toBe(0);
  expect(await isTooWide(page), message).toBe(false);
}

/** What a spreadsheet would run is written as texts. */
function expectEscaped(csv: string): void {
  expect(csv).toContain(`"'=HYPERLINK(""https://evil.example"",""a"")"`);
  expect(csv).toContain(`'@SUM(1+1)*cmd`);
  expect(csv).not.toMatch(/(^|,|\n)"?[=@]/);
}

test('hostile names of keys and webhooks are texts, in lists, in drawers, in narrow windows and in files', async () => {
  const client = await journey.lender.tenant.signedIn('creator', 'workspace');
  for (const name of Object.values(hostile)) {
    const key = await client.post('/v1/api/api-keys', { name });
    expect(key.status, key.text).toBe(201);
    const webhook = await client.post('/v1/api/webhooks', {
      ...{ url: 'https://localhost:9443/hook', events: ['batch-lifecycle'], description: name },
    });
    expect(webhook.status, webhook.text).toBe(201);
  }
  const tooLong = await client.post('/v1/api/api-keys', { name: 'x'.repeat(10_000) });
  expect(tooLong.status).toBe(422);
  const { page } = await journey.open({ width: 390 });
  for (const path of ['/api-keys', '/webhooks']) {
    await page.goto(path);
    for (const name of Object.values(hostile)) await page.getByText(name).first().waitFor({ state: 'attached' });
    await settled(page);
    await expectTexts(page, path);
  }
  await page.goto('/api-keys');
  for (const name of Object.values(hostile)) {
    await page.getByRole('row').filter({ hasText: name }).click();
    await page.getByRole('complementary', { name }).waitFor();
    await expectTexts(page, name);
    await page.keyboard.press('Escape');
  }
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ]);
  expectEscaped(readFileSync(await download.path(), 'utf8'));
});

test('hostile keys and correlation ids of customers are texts, in the list, the drawer and the file', async () => {
  const { client } = journey.lender.tenant;
  const ask = (text: string) =>
    client.post('/v1/api/prediction/credit/production', {
      ...{ customer_id: text, correlation_id: text, reference_date: '2022-06-30' },
    });
  const asked: { readonly id: string; readonly text: string }[] = [];
  for (const text of Object.values(hostile)) {
    const { status, body, text: said } = await ask(text);
    expect(status, said).toBe(200);
    asked.push({ id: body.prediction_id, text });
  }
  expect((await ask('y'.repeat(10_000))).status).toBe(422);
  const { page } = await journey.open({ width: 390 });
  await page.goto('/predictions');
  for (const { text } of asked)
    await page.getByRole('table', { name: 'Predictions' }).getByText(text, { exact: true }).waitFor();
  await expectTexts(page, '/predictions');
  for (const { id, text } of asked) {
    await page.goto(`/predictions?open=${id}`);
    const pane = page.getByRole('complementary', { name: 'credit' });
    await pane.getByText(text, { exact: true }).first().waitFor();
    await expect.poll(() => pane.getByRole('region', { name: 'Inputs' }).textContent()).toContain(JSON.stringify(text));
    await settled(page);
    await expectTexts(page, text);
  }
  const wide = await journey.open();
  await wide.page.goto('/predictions');
  await settled(wide.page);
  const [download] = await Promise.all([
    wide.page.waitForEvent('download'),
    wide.page.getByRole('button', { name: 'Export' }).click(),
  ]);
  const written = readFileSync(await download.path(), 'utf8');
  expectEscaped(written);
  // As of when each was answered, and by what.
  const [head, ...rows] = written.trim().split('\r\n');
  expect(head.split(',').slice(-3)).toEqual(['as_of', 'alias', 'version_id']);
  const { body: first } = await client.get(`/v1/api/predictions/${asked[0].id}`);
  expect(first.as_of).toMatch(/^2022-07-01T/);
  expect(rows.some((row) => row.endsWith(`,${first.as_of},production,${first.version_id}`))).toBe(true);
});

test('hostile tasks are texts where they are listed and where they stand; a name that is none is refused', async () => {
  const { client } = journey.lender.tenant;
  const made: { readonly id: string; readonly query: string; readonly said: string }[] = [];
  for (const [name, text] of Object.entries(hostile)) {
    const quoted = text.replaceAll("'", "''");
    const query = `PREDICT exists(order WHERE goods = '${quoted}') WITHIN 30d FOR customer`;
    const task = await client.post('/v1/api/tasks', { name: `hostile-${name}`, definition: query });
    expect(task.status, task.text).toBe(201);
    made.push({ id: task.body.id, query, said: task.body.question.en.sentence });
  }
  const { page } = await journey.open({ width: 390, allowed: /status of 422/ });
  await page.goto('/tasks');
  for (const { said } of made) await page.getByText(said).first().waitFor({ state: 'attached' });
  await expectTexts(page, '/tasks');
  for (const { id, query } of made) {
    await page.goto(`/tasks/${id}`);
    await page.getByText(query).first().waitFor();
    await settled(page);
    await expectTexts(page, query);
  }
  await page.goto('/tasks/new');
  await page.getByLabel('Name').fill(hostile.html.slice(0, 200));
  await page.getByText('A letter first, then letters without accents').waitFor();
  await page.getByLabel('Name').fill('hostile');
  await page.getByLabel('Question').fill(`${made[0].query} ${hostile.html}`);
  await page.getByRole('button', { name: 'Create task' }).click();
  await page.getByRole('alert').first().waitFor();
  await expectTexts(page, '/tasks/new');
});

test('the days of a filter are those of the clock of the workspace, as the moments that it finds, wherever the browser is', async () => {
  const { client } = journey.lender.tenant;
  const { page } = await journey.open({ timeZone: 'Pacific/Auckland', language: 'pt-BR' });
  const { body } = await client.get('/v1/api/predictions?limit=1');
  const { time_zone: timeZone } = (await client.get('/v1/api/workspace')).body;
  const newest = new Date(body.data[0].created_at);
  const day = newest.toLocaleDateString('en-CA', { timeZone });
  const asked = page.waitForRequest(/\/v1\/api\/predictions\?.*from=/);
  await page.goto(`/predictions?from=${day}&to=${day}`);
  await settled(page);
  const from = new URL((await asked).url()).searchParams.get('from')!;
  expect(new Date(from).toLocaleString('sv-SE', { timeZone })).toBe(`${day} 00:00:00`);
  const rows = page.locator('[data-row]');
  await expect.poll(() => rows.count()).toBeGreaterThan(0);
  const before = new Date(newest.getTime() - 3 * 24 * 60 * 60_000).toLocaleDateString('en-CA');
  await page.goto(`/predictions?from=${before}&to=${before}`);
  await settled(page);
  await page
    .getByRole('button', { name: /Clear|Limpar/ })
    .first()
    .waitFor();
  expect(await rows.count()).toBe(0);
});

test('a clock that goes wrong by days breaks no page', async () => {
  const { page } = await journey.open({ timeZone: 'Pacific/Auckland' });
  await page.clock.setSystemTime(Date.now() - 3 * 24 * 60 * 60_000);
  for (const path of ['/', '/predictions', '/usage', '/audit', `/batches/${journey.lender.batch}`]) {
    await page.goto(path);
    await settled(page);
    expect(await page.getByRole('alert').count(), path).toBe(0);
    expect(await page.locator('#content').textContent(), path).not.toMatch(/NaN|Invalid Date|−\d+ (s|ms|min)\b/);
  }
});

let restarted: Awaited<ReturnType<typeof startService>> | undefined;
afterAll(() => restarted?.close());

// The last one, since the service that is left is another.
test('the service is restarted under an open stream: the page goes on with what happens after', async () => {
  const { service, tenant } = journey.lender;
  const person = await tenant.signedIn('developer', 'workspace');
  await choose(person, 'preferences', [{ type: 'batch-lifecycle', channels: 'in_app' }]);
  const { page } = await journey.open({ cookie: person.headers.cookie, allowed: /Failed to load resource|net::ERR_/ });
  const isConnected = (response: Response) =>
    response.url().includes('/notifications/stream') && response.status() === 200;
  const connected = page.waitForResponse(isConnected);
  await page.goto('/inbox');
  await settled(page);
  await connected;
  const { port } = new URL(service.url);
  await service.service.close();
  const again = page.waitForResponse(isConnected, { timeout: 85_000 });
  restarted = await startService(
    readConfig({
      ...{ PORT: port, LASTRO_DATA_DIR: service.folder, DATABASE_URL: service.databaseUrl },
      ...{ LASTRO_DEMO: '0', LASTRO_COMPUTE_PROCESSES: '1', LOG_LEVEL: 'error' },
    }),
    'all',
  );
  await again;
  await happen({ service: restarted }, tenant.ctx, 'batch-lifecycle', { status: 'succeeded' });
  await page.getByText('Batch succeeded').first().waitFor();
});
