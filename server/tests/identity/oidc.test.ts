/** Signing in at a provider of OpenID Connect. The numbers are those of the cases in the study of identity. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Dns, openDns } from '../dns.ts';
import type { TestService } from '../service.ts';
import { mailTo, openBrowser, signUp } from './browser.ts';
import {
  connectOidc,
  expectStatus,
  goToProvider,
  type Organization,
  signInBy,
  signUpWithDomain,
  ssoPath,
  startWithProviders,
} from './organizations.ts';
import { type LyingOidc, lies, openLyingOidc } from './peers/lying-oidc.ts';
import { type OidcPeer, openOidcProvider } from './peers/oidc-provider.ts';

let service: TestService;
let dns: Dns;
let peer: OidcPeer;
let liar: LyingOidc;
let corp: Organization;
let other: Organization;
let connection: Awaited<ReturnType<typeof connectOidc>>;
let lying: Awaited<ReturnType<typeof connectOidc>>;

beforeAll(async () => {
  [dns, peer, liar] = await Promise.all([openDns(), openOidcProvider([]), openLyingOidc()]);
  service = await startWithProviders(dns);
  corp = await signUpWithDomain(service, dns, 'Corp');
  other = await signUpWithDomain(service, dns, 'Other');
  connection = await connectOidc(corp, peer);
  peer.redirectUris.add(connection.oidc.callback_url);
  lying = await connectOidc(corp, liar);
});
afterAll(() => Promise.all([service.close(), dns.close(), peer.close(), liar.close()]));

let people = 0;
/** Somebody new at the provider, of the domain of an organization. */
function newcomer({ domain } = corp) {
  const sub = `person-${++people}`;
  return { sub, email: `${sub}@${domain}`, email_verified: true, name: `Person ${people}` };
}

const sessionsOf = async (email: string): Promise<number> => {
  const { rows } = await service.owner.pool.query(
    'select count(*)::int as n from sessions s join users u on u.id = s.user_id where u.email = $1 and s.ended_at is null',
    [email],
  );
  return rows[0].n;
};

test('T39 somebody new is made a member, and known again by connection and subject', async () => {
  const person = newcomer();
  peer.account = person;
  const { browser, reply } = await signInBy(service, peer, connection, { query: '?return_to=/models?tab=1' });
  expect(reply.status, reply.text).toBe(303);
  expect(reply.headers.get('location')).toBe('/models?tab=1');
  expect(reply.headers.get('referrer-policy')).toBe('no-referrer');
  const user = expectStatus(await browser.get('/v1/api/user'), 200).body;
  expect(user).toMatchObject({ email: person.email, name: person.name });
  expect(user.organizations).toEqual([expect.objectContaining({ id: corp.organization, role: 'member' })]);
  expectStatus(await browser.get('/v1/api/members'), 200);
  expect((await browser.get('/v1/api/sessions')).body.data).toMatchObject([{ method: 'oidc' }]);

  const again = await signInBy(service, peer, connection);
  expect((await again.browser.get('/v1/api/user')).body.id).toBe(user.id);
  const history = await corp.browser.get('/v1/api/members/history');
  expect(history.text.split('\n').filter((line) => line.includes(person.email))).toHaveLength(1);
  const { rows } = await service.owner.pool.query(
    "select outcome, target_id from audit_entries where action = 'sso-authentication' and target_id = $1",
    [user.id],
  );
  expect(rows).toEqual([
    { outcome: 'succeeded', target_id: user.id },
    { outcome: 'succeeded', target_id: user.id },
  ]);
});

test('T39 somebody who has an account here and is invited gets the role of the invitation', async () => {
  const person = newcomer();
  const invited = await corp.browser.send('POST', '/v1/api/organization/invitations', {
    email: person.email,
    role: 'developer',
  });
  expectStatus(invited, 201);
  peer.account = person;
  const { browser } = await signInBy(service, peer, connection);
  const { organizations } = (await browser.get('/v1/api/user')).body;
  expect(organizations).toEqual([expect.objectContaining({ id: corp.organization, role: 'developer' })]);
});

test('claims that are told at the userinfo endpoint alone are found there', async () => {
  const quiet = await openOidcProvider([], { claimsIn: 'userinfo' });
  try {
    const made = await connectOidc(corp, quiet, { default_role: 'analyst', default_workspace_id: corp.workspace });
    quiet.redirectUris.add(made.oidc.callback_url);
    const person = newcomer();
    quiet.account = person;
    const { browser, reply } = await signInBy(service, quiet, made);
    expectStatus(reply, 303);
    const user = (await browser.get('/v1/api/user')).body;
    expect(user.email).toBe(person.email);
    expect(user.workspaces).toEqual([expect.objectContaining({ id: corp.workspace, roles: ['analyst'] })]);
  } finally {
    await quiet.close();
  }
});

test('T40 an answer is taken once, whoever brings it', async () => {
  peer.account = newcomer();
  const browser = openBrowser(service.url);
  const callback = await goToProvider(peer, connection, browser);
  expectStatus(await browser.visit(callback), 303);
  expect((await browser.visit(callback)).body.code).toBe('token_invalid');
  const thief = openBrowser(service.url, browser.cookies);
  expect((await thief.visit(callback)).body.code).toBe('token_invalid');
});

test('T41 a state that is missing, altered, of another connection or old is refused', async () => {
  peer.account = newcomer();
  const browser = openBrowser(service.url);
  const changed = async (change: (url: URL) => void) => {
    const url = new URL(await goToProvider(peer, connection, browser));
    change(url);
    const reply = await browser.visit(url.href);
    expect(reply.status, reply.text).toBeGreaterThanOrEqual(400);
    return reply.body.code;
  };
  expect(await changed((url) => url.searchParams.delete('state'))).toBe('token_invalid');
  expect(await changed((url) => url.searchParams.set('state', `lso_${'0'.repeat(49)}`))).toBe('token_invalid');
  const elsewhere = (url: URL) => {
    url.pathname = url.pathname.replace(connection.id, lying.id);
  };
  expect(await changed(elsewhere)).toBe('token_invalid');
  const late = await goToProvider(peer, connection, browser);
  await service.owner.pool.query("update one_time_tokens set expires_at = now() where purpose = 'sso_state'");
  expect((await browser.visit(late)).body.code).toBe('token_invalid');
  expect(await sessionsOf(peer.account.email!)).toBe(0);
});

test("T42 an attacker's answer signs nobody in who opens its address", async () => {
  peer.account = newcomer();
  const callback = await goToProvider(peer, connection, openBrowser(service.url));
  const victim = openBrowser(service.url);
  const reply = await victim.visit(callback);
  expect([reply.status, reply.body.code]).toEqual([401, 'sso_refused']);
  expect(victim.cookies.size).toBe(0);
  // Neither in a browser that is signing in itself.
  const busy = openBrowser(service.url);
  await goToProvider(peer, connection, busy);
  const another = await goToProvider(peer, connection, openBrowser(service.url));
  expect((await busy.visit(another)).status).toBe(401);
  expect(await sessionsOf(peer.account.email!)).toBe(0);
});

describe('T43, T44, T45 what a provider must not do is refused', () => {
  const harmless = Object.keys(lies).filter((name) => name.startsWith('aud beside us'));
  test.each(Object.keys(lies).filter((name) => !harmless.includes(name)) as (keyof typeof lies)[])(
    '%s',
    async (name) => {
      const person = newcomer();
      liar.account = person;
      liar.lie = {};
      const browser = openBrowser(service.url);
      const left = expectStatus(await browser.visit(lying.sign_in_url), 303).headers.get('location')!;
      liar.lie = lies[name];
      const isOfUserinfo = name === 'userinfo of another sub';
      if (isOfUserinfo) liar.lie = { ...liar.lie, idToken: () => ({ email: undefined }) };
      const { callbackUrl } = await liar.signIn(left);
      const reply = await browser.visit(callbackUrl);
      expect(reply.status, `${name}: ${reply.text}`).toBe(name === 'wrong state in the callback' ? 422 : 401);
      expect(browser.cookies.has('__Host-lastro-session')).toBe(false);
      expect(await sessionsOf(person.email)).toBe(0);
      expect(reply.text).not.toContain('corp-company.example');
    },
  );

  test('and the same provider signs in when it tells the truth', async () => {
    liar.account = newcomer();
    liar.lie = {};
    expectStatus((await signInBy(service, liar, lying)).reply, 303);
  });

  test('T43 the signature counts, not only the connection by which the token came', async () => {
    expect(liar.asked.get('/jwks')).toBeGreaterThan(0);
  });
});

test('T45 an address in a domain that the organization has not proved is refused', async () => {
  for (const email of ['ceo@nowhere.example', 'somebody@sub.corp-company.example', 'no address', undefined]) {
    peer.account = { ...newcomer(), email_verified: true, ...(email === undefined ? {} : { email }) };
    if (email === undefined) delete (peer.account as { email?: string }).email;
    const { reply } = await signInBy(service, peer, connection);
    expect([reply.status, reply.body.code], String(email)).toEqual([401, 'sso_refused']);
  }
  const { rows } = await service.owner.pool.query("select from users where email = 'ceo@nowhere.example'");
  expect(rows).toEqual([]);
});

test("T46 the provider of one organization signs nobody in as another's", async () => {
  const rogue = await openOidcProvider([]);
  try {
    const made = await connectOidc(other, rogue);
    rogue.redirectUris.add(made.oidc.callback_url);
    rogue.account = { sub: 'x', email: corp.email, email_verified: true, name: 'Mallory' };
    const { reply } = await signInBy(service, rogue, made);
    expect([reply.status, reply.body.code]).toEqual([401, 'sso_refused']);
    // The same subject as at the other provider is somebody else.
    const person = newcomer();
    peer.account = person;
    await signInBy(service, peer, connection);
    rogue.account = { ...person, email: `${person.sub}@${other.domain}` };
    const { browser } = await signInBy(service, rogue, made);
    const user = (await browser.get('/v1/api/user')).body;
    expect(user.email).toBe(`${person.sub}@${other.domain}`);
    expect(user.organizations.map(({ id }: { id: string }) => id)).toEqual([other.organization]);
  } finally {
    await rogue.close();
  }
});

test('T46 a member of another organization is not taken over by who proves the domain of their address later', async () => {
  const settled = await signUp(service, 'Settled');
  const taker = await signUpWithDomain(service, dns, 'Taker');
  const made = await connectOidc(taker, peer);
  peer.redirectUris.add(made.oidc.callback_url);
  // The domain changes hands.
  await service.owner.pool.query("update domains set domain = 'settled-company.example' where domain = $1", [
    taker.domain,
  ]);
  peer.account = { sub: 'taken', email: settled.email, email_verified: true, name: 'Taken' };
  const { reply } = await signInBy(service, peer, made);
  expect([reply.status, reply.body.code]).toEqual([401, 'sso_refused']);
  expectStatus(await settled.browser.get('/v1/api/organization'), 200);
});

test('T47 another address of the same subject is taken over, unless it is of somebody else', async () => {
  const person = newcomer();
  peer.account = person;
  const first = await signInBy(service, peer, connection);
  const { id } = (await first.browser.get('/v1/api/user')).body;
  peer.account = { ...person, email: `renamed-${person.email}` };
  const second = await signInBy(service, peer, connection);
  expect((await second.browser.get('/v1/api/user')).body).toMatchObject({ id, email: `renamed-${person.email}` });
  await mailTo(service, person.email, /address/i);
  peer.account = { ...person, email: corp.email };
  const third = await signInBy(service, peer, connection);
  expect((await third.browser.get('/v1/api/user')).body).toMatchObject({ id, email: `renamed-${person.email}` });
  // Whoever has got an address elsewhere is reached there, and not where the provider says.
  await service.owner.pool.query('update users set email = $1, email_canonical = $1 where id = $2', [
    'moved@elsewhere.example',
    id,
  ]);
  peer.account = person;
  const moved = await signInBy(service, peer, connection);
  expect((await moved.browser.get('/v1/api/user')).body).toMatchObject({ id, email: 'moved@elsewhere.example' });
  const { rows } = await service.owner.pool.query(
    "select data from audit_entries where action = 'user-update' and actor_id = $1",
    [id],
  );
  expect(rows).toEqual([{ data: expect.objectContaining({ from: person.email, to: `renamed-${person.email}` }) }]);
});

describe('T48 an issuer leads nowhere but to public addresses, and its documents are bounded', () => {
  const asked = { name: 'Elsewhere', client_id: 'lastro', client_secret: 'x' };
  test.each([
    'http://127.0.0.2',
    'https://127.0.0.2',
    'http://169.254.169.254/latest',
    'https://[::1]',
    'https://10.0.0.1',
    'https://10.255.255.255:1',
    'http://[::ffff:169.254.169.254]',
  ])('%s', async (issuer) => {
    const { body } = expectStatus(await corp.browser.post(`${ssoPath}/oidc`, { ...asked, issuer }), 201);
    const reply = await corp.browser.post(`${ssoPath}/${body.id}/activation`);
    expect([reply.status, reply.body.code], reply.text).toEqual([422, 'outbound_refused']);
    expectStatus(await corp.browser.send('DELETE', `${ssoPath}/${body.id}`), 204);
  });

  test.each([
    ['a redirect to what is inside', { redirect: 'http://169.254.169.254/' }, 'sso_refused'],
    ['100 MB', 'huge', 'outbound_failed'],
    ['a document without end', 'endless', 'outbound_failed'],
  ] as const)('%s', async (_, transport, code) => {
    liar.lie = {};
    const made = await corp.browser.post(`${ssoPath}/oidc`, { ...asked, issuer: liar.issuer });
    liar.lie = { transport };
    const reply = await corp.browser.post(`${ssoPath}/${made.body.id}/activation`);
    liar.lie = {};
    expect(reply.body.code, reply.text).toBe(code);
    expectStatus(await corp.browser.send('DELETE', `${ssoPath}/${made.body.id}`), 204);
  });

  test.each(['ftp://x.example', 'https://user:secret@x.example', 'nothing', 'javascript:alert(1)'])(
    'what is no address is refused when it is told: %s',
    async (issuer) => {
      const reply = await corp.browser.post(`${ssoPath}/oidc`, { ...asked, issuer });
      expect([reply.status, reply.body.errors[0].pointer ?? reply.body.errors[0].at]).toEqual([422, '/issuer']);
    },
  );
});

test('T49 who signs in goes on to a path of the service alone', async () => {
  peer.account = newcomer();
  const cases = {
    'https://evil.example': '/',
    '//evil.example': '/',
    '/\\evil.example': '/',
    '/\t/evil.example': '/',
    '/.//evil.example': '/',
    '/models/..//evil.example': '/',
    '/%2e//evil.example': '/',
    'javascript:alert(1)': '/',
    '': '/',
    '/batches?page=2#row': '/batches?page=2#row',
  };
  for (const [asked, expected] of Object.entries(cases)) {
    const { reply } = await signInBy(service, peer, connection, { query: `?return_to=${encodeURIComponent(asked)}` });
    expect(reply.headers.get('location'), asked).toBe(expected);
  }
});

test('a provider that refuses says so, and nothing else comes of it', async () => {
  peer.account = null;
  const { reply } = await signInBy(service, peer, connection);
  expect([reply.status, reply.body.code]).toEqual([401, 'sso_refused']);
  expect(reply.body.detail).toContain('access_denied');
});

test('a session through a connection acts in its organization alone, and not on the account', async () => {
  const person = newcomer();
  peer.account = person;
  peer.authenticatedAt = undefined;
  const { browser } = await signInBy(service, peer, connection);
  const { id } = (await browser.get('/v1/api/user')).body;
  // Somebody of another organization who was invited here.
  await service.owner.pool.query(
    "insert into grants (id, organization_id, user_id, role) values ('grt_x', $1, $2, 'creator')",
    [other.organization, id],
  );
  const act = (organization: string) =>
    browser.send('GET', '/v1/api/organization', undefined, { 'lastro-organization': organization });
  expectStatus(await act(corp.organization), 200);
  expectStatus(await act(other.organization), 404);
  for (const [method, path, body] of [
    ['PUT', '/v1/api/user/password', { password: 'velvet Orbit 98 lampshade' }],
    ['POST', '/v1/api/user/second-factor/totp', undefined],
    ['PUT', '/v1/api/user/email', { email: 'x@corp-company.example' }],
    ['DELETE', '/v1/api/user', undefined],
  ] as const)
    expect((await browser.send(method, path, body)).body.code, path).toBe('reauthentication_required');
});

test('what is sensitive wants a recent proof at the provider', async () => {
  const person = newcomer();
  peer.account = person;
  peer.authenticatedAt = Math.floor(Date.now() / 1_000) - 3_600;
  await corp.browser.post('/v1/api/organization/invitations', { email: person.email, role: 'creator' });
  const { browser } = await signInBy(service, peer, connection);
  const change = () => browser.send('PATCH', '/v1/api/organization', { name: 'Corp Company' });
  expect((await change()).body.code).toBe('reauthentication_required');
  peer.authenticatedAt = undefined;
  const again = await signInBy(service, peer, connection, { browser, query: '?reauthenticate=true' });
  expectStatus(again.reply, 303);
  expectStatus(await change(), 200);
});

test('a provider that does not ask anew is refused when that was wanted', async () => {
  liar.account = newcomer();
  liar.lie = { idToken: ({ iat }) => ({ auth_time: Number(iat) - 3_600 }) };
  expect((await signInBy(service, liar, lying, { query: '?reauthenticate=true' })).reply.body.code).toBe('sso_refused');
  liar.lie = { idToken: () => ({ auth_time: undefined }) };
  expect((await signInBy(service, liar, lying, { query: '?reauthenticate=true' })).reply.body.code).toBe('sso_refused');
  liar.lie = {};
});

test('a proof that is told for later is one of now', async () => {
  for (const auth_time of [Math.floor(Date.now() / 1_000) + 86_400, 1e300]) {
    liar.account = newcomer();
    liar.lie = { idToken: () => ({ auth_time }) };
    const { browser, reply } = await signInBy(service, liar, lying);
    expectStatus(reply, 303);
    const [{ authenticated_at }] = (await browser.get('/v1/api/sessions')).body.data;
    expect(Date.parse(authenticated_at)).toBeLessThanOrEqual(Date.now());
  }
  liar.lie = {};
});

test('a subject with control characters is refused, and such a name left out', async () => {
  const person = newcomer();
  liar.lie = {};
  liar.account = { ...person, sub: `${person.sub}\u0000` };
  expect((await signInBy(service, liar, lying)).reply.body.code).toBe('sso_refused');
  liar.account = { ...person, name: 'A\u0000b' };
  const { browser, reply } = await signInBy(service, liar, lying);
  expectStatus(reply, 303);
  expect((await browser.get('/v1/api/user')).body.name).toBe(person.sub);
});

test('guesses of a password within sessions that the provider began are counted together', async () => {
  peer.account = newcomer();
  const guess = async () => {
    const { browser } = await signInBy(service, peer, connection);
    return (await browser.post('/v1/api/session/reauthentication', { password: 'a guess of the provider' })).body.code;
  };
  const codes: string[] = [];
  for (let at = 0; at < 11; at++) codes.push(await guess());
  expect(codes).toEqual([...Array.from({ length: 10 }, () => 'sign_in_failed'), 'rate_limited']);
});

test('steps of sign-ins through a connection that there is not are counted', async () => {
  const counted = async () => {
    const { rows } = await service.owner.pool.query(
      "select sum(count)::int as n from attempts where bucket like 'sso %'",
    );
    return rows[0].n;
  };
  const before = await counted();
  expect((await openBrowser(service.url).visit('/v1/api/sso-connections/sso_none/sign-in')).status).toBe(404);
  expect(await counted()).toBe(before + 1);
});

test('where people sign in is found by the domain of their address, whether they have an account or not', async () => {
  const browser = openBrowser(service.url);
  const find = (email: string) => browser.post('/v1/api/sessions/sso', { email });
  const known = expectStatus(await find(corp.email), 200);
  const unknown = expectStatus(await find(`nobody@${corp.domain}`), 200);
  expect(unknown.body).toEqual(known.body);
  expect(expectStatus(await find('somebody@nowhere.example'), 200).body).toEqual({ url: null });
});

test('T37 the secret of a client is sealed and never shown', async () => {
  const { body, text } = expectStatus(await corp.browser.get(`${ssoPath}/${connection.id}`), 200);
  expect(text).not.toContain(peer.clientSecret);
  expect(Object.keys(body.oidc).sort()).toEqual(['callback_url', 'client_id']);
  const { rows } = await service.owner.pool.query('select * from sso_connections where id = $1', [connection.id]);
  expect(JSON.stringify(rows)).not.toContain(peer.clientSecret);
  const trail = await service.owner.pool.query("select data::text from audit_entries where action like 'sso-%'");
  expect(JSON.stringify(trail.rows)).not.toContain(peer.clientSecret);
});
