/** Journey 12: the audit log, usage and invoices, addresses, sessions, and what somebody chose for themselves. */
import { readFile } from 'node:fs/promises';
import { beforeEach, expect, test } from 'vitest';
import { system } from '../../server/src/access/transactions.ts';
import { closeMonths } from '../../server/src/resources/invoices/close-months.ts';
import { setPricePlan } from '../../server/src/resources/organizations/set-price-plan.ts';
import { createPlan } from '../../server/src/resources/price-plans/create.ts';
import { issueLink } from '../../server/src/resources/sessions/link.ts';
import { listAll, meterAll } from '../../server/tests/usage/metered.ts';
import { emit } from '../../server/tests/webhooks/hooks.ts';
import { prepareJourneys } from './journeys.ts';

// The guard against shutting oneself out refuses, and a session that was ended is told so.
const journey = prepareJourneys({ allowed: /40[19]|422/ });

let link: (userId: string) => Promise<string>;
beforeEach(() => {
  const { app } = journey.lender.service.service;
  link = (userId) => system(app.db, 'test', (tx) => issueLink(app, tx, userId));
});

/** More than the page fetches at first. */
const manyEntries = 210;

test('journey 12: filters of the audit log stand in the address, and the export is what they leave', async () => {
  const { page } = journey.shown;
  const { service, tenant, batch } = journey.lender;
  const batches = await emit({ service }, tenant, { count: manyEntries });
  await page.goto('/audit');
  const action = page.getByLabel('What was done');
  await action.fill('batch-req*');
  await action.press('Enter');
  await page.getByLabel('Outcome').selectOption('succeeded');
  await page.waitForURL(/action=batch-req.*outcome=succeeded/);
  await page.reload();
  await page.getByRole('table', { name: 'Entries' }).waitFor();
  expect(await action.inputValue()).toBe('batch-req*');
  expect(await page.getByLabel('Outcome').inputValue()).toBe('succeeded');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ]);
  const [head, ...lines] = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
  const columns = head.split(',');
  const exported = lines.map((line) => line.split(',')[columns.indexOf('target')]);
  expect(exported.sort()).toEqual([...batches, batch].sort());
  for (const line of lines) expect(line.split(',')[columns.indexOf('action')]).toBe('batch-request');
});

test('the audit log is filtered by the names of people, keys and acts, and the address has their ids', async () => {
  const { page } = journey.shown;
  const { tenant, model } = journey.lender;
  const { body: members } = await tenant.client.get('/v1/api/members');
  const { user_id: person, name, email } = members.data[0];
  await page.goto('/audit');
  const who = page.getByLabel('Who: name or e-mail');
  await who.fill(email);
  await who.press('Enter');
  await page.waitForURL((url) => url.searchParams.get('actor_id') === person);
  await expect.poll(() => who.inputValue()).toBe(name ? `${name} (${email})` : email);
  await page.getByLabel('On what: name or id').fill('credit · Model');
  await page.waitForURL((url) => url.searchParams.get('target_id') === model);
  // What belongs to the model is there with it.
  const entries = await listAll(tenant.client, `/v1/api/audit-entries?about=${model}`);
  const types = new Set(entries.map(({ target }) => target.type));
  expect([...types].sort()).toEqual(expect.arrayContaining(['model_version', 'training_run']));
  const runs = await listAll(tenant.client, '/v1/api/training-runs');
  const own = new Set(runs.filter((run) => run.model_id === model).map(({ id }) => id));
  expect(entries.every(({ target }) => target.type !== 'training_run' || own.has(target.id))).toBe(true);
  const action = page.getByLabel('What was done');
  await action.fill('batch req');
  await action.press('Tab');
  await page.waitForURL((url) => url.searchParams.get('action') === 'batch-request');
  expect(await action.inputValue()).toBe('Batch requested');
  await page.reload();
  await expect.poll(() => page.getByLabel('On what: name or id').inputValue()).toBe('credit · Model');
});

test('moves of aliases are found by other words of them, and told with the names of models and versions', async () => {
  const { page } = journey.shown;
  const { tenant, model, versions } = journey.lender;
  for (const version_id of versions) {
    const alias = `/v1/api/models/${model}/aliases/trial`;
    const { status, text } = await tenant.client.send('PUT', alias, { body: { version_id } });
    expect(status, text).toBeLessThan(300);
  }
  await page.goto('/audit');
  const action = page.getByLabel('What was done');
  for (const [asked, id] of [
    ['perdeu um alias', 'model-version-demotion'],
    ['alias', 'model-version-promotion'],
  ]) {
    await action.fill(asked);
    await action.press('Enter');
    await page.waitForURL((url) => url.searchParams.get('action') === id);
  }
  await page
    .getByRole('row', { name: /Model version promoted/ })
    .first()
    .click();
  await page.getByRole('complementary').getByText('credit v2 (before: v1)').waitFor();
});

test('the audit log without its readings has what is older than them', async () => {
  const { page } = journey.shown;
  const { client } = journey.lender.tenant;
  // More readings than a page of the list has.
  for (let left = 205; left > 0; left--) await client.get('/v1/api/audit-entries?limit=1');
  await page.goto('/audit?hide_reads=true');
  const rows = page.getByRole('table', { name: 'Entries' }).getByRole('row');
  await rows.nth(5).waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page
    .getByRole('row', { name: /Audit log read/ })
    .first()
    .waitFor();
});

test('a tab stays in its workspace while another one goes elsewhere', async () => {
  const { ctx } = journey.lender.tenant;
  const creator = await journey.lender.tenant.signedIn('creator', 'organization');
  const made = await creator.post('/v1/api/workspaces', { name: 'Elsewhere' });
  expect(made.status, made.text).toBe(201);
  const { page, context } = await journey.open({ cookie: creator.headers.cookie });
  await page.goto('/models');
  await page.waitForURL((url) => url.searchParams.get('workspace') === ctx.workspaceId);
  const other = await context.newPage();
  await other.goto(`/models?workspace=${made.body.id}`);
  await other.getByText('There is no model yet').waitFor();
  await page.reload();
  await page.getByRole('row', { name: /credit/ }).waitFor();
  // A workspace that is nobody's is said, and not swapped for one's own.
  await page.goto('/models?workspace=ws_0000');
  await page.getByRole('heading', { name: 'You are not in this workspace' }).waitFor();
});

test('the table of the usage chart sums up to the predictions that were made, and the invoice opens', async () => {
  const { page, context } = journey.shown;
  const { service, tenant } = journey.lender;
  const { db } = service.service.app;
  await createPlan(db, 'tested', JSON.stringify({ monthly_fee: '100.00', prices: {}, quotas: { open_batches: 20 } }));
  await setPricePlan(db, tenant.ctx.organizationId, 'tested');
  await meterAll(service);
  await closeMonths(db);
  const predictions = await listAll(tenant.client, '/v1/api/predictions');
  await page.goto('/usage?meter=predictions');
  await page.getByRole('button', { name: 'View as table' }).click();
  await page.getByRole('table').getByRole('cell').first().waitFor();
  const cells = await page.getByRole('table').getByRole('row').allTextContents();
  const days = await page.getByRole('table').getByRole('cell').allTextContents();
  expect(days).toHaveLength(2 * (cells.length - 1));
  const sum = days.filter((_, at) => at % 2 === 1).reduce((total, text) => total + Number(text.replaceAll(',', '')), 0);
  expect(sum).toBe(predictions.length);
  expect(sum).toBeGreaterThan(0);
  const quotas = page.getByRole('region', { name: 'Quotas' });
  await quotas.getByText('Batches queued or running').waitFor();
  await quotas.getByText(/^\d+ of 20 \(\d+%\)$/).waitFor();

  await page.goto('/invoices');
  await page.getByRole('row', { name: /Running month/ }).click();
  await page.waitForURL(/\/invoices\/./);
  await page.getByRole('table', { name: 'Lines' }).getByText('Monthly fee').waitFor();
  const [printed] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('link', { name: 'Open to print' }).click(),
  ]);
  await printed.getByRole('heading', { level: 1 }).waitFor();
  await printed.getByRole('row', { name: /Total.*100\.00/ }).waitFor();
});

test('whoever would shut themselves out by an address is asked first', async () => {
  const { page } = journey.shown;
  await page.goto('/security?tab=addresses');
  const heading = page.getByRole('heading', { name: 'This workspace' });
  const section = page.locator('section').filter({ has: heading });
  const none = section.getByText('No rule: callers come in from everywhere.');
  const guard = page.getByRole('dialog', { name: 'You would shut yourself out' });
  const others = '203.0.113.0/24';
  const allowOthers = async () => {
    await section.getByLabel('Network').fill(others);
    await section.getByLabel('For', { exact: true }).selectOption('dashboard');
    await section.getByRole('button', { name: 'Allow', exact: true }).click();
  };
  const remove = async (network: string) => {
    await section.getByRole('button', { name: `Delete ${network}` }).click();
    await page
      .getByRole('dialog', { name: `Delete ${network}` })
      .getByRole('button', { name: 'Delete' })
      .click();
  };
  await allowOthers();
  expect(await guard.getByRole('button', { name: 'Do it all the same' }).isDisabled()).toBe(true);
  await guard.getByRole('button', { name: 'Cancel' }).click();
  await page.reload();
  await none.waitFor();
  await section.getByLabel('For', { exact: true }).selectOption('dashboard');
  await section.getByRole('button', { name: 'Allow my address' }).click();
  const label = await section.getByRole('button', { name: /^Delete / }).getAttribute('aria-label');
  const mine = label!.replace('Delete ', '');
  await allowOthers();
  await section.getByRole('button', { name: `Delete ${others}` }).waitFor();
  // Without the own address what is left would shut the door, and the rule stays.
  await remove(mine);
  await guard.getByRole('button', { name: 'Cancel' }).click();
  await page.reload();
  await section.getByRole('button', { name: `Delete ${mine}` }).waitFor();
  await remove(others);
  await section.getByRole('button', { name: `Delete ${others}` }).waitFor({ state: 'detached' });
  await remove(mine);
  await none.waitFor();
});

test('other sessions are ended from the account, and their pages lead to the sign-in', async () => {
  const member = await journey.lender.tenant.signedIn('developer', 'organization');
  const here = await journey.open({ cookie: member.headers.cookie });
  const there = await journey.open({ cookie: '' });
  await there.page.goto(`/sign-in#${await link(member.userId)}`);
  await there.page.getByRole('heading', { name: 'Overview' }).waitFor();
  await here.page.goto('/account');
  const list = here.page.getByRole('list', { name: 'Sessions' });
  await list.getByRole('listitem').nth(1).waitFor();
  await here.page.getByRole('button', { name: 'End all others' }).click();
  await here.page.getByText('1 session has ended.').waitFor();
  await list.getByRole('listitem').nth(1).waitFor({ state: 'detached' });
  expect(await list.getByRole('listitem').count()).toBe(1);
  await there.page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Webhooks' }).click();
  await there.page.getByText('Your session has ended').waitFor();
  await here.page.reload();
  await here.page.getByRole('heading', { name: 'Your account', exact: true }).waitFor();
});

test('language and theme stay as they were chosen', async () => {
  const { page } = await journey.open({ cookie: await journey.signIn('analyst') });
  await page.goto('/account');
  await page.getByRole('group', { name: 'Theme' }).getByText('Dark').click();
  await Promise.all([
    page.waitForResponse((response) => response.request().method() === 'PATCH' && response.ok()),
    page.getByRole('group', { name: 'Language' }).getByText('Português').click(),
  ]);
  await page.getByRole('heading', { name: 'Sua conta', exact: true }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Sua conta', exact: true }).waitFor();
  const html = page.locator('html');
  expect([await html.getAttribute('lang'), await html.getAttribute('data-theme')]).toEqual(['pt-BR', 'dark']);
  expect(await page.getByRole('radio', { name: 'Escuro' }).isChecked()).toBe(true);
});

test('who has chosen no language gets that of their browser, and keeps the one that they choose', async () => {
  const member = await journey.lender.tenant.signedIn('analyst', 'organization');
  const { page } = await journey.open({ cookie: member.headers.cookie, language: 'pt-BR' });
  await page.goto('/account');
  await page.getByRole('heading', { name: 'Sua conta', exact: true }).waitFor();
  const account = async () => (await member.send('GET', '/v1/api/user')).body;
  await expect.poll(account).toMatchObject({ language: 'pt-BR', language_chosen: true });
  await Promise.all([
    page.waitForResponse((response) => response.request().method() === 'PATCH' && response.ok()),
    page.getByRole('group', { name: 'Idioma' }).getByText('English').click(),
  ]);
  const { page: elsewhere } = await journey.open({ cookie: member.headers.cookie, language: 'pt-BR' });
  await elsewhere.goto('/account');
  await elsewhere.getByRole('heading', { name: 'Your account', exact: true }).waitFor();
  expect(await account()).toMatchObject({ language: 'en' });
});

test('a passkey of the device signs in by itself', async () => {
  const member = await journey.lender.tenant.signedIn('developer', 'organization');
  const { page, context } = await journey.open({ cookie: member.headers.cookie });
  const devtools = await context.newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
      ...{ isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
  await page.goto('/account');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  const naming = page.getByRole('dialog', { name: 'Add a passkey' });
  await naming.getByLabel('Its name, such as that of the device').fill('laptop');
  await naming.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByText('The passkey signs you in from now on.').waitFor();
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL(/\/sign-in/);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
});
