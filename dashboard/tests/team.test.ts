/** Journey 3: people are invited, come in, get another role, and go; and what their browsers keep to themselves. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { system } from '../../server/src/access/transactions.ts';
import { issueLink } from '../../server/src/resources/sessions/link.ts';
import { goodPassword, mailTo } from '../../server/tests/identity/browser.ts';
import { prepareJourneys } from './journeys.ts';
import { settled } from './pages.ts';

// Who is signed in is asked for before anybody is, a spent link is refused, and so is what a new role may not do.
const journey = prepareJourneys({ allowed: /40[139]|422|favicon/ });

const rita = 'rita@lender-team.example';
const saulo = 'saulo@lender-team.example';

/** Invites by the form of the page. */
async function invite(page: Page, addresses: string, role: string): Promise<void> {
  await page.goto('/members');
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite people' });
  await dialog.getByLabel('Addresses').fill(addresses);
  await dialog.getByLabel('Role').selectOption(role);
  await dialog.getByRole('button', { name: 'Send invitations' }).click();
  await dialog.waitFor({ state: 'detached' });
}

/** Opens the link of a mail in a browser of its own; returns its page and what it sent on the way. */
async function openLink(token: string) {
  const { page } = await journey.open({ cookie: '' });
  const sent: { url: string; headers: Promise<Record<string, string>> }[] = [];
  page.on('request', (request) => sent.push({ url: request.url(), headers: request.allHeaders() }));
  await page.goto(`/invitation#${token}`);
  await page.getByRole('heading', { name: 'Join your team' }).waitFor();
  return { page, sent };
}

async function accept(page: Page, name: string): Promise<void> {
  await page.getByLabel('Your name').fill(name);
  await page.getByLabel('Password', { exact: true }).fill(goodPassword);
  await page.getByRole('button', { name: 'Accept the invitation' }).click();
}

test('journey 3: two are invited, one of them again; they come in, get another role, and go', async () => {
  const { page } = journey.shown;
  const { service } = journey.lender;
  await invite(page, `${rita}\nSaulo Lima <${saulo}>`, 'developer');
  await page.getByText('2 invitations have been sent.').waitFor();
  const [first] = await Promise.all([mailTo(service, rita, /invited/i), mailTo(service, saulo, /invited/i)]);
  await page.getByRole('button', { name: `Send again: ${rita}` }).click();
  await page.getByText('It has been sent again, with 7 new days.').waitFor();
  const second = await mailTo(service, rita, /invited/i, 1);

  // T79: the token stands in the fragment, which goes nowhere, and is taken out of the address at once.
  const { page: hers, sent } = await openLink(first.token);
  expect(new URL(hers.url()).hash).toBe('');
  await accept(hers, 'Rita');
  await hers.getByRole('alert').waitFor();
  for (const { url, headers } of sent) {
    expect(url).not.toContain(first.token);
    expect(JSON.stringify(await headers)).not.toContain(first.token);
  }
  await hers.goto(`/invitation#${second.token}`);
  await hers.reload();
  await accept(hers, 'Rita');
  await hers.getByRole('heading', { name: 'Overview' }).waitFor();

  // T16: the browser keeps the cookies from scripts.
  const cookies = await hers.context().cookies();
  expect(cookies.map(({ name }) => name).sort()).toEqual(['__Host-lastro-device', '__Host-lastro-session']);
  for (const cookie of cookies) expect(cookie).toMatchObject({ secure: true, httpOnly: true, sameSite: 'Lax' });
  expect(await hers.evaluate(() => document.cookie)).toBe('');

  const menu = hers.getByRole('navigation', { name: 'Pages' });
  await menu.getByRole('link', { name: 'API keys' }).click();
  await hers.getByRole('button', { name: 'New key' }).first().waitFor();
  expect(await menu.getByRole('link', { name: 'Webhooks' }).count()).toBe(1);
  await page.reload();
  await page.getByRole('button', { name: `Change role: ${rita}` }).click();
  const dialog = page.getByRole('dialog', { name: 'Change role' });
  await dialog.getByLabel(`Role of ${rita}`).selectOption('member');
  await dialog.getByRole('button', { name: 'Change role' }).click();
  await dialog.waitFor({ state: 'detached' });
  // Her page is as it was until the service refuses what it offers; then it offers that no more.
  await menu.getByRole('link', { name: 'Webhooks' }).click();
  await hers.getByRole('heading', { name: 'You may not see this' }).waitFor();
  await hers.getByText(/It takes one of the roles Creator.*Developer/).waitFor();
  await menu.getByRole('link', { name: 'Webhooks' }).waitFor({ state: 'detached' });
  expect(await menu.getByRole('link', { name: 'API keys' }).count()).toBe(0);

  await page.getByRole('button', { name: `Remove ${rita}` }).click();
  const removing = page.getByRole('dialog', { name: 'Remove Rita' });
  expect(await removing.getByRole('button', { name: 'Remove' }).isDisabled()).toBe(true);
  await removing.getByLabel(`Type ${rita} to confirm`).fill(rita);
  await removing.getByRole('button', { name: 'Remove' }).click();
  await removing.waitFor({ state: 'detached' });
  await menu.getByRole('link', { name: 'Your account' }).click();
  await hers.getByText('Your session has ended').waitFor();
  await hers.waitForURL(/\/sign-in/);
});

test('an invitation that is refused stays in the form, with the reason, and the others go', async () => {
  const { page } = journey.shown;
  await page.goto('/members');
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite people' });
  await dialog.getByLabel('Addresses').fill('somebody@gmail.com, third@lender-team.example');
  await dialog.getByRole('button', { name: 'Send invitations' }).click();
  await dialog.getByRole('alert').getByText('somebody@gmail.com').waitFor();
  expect(await dialog.getByLabel('Addresses').inputValue()).toBe('somebody@gmail.com');
  await page.getByText('1 invitation has been sent.').waitFor();
});

test('pages say of what a role may not do which roles may, and the page of roles what each is for', async () => {
  const { page } = await journey.open({ cookie: await journey.signIn('analyst') });
  for (const [path, name, roles] of [
    ['/tasks', 'New task', 'Creator and Developer'],
    ['/training-runs', 'Train', 'Creator and Developer'],
    ['/data', 'Send data', 'Creator'],
    ['/batches', 'New batch', 'Creator and Developer'],
  ] as const) {
    await page.goto(path);
    await settled(page);
    const button = page.getByRole('button', { name, exact: true }).first();
    await expect
      .poll(() => button.getAttribute('aria-description'))
      .toBe(`Your role may not do this. Roles that may: ${roles}.`);
  }
  await page.goto('/members');
  await page.getByText('Inviting people and changing roles is for: Creator.').waitFor();
  await page.getByRole('tab', { name: 'Roles' }).click();
  await page.getByText('Sees models, usage records and who did what, and changes nothing.').waitFor();
  const row = page.getByRole('row', { name: /^Download results of batches/ });
  await row.getByText(/both show rows of customers/).waitFor();
  expect(await row.getByTitle('Roles that may: Creator', { exact: true }).count()).toBe(5);
});

test('who may not invite is told who may, and the service refuses them, too', async () => {
  const { page } = await journey.open({ cookie: await journey.signIn('analyst') });
  await page.goto('/members');
  await settled(page);
  const button = page.getByRole('button', { name: 'Invite', exact: true });
  expect(await button.getAttribute('aria-disabled')).toBe('true');
  expect(await button.getAttribute('aria-description')).toContain('Creator');
  expect(await page.getByRole('button', { name: /^(Remove|Change role)/ }).count()).toBe(0);
  const refused = await page.evaluate(async (workspace) => {
    const answer = await fetch('/v1/api/invitations', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'lastro-workspace': workspace },
      body: JSON.stringify({ email: 'fourth@lender-team.example', role: 'creator' }),
    });
    return answer.status;
  }, journey.lender.tenant.ctx.workspaceId);
  expect(refused).toBe(403);
});

/** A site of somebody else: another host of this machine, which no cookie of `localhost` is for. */
const elsewhere = createServer((request, response) => {
  const to = new URL(request.url!, 'http://127.0.0.1').searchParams.get('to')!;
  response.setHeader('content-type', 'text/html');
  response.end(
    `<title>Elsewhere</title><a href="${to}/members">prize</a>` +
      `<form method="post" enctype="text/plain" action="${to}/v1/api/workspace/archive"><button>win</button></form>`,
  );
});
beforeAll(() => new Promise<void>((listening) => elsewhere.listen(0, '127.0.0.1', listening)));
afterAll(() => new Promise((closed) => elsewhere.close(closed)));

test('T16 another site has a browser open pages as who is signed in, and do nothing', async () => {
  const { service, tenant } = journey.lender;
  const { app } = service.service;
  const { userId } = await tenant.signedIn('creator', 'organization');
  const { page } = await journey.open({ cookie: '' });
  // Signed in by the page, so that the browser keeps the cookies as the service sets them.
  await page.goto(`/sign-in#${await system(app.db, 'test', (tx) => issueLink(app, tx, userId))}`);
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  const prize = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/?to=${encodeURIComponent(service.url)}`;
  await page.goto(prize);
  const [posted] = await Promise.all([
    page.waitForRequest((request) => request.method() === 'POST'),
    page.getByRole('button', { name: 'win' }).click(),
  ]);
  expect(await posted.allHeaders()).not.toHaveProperty('cookie');
  expect((await posted.response())!.status()).toBeGreaterThanOrEqual(400);
  expect((await tenant.client.get('/v1/api/workspace')).body.status).toBe('active');
  await page.goto(prize);
  await page.getByRole('link', { name: 'prize' }).click();
  await page.getByRole('heading', { name: 'Members and roles' }).waitFor();
});
