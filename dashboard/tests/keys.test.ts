/** Journey 4: a key from its making to its end, and the audit log that has all of it. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { setFeature } from '../../server/src/resources/organizations/features.ts';
import { connectSftp } from '../../server/tests/sftp/client.ts';
import { prepareJourneys } from './journeys.ts';
import { settled } from './pages.ts';

const journey = prepareJourneys({ allowed: /422/ }, { sftpPort: 0 });

const name = 'nightly scoring';

/** The secret that the page tells. */
async function toldSecret(page: Page, title: string): Promise<string> {
  const told = page.getByRole('region', { name: title });
  const label = await told.getByRole('button', { name: /^Copy lst_/ }).getAttribute('aria-label');
  await told.getByRole('button', { name: 'I have stored it' }).click();
  await told.waitFor({ state: 'detached' });
  return label!.replace('Copy ', '');
}

test('journey 4: a key is made, used, narrowed, rotated and deleted, and all of it is in the audit log', async () => {
  const { page } = journey.shown;
  const { service, tenant } = journey.lender;
  await page.goto('/api-keys');
  await page.getByRole('button', { name: 'New key' }).click();
  const making = page.getByRole('dialog', { name: 'New key' });
  await making.getByLabel('Name').fill(name);
  await making.getByText('Predict', { exact: true }).click();
  await making.getByRole('button', { name: 'Create' }).click();
  const secret = await toldSecret(page, `The secret of “${name}”`);
  await page.reload();
  await page.getByRole('row', { name: new RegExp(name) }).waitFor();
  expect(await page.content()).not.toContain(secret);

  const ask = (secret: string, path = '/v1/api/models') => service.client(secret).get(path);
  expect((await ask(secret)).status).toBe(200);
  const predicted = await service.client(secret).post('/v1/api/prediction/credit/production', { customer_id: 'c2' });
  expect(predicted.status, predicted.text).toBe(200);
  expect((await ask(secret, '/v2/api/batches')).body).toMatchObject({
    ...{ status: 403, code: 'permission_denied', because: { code: 'roles_needed' } },
  });

  const { body: keys } = await tenant.client.get('/v1/api/api-keys?limit=200');
  const { id } = keys.data.find((key: { name: string }) => key.name === name);
  const oneKey = async () =>
    (await tenant.client.get('/v1/api/api-keys?limit=200')).body.data.find((key: { id: string }) => key.id === id);
  await expect.poll(async () => (await oneKey()).last_used_at, { timeout: 120_000 }).not.toBeNull();
  await page.reload();
  await page.getByRole('row', { name: new RegExp(name) }).click();
  const drawer = page.getByRole('complementary', { name });
  await drawer.getByText('Ask for predictions').waitFor();
  expect(await drawer.getByText('Not used yet').count()).toBe(0);

  await drawer.getByRole('button', { name: 'New secret' }).click();
  const rotating = page.getByRole('dialog', { name: 'Give the key a new secret' });
  expect(await rotating.getByLabel('The old secret ends').inputValue()).toBe('24');
  await rotating.getByRole('button', { name: 'Make a new secret' }).click();
  const renewed = await toldSecret(page, `The new secret of “${name}”`);
  await page.getByRole('row', { name: /Two secrets/ }).waitFor();
  expect(renewed).not.toBe(secret);
  expect([(await ask(secret)).status, (await ask(renewed)).status]).toEqual([200, 200]);

  await drawer.getByRole('button', { name: 'Delete' }).click();
  const deleting = page.getByRole('dialog', { name: 'Delete the key' });
  await deleting.getByLabel(`Type ${name} to confirm`).fill(name);
  await deleting.getByRole('button', { name: 'Delete' }).click();
  await drawer.waitFor({ state: 'detached' });
  expect([(await ask(secret)).status, (await ask(renewed)).status]).toEqual([401, 401]);

  await page.goto(`/audit?target_id=${id}`);
  for (const action of ['api-key-creation', 'api-key-recycling', 'api-key-deletion'])
    await page.getByTitle(action, { exact: true }).waitFor();
  await page.goto(`/audit?actor_id=${id}`);
  await page
    .getByRole('row', { name: /Denied/ })
    .first()
    .waitFor();
});

test('a key of somebody else cannot be renewed, and says why', async () => {
  const { page } = journey.shown;
  const other = await journey.lender.tenant.as('developer');
  await page.goto(`/api-keys?open=${other.keyId}`);
  const drawer = page.getByRole('complementary', { name: 'developer key' });
  const renew = drawer.getByRole('button', { name: 'New secret' });
  expect(await renew.getAttribute('aria-disabled')).toBe('true');
  expect(await renew.getAttribute('aria-description')).toContain('Only who made the key');
  expect(await drawer.getByRole('button', { name: 'Delete' }).isEnabled()).toBe(true);
});

test('SFTP: a user is made, files that it puts in stand in the page with what became of them, and it is deleted', async () => {
  const { page } = journey.shown;
  const { service, tenant } = journey.lender;
  await page.goto('/sftp');
  await page.getByText('SFTP is not enabled for the organization').waitFor();
  await setFeature(service.service.app.db, tenant.ctx.organizationId, 'sftp', true);
  await page.reload();
  await page.getByText('No user yet').waitFor();
  await page.getByRole('button', { name: 'New user' }).first().click();
  const making = page.getByRole('dialog', { name: 'New user' });
  await making.getByLabel('Name').fill('nightly files');
  await making.getByLabel('Public keys').fill('no key at all');
  await making.getByRole('button', { name: 'Create' }).click();
  await making
    .getByText(/is no public key of OpenSSH/)
    .first()
    .waitFor();
  await making.getByLabel('Public keys').fill('');
  await making.getByRole('button', { name: 'Create' }).click();
  const told = page.getByRole('region', { name: 'The password of “nightly files”' });
  const password = (await told.getByRole('button', { name: /^Copy lsp_/ }).getAttribute('aria-label'))!.replace(
    'Copy ',
    '',
  );
  const line = await told.getByText(/^sftp -P /).innerText();
  const [, port, login] = /sftp -P (\d+) (\S+)@localhost/.exec(line)!;
  expect(Number(port)).toBe(service.service.sftpPort);
  await told.getByRole('button', { name: 'I have stored it' }).click();

  const sftp = await connectSftp(service, { login: login!, password });
  await sftp.put('batch/in/good.csv', `endpoint,customer_id\n${journey.lender.model}/production,c1\n`);
  await sftp.put('batch/in/bad.csv', 'customer_id\nc1\n');
  const files = page.getByRole('table', { name: 'Files' });
  await files.getByRole('row', { name: /good\.csv.*Accepted/ }).waitFor();
  await files.getByRole('row', { name: /bad\.csv.*Refused.*has no column endpoint/ }).waitFor();
  await files.getByRole('link', { name: 'Batch' }).click();
  await page.waitForURL(/\/batches\/bat_/);
  await page.goBack();
  await settled(page);
  await page.getByRole('button', { name: 'Delete' }).click();
  const going = page.getByRole('dialog', { name: 'Delete the user' });
  await going.getByLabel(/Type nightly files/).fill('nightly files');
  await going.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No user yet').waitFor();
  await expect(sftp.list('batch/in')).rejects.toThrow('has been deleted');
  await sftp.end();
});
