/** The second factor. The numbers are those of the cases in the study of identity. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestService, type TestService } from '../service.ts';
import { type Browser, goodPassword, mailTo, openBrowser, signIn, signUp } from './browser.ts';
import { codeOf, enrol, forgetCodes, settle } from './totp.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());
beforeEach(async () => {
  await service.owner.pool.query('delete from attempts');
});

const later = () => forgetCodes(service);

/** Gives the password; returns the token of the challenge. */
async function begin(email: string, browser = openBrowser(service.url)): Promise<{ browser: Browser; token: string }> {
  const reply = await browser.post('/v1/api/sessions', { email, password: goodPassword });
  expect(reply.status, reply.text).toBe(202);
  return { browser, token: reply.body.token };
}

const prove = (browser: Browser, token: string, code: string) =>
  browser.post('/v1/api/sessions/second-factor', { token, code });

test('T31 a code signs in once, also when it comes twice at once', async () => {
  const ana = await signUp(service, 'Ana');
  const { secret } = await enrol(service, ana.browser);
  await settle();
  const code = codeOf(secret);
  const challenges = await Promise.all([begin(ana.email), begin(ana.email), begin(ana.email)]);
  const answers = await Promise.all(challenges.map(({ browser, token }) => prove(browser, token, code)));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 401, 401]);
  const { browser, token } = await begin(ana.email);
  expect((await prove(browser, token, code)).body.code).toBe('sign_in_failed');
  await later();
  expect((await prove(browser, token, code)).status).toBe(201);
  expect((await browser.get('/v1/api/sessions')).body.data[0]).toMatchObject({ method: 'password_totp' });
});

test('T32 codes of the next step and of two steps ago are refused, that of the last is taken', async () => {
  const bob = await signUp(service, 'Bob');
  const { secret } = await enrol(service, bob.browser);
  await settle();
  const { browser, token } = await begin(bob.email);
  for (const steps of [1, -2, 10])
    expect((await prove(browser, token, codeOf(secret, steps))).status, `${steps}`).toBe(401);
  expect((await prove(browser, token, codeOf(secret, -1))).status).toBe(201);
});

test('T33 after ten wrong codes the second factor is locked for a while, and only for who knows the password', async () => {
  const carla = await signUp(service, 'Carla');
  const { secret } = await enrol(service, carla.browser);
  const { browser, token } = await begin(carla.email);
  const wrong = [];
  for (let at = 0; at < 12; at++) wrong.push((await prove(browser, token, '000000')).status);
  expect(wrong).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429]);
  expect((await prove(browser, token, codeOf(secret))).status).toBe(429);
  // Guesses of the password lock nobody out of the second factor.
  await service.owner.pool.query('delete from attempts');
  for (let at = 0; at < 8; at++)
    await openBrowser(service.url).post('/v1/api/sessions', { email: carla.email, password: 'a wrong one, and long' });
  expect((await prove(browser, token, codeOf(secret))).status).toBe(201);
});

test('T34 T35 between password and code nothing is answered, and a challenge is of one user, for five minutes', async () => {
  const dan = await signUp(service, 'Dan');
  const eva = await signUp(service, 'Eva');
  const [{ secret: dans }, { secret: evas }] = [await enrol(service, dan.browser), await enrol(service, eva.browser)];
  await settle();
  const { browser, token } = await begin(dan.email);
  expect(browser.cookies.size).toBe(0);
  expect((await browser.get('/v1/api/user')).status).toBe(401);
  expect((await prove(browser, token, codeOf(evas))).status).toBe(401);
  const other = await begin(dan.email);
  await service.owner.pool.query("update sign_in_challenges set expires_at = now() - interval '1 second'");
  expect((await prove(browser, token, codeOf(dans))).body.code).toBe('token_invalid');
  expect((await prove(other.browser, other.token, codeOf(dans))).body.code).toBe('token_invalid');
});

test('T36 a recovery code is good once', async () => {
  const fay = await signUp(service, 'Fay');
  const { codes } = await enrol(service, fay.browser);
  expect(new Set(codes).size).toBe(10);
  const challenges = await Promise.all([begin(fay.email), begin(fay.email)]);
  const answers = await Promise.all(
    challenges.map(({ browser, token }) => prove(browser, token, ` ${codes[0].toUpperCase()} `)),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 401]);
  expect((await fay.browser.get('/v1/api/user/second-factor')).body).toEqual({ totp: true, recovery_codes_left: 9 });
  const renewed = await fay.browser.post('/v1/api/user/second-factor/recovery-codes');
  expect(renewed.status, renewed.text).toBe(201);
  const { browser, token } = await begin(fay.email);
  expect((await prove(browser, token, codes[1])).status).toBe(401);
  expect((await prove(browser, token, renewed.body.recovery_codes[1])).status).toBe(201);
});

test('T37 the secret is told when it is made and never again, and the database does not have it', async () => {
  const gil = await signUp(service, 'Gil');
  const { secret, codes } = await enrol(service, gil.browser);
  const { rows } = await service.owner.pool.query(
    `select row_to_json(t)::text as row from totp_credentials t union all select row_to_json(r)::text from recovery_codes r
     union all select row_to_json(a)::text from audit_entries a`,
  );
  for (const hidden of [secret, codes[0], codes[0].replaceAll('-', '')])
    expect(rows.filter(({ row }) => row.includes(hidden))).toEqual([]);
  for (const path of ['/v1/api/user', '/v1/api/user/second-factor'])
    expect((await gil.browser.get(path)).text).not.toContain(secret);
  expect((await gil.browser.post('/v1/api/user/second-factor/totp')).body.code).toBe('conflict');
  await mailTo(service, gil.email, /second factor/i);
});

test('T38 where an organization wants a second factor, who has none reaches their account alone', async () => {
  const hugo = await signUp(service, 'Hugo');
  const refused = await hugo.browser.send('PATCH', '/v1/api/organization', { second_factor: 'required' });
  expect(refused.body).toMatchObject({ status: 409, code: 'conflict' });
  await enrol(service, hugo.browser);
  const email = 'ines@hugo-company.example';
  await hugo.browser.post('/v1/api/invitations', { email, role: 'developer' });
  const { token } = await mailTo(service, email, /invited/);
  const ines = openBrowser(service.url);
  await ines.post('/v1/api/invitations/account', { token, name: 'Ines', password: goodPassword });
  const key = service.client((await ines.post('/v1/api/api-keys', { name: 'key' })).body.secret);
  expect((await key.get('/v1/api/models')).status).toBe(200);
  const wanted = await hugo.browser.send('PATCH', '/v1/api/organization', { second_factor: 'required' });
  expect(wanted.body, wanted.text).toMatchObject({ second_factor: 'required' });
  expect((await key.get('/v1/api/models')).status).toBe(401);
  expect((await ines.get('/v1/api/models')).body).toMatchObject({ status: 403, code: 'second_factor_required' });
  expect((await ines.get('/v1/api/user')).status).toBe(200);
  await enrol(service, ines);
  expect((await ines.get('/v1/api/models')).status).toBe(200);
  expect((await key.get('/v1/api/models')).status).toBe(200);
  const off = await ines.send('DELETE', '/v1/api/user/second-factor/totp');
  expect(off.body).toMatchObject({ status: 403, code: 'second_factor_required' });
});

test('T14 T29 a reset leaves the second factor, and proving who one is asks for it', async () => {
  const jo = await signUp(service, 'Jo');
  const { secret, codes } = await enrol(service, jo.browser);
  const browser = openBrowser(service.url);
  await browser.post('/v1/api/password-resets', { email: jo.email });
  const { token } = await mailTo(service, jo.email, /reset/i);
  expect((await browser.post('/v1/api/password-resets/confirmation', { token, password: goodPassword })).status).toBe(
    204,
  );
  await settle();
  const begun = await begin(jo.email, browser);
  expect((await prove(browser, begun.token, codeOf(secret))).status).toBe(201);
  const again = (body: object) => browser.post('/v1/api/session/reauthentication', { password: goodPassword, ...body });
  expect((await again({})).status).toBe(401);
  expect((await again({ code: codes[0] })).status).toBe(204);
  expect((await browser.send('DELETE', '/v1/api/user/second-factor/totp')).status).toBe(204);
  await signIn(service, jo.email, browser);
});
