/** Journey 2: the hard ways in. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { system } from '../../server/src/access/transactions.ts';
import { issueLink } from '../../server/src/resources/sessions/link.ts';
import { goodPassword, openBrowser, type Person, signIn, signUp } from '../../server/tests/identity/browser.ts';
import { codeOf, enrol, forgetCodes, settle } from '../../server/tests/identity/totp.ts';
import { startTestService, type TestService } from '../../server/tests/service.ts';
import { launchChromium } from './chromium.ts';
import { openPage, type Shown, serveDashboard } from './pages.ts';

let browser: Browser | null;
let service: TestService;
let ana: Person;
let bob: Person;
let totp: Awaited<ReturnType<typeof enrol>>;
let shown: Shown;

beforeAll(async () => {
  browser = await launchChromium();
  service = await startTestService();
  await serveDashboard(service);
  ana = await signUp(service, 'Ana');
  bob = await signUp(service, 'Bob');
  totp = await enrol(service, bob.browser);
});
afterAll(async () => {
  await browser?.close();
  await service.close();
});
beforeEach(async ({ skip }) => {
  if (!browser) return skip();
  await shown?.context.close();
  await service.owner.pool.query('delete from attempts');
  // Refusals of a sign-in show in the console of any browser.
  shown = await openPage(browser, service, { allowed: /status of (40[134]|422|429)/ });
});

/** Gives address and password, as asked for. */
async function give({ email }: Pick<Person, 'email'>, password: string): Promise<void> {
  const { page } = shown;
  await page.getByLabel('Work e-mail').fill(email);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

test('a page that was asked for is there after the sign-in, with its state', async () => {
  const { page } = shown;
  await page.goto('/predictions?band=High+Risk');
  await page.waitForURL(/\/sign-in\?return_to=/);
  await give(ana, goodPassword);
  await page.waitForURL(/\/predictions\?band=/);
  await page.getByRole('button', { name: /^High Risk/, pressed: true }).waitFor();
});

test('a wrong password is refused beside the form, and after too many it says how long to wait', async () => {
  const { page } = shown;
  await page.goto('/sign-in');
  await give(ana, 'wrong in every way');
  await page.getByRole('alert').waitFor();
  // As after many more of them: the next one waits longer than a client does by itself.
  await service.owner.pool.query('update attempts set count = 30, last_at = now()');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect.poll(() => page.getByRole('alert').textContent()).toMatch(/Try again in 15 min/);
});

test('a second factor is asked for: a wrong code, the right one, a recovery code', async () => {
  const { page } = shown;
  await page.goto('/sign-in');
  await give(bob, goodPassword);
  const code = page.getByLabel(/Code of your app/);
  await code.fill('000000');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').waitFor();
  await forgetCodes(service);
  await settle();
  await code.fill(codeOf(totp.secret));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL(/\/sign-in/);
  await give(bob, goodPassword);
  await code.fill(totp.codes[0]);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
});

test('a link of the operator signs in once; a second time it says that it is spent', async () => {
  const { page, complaints } = shown;
  const token = await system(service.service.app.db, 'test', (tx) => issueLink(service.service.app, tx, ana.id));
  // What is in the way of it for now does not spend it.
  await page.route('**/sessions/link', (route) => route.fulfill({ status: 403, json: {} }));
  await page.goto(`/sign-in#${token}`);
  await page.getByRole('alert').waitFor();
  await page.unroute('**/sessions/link');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  expect(new URL(page.url()).hash).toBe('');
  await shown.context.clearCookies();
  await page.goto(`/sign-in?again=1#${token}`);
  await page.getByText('This link has been used').waitFor();
  await page.getByRole('button', { name: 'Back to sign-in' }).click();
  await page.getByLabel('Work e-mail').waitFor();
  expect(complaints).toEqual([]);
});

test('a link that is put into the tab of its own page is taken at once, without a reload', async () => {
  const { page } = shown;
  const { app } = service.service;
  await page.goto('/password-reset');
  await page.getByRole('button', { name: 'Send me a link' }).waitFor();
  const change = (fragment: string) => page.evaluate((hash) => location.assign(hash), `#${fragment}`);
  await change('lso_a');
  await page.getByLabel('New password').waitFor();
  expect(new URL(page.url()).hash).toBe('');
  await page.goto('/sign-in');
  await page.getByLabel('Work e-mail').waitFor();
  await change(await system(app.db, 'test', (tx) => issueLink(app, tx, ana.id)));
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
});

test('a session that is ended elsewhere leads to the sign-in, and from there back', async () => {
  const { page } = shown;
  await page.goto('/members');
  await give(ana, goodPassword);
  await page.getByRole('heading', { name: 'Members and roles' }).waitFor();
  const elsewhere = await signIn(service, ana.email, openBrowser(service.url));
  expect((await elsewhere.send('DELETE', '/v1/api/sessions')).status).toBe(200);
  await page.getByRole('link', { name: 'API keys' }).click();
  await page.getByText('Your session has ended').waitFor();
  await give(ana, goodPassword);
  await page.waitForURL(/\/api-keys/);
});

test('the language of the sign-in is chosen before it, and kept', async () => {
  const { page } = shown;
  await page.goto('/sign-in');
  await page.getByText('Português').click();
  await page.getByRole('heading', { name: 'Entrar' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Entrar' }).waitFor();
  expect(await page.locator('html').getAttribute('lang')).toBe('pt-BR');
});

test('recovery codes stay in the page until they are said to be kept', async () => {
  const { page } = shown;
  await page.goto('/account');
  await give(ana, goodPassword);
  await page.getByRole('button', { name: 'Set up an app' }).click();
  const setup = page.getByRole('dialog', { name: 'Set up an app' });
  const label = await setup.getByRole('button', { name: /^Copy / }).getAttribute('aria-label');
  await setup.getByLabel('Code that the app shows').fill(codeOf(label!.replace('Copy ', '')));
  await setup.getByRole('button', { name: 'Confirm' }).click();
  const codes = page.getByRole('region', { name: 'Your recovery codes' });
  await codes.waitFor();
  for (let time = 0; time < 3; time++) await page.keyboard.press('Escape');
  expect(await codes.getByRole('listitem').count()).toBe(10);
  await codes.getByRole('button', { name: 'I have kept them' }).click();
  await codes.waitFor({ state: 'detached' });
  await page.getByText('10 recovery codes are left.').waitFor();
});
