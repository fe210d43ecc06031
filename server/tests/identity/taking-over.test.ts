/** Ways by which somebody could get another's account or rights through single sign-on, each closed. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { setFeature } from '../../src/resources/organizations/features.ts';
import { suspendOrganization } from '../../src/resources/organizations/suspend.ts';
import { type Dns, openDns } from '../dns.ts';
import type { TestService } from '../service.ts';
import { goodPassword, mailTo, openBrowser, type Person, signIn, signUp } from './browser.ts';
import {
  connectOidc,
  expectStatus,
  type Organization,
  signInBy,
  signUpWithDomain,
  startWithProviders,
} from './organizations.ts';
import { type OidcPeer, openOidcProvider } from './peers/oidc-provider.ts';
import { codeOf, enrol, forgetCodes } from './totp.ts';

let service: TestService;
let dns: Dns;
let peer: OidcPeer;
beforeAll(async () => {
  [dns, peer] = await Promise.all([openDns(), openOidcProvider([])]);
  service = await startWithProviders(dns);
});
afterAll(() => Promise.all([service.close(), dns.close(), peer.close()]));
beforeEach(async () => {
  await service.owner.pool.query('delete from attempts');
});

async function connect(organization: Organization, more = {}) {
  const connection = await connectOidc(organization, peer, more);
  peer.redirectUris.add(connection.oidc.callback_url);
  return connection;
}
type Connection = Awaited<ReturnType<typeof connect>>;

/** Signs somebody in at the provider by subject and address. */
async function come(connection: Connection, sub: string, email: string) {
  peer.account = { sub, email, email_verified: true, name: sub };
  return signInBy(service, peer, connection);
}

const refused = { status: 401, code: 'sso_refused' };

/** Has somebody with an account join an organization. */
async function bringIn(organization: Organization, person: Person, role: string): Promise<void> {
  const path = '/v1/api/organization/invitations';
  expectStatus(await organization.browser.post(path, { email: person.email, role }), 201);
  const { token } = await mailTo(service, person.email, /invit/i);
  expectStatus(await person.browser.post('/v1/api/invitations/acceptance', { token }), 200);
}

test('another subject with the address of an account that the provider knows does not get it', async () => {
  const corp = await signUpWithDomain(service, dns, 'Nu');
  const connection = await connect(corp);
  const first = await come(connection, 'boss-sub', corp.email);
  expectStatus(first.reply, 303);
  await mailTo(service, corp.email, /identity provider/i);
  const { reply } = await come(connection, 'new-hire', corp.email);
  expect(reply.body).toMatchObject(refused);
  expectStatus((await come(connection, 'boss-sub', corp.email)).reply, 303);
});

test('a member of another organization comes in by accepting an invitation, and not by the word of a provider', async () => {
  const victim = await signUp(service, 'Victim');
  const taker = await signUpWithDomain(service, dns, 'Grabber');
  const connection = await connect(taker);
  await service.owner.pool.query("update domains set domain = 'victim-company.example' where domain = $1", [
    taker.domain,
  ]);
  const path = '/v1/api/organization/invitations';
  expectStatus(await taker.browser.post(path, { email: victim.email, role: 'member' }), 201);
  expect((await come(connection, 'v', victim.email)).reply.body).toMatchObject(refused);
  const { token } = await mailTo(service, victim.email, /invit/i);
  expectStatus(await victim.browser.post('/v1/api/invitations/acceptance', { token }), 200);
  const { browser, reply } = await come(connection, 'v', victim.email);
  expectStatus(reply, 303);

  // What the session tells and does about the account goes no further than its organization.
  const told = expectStatus(await browser.get('/v1/api/user'), 200).body;
  expect(told.organizations.map(({ id }: { id: string }) => id)).toEqual([taker.organization]);
  expect(told.workspaces.every((one: { organization_id: string }) => one.organization_id === taker.organization)).toBe(
    true,
  );
  for (const [method, address, body] of [
    ['GET', '/v1/api/sessions', undefined],
    ['DELETE', '/v1/api/sessions', undefined],
    ['PATCH', '/v1/api/user', { name: 'Owned' }],
    ['GET', '/v1/api/user/passkeys', undefined],
  ] as const)
    expect((await browser.send(method, address, body)).body.code, address).toBe('reauthentication_required');
  expectStatus(await victim.browser.get('/v1/api/user'), 200);
  // With the account's own password it is the account's own session.
  expectStatus(await browser.post('/v1/api/session/reauthentication', { password: goodPassword }), 204);
  expect((await browser.get('/v1/api/user')).body.organizations).toHaveLength(2);
  expectStatus(await browser.send('DELETE', '/v1/api/session'), 204);
});

test('sessions through a provider give nobody further guesses at password and code', async () => {
  const corp = await signUpWithDomain(service, dns, 'Guess');
  const connection = await connect(corp);
  const codes = new Set<number>();
  for (let at = 0; at < 4; at++) {
    const { browser } = await come(connection, 'g', corp.email);
    for (let guess = 0; guess < 4; guess++)
      codes.add(
        (await browser.post('/v1/api/session/reauthentication', { password: `wrong password ${guess}` })).status,
      );
    const other = openBrowser(service.url, browser.cookies);
    codes.add((await other.post('/v1/api/sessions', { email: corp.email, password: 'a wrong one again' })).status);
  }
  expect(codes).toEqual(new Set([401, 429]));
  // Nor is the device one that the owner is known by.
  const { browser } = await come(connection, 'g', corp.email);
  const { rows } = await service.owner.pool.query(
    'select is_proved, count(*)::int as n from devices d join users u on u.id = d.user_id where u.email = $1 group by 1 order by 1',
    [corp.email],
  );
  expect(rows).toEqual([
    { is_proved: false, n: 5 },
    { is_proved: true, n: 1 },
  ]);
  await service.owner.pool.query('delete from attempts');
  await forgetCodes(service);
  const begun = await browser.post('/v1/api/sessions', { email: corp.email, password: goodPassword });
  const proof = { token: begun.body.token, code: codeOf(corp.secret) };
  expectStatus(await browser.post('/v1/api/sessions/second-factor', proof), 201);
  const after = await service.owner.pool.query('select count(*)::int as n from devices where is_proved');
  expect(after.rows[0].n).toBeGreaterThan(1);
});

test('a break-glass admin who is not ready is like others', async () => {
  const corp = await signUpWithDomain(service, dns, 'Ready');
  await connect(corp);
  const path = '/v1/api/organization/invitations';
  expectStatus(await corp.browser.post(path, { email: 'bea@ready-company.example', role: 'creator' }), 201);
  const { token } = await mailTo(service, 'bea@ready-company.example', /invit/i);
  const bea = openBrowser(service.url);
  const joined = await bea.post('/v1/api/invitations/account', { token, name: 'Bea', password: goodPassword });
  expectStatus(joined, 201);
  const named = await corp.browser.send('PUT', `/v1/api/organization/break-glass-admins/${joined.body.id}`);
  expect(named.body.ready).toBe(false);
  expectStatus(await corp.browser.send('PATCH', '/v1/api/organization', { single_sign_on: 'required' }), 200);
  const attempt = await openBrowser(service.url).post('/v1/api/sessions', {
    ...{ email: 'bea@ready-company.example', password: goodPassword },
  });
  expect(attempt.body.code).toBe('sign_in_failed');
  expect((await bea.get('/v1/api/organization')).body.code).toBe('sso_required');
});

test('an invitation is no longer good when who made it loses the right to', async () => {
  const corp = await signUpWithDomain(service, dns, 'Inviter');
  const bad = await signUp(service, 'Bad');
  await bringIn(corp, bad, 'creator');
  const place = { 'lastro-organization': corp.organization };
  const invited = { email: 'accomplice@elsewhere-company.example', role: 'creator' };
  expectStatus(await bad.browser.send('POST', '/v1/api/organization/invitations', invited, place), 201);
  const { token } = await mailTo(service, invited.email, /invit/i);
  expectStatus(await corp.browser.send('DELETE', `/v1/api/organization/members/${bad.id}`), 204);
  const accepted = await openBrowser(service.url).post('/v1/api/invitations/account', {
    ...{ token, name: 'A', password: goodPassword },
  });
  expect(accepted.body.code).toBe('token_invalid');
});

test('inviting and removing want a recent proof', async () => {
  const corp = await signUp(service, 'Stale');
  await service.owner.pool.query("update sessions set authenticated_at = now() - interval '15 minutes'");
  const invite = { email: 'x@stale-company.example', role: 'creator' };
  for (const [method, path, body] of [
    ['POST', '/v1/api/organization/invitations', invite],
    ['DELETE', `/v1/api/organization/members/${corp.id}`, undefined],
  ] as const)
    expect((await corp.browser.send(method, path, body)).body.code).toBe('reauthentication_required');
});

test('who was removed does not come back by deleting the account, nor by leaving another place later', async () => {
  const corp = await signUpWithDomain(service, dns, 'Comeback');
  const connection = await connect(corp, { default_role: 'developer' });
  const email = 'eve@comeback-company.example';
  const { browser } = await come(connection, 'eve-1', email);
  const { id } = (await browser.get('/v1/api/user')).body;
  expectStatus(await corp.browser.send('DELETE', `/v1/api/organization/members/${id}`), 204);
  // As if she had deleted the account: the address is free, and the provider knows her by another subject.
  await service.owner.pool.query(
    "update users set email = 'gone', email_canonical = 'gone', status = 'deleted' where id = $1",
    [id],
  );
  expect((await come(connection, 'eve-2', email)).reply.body).toMatchObject(refused);

  const frank = 'frank@comeback-company.example';
  const second = await come(connection, 'frank-1', frank);
  const person = (await second.browser.get('/v1/api/user')).body.id;
  expectStatus(await corp.browser.send('DELETE', `/v1/api/organization/members/${person}`), 204);
  // A later place of which he left by himself.
  await service.owner.pool.query(
    `insert into membership_events (id, organization_id, workspace_id, kind, user_id, email, actor_type, actor_label)
     values ('mev_zzz', $1, $2, 'left', $3, $4, 'user', 'x')`,
    [corp.organization, corp.workspace, person, frank],
  );
  expect((await come(connection, 'frank-1', frank)).reply.body).toMatchObject(refused);
  await service.owner.pool.query('delete from sso_identities where user_id = $1', [person]);
  expect((await come(connection, 'frank-1', frank)).reply.body).toMatchObject(refused);
});

test('what the operator switches off ends at once, and keeps nobody out', async () => {
  const corp = await signUpWithDomain(service, dns, 'Off');
  const connection = await connect(corp);
  const { browser } = await come(connection, 'o', 'o@off-company.example');
  expectStatus(await corp.browser.send('PATCH', '/v1/api/organization', { single_sign_on: 'required' }), 200);
  await setFeature(service.service.app.db, corp.organization, 'sso', false);
  expect((await browser.get('/v1/api/members')).status).toBe(401);
  const whole = expectStatus(await corp.browser.get('/v1/api/organization'), 200);
  expect(whole.body.single_sign_on).toBe('optional');
});

test('a suspended organization makes nobody a member, and keeps nobody out of others', async () => {
  const corp = await signUpWithDomain(service, dns, 'Halt');
  const connection = await connect(corp);
  expectStatus(await corp.browser.send('PATCH', '/v1/api/organization', { single_sign_on: 'required' }), 200);
  await suspendOrganization(service.service.app.db, corp.organization);
  const left = await openBrowser(service.url).visit(connection.sign_in_url);
  expect(left.status).toBe(404);
  const newcomer = { email: 'n@halt-company.example', password: goodPassword, name: 'N', organization: 'N' };
  expectStatus(await openBrowser(service.url).post('/v1/api/users', newcomer), 202);
});

test('enforcement by one organization keeps nobody out of another who is no member of it', async () => {
  const holding = await signUpWithDomain(service, dns, 'Holding');
  const person = await signUp(service, 'Dep');
  await service.owner.pool.query('update users set email = $1, email_canonical = $1 where id = $2', [
    `dep@${holding.domain}`,
    person.id,
  ]);
  await connect(holding);
  expectStatus(await holding.browser.send('PATCH', '/v1/api/organization', { single_sign_on: 'required' }), 200);
  const browser = await signIn(service, `dep@${holding.domain}`);
  expectStatus(await browser.get('/v1/api/organization'), 200);
});

test('what was begun by an old address, an old password or an old rule does not go on', async () => {
  const person = await signUp(service, 'Moved');
  const { secret } = await enrol(service, person.browser);
  const anybody = openBrowser(service.url);
  expectStatus(await anybody.post('/v1/api/password-resets', { email: person.email }), 202);
  const reset = await mailTo(service, person.email, /reset/i);
  const begun = await openBrowser(service.url).post('/v1/api/sessions', {
    email: person.email,
    password: goodPassword,
  });
  expectStatus(begun, 202);
  expectStatus(await person.browser.send('PUT', '/v1/api/user/email', { email: 'new@moved-company.example' }), 202);
  const { token } = await mailTo(service, 'new@moved-company.example', /address/i);
  expectStatus(await person.browser.post('/v1/api/user/email/verification', { token }), 200);
  const confirm = { token: reset.token, password: 'velvet Orbit 98 lampshade' };
  expect((await anybody.post('/v1/api/password-resets/confirmation', confirm)).body.code).toBe('token_invalid');
  expectStatus(
    await person.browser.send('PUT', '/v1/api/user/password', { password: 'velvet Orbit 99 lampshade' }),
    204,
  );
  const proof = { token: begun.body.token, code: codeOf(secret) };
  expect((await anybody.post('/v1/api/sessions/second-factor', proof)).body.code).toBe('token_invalid');
});

test('two connections that a newcomer uses at once make one account', async () => {
  const corp = await signUpWithDomain(service, dns, 'Twice');
  const [one, two] = [await connect(corp), await connect(corp)];
  peer.account = { sub: 'twin', email: 'twin@twice-company.example', email_verified: true, name: 'Twin' };
  const both = await Promise.all([signInBy(service, peer, one), signInBy(service, peer, two)]);
  expect(both.map(({ reply }) => reply.status)).toEqual([303, 303]);
});

test('an invitation is not sent again and again', async () => {
  const corp = await signUp(service, 'Flood');
  const path = '/v1/api/organization/invitations';
  const { id } = expectStatus(
    await corp.browser.post(path, { email: 'x@flood-company.example', role: 'member' }),
    201,
  ).body;
  const codes = [];
  for (let at = 0; at < 6; at++) codes.push((await corp.browser.post(`${path}/${id}/resend`)).status);
  expect(codes).toContain(429);
});

test('answers are kept by no cache', async () => {
  const person = await signUp(service, 'Cache');
  for (const path of ['/v1/api/user', '/v1/api/sessions', '/v1/api/organization'])
    expect((await person.browser.get(path)).headers.get('cache-control'), path).toBe('no-store');
});
