/** Passwords, addresses and what they tell. The numbers are those of the cases in the study of identity. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { startTestService, type TestService } from '../service.ts';
import { goodPassword, mailsTo, mailTo, openBrowser, signIn, signUp } from './browser.ts';

let service: TestService;
let ana: Awaited<ReturnType<typeof signUp>>;

beforeAll(async () => {
  service = await startTestService({ trustedProxies: ['127.0.0.1'] });
  ana = await signUp(service, 'Ana');
});
afterAll(() => service.close());
beforeEach(async () => {
  await service.owner.pool.query('delete from attempts');
});

/** Tries a password from an address of the network, in a browser that nobody knows. */
const tryFrom = (ip: string, email: string, password = 'a wrong password of some length') =>
  openBrowser(service.url).send('POST', '/v1/api/sessions', { email, password }, { 'x-forwarded-for': ip });

test('T01 an unknown address and a wrong password are refused alike', async () => {
  const [unknown, wrong] = [
    await tryFrom('203.0.113.1', 'nobody@elsewhere.example'),
    await tryFrom('203.0.113.1', ana.email),
  ];
  const plain = ({ text, headers }: typeof unknown) => ({
    text: text.replaceAll(headers.get('request-id')!, ''),
    headers: [...headers].filter(([name]) => !['date', 'request-id'].includes(name)),
  });
  expect(unknown.body).toMatchObject({ status: 401, code: 'sign_in_failed' });
  expect(plain(wrong)).toEqual(plain(unknown));
});

test('T03 T04 resetting and signing up tell nobody but the address itself whether it has an account', async () => {
  const browser = openBrowser(service.url);
  const reset = [];
  for (const email of [ana.email, 'nobody@elsewhere.example'])
    reset.push(await browser.post('/v1/api/password-resets', { email }));
  expect(reset.map(({ status, text }) => ({ status, text }))).toEqual([
    { status: 202, text: '' },
    { status: 202, text: '' },
  ]);
  await mailTo(service, ana.email, /reset/i);
  const asked = { password: goodPassword, name: 'Ana', organization: 'Another' };
  const again = await browser.post('/v1/api/users', { ...asked, email: ana.email.toUpperCase() });
  const fresh = await browser.post('/v1/api/users', { ...asked, email: 'carla@elsewhere.example' });
  expect([again.status, again.text]).toEqual([fresh.status, fresh.text]);
  await vi.waitUntil(() => mailsTo(service, ana.email).some(({ subject }) => /already/.test(subject)), {
    timeout: 120_000,
  });
  await mailTo(service, 'carla@elsewhere.example', /confirm/i);
  expect(mailsTo(service, 'nobody@elsewhere.example')).toEqual([]);
});

test('T05 T06 guesses wait longer and longer, wherever they come from, and the owner gets in', async () => {
  const home = await signIn(service, ana.email);
  const answers = [];
  for (let guess = 0; guess < 30; guess++) answers.push(await tryFrom(`198.51.100.${guess}`, ana.email));
  const waits = answers.filter(({ status }) => status === 429);
  expect(answers.filter(({ status }) => status === 401).length).toBeLessThan(10);
  expect(waits.length).toBeGreaterThan(20);
  for (const { headers, body } of waits) {
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(body.code).toBe('rate_limited');
  }
  expect((await tryFrom('192.0.2.7', ana.email, goodPassword)).status).toBe(429);
  const owner = await home.post('/v1/api/sessions', { email: ana.email, password: goodPassword });
  expect(owner.status, owner.text).toBe(201);
  // The success of the owner begins the count anew.
  expect((await tryFrom('192.0.2.7', ana.email, goodPassword)).status).toBe(201);
});

test('T05 after a hundred guesses in a row none is let through, until the password is reset', async () => {
  const bucket = (await import('../../src/access/attempts.ts')).accountBucket(ana.email);
  await service.owner.pool.query(
    "insert into attempts (bucket, count, last_at) values ($1, 100, now() - interval '30 days')",
    [bucket],
  );
  const refused = await tryFrom('192.0.2.8', ana.email, goodPassword);
  expect(refused.status).toBe(429);
  await service.owner.pool.query("update attempts set count = 99, last_at = now() - interval '1 hour'");
  expect((await tryFrom('192.0.2.8', ana.email)).status).toBe(401);
  expect((await tryFrom('192.0.2.9', ana.email, goodPassword)).status).toBe(429);
});

describe('T07 T08 one password for many accounts', () => {
  test.each([
    ['an address', () => '203.0.113.9'],
    ['a network of IPv6', (at: number) => `2001:db8:1:2::${at.toString(16)}`],
  ])('from %s is slowed down', async (_, ip) => {
    const statuses = [];
    for (let at = 0; at < 45; at++) statuses.push((await tryFrom(ip(at), `user${at}@elsewhere.example`)).status);
    expect(statuses.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 401));
    // On a slow machine a pause is over before the next attempt; each is twice as long as the one before.
    const slowed = statuses.slice(30);
    expect(slowed.every((status) => status === 401 || status === 429)).toBe(true);
    expect(slowed.filter((status) => status === 429).length).toBeGreaterThan(slowed.length / 2);
  });

  test('also where the sender makes up who forwarded it', async () => {
    const statuses = [];
    for (let at = 0; at < 40; at++)
      statuses.push((await tryFrom(`10.0.0.${at}, 203.0.113.77`, `user${at}@elsewhere.example`)).status);
    expect(statuses.slice(30)).toContain(429);
  });
});

describe('T09 a password is refused with the reason', () => {
  test.each([
    ['short', 'fourteen chars', /15 characters; it has 14/],
    ['a common one', 'passwordpassword', /easy to guess/],
    ['one letter', 'aaaaaaaaaaaaaaaaaaaa', /easy to guess/],
    ['a walk over the keyboard', 'qwertyuiopasdfghjkl', /easy to guess/],
    ['with the name of the company in it', 'the dora-company of 1997', /has dora in it/i],
    ['with the name of the product in it', 'velvet lastro orbit 97', /has Lastro in it/],
  ])('when it is %s', async (_, password, why) => {
    const asked = { email: 'dora@dora-company.example', name: 'Dora', organization: 'Dora Company', password };
    const { body } = await openBrowser(service.url).post('/v1/api/users', asked);
    expect(body).toMatchObject({ status: 422, code: 'weak_password', errors: [{ pointer: '/password' }] });
    expect(body.detail).toMatch(why);
  });
});

test('T10 long passwords, spaces and signs count as they are', async () => {
  const { browser } = await signUp(service, 'Eva');
  const email = 'eva@eva-company.example';
  const passwords = [
    'x7Kq velvet orbit '.repeat(4).slice(0, 64),
    'm3 Lamp shade orbit '.repeat(7).slice(0, 128),
    'velvet orbit lampshade \u{1F60A}é',
    'velvet orbit lampshade  ',
  ];
  for (const password of passwords) {
    const set = await browser.send('PUT', '/v1/api/user/password', { password });
    expect(set.status, set.text).toBe(204);
    expect((await openBrowser(service.url).post('/v1/api/sessions', { email, password })).status).toBe(201);
    expect(
      (
        await openBrowser(service.url).post('/v1/api/sessions', {
          email,
          password: password.trimEnd() === password ? `${password} ` : password.trimEnd(),
        })
      ).status,
    ).toBe(401);
    await service.owner.pool.query('delete from attempts');
  }
  const huge = await openBrowser(service.url).post('/v1/api/sessions', { email, password: 'x'.repeat(1_000_000) });
  expect(huge.status).toBe(422);
});

test('T11 while many sign in at once others are answered, and those too many are told to wait', async () => {
  let slowest = 0;
  let isOver = false;
  const asking = (async () => {
    while (!isOver) {
      const began = performance.now();
      expect((await ana.browser.get('/v1/api/models')).status).toBe(200);
      slowest = Math.max(slowest, performance.now() - began);
      await sleep(10);
    }
  })();
  const flood = await Promise.all(
    Array.from({ length: 60 }, (_, at) => tryFrom(`198.51.100.${at}`, `user${at}@elsewhere.example`)),
  );
  isOver = true;
  await asking;
  const statuses = new Set(flood.map(({ status }) => status));
  expect([...statuses].every((status) => status === 401 || status === 429)).toBe(true);
  const hashed = flood.filter(({ status }) => status === 401).length;
  expect(hashed).toBeGreaterThan(5);
  // Others wait for less than the flood takes, whatever the machine.
  expect(slowest).toBeLessThan(10_000);
});

describe('resetting a password', () => {
  test('T12 T13 T14 its token is good once, for an hour, until a newer one; other sessions end', async () => {
    const { email, browser: old } = await signUp(service, 'Fay');
    const browser = openBrowser(service.url);
    const ask = async (seen: number) => {
      await service.owner.pool.query('delete from attempts');
      expect((await browser.post('/v1/api/password-resets', { email })).status).toBe(202);
      return (await mailTo(service, email, /reset/i, seen)).token;
    };
    const confirm = (token: string, password = goodPassword) =>
      browser.post('/v1/api/password-resets/confirmation', { token, password });
    const first = await ask(0);
    const second = await ask(1);
    expect((await confirm(first)).body.code).toBe('token_invalid');
    expect((await confirm(second, 'short')).body.code).toBe('weak_password');
    const done = await confirm(second, 'another orbit of 12 lampshades');
    expect(done.status, done.text).toBe(204);
    expect(browser.lastCookies).toEqual([]);
    expect((await confirm(second)).body.code).toBe('token_invalid');
    expect((await old.get('/v1/api/user')).status).toBe(401);
    await mailTo(service, email, /password was changed/i);
    expect((await browser.post('/v1/api/sessions', { email, password: goodPassword })).status).toBe(401);
    expect((await browser.post('/v1/api/sessions', { email, password: 'another orbit of 12 lampshades' })).status).toBe(
      201,
    );
    const third = await ask(2);
    await service.owner.pool.query("update one_time_tokens set expires_at = now() - interval '1 minute'");
    expect((await confirm(third)).body.code).toBe('token_invalid');
  });

  test('T15 its link leads to the address of the service, whatever host was asked', async () => {
    await openBrowser(service.url).send(
      'POST',
      '/v1/api/password-resets',
      { email: ana.email },
      { 'x-forwarded-host': 'evil.example', host: 'evil.example' },
    );
    const seen = mailsTo(service, ana.email).filter(({ subject }) => /reset/i.test(subject)).length;
    await openBrowser(service.url).send(
      'POST',
      '/v1/api/password-resets',
      { email: ana.email },
      { 'x-forwarded-host': 'evil.example' },
    );
    const { text } = await mailTo(service, ana.email, /reset/i, seen);
    expect(text).toContain(`${service.url}/password-reset#lso_`);
    expect(text).not.toContain('evil');
  });

  test('its mail is in the language that the person chose, else in that of the browser, else in English', async () => {
    const { email, browser: own } = await signUp(service, 'Ivo');
    const subject = /reset your|redefina/i;
    const ask = async (accepted: string) => {
      await service.owner.pool.query('delete from attempts');
      const seen = mailsTo(service, email).filter((mail) => subject.test(mail.subject)).length;
      const headers = { 'accept-language': accepted };
      await openBrowser(service.url).send('POST', '/v1/api/password-resets', { email }, headers);
      const { text } = await mailTo(service, email, subject, seen);
      return /choose a new password/.test(text) ? 'en' : 'pt-BR';
    };
    expect((await own.send('PATCH', '/v1/api/user', { language: 'en' })).status).toBe(200);
    expect(await ask('pt-BR,pt;q=0.9')).toBe('en');
    await service.owner.pool.query('update users set language_chosen = false where email = $1', [email]);
    expect(await ask('fr, en;q=0.4, pt-PT;q=0.8')).toBe('pt-BR');
    expect(await ask('pt;q=0, en;q=0.5')).toBe('en');
    expect(await ask('*')).toBe('en');
  });
});

test('addresses of free mail, and addresses that are none, do not sign up', async () => {
  const asked = { password: goodPassword, name: 'Gil', organization: 'Gil' };
  for (const [email, code] of [
    ['gil@gmail.com', 'personal_address'],
    ['gil@uol.com.br', 'personal_address'],
    ['gil@mailinator.com', 'personal_address'],
    ['gil', 'schema_mismatch'],
    ['gil＠company.example', 'schema_mismatch'],
    ['gil@cömpany.example', 'schema_mismatch'],
    ['gil@company.example, b@c.example', 'schema_mismatch'],
  ])
    expect((await openBrowser(service.url).post('/v1/api/users', { ...asked, email })).body, email).toMatchObject({
      status: 422,
      code,
    });
});

test('an account has another address once that is proved, and is deleted with all it may do', async () => {
  const hugo = await signUp(service, 'Hugo');
  const email = 'hugo.new@hugo-company.example';
  expect((await hugo.browser.send('PUT', '/v1/api/user/email', { email })).status).toBe(202);
  const { token } = await mailTo(service, email, /confirm your new/i);
  expect((await ana.browser.post('/v1/api/user/email/verification', { token })).body.code).toBe('token_invalid');
  const second = await hugo.browser.send('PUT', '/v1/api/user/email', { email });
  expect(second.status).toBe(202);
  const newer = await mailTo(service, email, /confirm your new/i, 1);
  const changed = await hugo.browser.post('/v1/api/user/email/verification', { token: newer.token });
  expect(changed.body.email).toBe(email);
  await mailTo(service, hugo.email, /address of your account was changed/i);
  const refused = await hugo.browser.send('DELETE', '/v1/api/user');
  expect(refused.body).toMatchObject({ status: 409, code: 'last_creator' });
  expect((await hugo.browser.get('/v1/api/user')).status).toBe(200);
});
