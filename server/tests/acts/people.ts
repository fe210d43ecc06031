/** What people do about their organization, its members and their own accounts; test support. */
import { expect } from 'vitest';
import { issueOperatorLink } from '../../src/resources/sessions/link.ts';
import { runBeside } from '../beside.ts';
import { makeCredential } from '../identity/authenticator.ts';
import { goodPassword, openBrowser, signIn } from '../identity/browser.ts';
import { connectOidc, proveDomain, signInBy, ssoPath } from '../identity/organizations.ts';
import { codeOf, forgetCodes } from '../identity/totp.ts';
import { done, join, password, type Stage, send } from './stage.ts';

export async function actOnPeople(stage: Stage): Promise<void> {
  await actOnMembers(stage);
  await actOnAccounts(stage);
  await actOnSignOn(stage);
  await actOnPlaces(stage);
}

async function actOnMembers(stage: Stage): Promise<void> {
  const bea = await join(stage, 'bea', { path: '/v1/api/invitations', role: 'member' });
  const denied = await bea.browser.post('/v1/api/tasks', { name: 'none', definition: 'none' });
  expect(denied.status).toBe(403);
  await send(stage, 'PATCH', `/v1/api/members/${bea.id}`, { role: 'analyst' });
  await send(stage, 'DELETE', `/v1/api/members/${bea.id}`);
  await send(stage, 'GET', '/v1/api/members/history');
  const invited = await send(stage, 'POST', '/v1/api/invitations', {
    ...{ email: `rui@${stage.creator.domain}`, role: 'member' },
  });
  await send(stage, 'POST', `/v1/api/invitations/${invited.body.id}/resend`);
  await send(stage, 'DELETE', `/v1/api/invitations/${invited.body.id}`);
}

async function actOnAccounts(stage: Stage): Promise<void> {
  const { service } = stage;
  const { browser, email } = await join(stage, 'cid', { role: 'developer' });
  await done(browser.send('PATCH', '/v1/api/user', { name: 'Cid' }));
  expect((await openBrowser(service.url).post('/v1/api/sessions', { email, password: 'wrong' })).status).toBe(401);
  const other = await signIn(service, email);
  await done(other.send('DELETE', '/v1/api/session'));
  await done(browser.post('/v1/api/session/reauthentication', { password }));
  const { body: options } = await done(browser.post('/v1/api/user/passkeys/options'));
  const { sent } = makeCredential(options, service.url);
  const { body: passkey } = await done(browser.post('/v1/api/user/passkeys', { name: 'laptop', credential: sent }));
  await done(browser.send('PATCH', `/v1/api/user/passkeys/${passkey.id}`, { name: 'old laptop' }));
  await done(browser.send('DELETE', `/v1/api/user/passkeys/${passkey.id}`));
  await done(browser.send('PUT', '/v1/api/user/password', { password: `${password} 2` }));
  await issueOperatorLink(service.service.app, email);
  await done(browser.send('DELETE', '/v1/api/user'));
}

async function actOnSignOn(stage: Stage): Promise<void> {
  const { service, peer, creator, dns } = stage;
  const connection = await connectOidc(creator, peer);
  peer.redirectUris.add(connection.oidc.callback_url);
  peer.account = { sub: 'dora', email: `dora@${creator.domain}`, email_verified: true, name: 'Dora' };
  await done(creator.browser.send('PATCH', `${ssoPath}/${connection.id}`, { default_role: 'member' }));
  await signInBy(service, peer, connection);
  await done(creator.browser.send('PATCH', '/v1/api/organization', { single_sign_on: 'required' }));
  await forgetCodes(service);
  const browser = openBrowser(service.url);
  const { body } = await done(browser.post('/v1/api/sessions', { email: creator.email, password: goodPassword }));
  await done(browser.post('/v1/api/sessions/second-factor', { token: body.token, code: codeOf(creator.secret) }));
  await done(browser.send('PATCH', '/v1/api/organization', { single_sign_on: 'optional' }));
  const eva = await join(stage, 'eva', { role: 'creator' });
  await done(creator.browser.send('PUT', `/v1/api/organization/break-glass-admins/${eva.id}`));
  await done(creator.browser.post(`${ssoPath}/${connection.id}/deactivation`));
  await done(creator.browser.send('DELETE', `${ssoPath}/${connection.id}`));
  await done(creator.browser.send('DELETE', `/v1/api/organization/break-glass-admins/${creator.id}`));
  const domain = await proveDomain(dns, creator.browser, `second-${creator.domain}`);
  await done(creator.browser.send('DELETE', `/v1/api/organization/domains/${domain}`));
}

async function actOnPlaces(stage: Stage): Promise<void> {
  const { creator, service } = stage;
  const { body: key } = await send(stage, 'POST', '/v1/api/api-keys', { name: 'spare' });
  await send(stage, 'PATCH', `/v1/api/api-keys/${key.id}`, { name: 'renamed' });
  await send(stage, 'POST', `/v1/api/api-keys/${key.id}/rotation`, {});
  await send(stage, 'DELETE', `/v1/api/api-keys/${key.id}`);
  const { body: rule } = await send(stage, 'POST', '/v1/api/ip-rules', { cidr: '127.0.0.1' });
  await send(stage, 'DELETE', `/v1/api/ip-rules/${rule.id}`);
  const of = ['--organization', creator.organization];
  const commands = [
    ['admin', 'feature', 'enable', 'sftp', ...of],
    ['admin', 'price-plan', 'set', ...of, '--plan', 'default'],
    ['admin', 'audit', 'redact', ...of, '--user', creator.id],
    ['admin', 'organization', 'suspend', ...of],
    ['admin', 'organization', 'resume', ...of],
  ];
  for (const command of commands)
    expect(await runBeside(service, command)).toMatchObject({
      code: 0,
      err: expect.stringMatching(/^acting on the database /),
    });
  await send(stage, 'PATCH', '/v1/api/workspace', { name: 'Renamed' });
  await send(stage, 'POST', '/v1/api/workspace/archive');
  await send(stage, 'POST', '/v1/api/workspace/unarchive');
}
