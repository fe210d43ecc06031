/** Passkeys, with an authenticator in software. */
import { generateSync } from 'otplib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../service.ts';
import { type Algorithm, type Credential, type Faults, makeCredential, useCredential } from './authenticator.ts';
import { type Browser, goodPassword, mailsTo, mailTo, openBrowser, type Person, signIn, signUp } from './browser.ts';

let service: TestService;
let origin: string;

beforeAll(async () => {
  service = await startTestService();
  origin = new URL(service.url).origin;
});
afterAll(() => service.close());
beforeEach(async () => {
  await service.owner.pool.query('delete from attempts');
});

const sessionCookie = '__Host-lastro-session';
const begin = (browser: Browser, path: string) => browser.post(`${path}/options`);
const own = '/v1/api/user/passkeys';
const entry = '/v1/api/sessions/passkey';
const again = '/v1/api/session/reauthentication/passkey';

async function optionsOf(browser: Browser, path: string) {
  const reply = await begin(browser, path);
  expect(reply.status, reply.text).toBe(201);
  return reply.body;
}

async function register(browser: Browser, name = 'laptop', algorithm: Algorithm = 'ES256') {
  const { credential, sent } = makeCredential(await optionsOf(browser, own), origin, { algorithm });
  const reply = await browser.post(own, { name, credential: sent });
  expect(reply.status, reply.text).toBe(201);
  return { credential, id: reply.body.id as string };
}

/** Signs in with a passkey, in a browser of its own. */
async function enter(credential: Credential, faults: Faults = {}, browser = openBrowser(service.url)) {
  const reply = await browser.post(
    entry,
    useCredential(credential, await optionsOf(browser, entry), origin, { counter: ++credential.counter, ...faults }),
  );
  return { reply, browser };
}

async function prove(browser: Browser, credential: Credential, faults: Faults = {}) {
  const options = await optionsOf(browser, again);
  return browser.post(again, useCredential(credential, options, origin, { counter: ++credential.counter, ...faults }));
}

/** Lets so many minutes pass since the last proof. */
const grow = (minutes: number, userId: string) =>
  service.owner.pool.query(
    `update sessions set authenticated_at = now() - $1 * interval '1 minute',
      account_authenticated_at = now() - $1 * interval '1 minute' where user_id = $2`,
    [minutes, userId],
  );

/** Somebody new in the organization of a host, signed in. */
async function invite(host: Person, name: string): Promise<Person> {
  const email = `${name}@${host.email.split('@')[1]}`;
  await host.browser.post('/v1/api/invitations', { email, role: 'developer' });
  const { token } = await mailTo(service, email, /invited/);
  const browser = openBrowser(service.url);
  const joined = await browser.post('/v1/api/invitations/account', { token, name, password: goodPassword });
  expect(joined.status, joined.text).toBe(201);
  return { browser, email, id: joined.body.id };
}

const countOf = async (userId: string) =>
  Number((await service.owner.pool.query('select count(*) from passkeys where user_id = $1', [userId])).rows[0].count);

async function denials(action: string, targetId: string) {
  const { rows } = await service.owner.pool.query(
    "select * from audit_entries where action = $1 and target_id = $2 and outcome = 'denied'",
    [action, targetId],
  );
  return rows.length;
}

async function enrolTotp(browser: Browser): Promise<void> {
  const { secret } = (await browser.post('/v1/api/user/second-factor/totp')).body;
  const code = generateSync({ secret, epoch: Math.floor(Date.now() / 1_000) });
  const confirmed = await browser.post('/v1/api/user/second-factor/totp/confirmation', { code });
  expect(confirmed.status, confirmed.text).toBe(200);
}

describe('a passkey', () => {
  test.each(['ES256', 'EdDSA', 'RS256'] as const)('with %s signs in alone, without a name', async (algorithm) => {
    const ana = await signUp(service, `Ana${algorithm}`);
    const asked = await optionsOf(ana.browser, own);
    expect(asked).toMatchObject({
      rp: { id: new URL(service.url).hostname },
      ...{ attestation: 'none', excludeCredentials: [] },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    expect(asked.user.id).not.toContain(ana.email);
    expect(Buffer.from(asked.user.id, 'base64url').toString('latin1')).not.toContain(ana.id);
    const { credential } = await register(ana.browser, 'laptop', algorithm);
    await mailTo(service, ana.email, /passkey was added/);
    const { reply, browser } = await enter(credential);
    expect(reply.body, reply.text).toMatchObject({ id: ana.id, email: ana.email });
    expect(reply.status).toBe(201);
    expect(browser.lastCookies).toHaveLength(2);
    for (const line of browser.lastCookies)
      expect(line).toMatch(
        /^__Host-lastro-(session|device)=ls[sd]_\w+; Path=\/; Max-Age=\d+; Secure; HttpOnly; SameSite=Lax$/,
      );
    const { data } = (await browser.get('/v1/api/sessions')).body;
    expect(data[0]).toMatchObject({ current: true, method: 'passkey', request_ip: '127.0.0.1' });
    expect((await browser.get(own)).body.data).toMatchObject([
      { name: 'laptop', backed_up: false, last_used_at: expect.any(String) },
    ]);
    expect((await enter(credential)).reply.status).toBe(201);
  });

  test('is listed, renamed and deleted by its user alone', async () => {
    const [bob, eve] = [await signUp(service, 'Bob'), await signUp(service, 'Eve')];
    const { id, credential } = await register(bob.browser);
    const at = `${own}/${id}`;
    for (const [method, body] of [
      ['PATCH', { name: 'mine' }],
      ['DELETE', undefined],
    ] as const)
      expect((await eve.browser.send(method, at, body)).body).toMatchObject({ status: 404, code: 'not_found' });
    expect((await eve.browser.get(own)).body.data).toEqual([]);
    expect((await bob.browser.send('PATCH', at, { name: ' ' })).status).toBe(422);
    expect((await bob.browser.send('PATCH', at, { name: 'phone' })).body).toMatchObject({ id, name: 'phone' });
    const asked = await optionsOf(bob.browser, own);
    expect(asked.excludeCredentials.map((known: { id: string }) => known.id)).toEqual([
      credential.id.toString('base64url'),
    ]);
    await grow(11, bob.id);
    for (const refused of [await bob.browser.send('DELETE', at), await begin(bob.browser, own)])
      expect(refused.body).toMatchObject({ status: 403, code: 'reauthentication_required' });
    await grow(0, bob.id);
    expect((await bob.browser.send('DELETE', at)).status).toBe(204);
    await mailTo(service, bob.email, /passkey was removed/);
    expect((await enter(credential)).reply.body).toMatchObject({ status: 401, code: 'sign_in_failed' });
  });

  test('is one of twenty at most', async () => {
    const cleo = await signUp(service, 'Cleo');
    const late = makeCredential(await optionsOf(cleo.browser, own), origin);
    await service.owner.pool.query(
      `insert into passkeys (id, user_id, credential_id, public_key, counter, transports, backup_eligible, backed_up, name)
       select 'psk_' || n, $1, 'cleo' || n, '', 0, '{}', false, false, 'x' from generate_series(1, 20) n`,
      [cleo.id],
    );
    await service.owner.pool.query("update sessions set method = 'passkey' where user_id = $1", [cleo.id]);
    expect((await begin(cleo.browser, own)).body).toMatchObject({ code: 'limit_exceeded' });
    const reply = await cleo.browser.post(own, { name: 'late', credential: late.sent });
    expect(reply.body).toMatchObject({ code: 'limit_exceeded' });
  });

  test('goes with the account', async () => {
    const dan = await invite(await signUp(service, 'Dan'), 'dan2');
    const { credential } = await register(dan.browser);
    expect(await countOf(dan.id)).toBe(1);
    const gone = await dan.browser.send('DELETE', '/v1/api/user');
    expect(gone.status, gone.text).toBe(204);
    expect(await countOf(dan.id)).toBe(0);
    expect((await enter(credential)).reply.body).toMatchObject({ status: 401, code: 'sign_in_failed' });
  });

  test('may attest itself', async () => {
    const xan = await signUp(service, 'Xan');
    const { sent } = makeCredential(await optionsOf(xan.browser, own), origin, { attestedBy: 'itself' });
    expect((await xan.browser.post(own, { name: 'x', credential: sent })).status).toBe(201);
  });
});

describe('no passkey is registered', () => {
  let fay: Awaited<ReturnType<typeof signUp>>;
  beforeAll(async () => {
    fay = await signUp(service, 'Fay');
  });
  const tryIt = async (faults: Parameters<typeof makeCredential>[2]) => {
    const { sent } = makeCredential(await optionsOf(fay.browser, own), origin, faults);
    return fay.browser.post(own, { name: 'x', credential: sent });
  };

  test.each<[string, Faults]>([
    ['of another origin', { origin: 'https://evil.example' }],
    ['of a part of the origin', { origin: 'http://127.0.0.1' }],
    ['for another party', { rpId: 'evil.example' }],
    ['for a sign-in', { type: 'webauthn.get' }],
    ['without a user present', { without: 0x01 }],
    ['without the user verified', { without: 0x04 }],
    ['within a frame', { crossOrigin: true }],
    ['that was copied though it may not be', { with: 0x10 }],
    ['with certificates, which nobody asked for', { attestedBy: 'maker' }],
  ])('%s', async (_, faults) => {
    expect((await tryIt(faults)).body).toMatchObject({ status: 422, code: 'passkey_invalid' });
    expect(await countOf(fay.id)).toBe(0);
  });

  test('that cannot be read', async () => {
    const { sent } = makeCredential(await optionsOf(fay.browser, own), origin);
    for (const attestationObject of ['', 'AAAA', '!!!', 'o2NmbXRkbm9uZQ', 'x'.repeat(8_000)]) {
      const { challenge } = await optionsOf(fay.browser, own);
      const clientDataJSON = Buffer.from(JSON.stringify({ type: 'webauthn.create', challenge, origin })).toString(
        'base64url',
      );
      const response = { ...sent.response, clientDataJSON, attestationObject };
      const reply = await fay.browser.post(own, { name: 'x', credential: { ...sent, response } });
      expect(reply.body, attestationObject).toMatchObject({ status: 422, code: 'passkey_invalid' });
    }
    for (const clientDataJSON of ['', 'bnVsbA', 'W10', 'eyJjaGFsbGVuZ2UiOjF9', '!']) {
      const credential = { ...sent, response: { ...sent.response, clientDataJSON } };
      const reply = await fay.browser.post(own, { name: 'x', credential });
      expect(reply.body, clientDataJSON).toMatchObject({ status: 422, code: 'token_invalid' });
    }
  });

  test('upon a challenge that was replaced, has expired, is of another purpose or of another session', async () => {
    const gus = await signUp(service, 'Gus');
    const replaced = await optionsOf(fay.browser, own);
    const late = await optionsOf(fay.browser, own);
    const others = await optionsOf(gus.browser, own);
    const elsewhere = await optionsOf(await signIn(service, fay.email), own);
    const signing = await optionsOf(fay.browser, entry);
    await service.owner.pool.query(
      `update one_time_tokens set expires_at = now() - interval '1 s' where purpose = 'passkey_registration'
        and token_hash = encode(sha256(decode($1, 'base64')), 'hex')`,
      [Buffer.from(late.challenge, 'base64url').toString('base64')],
    );
    for (const { challenge } of [replaced, late, others, elsewhere, signing, { challenge: 'bm9uZQ' }])
      expect((await tryIt({ challenge })).body).toMatchObject({ status: 422, code: 'token_invalid' });
    expect(await countOf(fay.id)).toBe(0);
  });

  test('twice upon one challenge, also at once, and after a wrong answer', async () => {
    const hal = await signUp(service, 'Hal');
    const asked = await optionsOf(hal.browser, own);
    const two = [makeCredential(asked, origin).sent, makeCredential(asked, origin).sent];
    const replies = await Promise.all(two.map((credential) => hal.browser.post(own, { name: 'x', credential })));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 422]);
    expect(replies.find(({ status }) => status === 422)!.body.code).toBe('token_invalid');
    expect(await countOf(hal.id)).toBe(1);
    const next = await optionsOf(hal.browser, own);
    const wrong = makeCredential(next, origin, { without: 0x04 }).sent;
    expect((await hal.browser.post(own, { name: 'x', credential: wrong })).body.code).toBe('passkey_invalid');
    const right = makeCredential(next, origin).sent;
    expect((await hal.browser.post(own, { name: 'x', credential: right })).body.code).toBe('token_invalid');
  });

  test('whose id somebody has already, also at once', async () => {
    const [ida, joe] = [await signUp(service, 'Ida'), await signUp(service, 'Joe')];
    const id = Buffer.alloc(32, 7);
    const sent = await Promise.all(
      [ida, joe].map(async ({ browser }) => makeCredential(await optionsOf(browser, own), origin, { id }).sent),
    );
    const replies = await Promise.all(
      [ida, joe].map(({ browser }, at) => browser.post(own, { name: 'x', credential: sent[at] })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect((await countOf(ida.id)) + (await countOf(joe.id))).toBe(1);
  });

  test('for a page of another origin', async () => {
    const { sent: credential } = makeCredential(await optionsOf(fay.browser, own), origin);
    for (const path of [`${own}/options`, own]) {
      const body = path === own ? { name: 'x', credential } : undefined;
      const reply = await fay.browser.send('POST', path, body, { origin: 'https://evil.example' });
      expect(reply.body, path).toMatchObject({ status: 403, code: 'cross_origin' });
    }
  });
});

describe('nobody is signed in', () => {
  let kim: Awaited<ReturnType<typeof signUp>>;
  let credential: Credential;
  beforeAll(async () => {
    kim = await signUp(service, 'Kim');
    ({ credential } = await register(kim.browser));
  });

  test.each<[string, () => Faults]>([
    ['of another origin', () => ({ origin: 'https://evil.example' })],
    ['for another party', () => ({ rpId: 'evil.example' })],
    ['by what was made to register', () => ({ type: 'webauthn.create' })],
    ['without a user present', () => ({ without: 0x01 })],
    ['without the user verified', () => ({ without: 0x04 })],
    ['within a frame', () => ({ crossOrigin: true })],
    ['by an altered signature', () => ({ alterSignature: true })],
    ['without the name of the user', () => ({ userHandle: undefined })],
    ['by the name of another user', () => ({ userHandle: 'c29tZWJvZHkgZWxzZQ' })],
    ['by a passkey that may be copied, unlike before', () => ({ with: 0x08 })],
  ])('%s', async (_, faults) => {
    const before = await denials('login-failure', kim.id);
    const { reply, browser } = await enter(credential, faults());
    expect(reply.body).toMatchObject({ status: 401, code: 'sign_in_failed' });
    expect(browser.cookies.size).toBe(0);
    expect(await denials('login-failure', kim.id)).toBe(before + 1);
    expect((await enter(credential)).reply.status).toBe(201);
  });

  test('by an unknown passkey, and the refusal is that of a wrong signature', async () => {
    const { credential: unknown } = makeCredential(await optionsOf(kim.browser, own), origin);
    const [one, two] = [(await enter(unknown)).reply, (await enter(credential, { alterSignature: true })).reply];
    const told = ({ body: { request_id, instance, ...body } }: typeof one) => body;
    expect(one.status).toBe(401);
    expect(told(one)).toEqual(told(two));
  });

  test('by the passkey of one under the id of another', async () => {
    const lea = await signUp(service, 'Lea');
    const { credential: hers } = await register(lea.browser);
    const { reply } = await enter({ ...hers, id: credential.id });
    expect(reply.body).toMatchObject({ status: 401, code: 'sign_in_failed' });
    const named = await enter({ ...hers, id: credential.id, userHandle: credential.userHandle });
    expect(named.reply.status).toBe(401);
  });

  test('upon a challenge that was used, has expired or is of another purpose', async () => {
    const browser = openBrowser(service.url);
    const asked = await optionsOf(browser, entry);
    expect(asked.allowCredentials).toEqual([]);
    const assertion = useCredential(credential, asked, origin, { counter: ++credential.counter });
    const both = await Promise.all([browser.post(entry, assertion), openBrowser(service.url).post(entry, assertion)]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 422]);
    const registering = await optionsOf(kim.browser, own);
    const proving = await optionsOf(kim.browser, again);
    const late = await optionsOf(browser, entry);
    await service.owner.pool.query(
      "update one_time_tokens set expires_at = now() - interval '1 s' where purpose = 'passkey_sign_in'",
    );
    for (const { challenge } of [asked, registering, proving, late, { challenge: 'bm9uZQ' }])
      expect((await enter(credential, { challenge })).reply.body).toMatchObject({ status: 422, code: 'token_invalid' });
    // A wrong answer takes it, too.
    const next = await optionsOf(browser, entry);
    const wrong = useCredential(credential, next, origin, { counter: ++credential.counter, alterSignature: true });
    expect((await browser.post(entry, wrong)).body.code).toBe('sign_in_failed');
    const right = useCredential(credential, next, origin, { counter: ++credential.counter });
    expect((await browser.post(entry, right)).body.code).toBe('token_invalid');
  });

  test('for a page of another origin', async () => {
    const browser = openBrowser(service.url);
    const assertion = useCredential(credential, await optionsOf(browser, entry), origin, {
      counter: ++credential.counter,
    });
    for (const [path, body] of [
      [`${entry}/options`, undefined],
      [entry, assertion],
    ] as const) {
      const reply = await browser.send('POST', path, body, { origin: 'https://evil.example' });
      expect(reply.body, path).toMatchObject({ status: 403, code: 'cross_origin' });
    }
    expect((await browser.post(entry, assertion)).status).toBe(201);
  });

  test('whose account is suspended', async () => {
    const mia = await invite(await signUp(service, 'Mia'), 'mia2');
    const { credential: hers } = await register(mia.browser);
    await service.owner.pool.query("update users set status = 'suspended' where id = $1", [mia.id]);
    expect((await enter(hers)).reply.body).toMatchObject({ status: 401, code: 'sign_in_failed' });
  });

  test('who tries too often, but from a device that is known', async () => {
    const known = (await enter(credential)).browser;
    const refused = [];
    for (let at = 0; at < 32; at++) refused.push((await enter(credential, { alterSignature: true })).reply.status);
    expect(refused.slice(0, 30)).toEqual(Array.from({ length: 30 }, () => 401));
    expect(refused).toContain(429);
    expect((await enter(credential, {}, known)).reply.status).toBe(201);
  });

  test('of a network that asks for challenges without end', async () => {
    await service.owner.pool.query(
      "insert into attempts (bucket, count) select 'challenges network ' || ip, 310 from unnest($1::text[]) ip",
      [['127.0.0.1', '0:0:0:0::/64']],
    );
    const reply = await begin(openBrowser(service.url), entry);
    expect(reply.body).toMatchObject({ status: 429, code: 'rate_limited' });
    expect(Number(reply.headers.get('retry-after'))).toBeLessThanOrEqual(10);
  });
});

test('a passkey that counts backwards is refused, and its user told', async () => {
  const nia = await signUp(service, 'Nia');
  const { credential, id } = await register(nia.browser);
  expect((await enter(credential, { counter: 9 })).reply.status).toBe(201);
  // Nobody is told of what has no signature.
  expect((await enter(credential, { counter: 3, alterSignature: true })).reply.status).toBe(401);
  expect(await denials('login-failure', id)).toBe(0);
  for (const counter of [9, 8, 0]) expect((await enter(credential, { counter })).reply.status, `${counter}`).toBe(401);
  expect(await denials('login-failure', id)).toBe(3);
  await mailTo(service, nia.email, /passkey .* refused/, 2);
  credential.counter = 4;
  expect((await prove(nia.browser, credential)).status).toBe(401);
  expect(await denials('session-reauthentication', id)).toBe(1);
  expect((await enter(credential, { counter: 10 })).reply.status).toBe(201);
  // Some do not count.
  const { credential: still } = await register(nia.browser, 'phone');
  for (let at = 0; at < 2; at++) expect((await enter(still, { counter: 0 })).reply.status).toBe(201);
  expect(mailsTo(service, nia.email).filter(({ subject }) => /refused/.test(subject)).length).toBeLessThanOrEqual(4);
});

describe('proving once more who one is', () => {
  test('by a passkey, makes a session fresh and gives it another token', async () => {
    const oto = await signUp(service, 'Oto');
    expect((await begin(oto.browser, again)).body).toMatchObject({ status: 409, code: 'conflict' });
    const { credential } = await register(oto.browser);
    await grow(11, oto.id);
    expect((await begin(oto.browser, own)).status).toBe(403);
    const before = new Map(oto.browser.cookies);
    const asked = await optionsOf(oto.browser, again);
    expect(asked.allowCredentials).toMatchObject([{ id: credential.id.toString('base64url') }]);
    expect((await prove(oto.browser, credential, { userHandle: undefined })).status).toBe(204);
    expect(oto.browser.lastCookies[0]).toMatch(/; Secure; HttpOnly; SameSite=Lax$/);
    expect(oto.browser.cookies.get(sessionCookie)).not.toBe(before.get(sessionCookie));
    expect((await openBrowser(service.url, before).get('/v1/api/user')).status).toBe(401);
    expect((await begin(oto.browser, own)).status).toBe(201);
  });

  test('takes one of one own’s passkeys, verified, upon a challenge of this session', async () => {
    const [pia, quin] = [await signUp(service, 'Pia'), await signUp(service, 'Quin')];
    const { credential } = await register(pia.browser);
    const { credential: his } = await register(quin.browser);
    const elsewhere = await signIn(service, pia.email);
    for (const faults of [{ without: 0x04 }, { alterSignature: true }, { origin: 'https://evil.example' }])
      expect((await prove(pia.browser, credential, faults)).body).toMatchObject({ code: 'sign_in_failed' });
    expect((await prove(pia.browser, his)).body).toMatchObject({ status: 401, code: 'sign_in_failed' });
    for (const { challenge } of [
      await optionsOf(elsewhere, again),
      await optionsOf(quin.browser, again),
      await optionsOf(pia.browser, entry),
      await optionsOf(pia.browser, own),
    ])
      expect((await prove(pia.browser, credential, { challenge })).body).toMatchObject({ code: 'token_invalid' });
    const asked = await optionsOf(pia.browser, again);
    const assertion = useCredential(credential, asked, origin, { counter: ++credential.counter });
    expect((await pia.browser.post(again, assertion)).status).toBe(204);
    expect((await pia.browser.post(again, assertion)).body.code).toBe('token_invalid');
    await service.owner.pool.query('delete from attempts');
    const wrong = [];
    for (let at = 0; at < 11; at++) wrong.push((await prove(pia.browser, credential, { alterSignature: true })).status);
    expect(wrong).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
  });
});

describe('where an organization wants a second factor', () => {
  const want = (browser: Browser) => browser.send('PATCH', '/v1/api/organization', { second_factor: 'required' });
  const models = async (browser: Browser) => (await browser.get('/v1/api/models')).body;
  const refused = { status: 403, code: 'second_factor_required' };

  test('a sign-in by passkey is enough, one by password alone is not, and keys go by what there is', async () => {
    const rita = await signUp(service, 'Rita');
    expect((await want(rita.browser)).body).toMatchObject({ status: 409, code: 'conflict' });
    const sam = await invite(rita, 'sam');
    const key = service.client((await sam.browser.post('/v1/api/api-keys', { name: 'key' })).body.secret);
    const { credential: ritas } = await register(rita.browser);
    expect((await want(rita.browser)).status).toBe(200);
    // Whoever makes a passkey has proved it.
    expect((await models(rita.browser)).data).toEqual([]);
    expect((await models((await enter(ritas)).browser)).data).toEqual([]);
    expect((await key.get('/v1/api/models')).status).toBe(401);
    expect(await models(sam.browser)).toMatchObject(refused);

    const { credential, id } = await register(sam.browser);
    expect((await key.get('/v1/api/models')).status).toBe(200);
    expect((await models(sam.browser)).data).toEqual([]);
    const byPassword = await signIn(service, sam.email);
    expect(await models(byPassword)).toMatchObject(refused);
    expect((await byPassword.get('/v1/api/user')).status).toBe(200);
    const { browser } = await enter(credential);
    expect((await models(browser)).data).toEqual([]);

    // A session that began by password has both factors once the passkey has proved it.
    expect((await prove(byPassword, credential)).status).toBe(204);
    expect((await models(byPassword)).data).toEqual([]);
    expect((await byPassword.get('/v1/api/sessions')).body.data).toContainEqual(
      expect.objectContaining({ current: true, method: 'passkey' }),
    );
    await byPassword.post('/v1/api/session/reauthentication', { password: goodPassword });
    expect((await models(byPassword)).data).toEqual([]);

    expect((await browser.send('DELETE', `${own}/${id}`)).body).toMatchObject(refused);
    expect((await key.get('/v1/api/models')).status).toBe(200);
  });

  test('the last factor stays, of whatever kind, also when two go at once', async () => {
    const tom = await signUp(service, 'Tom');
    const [one, two] = [await register(tom.browser, 'one'), await register(tom.browser, 'two')];
    const { browser } = await enter(one.credential);
    expect((await want(browser)).status).toBe(200);
    const both = await Promise.all([one, two].map(({ id }) => browser.send('DELETE', `${own}/${id}`)));
    expect(both.map(({ status }) => status).sort()).toEqual([204, 403]);
    const left = both[0].status === 403 ? one : two;
    await enrolTotp(browser);
    const ends = await Promise.all([
      browser.send('DELETE', `${own}/${left.id}`),
      browser.send('DELETE', '/v1/api/user/second-factor/totp'),
    ]);
    expect(ends.map(({ status }) => status).sort()).toEqual([204, 403]);
    expect(ends.find(({ status }) => status === 403)!.body).toMatchObject(refused);
  });

  test('an app may go while a passkey stays', async () => {
    const uma = await signUp(service, 'Uma');
    await enrolTotp(uma.browser);
    const { credential, id } = await register(uma.browser);
    const { browser } = await enter(credential);
    expect((await want(browser)).status).toBe(200);
    expect((await models(uma.browser)).data).toEqual([]);
    expect((await browser.send('DELETE', '/v1/api/user/second-factor/totp')).status).toBe(204);
    expect((await models(browser)).data).toEqual([]);
    expect((await browser.send('DELETE', `${own}/${id}`)).body).toMatchObject(refused);
  });
});

test('who has a passkey proves nothing recent by a password alone, and adds no factor by it', async () => {
  const wanda = await signUp(service, 'Wanda');
  await register(wanda.browser);
  const thief = await signIn(service, wanda.email);
  for (const [method, path] of [
    ['POST', '/v1/api/user/second-factor/totp'],
    ['POST', '/v1/api/user/passkeys/options'],
    ['DELETE', '/v1/api/user'],
  ] as const)
    expect((await thief.send(method, path)).body.code, path).toBe('reauthentication_required');
  const again = await thief.post('/v1/api/session/reauthentication', { password: goodPassword });
  expect(again.body).toMatchObject({ status: 401, code: 'sign_in_failed' });
});

test('whoever has an app is asked for its code after the password, and not after a passkey', async () => {
  const vic = await signUp(service, 'Vic');
  const { credential } = await register(vic.browser);
  await signIn(service, vic.email);
  await enrolTotp(vic.browser);
  const reply = await openBrowser(service.url).post('/v1/api/sessions', { email: vic.email, password: goodPassword });
  expect(reply.status, reply.text).toBe(202);
  expect((await enter(credential)).reply.status).toBe(201);
});

test('the database has no challenge that could be signed', async () => {
  const wes = await signUp(service, 'Wes');
  const { challenge } = await optionsOf(wes.browser, own);
  const { rows } = await service.owner.pool.query('select row_to_json(t)::text as row from one_time_tokens t');
  expect(rows.length).toBeGreaterThan(0);
  for (const hidden of [challenge, Buffer.from(challenge, 'base64url').toString()])
    expect(rows.filter(({ row }) => row.includes(hidden))).toEqual([]);
});
