/** Signing in at a provider of SAML. The numbers are those of the cases in the study of identity. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Dns, openDns } from '../dns.ts';
import type { Reply, TestService } from '../service.ts';
import { type Browser, openBrowser } from './browser.ts';
import {
  expectStatus,
  type Organization,
  postToUs,
  signUpWithDomain,
  ssoPath,
  startWithProviders,
} from './organizations.ts';
import { makeKeyPair } from './peers/key-pair.ts';
import { openSamlIdp, type SamlFaults, type SamlPeer } from './peers/saml-idp.ts';
import type { SamlPost } from './peers/web-walk.ts';
import { wrappings } from './peers/wrapping.ts';

let service: TestService;
let dns: Dns;
let peer: SamlPeer;
let corp: Organization;
let connection: Connection;
let second: Connection;

type Connection = {
  readonly id: string;
  readonly sign_in_url: string;
  readonly saml: { readonly entity_id: string; readonly acs_url: string; readonly metadata_url: string };
};

beforeAll(async () => {
  [dns, peer] = await Promise.all([openDns(), openSamlIdp()]);
  service = await startWithProviders(dns);
  corp = await signUpWithDomain(service, dns, 'Corp');
  connection = await connect();
  second = await connect();
});
afterAll(() => Promise.all([service.close(), dns.close(), peer.close()]));
beforeEach(async () => {
  peer.faults = {};
  peer.authenticatedAt = undefined;
  await service.owner.pool.query('delete from attempts');
});

async function connect(to = peer): Promise<Connection> {
  const metadata = await (await fetch(to.metadataUrl)).text();
  const { body } = expectStatus(await corp.browser.post(`${ssoPath}/saml`, { name: 'Company', metadata }), 201);
  expectStatus(await corp.browser.post(`${ssoPath}/${body.id}/activation`), 200);
  return body;
}

let people = 0;
/** Somebody new at the provider, who signs in next. */
function newcomer(at = peer): string {
  const email = `saml-${++people}@${corp.domain}`;
  at.account = { nameId: `id-${people}`, attributes: { mail: email, displayName: `Saml ${people}` } };
  return email;
}

/** Goes to the provider; returns what its page would have the browser post to us. */
async function goToProvider(browser: Browser, to = connection, query = '', at = peer): Promise<SamlPost> {
  const left = expectStatus(await browser.visit(`${to.sign_in_url}${query}`), 303);
  return at.signIn(left.headers.get('location')!);
}

/** All of a sign-in; the last answer is that to the browser's own request, or a refusal before it. */
async function signIn(faults: SamlFaults = {}, browser = openBrowser(service.url), query = '') {
  peer.faults = faults;
  const answer = await goToProvider(browser, connection, query);
  const posted = await postToUs(service, answer);
  const reply = posted.status === 303 ? await browser.visit(posted.headers.get('location')!) : posted;
  return { browser, reply, posted };
}

async function expectNobody(email: string): Promise<void> {
  const { rows } = await service.owner.pool.query(
    'select from sessions s join users u on u.id = s.user_id where u.email = $1',
    [email],
  );
  expect(rows).toEqual([]);
}

function expectRefused(reply: Reply, code = 'sso_refused'): void {
  expect([reply.status, reply.body.code], reply.text).toEqual([code === 'sso_refused' ? 401 : 422, code]);
  expect(reply.headers.getSetCookie()).toEqual([]);
}

describe('T50 somebody signs in', () => {
  test.each([{}, { signs: 'both' }] satisfies SamlFaults[])('%j', async (faults) => {
    const email = newcomer();
    const { browser, reply } = await signIn(faults, undefined, '?return_to=/models');
    expectStatus(reply, 303);
    expect(reply.headers.get('location')).toBe('/models');
    const user = expectStatus(await browser.get('/v1/api/user'), 200).body;
    expect(user).toMatchObject({ email, name: `Saml ${people}`, organizations: [{ role: 'member' }] });
    expect((await browser.get('/v1/api/sessions')).body.data).toMatchObject([{ method: 'saml' }]);
    const again = await signIn(faults);
    expect((await again.browser.get('/v1/api/user')).body.id).toBe(user.id);
  });

  test('with an assertion that the provider encrypts to the certificate of our metadata', async () => {
    const metadata = await (await fetch(connection.saml.metadata_url)).text();
    const [, encoded] = /<ds:X509Certificate>([^<]+)</.exec(metadata)!;
    const certificate = `-----BEGIN CERTIFICATE-----\n${encoded.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`;
    newcomer();
    const { browser, reply } = await signIn({ encryptTo: certificate });
    expectStatus(reply, 303);
    expectStatus(await browser.get('/v1/api/members'), 200);
    // One that is encrypted to somebody else.
    const email = newcomer();
    expectRefused((await signIn({ encryptTo: makeKeyPair().certificate })).reply);
    await expectNobody(email);
  });

  test('with issuer, address and certificates instead of metadata', async () => {
    const asked = { issuer: peer.entityId, sso_url: peer.ssoUrl, certificates: [peer.keys[0].certificate] };
    const { body } = expectStatus(await corp.browser.post(`${ssoPath}/saml`, { name: 'By hand', ...asked }), 201);
    expect(body.saml.certificates).toMatchObject([{ fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
    expectStatus(await corp.browser.send('DELETE', `${ssoPath}/${body.id}`), 204);
  });
});

test('the cookies of a session are set at the last step alone, and are what they are elsewhere', async () => {
  newcomer();
  const { posted, reply } = await signIn();
  expect(posted.headers.getSetCookie()).toEqual([]);
  for (const line of reply.headers.getSetCookie())
    expect(line).toMatch(/^__Host-[^;]+; Path=\/; Max-Age=\d+; Secure; HttpOnly; SameSite=Lax$/);
  expect(reply.headers.getSetCookie().map((line) => line.split('=')[0])).toEqual([
    '__Host-lastro-session',
    '__Host-lastro-device',
  ]);
});

describe('T51 signed parts that are wrapped in others are refused', () => {
  test.each(Object.entries(wrappings))('%s', async (_, { of, wrap }) => {
    const email = newcomer();
    const evil = (xml: string) => xml.replaceAll(email, corp.email).replaceAll(/id-\d+/g, 'id-evil');
    const { reply } = await signIn({ signs: of, alterResponse: (xml) => wrap(xml, evil) });
    expectRefused(reply);
    await expectNobody(email);
  });
});

describe('T52, T54, T56, T57, T59, T62 what is not signed, for others, of another time or badly made is refused', () => {
  const replacing = (from: string | RegExp, to: string) => (xml: string) => {
    const changed = xml.replace(from, to);
    expect(changed).not.toBe(xml);
    return changed;
  };
  test.each<[string, () => SamlFaults]>([
    ['T52 nothing is signed', () => ({ signs: 'nothing' })],
    ['T52 the response alone is signed', () => ({ signs: 'response' })],
    ['T52 the signature was taken out', () => ({ alterResponse: replacing(/<Signature[\s\S]*?<\/Signature>/, '') })],
    ['T52 signed by a key of somebody else, with its certificate in it', () => ({ foreignKey: makeKeyPair() })],
    ['T52 the address was changed after signing', () => ({ alterResponse: replacing(/saml-\d+@/g, 'boss@') })],
    ['T54 another audience', () => ({ audience: 'https://other.example' })],
    ['T54 another recipient', () => ({ recipient: 'https://other.example/acs' })],
    ['T54 another destination', () => ({ destination: 'https://other.example/acs' })],
    ['T54 another issuer', () => ({ issuer: 'https://other.example' })],
    ['T55 no request is answered', () => ({ inResponseTo: null })],
    ['T55 another request is answered', () => ({ inResponseTo: '_another' })],
    ['T56 expired', () => ({ lifetimeS: -31 })],
    ['T57 a comment in the address', () => ({ alterAssertion: replacing(/@corp/, '<!---->@corp') })],
    ['T57 CDATA', () => ({ alterAssertion: replacing(/>(saml-\d+@[^<]+)</, '><![CDATA[$1]]><') })],
    ['T57 a processing instruction', () => ({ alterAssertion: replacing(/@corp/, '<?x y?>@corp') })],
    ['T58 a document type', () => ({ alterResponse: (xml) => `<!DOCTYPE x [<!ENTITY e "e">]>${xml}` })],
    ['T58 not a success', () => ({ status: 'urn:oasis:names:tc:SAML:2.0:status:Responder' })],
    ['T59 signed by SHA-1', () => ({ isSha1: true })],
    ['T62 two assertions', () => ({ alterResponse: replacing(/<saml:Assertion[\s\S]*<\/saml:Assertion>/, '$&$&') })],
  ])('%s', async (_, faults) => {
    const email = newcomer();
    expectRefused((await signIn(faults())).reply);
    await expectNobody(email);
  });
});

test('T53 an answer is taken once, whoever posts it, and its ticket too', async () => {
  const email = newcomer();
  const browser = openBrowser(service.url);
  const answer = await goToProvider(browser);
  const posted = expectStatus(await postToUs(service, answer), 303);
  expectRefused(await postToUs(service, answer), 'token_invalid');
  const ticket = posted.headers.get('location')!;
  expectStatus(await browser.visit(ticket), 303);
  expectRefused(await browser.visit(ticket), 'token_invalid');
  expectRefused(await openBrowser(service.url).visit(ticket), 'token_invalid');
  // Also as the answer to another request of the same browser.
  const other = await goToProvider(browser);
  expectRefused(await postToUs(service, { ...answer, RelayState: other.RelayState }));
  const { rows } = await service.owner.pool.query(
    'select from sessions s join users u on u.id = s.user_id where u.email = $1',
    [email],
  );
  expect(rows).toHaveLength(1);
});

test('T55 an answer for another connection, or for no request of ours, is refused', async () => {
  const email = newcomer();
  const answer = await goToProvider(openBrowser(service.url));
  const elsewhere = { ...answer, acsUrl: second.saml.acs_url };
  expectRefused(await postToUs(service, elsewhere), 'token_invalid');
  // The provider begins it by itself.
  const own = await goToProvider(openBrowser(service.url));
  expectRefused(await postToUs(service, { ...own, RelayState: '' }), 'token_invalid');
  expectRefused(await postToUs(service, { ...own, RelayState: `lso_${'0'.repeat(49)}` }), 'token_invalid');
  await expectNobody(email);
});

test('T56 what was asked too long ago is refused', async () => {
  const email = newcomer();
  const answer = await goToProvider(openBrowser(service.url));
  await service.owner.pool.query("update one_time_tokens set expires_at = now() where purpose = 'sso_state'");
  expectRefused(await postToUs(service, answer), 'token_invalid');
  const browser = openBrowser(service.url);
  const posted = await postToUs(service, await goToProvider(browser));
  await service.owner.pool.query("update one_time_tokens set expires_at = now() where purpose = 'sso_ticket'");
  expectRefused(await browser.visit(posted.headers.get('location')!), 'token_invalid');
  await expectNobody(email);
});

describe('T58 what is made to harm is refused', () => {
  test.each<[string, () => string]>([
    ['an external entity', () => '<!DOCTYPE x [<!ENTITY e SYSTEM "http://169.254.169.254/">]><Response>&e;</Response>'],
    [
      'entities that grow',
      () =>
        `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">${[...'bcdefghi'].map((name, at) => `<!ENTITY ${name} "${`&${'abcdefgh'[at]};`.repeat(10)}">`).join('')}]><x>&i;</x>`,
    ],
    ['5,000 elements in each other', () => `${'<a>'.repeat(5_000)}${'</a>'.repeat(5_000)}`],
    ['no XML', () => 'hello'],
    ['nothing', () => ''],
  ])('%s', async (_, make) => {
    const answer = await goToProvider(openBrowser(service.url));
    const SAMLResponse = Buffer.from(make()).toString('base64');
    expectRefused(await postToUs(service, { ...answer, SAMLResponse }));
  });

  test('1 MB', async () => {
    const answer = await goToProvider(openBrowser(service.url));
    const reply = await postToUs(service, { ...answer, SAMLResponse: 'A'.repeat(1_000_000) });
    expect(reply.status).toBe(413);
  });
});

test("T60 an attacker's fresh answer that a victim's browser posts signs nobody in", async () => {
  newcomer();
  const attacker = openBrowser(service.url);
  const answer = await goToProvider(attacker);
  const victim = openBrowser(service.url);
  // Even one that is signing in itself.
  await goToProvider(victim);
  const posted = expectStatus(await postToUs(service, answer), 303);
  const reply = await victim.visit(posted.headers.get('location')!);
  expectRefused(reply);
  expect(victim.cookies.has('__Host-lastro-session')).toBe(false);
});

test('T61 while a certificate is replaced both are taken, and then the old one is refused', async () => {
  const rotating = await openSamlIdp();
  const [old] = rotating.keys;
  const fresh = rotating.rotate();
  const rotated = await connect(rotating);
  const asOf = (foreignKey: typeof old) => async () => {
    rotating.faults = { foreignKey };
    newcomer(rotating);
    const answer = await goToProvider(openBrowser(service.url), rotated, '', rotating);
    const posted = await postToUs(service, answer);
    return posted.status;
  };
  expect([await asOf(old)(), await asOf(fresh)()]).toEqual([303, 303]);
  const change = (certificates: string[]) => corp.browser.send('PATCH', `${ssoPath}/${rotated.id}`, { certificates });
  expectStatus(await change([fresh.certificate]), 200);
  expect([await asOf(old)(), await asOf(fresh)()]).toEqual([401, 303]);
  expect((await change(['no certificate'])).body.errors).toMatchObject([{ pointer: '/certificates/0' }]);
  expect((await change([])).body.code).toBe('schema_mismatch');
  await rotating.close();
});

test('changes of a connection at once are both kept', async () => {
  const { certificate } = makeKeyPair();
  const changed = await connect();
  const change = (body: object) => corp.browser.send('PATCH', `${ssoPath}/${changed.id}`, body);
  for (let round = 0; round < 10; round++) {
    const sso_url = `https://idp.example/sso/${round}`;
    const certificates = [round % 2 ? certificate : peer.keys[0].certificate];
    const both = await Promise.all([change({ sso_url }), change({ certificates })]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    const fingerprints = both[1].body.saml.certificates;
    expect((await corp.browser.get(`${ssoPath}/${changed.id}`)).body.saml).toMatchObject({
      sso_url,
      certificates: fingerprints,
    });
  }
  expectStatus(await corp.browser.send('DELETE', `${ssoPath}/${changed.id}`), 204);
});

test('an assertion is remembered for as long as a request may be answered, however long it is good', async () => {
  newcomer();
  const { reply } = await signIn({ lifetimeS: 10 * 365 * 86_400 });
  expectStatus(reply, 303);
  const { rows } = await service.owner.pool.query(
    "select from saml_assertions where expires_at > now() + interval '11 minutes'",
  );
  expect(rows).toEqual([]);
});

test('what is sensitive wants a recent proof at the provider', async () => {
  const email = newcomer();
  await corp.browser.post('/v1/api/organization/invitations', { email, role: 'creator' });
  peer.authenticatedAt = new Date(Date.now() - 3_600_000);
  const { browser, reply } = await signIn();
  expectStatus(reply, 303);
  const change = () => browser.send('PATCH', '/v1/api/organization', { name: 'Corp Company' });
  expect((await change()).body.code).toBe('reauthentication_required');
  expectRefused((await signIn({}, browser, '?reauthenticate=true')).reply);
  peer.authenticatedAt = undefined;
  expectStatus((await signIn({}, browser, '?reauthenticate=true')).reply, 303);
  expectStatus(await change(), 200);
});

describe('metadata that cannot be used are refused with the field', () => {
  test.each([
    ['no XML', 'hello'],
    ['a document type', '<!DOCTYPE x><EntityDescriptor/>'],
    ['another document', '<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="x"/>'],
  ])('%s', async (_, metadata) => {
    const reply = await corp.browser.post(`${ssoPath}/saml`, { name: 'Bad', metadata });
    expect([reply.status, reply.body.code, reply.body.errors[0].pointer]).toEqual([
      422,
      'schema_mismatch',
      '/metadata',
    ]);
  });

  test('half of the fields', async () => {
    const reply = await corp.browser.post(`${ssoPath}/saml`, { name: 'Half', issuer: 'urn:x' });
    expect(reply.body.errors).toMatchObject([{ pointer: '/metadata' }]);
  });
});

test('a key by which providers encrypt is sealed and never shown', async () => {
  const { rows } = await service.owner.pool.query('select * from sso_connections where id = $1', [connection.id]);
  expect(JSON.stringify(rows)).not.toContain('PRIVATE KEY');
  expect((await corp.browser.get(`${ssoPath}/${connection.id}`)).text).not.toContain('PRIVATE KEY');
  expect(await (await fetch(connection.saml.metadata_url)).text()).not.toContain('PRIVATE KEY');
});
