/** What organizations may want of sign-in. The numbers are those of the cases in the study of identity. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { setFeature } from '../../src/resources/organizations/features.ts';
import { type Dns, openDns } from '../dns.ts';
import type { TestService } from '../service.ts';
import { type Credential, makeCredential, useCredential } from './authenticator.ts';
import { type Browser, goodPassword, mailsTo, mailTo, openBrowser, signIn, signUp } from './browser.ts';
import {
  connectOidc,
  expectStatus,
  type Organization,
  proveDomain,
  signInBy,
  signUpWithDomain,
  ssoPath,
  startWithProviders,
  switchOn,
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

const breakGlass = '/v1/api/organization/break-glass-admins';

async function connect(organization: Organization) {
  const connection = await connectOidc(organization, peer);
  peer.redirectUris.add(connection.oidc.callback_url);
  return connection;
}

/** Has members sign in by single sign-on alone. */
const enforce = ({ browser }: Organization, single_sign_on = 'required') =>
  browser.send('PATCH', '/v1/api/organization', { single_sign_on });

/** Somebody with an account and a password who joins the organization, signed in by it. */
async function join(
  organization: Organization,
  email: string,
  role: string,
): Promise<{ browser: Browser; id: string }> {
  expectStatus(await organization.browser.post('/v1/api/organization/invitations', { email, role }), 201);
  const { token } = await mailTo(service, email, /invit/i);
  const browser = openBrowser(service.url);
  const accepted = await browser.post('/v1/api/invitations/account', {
    ...{ token, name: 'Bea', password: goodPassword },
  });
  expectStatus(accepted, 201);
  return { browser, id: accepted.body.id };
}

/** Signs in with password and app. */
async function signInWithCode(email: string, secret: string, browser = openBrowser(service.url)): Promise<Browser> {
  await forgetCodes(service);
  const { body } = expectStatus(await browser.post('/v1/api/sessions', { email, password: goodPassword }), 202);
  expectStatus(await browser.post('/v1/api/sessions/second-factor', { token: body.token, code: codeOf(secret) }), 201);
  return browser;
}

/** Registers a passkey for whoever is signed in. */
async function register(browser: Browser): Promise<Credential> {
  const options = expectStatus(await browser.post('/v1/api/user/passkeys/options'), 201).body;
  const { credential, sent } = makeCredential(options, service.url);
  expectStatus(await browser.post('/v1/api/user/passkeys', { name: 'laptop', credential: sent }), 201);
  return credential;
}

/** What the authenticator of a passkey answers to a challenge of this route. */
async function useOf(passkey: Credential, browser: Browser, path: string) {
  const { body } = expectStatus(await browser.post(`${path}/options`), 201);
  return useCredential(passkey, body, service.url, { counter: ++passkey.counter });
}

test('T63 single sign-on is not switched on without a break-glass admin who could sign in', async () => {
  const person = await signUp(service, 'Bare');
  const { browser, id, organization } = person;
  const asked = { name: 'x', issuer: peer.issuer, client_id: peer.clientId, client_secret: peer.clientSecret };
  expect((await browser.post(`${ssoPath}/oidc`, asked)).body.code).toBe('feature_disabled');
  await switchOn(service, organization);
  const { body } = expectStatus(await browser.post(`${ssoPath}/oidc`, asked), 201);
  const activate = () => browser.post(`${ssoPath}/${body.id}/activation`);
  expect((await activate()).body.code).toBe('break_glass_required');
  // Named, and still without a second factor.
  const named = expectStatus(await browser.send('PUT', `${breakGlass}/${id}`), 200);
  expect(named.body.ready).toBe(false);
  expect((await activate()).body.code).toBe('break_glass_required');
  expect((await browser.get(`${ssoPath}/${body.id}`)).body.status).toBe('inactive');
  await enrol(service, browser);
  expect((await browser.get(breakGlass)).body.data).toMatchObject([{ user_id: id, ready: true }]);
  expectStatus(await activate(), 200);
});

test('T63 members cannot be made to use single sign-on that there is not', async () => {
  const organization = await signUpWithDomain(service, dns, 'Early');
  expect((await enforce(organization)).body.code).toBe('conflict');
  expect((await organization.browser.get('/v1/api/organization')).body.single_sign_on).toBe('optional');
});

test('members cannot be made to use single sign-on that the operator has switched off', async () => {
  const organization = await signUpWithDomain(service, dns, 'Off');
  await connect(organization);
  await setFeature(service.service.app.db, organization.organization, 'sso', false);
  expect((await enforce(organization)).body.code).toBe('feature_disabled');
  expect((await organization.browser.get('/v1/api/organization')).body.single_sign_on).toBe('optional');
});

test('a break-glass admin is a Creator of the whole organization', async () => {
  const organization = await signUpWithDomain(service, dns, 'Whole');
  const member = await join(organization, 'bea@whole-company.example', 'developer');
  expect((await organization.browser.send('PUT', `${breakGlass}/${member.id}`)).status).toBe(404);
  expect((await organization.browser.send('DELETE', `${breakGlass}/${member.id}`)).status).toBe(404);
});

test('T64 the last break-glass admin stays one who could sign in, whatever is tried', async () => {
  const organization = await signUpWithDomain(service, dns, 'Glass');
  await connect(organization);
  const { browser, id } = organization;
  const second = await join(organization, 'bea@glass-company.example', 'creator');
  const path = `/v1/api/organization/members/${id}`;
  const ways: readonly [string, () => Promise<{ status: number; body: { code: string } }>][] = [
    ['takes the app off', () => browser.send('DELETE', '/v1/api/user/second-factor/totp')],
    ['is removed', () => second.browser.send('DELETE', path)],
    ['leaves', () => browser.send('DELETE', path)],
    ['is demoted', () => second.browser.send('PATCH', path, { role: 'member' })],
    ['is none any more', () => second.browser.send('DELETE', `${breakGlass}/${id}`)],
    ['deletes the account', () => browser.send('DELETE', '/v1/api/user')],
  ];
  for (const [way, act] of ways) {
    const reply = await act();
    expect([reply.status, reply.body.code], way).toEqual([409, 'break_glass_required']);
  }
  const sql = (text: string) => expect(service.owner.pool.query(text, [id]), text).rejects.toThrow(/break-glass/);
  await sql("update users set status = 'suspended' where id = $1");
  await sql('update users set email_verified_at = null where id = $1');
  await sql('delete from password_credentials where user_id = $1');
  await sql('update totp_credentials set confirmed_at = null where user_id = $1');
  expect((await browser.get(breakGlass)).body.data).toMatchObject([{ user_id: id, ready: true }]);
  // With a second one it is no longer the last.
  await enrol(service, second.browser);
  expectStatus(await browser.send('PUT', `${breakGlass}/${second.id}`), 200);
  expectStatus(await second.browser.send('PATCH', path, { role: 'member' }), 200);
  expect((await second.browser.get(breakGlass)).body.data.map((one: { user_id: string }) => one.user_id)).toEqual([
    second.id,
  ]);
});

test('T64 of two break-glass admins who go at once, one stays', async () => {
  const organization = await signUpWithDomain(service, dns, 'Twins');
  await connect(organization);
  const second = await join(organization, 'bea@twins-company.example', 'creator');
  await enrol(service, second.browser);
  const ids = [organization.id, second.id];
  for (let round = 0; round < 10; round++) {
    for (const id of ids)
      await service.owner.pool.query(
        'insert into break_glass_admins (organization_id, user_id) values ($1, $2) on conflict do nothing',
        [organization.organization, id],
      );
    const gone = await Promise.all([
      organization.browser.send('DELETE', `${breakGlass}/${ids[round % 2]}`),
      second.browser.send('DELETE', `${breakGlass}/${ids[(round + 1) % 2]}`),
    ]);
    expect(gone.map(({ status }) => status).sort()).toEqual([204, 409]);
  }
});

test('T65 where single sign-on is required, a right password is refused as a wrong one is, and is not reset', async () => {
  const organization = await signUpWithDomain(service, dns, 'Strict');
  const member = await join(organization, 'bea@strict-company.example', 'developer');
  // Somebody who has begun to sign up before.
  const asked = { email: 'early@strict-company.example', password: goodPassword, name: 'Early', organization: 'Early' };
  expectStatus(await openBrowser(service.url).post('/v1/api/users', asked), 202);
  const early = { token: (await mailTo(service, asked.email, /confirm/i)).token };
  await connect(organization);
  expectStatus(await enforce(organization), 200);
  const attempt = (email: string, password: string) =>
    openBrowser(service.url).post('/v1/api/sessions', { email, password });
  const replies = [
    await attempt('bea@strict-company.example', goodPassword),
    await attempt('bea@strict-company.example', 'a wrong password of somebody'),
    await attempt('nobody@strict-company.example', goodPassword),
    await attempt(organization.email, 'a wrong password of somebody'),
  ];
  const told = replies.map(({ status, body: { request_id, ...body } }) => ({ status, body }));
  expect(told[0].status).toBe(401);
  for (const one of told) expect(one).toEqual(told[0]);

  // The session from before acts there no more; the account is still theirs.
  expect((await member.browser.get('/v1/api/members')).body.code).toBe('sso_required');
  expectStatus(await member.browser.get('/v1/api/user'), 200);

  const ask = openBrowser(service.url);
  expectStatus(await ask.post('/v1/api/password-resets', { email: 'bea@strict-company.example' }), 202);
  const letter = await mailTo(service, 'bea@strict-company.example', /single sign-on/i);
  expect(letter.token).toBe('');
  expect(mailsTo(service, 'bea@strict-company.example').filter(({ subject }) => /reset/i.test(subject))).toEqual([]);

  const newcomer = { email: 'new@strict-company.example', password: goodPassword, name: 'New', organization: 'New' };
  expect((await openBrowser(service.url).post('/v1/api/users', newcomer)).body.code).toBe('sso_required');

  expect((await openBrowser(service.url).post('/v1/api/users/verification', early)).body.code).toBe('sso_required');

  await signInWithCode(organization.email, organization.secret, organization.browser);
  expectStatus(await enforce(organization, 'optional'), 200);
  await signIn(service, 'bea@strict-company.example');
  expectStatus(await openBrowser(service.url).post('/v1/api/users/verification', early), 201);
});

test('T65 somebody whose address is of another company signs in, and acts there by single sign-on alone', async () => {
  const organization = await signUpWithDomain(service, dns, 'Host');
  const guest = await join(organization, 'bea@guest-company.example', 'developer');
  expectStatus(await guest.browser.get('/v1/api/members'), 200);
  await connect(organization);
  expectStatus(await enforce(organization), 200);
  const browser = await signIn(service, 'bea@guest-company.example');
  expect((await browser.get('/v1/api/members')).body.code).toBe('sso_required');
});

test('T66 with the provider down, a break-glass admin signs in with password and code, and all Creators are told', async () => {
  const down = await openOidcProvider([]);
  const organization = await signUpWithDomain(service, dns, 'Outage');
  const second = await join(organization, 'bea@outage-company.example', 'creator');
  const connection = await connectOidc(organization, down);
  expectStatus(await enforce(organization), 200);
  expect((await second.browser.get('/v1/api/organization')).body.code).toBe('sso_required');
  await down.close();
  const left = await openBrowser(service.url).visit(connection.sign_in_url);
  expect([left.status, left.body.code]).toEqual([422, 'outbound_failed']);

  const browser = await signInWithCode(organization.email, organization.secret);
  expectStatus(await browser.get('/v1/api/organization'), 200);
  await mailTo(service, organization.email, /without single sign-on/i);
  await mailTo(service, 'bea@outage-company.example', /without single sign-on/i);
  const { rows } = await service.owner.pool.query(
    "select actor_id from audit_entries where action = 'break-glass-sign-in' and organization_id = $1",
    [organization.organization],
  );
  expect(rows).toEqual([{ actor_id: organization.id }]);
  // The way back, for all others.
  expectStatus(await browser.send('PATCH', '/v1/api/organization', { single_sign_on: 'optional' }), 200);
  expectStatus(await second.browser.get('/v1/api/organization'), 200);
});

test('T66 a break-glass admin without the second factor proved is like others', async () => {
  const organization = await signUpWithDomain(service, dns, 'Single');
  await connect(organization);
  expectStatus(await enforce(organization), 200);
  // A session of before, which the password alone had begun.
  expect((await organization.browser.get('/v1/api/organization')).body.code).toBe('sso_required');
  await signInWithCode(organization.email, organization.secret, organization.browser);
  expectStatus(await organization.browser.get('/v1/api/organization'), 200);
});

test('T65 a passkey of somebody who must use single sign-on is refused, and the trail has it', async () => {
  const organization = await signUpWithDomain(service, dns, 'Keyless');
  const member = await join(organization, 'bea@keyless-company.example', 'developer');
  const passkey = await register(member.browser);
  await connect(organization);
  expectStatus(await enforce(organization), 200);
  const browser = openBrowser(service.url);
  const reply = await browser.post(
    '/v1/api/sessions/passkey',
    await useOf(passkey, browser, '/v1/api/sessions/passkey'),
  );
  expect([reply.status, reply.body.code]).toEqual([403, 'sso_required']);
  expect(browser.cookies.size).toBe(0);
  const { rows } = await service.owner.pool.query(
    "select outcome from audit_entries where action = 'login-failure' and actor_id = $1 order by recorded_at desc",
    [member.id],
  );
  expect(rows[0]).toEqual({ outcome: 'denied' });
});

test('T66 a break-glass admin who proves a passkey in a session begun by password alone is told of, too', async () => {
  const organization = await signUpWithDomain(service, dns, 'Later');
  const email = 'bea@later-company.example';
  const second = await join(organization, email, 'creator');
  const passkey = await register(second.browser);
  const browser = await signIn(service, email);
  await enrol(service, second.browser);
  expectStatus(await organization.browser.send('PUT', `${breakGlass}/${second.id}`), 200);
  await connect(organization);
  expectStatus(await enforce(organization), 200);
  const told = async () => {
    const { rows } = await service.owner.pool.query(
      "select from audit_entries where action = 'break-glass-sign-in' and actor_id = $1",
      [second.id],
    );
    return rows.length;
  };
  expect((await browser.get('/v1/api/organization')).body.code).toBe('sso_required');
  expect(await told()).toBe(0);
  const path = '/v1/api/session/reauthentication/passkey';
  for (let at = 0; at < 2; at++) expectStatus(await browser.post(path, await useOf(passkey, browser, path)), 204);
  expectStatus(await browser.get('/v1/api/organization'), 200);
  expect(await told()).toBe(1);
  await mailTo(service, organization.email, /without single sign-on/i);
});

test('T67 sessions that came through a connection end with it, and its people are known no more', async () => {
  const organization = await signUpWithDomain(service, dns, 'Ending');
  const connection = await connect(organization);
  peer.account = { sub: 'ending-1', email: 'cora@ending-company.example', email_verified: true, name: 'Cora' };
  const { browser } = await signInBy(service, peer, connection);
  expectStatus(await browser.get('/v1/api/members'), 200);
  expectStatus(await organization.browser.post(`${ssoPath}/${connection.id}/deactivation`), 200);
  expect((await browser.get('/v1/api/members')).status).toBe(401);
  expect((await openBrowser(service.url).visit(connection.sign_in_url)).status).toBe(404);

  expectStatus(await organization.browser.post(`${ssoPath}/${connection.id}/activation`), 200);
  const again = await signInBy(service, peer, connection);
  expectStatus(await again.browser.get('/v1/api/members'), 200);
  expectStatus(await organization.browser.send('DELETE', `${ssoPath}/${connection.id}`), 204);
  expect((await again.browser.get('/v1/api/members')).status).toBe(401);
  const { rows } = await service.owner.pool.query('select from sso_identities where connection_id = $1', [
    connection.id,
  ]);
  expect(rows).toEqual([]);
});

test('T67 the last connection stays while members must use one', async () => {
  const organization = await signUpWithDomain(service, dns, 'Lasting');
  const connection = await connect(organization);
  expectStatus(await enforce(organization), 200);
  await signInWithCode(organization.email, organization.secret, organization.browser);
  const { browser } = organization;
  expect((await browser.post(`${ssoPath}/${connection.id}/deactivation`)).body.code).toBe('conflict');
  expect((await browser.send('DELETE', `${ssoPath}/${connection.id}`)).body.code).toBe('conflict');
  expect((await browser.get(`${ssoPath}/${connection.id}`)).body.status).toBe('active');
});

test('T68 a domain is proved by its record in the DNS, once, and none near it by anybody else', async () => {
  const owner = await signUpWithDomain(service, dns, 'Owner');
  const rival = await signUp(service, 'Rival');
  const name = (domain: string) => rival.browser.post('/v1/api/organization/domains', { domain });
  for (const domain of [owner.domain, `sub.${owner.domain}`, `Deep.Sub.${owner.domain.toUpperCase()}.`])
    expect((await name(domain)).body.code, domain).toBe('domain_taken');
  expect((await name('gmail.com')).body.code).toBe('personal_address');
  for (const domain of [
    'company',
    '-a.example',
    'a..example',
    'exa mple.com',
    '127.0.0.1',
    'ünï.example',
    `${'a'.repeat(64)}.example`,
  ])
    expect((await name(domain)).body.code, domain).toBe('schema_mismatch');
  // A domain above that of another organization: `example`, here, has no dot, so one more level is made.
  await proveDomain(dns, owner.browser, 'eu.group.example');
  expect((await name('group.example')).body.code).toBe('domain_taken');
  // Their own may be anywhere.
  await proveDomain(dns, owner.browser, 'group.example');

  const { body } = expectStatus(await name('free.example'), 201);
  const verify = () => rival.browser.post(`/v1/api/organization/domains/${body.id}/verification`);
  expect((await verify()).body.code).toBe('domain_not_proved');
  dns.texts.set(body.record_name, [`${body.record_value}x`]);
  expect((await verify()).body.code).toBe('domain_not_proved');
  dns.texts.set(body.record_name, [body.record_value]);
  // Meanwhile somebody else proves it.
  await proveDomain(dns, owner.browser, 'free.example');
  dns.texts.set(body.record_name, [body.record_value]);
  expect((await verify()).body.code).toBe('domain_taken');
  expect((await name('free.example')).body.code).toBe('domain_taken');
});

test('T68 a name server that does not answer is told as such, and asking is bounded', async () => {
  const person = await signUp(service, 'Lookup');
  const { body } = expectStatus(
    await person.browser.post('/v1/api/organization/domains', { domain: 'slow.example' }),
    201,
  );
  const verify = () => person.browser.post(`/v1/api/organization/domains/${body.id}/verification`);
  dns.isDown = true;
  expect((await verify()).status).toBe(503);
  dns.isDown = false;
  const codes = new Set<string>();
  for (let attempt = 0; attempt < 12; attempt++) codes.add((await verify()).body.code);
  expect(codes).toEqual(new Set(['domain_not_proved', 'rate_limited']));
});

test('T74 somebody who was removed is not made a member again by the provider, but by an invitation', async () => {
  const organization = await signUpWithDomain(service, dns, 'Leaving');
  const connection = await connect(organization);
  const email = 'dora@leaving-company.example';
  peer.account = { sub: 'leaving-1', email, email_verified: true, name: 'Dora' };
  const { browser } = await signInBy(service, peer, connection);
  const { id } = (await browser.get('/v1/api/user')).body;
  expectStatus(await organization.browser.send('DELETE', `/v1/api/organization/members/${id}`), 204);
  expect((await browser.get('/v1/api/user')).status).toBe(401);
  const refused = await signInBy(service, peer, connection);
  expect([refused.reply.status, refused.reply.body.code]).toEqual([401, 'sso_refused']);
  expectStatus(await organization.browser.post('/v1/api/organization/invitations', { email, role: 'analyst' }), 201);
  const back = await signInBy(service, peer, connection);
  expect((await back.browser.get('/v1/api/user')).body.organizations).toMatchObject([{ role: 'analyst' }]);
});

test('T38 where a second factor is required, that of the provider counts, for sessions and keys', async () => {
  const organization = await signUpWithDomain(service, dns, 'Both');
  const connection = await connect(organization);
  const email = 'eva@both-company.example';
  expectStatus(await organization.browser.post('/v1/api/organization/invitations', { email, role: 'developer' }), 201);
  peer.account = { sub: 'both-1', email, email_verified: true, name: 'Eva' };
  const { browser } = await signInBy(service, peer, connection);
  const fresh = await signInBy(service, peer, connection, { browser, query: '?reauthenticate=true' });
  expectStatus(fresh.reply, 303);
  const { body } = expectStatus(await browser.post('/v1/api/api-keys', { name: 'Eva' }), 201);
  expectStatus(await organization.browser.send('PATCH', '/v1/api/organization', { second_factor: 'required' }), 200);
  expectStatus(await browser.get('/v1/api/members'), 200);
  const byKey = () => service.client(body.secret).get('/v1/api/models');
  expect((await byKey()).status).toBe(200);
  expectStatus(await organization.browser.post(`${ssoPath}/${connection.id}/deactivation`), 200);
  expect((await byKey()).status).toBe(401);
});

test('settings of a connection that are of another kind, or of nobody here, are refused', async () => {
  const organization = await signUpWithDomain(service, dns, 'Settings');
  const connection = await connect(organization);
  const { browser } = organization;
  const change = (body: object) => browser.send('PATCH', `${ssoPath}/${connection.id}`, body);
  expect((await change({ sso_url: 'https://x.example' })).body.errors).toMatchObject([{ pointer: '/sso_url' }]);
  expect((await change({ default_workspace_id: 'ws_nowhere' })).body.code).toBe('not_found');
  expect((await change({ default_role: 'creator' })).body.code).toBe('schema_mismatch');
  expect((await change({ issuer: 'https://x.example' })).body.code).toBe('schema_mismatch');
  expectStatus(await change({ name: 'Renamed', default_workspace_id: organization.workspace }), 200);
  expect((await browser.get(`${ssoPath}/${connection.id}`)).body).toMatchObject({
    name: 'Renamed',
    default_workspace_id: organization.workspace,
  });
});
