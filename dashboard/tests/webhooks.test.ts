/** Journey 11: a webhook that is tested, fails, and is recovered; and the inbox, which is told or is not. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyWebhook } from '../../sdk/src/main.ts';
import { told } from '../../server/tests/notifications/acts.ts';
import { type Farm, ok, openFarm, status } from '../../server/tests/webhooks/farm.ts';
import { quickSchedule } from '../../server/tests/webhooks/hooks.ts';
import { prepareJourneys } from './journeys.ts';
import { settled } from './pages.ts';

const journey = prepareJourneys({}, { webhookAllowHttp: true, webhookScheduleMs: quickSchedule });

let farm: Farm;
beforeAll(async () => {
  farm = await openFarm();
});
afterAll(() => farm?.close());

/** Has something happen that webhooks and people can be told of. */
async function makeKey(name: string): Promise<void> {
  const person = await journey.lender.tenant.signedIn('creator', 'organization');
  const { status, text } = await person.post('/v1/api/api-keys', { name });
  expect(status, text).toBe(201);
}

test('journey 11: a test event, a failure with its retries, and the recovery of what never arrived', async () => {
  const { page } = journey.shown;
  const receiver = farm.receiver();
  await page.goto('/webhooks');
  await page.getByRole('button', { name: 'New webhook' }).click();
  const making = page.getByRole('dialog', { name: 'New webhook' });
  await making.getByLabel('Address').fill(receiver.url);
  await making.getByText('Chosen ones').click();
  await making.getByLabel('Search events').fill('api-key-creation');
  await making.getByRole('checkbox', { name: /^api-key-creation/ }).check();
  await making.getByRole('button', { name: 'Create' }).click();
  const secretBox = page.getByRole('region', { name: 'The signing secret of the webhook' });
  const label = await secretBox.getByRole('button', { name: /^Copy whsec_/ }).getAttribute('aria-label');
  const secret = label!.replace('Copy ', '');
  await secretBox.getByRole('button', { name: 'I have stored it' }).click();

  await page.getByRole('button', { name: 'Send a test event' }).click();
  const [sent] = await receiver.received(1);
  await verifyWebhook(sent.body, sent.headers, secret);
  const broken = Buffer.concat([sent.body, Buffer.from(' ')]);
  await expect(verifyWebhook(broken, sent.headers, secret)).rejects.toThrow('not signed');
  const drawer = page.getByRole('complementary');
  await drawer.getByText('Arrived', { exact: true }).first().waitFor();
  await drawer.getByText('Attempt 1 · 200').waitFor();
  await drawer.getByRole('button', { name: 'Close' }).click();

  receiver.behave(status(500, {}, 'out of order'));
  await makeKey('unheard');
  await receiver.received(1 + quickSchedule.length);
  await page.getByRole('switch', { name: 'Live' }).click();
  const failed = page.getByRole('row', { name: /API key created.*Failed/ });
  await failed.click();
  for (const number of quickSchedule.keys()) await drawer.getByText(`Attempt ${number + 1} · 500`).waitFor();
  await drawer.getByText('out of order').first().waitFor();
  await drawer.getByRole('button', { name: 'Close' }).click();

  receiver.behave(ok);
  await page.getByRole('tab', { name: 'Recover' }).click();
  await page.getByRole('button', { name: 'Count', exact: true }).click();
  await page.getByText('1 never arrived').waitFor();
  await page.getByRole('button', { name: 'Send them again' }).click();
  const all = await receiver.received(2 + quickSchedule.length);
  const event = await verifyWebhook(all.at(-1)!.body, all.at(-1)!.headers, secret);
  expect(event.type).toBe('api-key-creation');
  expect(all.at(-1)!.headers['webhook-id']).toBe(all[1].headers['webhook-id']);
  await page.getByText('1 of 1 made ready').first().waitFor();
  await page.getByRole('tab', { name: 'Deliveries' }).click();
  await page.getByRole('row', { name: /API key created.*Arrived.*Recovery/ }).waitFor();
});

test('the inbox has what was chosen as it happens, and no more once it is chosen off', async () => {
  const { page } = journey.shown;
  const { service } = journey.lender;
  await page.goto('/inbox?tab=preferences');
  const choice = page.getByRole('checkbox', { name: 'API key created: Inbox' });
  const choose = async (isOn: boolean) => {
    await settled(page);
    if ((await choice.isChecked()) !== isOn) await choice.click();
    await expect.poll(() => choice.isChecked(), { timeout: 120_000 }).toBe(isOn);
  };
  await choose(true);
  await page.getByRole('tab', { name: /^Unread/ }).click();
  await settled(page);
  const rows = page.getByRole('button', { name: /API key created/ });
  const before = await rows.count();
  await makeKey('told of');
  await told(service);
  await expect.poll(() => rows.count(), { timeout: 120_000 }).toBe(before + 1);
  // Reading takes it out of the counts, and not from under the eyes of who reads.
  const unread = page.getByRole('tab', { name: /^Unread/ });
  const label = await unread.textContent();
  await rows.first().click();
  await expect.poll(() => unread.textContent()).not.toBe(label);
  await settled(page);
  expect(await page.getByRole('link', { name: 'Open what it is about' }).isVisible()).toBe(true);
  await page.getByRole('tab', { name: 'What I am told' }).click();
  await choose(false);
  await makeKey('not told of');
  await told(service);
  await page.goto('/inbox?tab=all');
  await rows.first().waitFor();
  expect(await rows.count()).toBe(before + 1);

  // What was told in one language is read in the other.
  await page.getByRole('button', { name: 'Language', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Português' }).click();
  await page
    .getByRole('button', { name: /Chave de API criada/ })
    .first()
    .waitFor();
  expect(await rows.count()).toBe(0);
  await page.getByRole('button', { name: 'Idioma', exact: true }).click();
  // Kept for the person, before the page is left.
  const [kept] = await Promise.all([
    page.waitForResponse(
      (response) => response.request().method() === 'PATCH' && response.request().postDataJSON()?.language === 'en',
    ),
    page.getByRole('menuitem', { name: 'English' }).click(),
  ]);
  expect(kept.status()).toBe(200);
  await rows.first().waitFor();

  // The address of what it is about has the workspace, as that of the page that leads there may have.
  await page.goto(`/inbox?tab=all&workspace=${journey.lender.tenant.ctx.workspaceId}`);
  await rows.first().click();
  await page.getByRole('link', { name: 'Open what it is about' }).click();
  await page.getByRole('complementary').getByText('told of').first().waitFor();
  const { pathname, searchParams } = new URL(page.url());
  expect([pathname, searchParams.getAll('workspace')]).toEqual(['/api-keys', [journey.lender.tenant.ctx.workspaceId]]);
});
