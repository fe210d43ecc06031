/** From where callers may come in. The numbers are those of the cases in the study of identity. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { rulesMax } from '../../src/resources/ip-rules/ip-rule.ts';
import { expectRefusal } from '../problems.ts';
import { type Reply, startTestService, type TestService } from '../service.ts';
import { goodPassword, openBrowser, signUp } from './browser.ts';

let service: TestService;
let ana: Awaited<ReturnType<typeof signUp>>;
let secret: string;
let keyId: string;
/** Where Ana sits. */
const here = '203.0.113.7';
const office = '203.0.113.0/24';
const elsewhere = '198.51.100.9';
type Place = '' | 'organization/';

beforeAll(async () => {
  service = await startTestService({ trustedProxies: ['127.0.0.1'] });
  ana = await signUp(service, 'Ana');
  ({ secret, id: keyId } = await makeKey());
});
afterAll(() => service.close());
beforeEach(async () => {
  await service.owner.pool.query('delete from ip_rules');
});

/** Asks as Ana, in her first workspace unless told otherwise, from an address. */
const asAna = (method: string, path: string, body?: unknown, ip = here, workspace = ana.workspace) =>
  ana.browser.send(method, `/v1/api/${path}`, body, { 'x-forwarded-for': ip, 'lastro-workspace': workspace });
const addTo = (place: Place, asked: object, ip = here) => asAna('POST', `${place}ip-rules`, asked, ip);
const remove = (place: Place, id: string, query = '', ip = here) =>
  asAna('DELETE', `${place}ip-rules/${id}${query}`, undefined, ip);

async function rule(place: Place, asked: object): Promise<string> {
  const { status, text, body } = await addTo(place, asked);
  expect(status, text).toBe(201);
  return body.id;
}

async function makeKey() {
  const { status, text, body } = await ana.browser.post('/v1/api/api-keys', { name: 'a key' });
  expect(status, text).toBe(201);
  return body as { secret: string; id: string };
}

/** What is answered to Ana, signed in, and to her key. */
const signedIn = (ip: string) => asAna('GET', 'models', undefined, ip);
const withKey = (ip: string, key = secret, headers = {}) =>
  service.client(key).send('GET', '/v1/api/models', { headers: { 'x-forwarded-for': ip, ...headers } });

function expectOutside(reply: Reply): void {
  expectRefusal(reply, 403, 'address_not_allowed');
}

async function expectIn(asking: Promise<Reply>): Promise<void> {
  const { status, text } = await asking;
  expect(status, text).toBe(200);
}

async function epochs(): Promise<Record<string, number>> {
  const { rows } = await service.owner.pool.query('select id, auth_epoch from workspaces');
  return Object.fromEntries(rows.map(({ id, auth_epoch }) => [id, auth_epoch]));
}

test.each<[string, readonly string[], readonly string[]]>([
  [office, [here, '203.0.113.255', `::ffff:${here}`, '::ffff:cb00:7107'], [elsewhere, '203.0.114.7', '2001:db8::1']],
  [here, [here, `::ffff:${here}`], ['203.0.113.8']],
  [`::ffff:203.0.113.0/120`, [here, `::ffff:${here}`], [elsewhere, '::1']],
  ['0.0.0.0/0', [here, elsewhere, `::ffff:${elsewhere}`], ['2001:db8::1']],
  ['2001:db8::/32', ['2001:db8::1', '2001:DB8:ffff::1'], ['2001:db9::1', here]],
  ['::/0', ['2001:db8::1', '::1'], [here, `::ffff:${here}`]],
])('T92 callers come in from %s and from nowhere else', async (cidr, inside, outside) => {
  await expectIn(signedIn(elsewhere));
  await rule('', { cidr, confirm: true });
  for (const ip of inside) {
    await expectIn(signedIn(ip));
    await expectIn(withKey(ip));
  }
  for (const ip of outside) {
    expectOutside(await signedIn(ip));
    expectOutside(await withKey(ip));
  }
});

test('T92 what is no network is refused, and so are rules that a key cannot have', async () => {
  for (const cidr of ['', 'office', '10.0.0.0/33', '203.0.113.7/24', '010.0.0.1', '2001:db8::/129', '::1/0'])
    expectRefusal(await addTo('', { cidr }), 422, 'schema_mismatch', '/cidr');
  expect((await addTo('', { cidr: '203.0.113.7/24' })).body.detail).toContain(office);
  for (const applies_to of ['both', 'dashboard'])
    expectRefusal(
      await addTo('', { cidr: office, api_key_id: keyId, applies_to }),
      422,
      'schema_mismatch',
      '/applies_to',
    );
  expectRefusal(await addTo('organization/', { cidr: office, api_key_id: keyId }), 422, 'schema_mismatch');
  expectRefusal(await addTo('', { cidr: office, api_key_id: 'key_0' }), 404, 'not_found', '/api_key_id');
});

test('T92 a rule is of sessions, of keys, or of both', async () => {
  const id = await rule('', { cidr: office, applies_to: 'dashboard' });
  expectOutside(await signedIn(elsewhere));
  await expectIn(withKey(elsewhere));
  await remove('', id);
  await rule('', { cidr: office, applies_to: 'api' });
  await expectIn(signedIn(elsewhere));
  expectOutside(await withKey(elsewhere));
  await expectIn(withKey(here));
});

test('T92 an address must be in a network of each of organization, workspace and key that has rules', async () => {
  const other = await makeKey();
  await rule('organization/', { cidr: '203.0.0.0/16' });
  await rule('organization/', { cidr: '198.51.100.0/24' });
  await rule('', { cidr: office });
  await rule('', { cidr: '192.0.2.0/24' });
  await rule('', { cidr: '203.0.113.0/28', api_key_id: keyId });
  await expectIn(withKey('203.0.113.7'));
  expectOutside(await withKey('203.0.113.77'));
  await expectIn(withKey('203.0.113.77', other.secret));
  await expectIn(signedIn('203.0.113.77'));
  for (const ip of [elsewhere, '203.0.1.1', '192.0.2.1']) {
    expectOutside(await signedIn(ip));
    expectOutside(await withKey(ip, other.secret));
  }
  const organization = (ip: string) => asAna('GET', 'organization', undefined, ip);
  await expectIn(organization(elsewhere));
  expectOutside(await organization('192.0.2.1'));
  const listed = async (path: string) => (await asAna('GET', path)).body.data.map(({ cidr }: { cidr: string }) => cidr);
  expect(await listed('organization/ip-rules')).toEqual(['198.51.100.0/24', '203.0.0.0/16']);
  expect(await listed('ip-rules')).toEqual(['203.0.113.0/28', '192.0.2.0/24', office]);
  expect(await listed(`ip-rules?api_key_id=${keyId}`)).toEqual(['203.0.113.0/28']);
});

test('T92 the rules of one workspace are not those of another, nor of people on their own', async () => {
  const made = await asAna('POST', 'workspaces', { name: 'Second' });
  expect(made.status, made.text).toBe(201);
  await rule('', { cidr: office });
  const from = (workspace: string) => asAna('GET', 'models', undefined, elsewhere, workspace);
  expectOutside(await from(ana.workspace));
  await expectIn(from(made.body.id));
  await expectIn(asAna('GET', 'user', undefined, elsewhere));
  await rule('organization/', { cidr: office });
  expectOutside(await from(made.body.id));
});

test('T92 an address that is signed for a key is good where its key is', async () => {
  const declared = await service.client(secret).send('POST', '/v2/api/files/upload', {
    body: { files: [{ path: 'a.csv', content_type: 'text/csv', md5: `${'A'.repeat(22)}==` }] },
    headers: { 'x-forwarded-for': here },
  });
  const [{ upload_url, headers }] = declared.body.files;
  await rule('', { cidr: office, api_key_id: keyId });
  const put = (ip: string) =>
    service.anonymous.send('PUT', upload_url, { raw: 'a', headers: { ...headers, 'x-forwarded-for': ip } });
  expectOutside(await put(elsewhere));
  expectRefusal(await put(here), 400, 'digest_mismatch');
});

test('T92 a level has a bounded number of rules', async () => {
  await service.owner.pool.query(
    `insert into ip_rules (id, organization_id, workspace_id, applies_to, cidr)
     select 'ipr_' || n, $1, $2, 'both', $3::cidr from generate_series(1, $4::int) as n`,
    [ana.organization, ana.workspace, office, rulesMax],
  );
  expectRefusal(await addTo('', { cidr: office }), 413, 'limit_exceeded');
  expect((await addTo('', { cidr: office, api_key_id: keyId })).status).toBe(201);
});

test('T93 of several hops the right-most one that is no proxy counts, and no other header does', async () => {
  await rule('', { cidr: office });
  expectOutside(await withKey(`${here}, ${elsewhere}`));
  await expectIn(withKey(`${elsewhere}, ${here}`));
  await expectIn(withKey(`${elsewhere}, ${here}, 127.0.0.1`));
  const headers = { 'x-real-ip': here, forwarded: `for=${here}`, 'cf-connecting-ip': here, 'true-client-ip': here };
  expectOutside(await withKey(elsewhere, secret, headers));
  expectOutside(await withKey('not an address', secret, headers));
});

test('T93 who is no proxy of ours is known by the address of their own socket', async () => {
  const direct = await startTestService();
  try {
    const bea = await direct.tenant('Bea');
    const session = await bea.signedIn('creator', 'workspace');
    expectRefusal(await session.post('/v1/api/ip-rules', { cidr: office }), 409, 'would_lock_out');
    expect((await session.post('/v1/api/ip-rules', { cidr: office, confirm: true })).status).toBe(201);
    const headers = { 'x-forwarded-for': here, 'x-real-ip': here, forwarded: `for=${here}` };
    expectOutside(await bea.client.send('GET', '/v1/api/models', { headers }));
    expectOutside(await session.send('GET', '/v1/api/models', { headers }));
    await direct.owner.pool.query("update ip_rules set cidr = '127.0.0.0/8'");
    await expectIn(bea.client.send('GET', '/v1/api/models', { headers: { 'x-forwarded-for': elsewhere } }));
  } finally {
    await direct.close();
  }
});

test.each<Place>(['', 'organization/'])('T94 nobody locks themselves out without saying so: %s', async (place) => {
  expectRefusal(await addTo(place, { cidr: '192.0.2.0/24' }), 409, 'would_lock_out');
  expectRefusal(await addTo(place, { cidr: '192.0.2.0/24', applies_to: 'dashboard' }), 409, 'would_lock_out');
  expect((await asAna('GET', `${place}ip-rules`)).body.data).toEqual([]);
  const own = await rule(place, { cidr: here });
  const other = await rule(place, { cidr: '192.0.2.0/24' });
  expectRefusal(await remove(place, own), 409, 'would_lock_out');
  expectRefusal(await remove(place, own, '?confirm=false'), 409, 'would_lock_out');
  await expectIn(asAna('GET', `${place}ip-rules`));
  expect((await remove(place, own, '?confirm=true')).status).toBe(204);
  expectOutside(await asAna('GET', `${place}ip-rules`));
  expect((await remove(place, other, '', '192.0.2.1')).status).toBe(204);
  await expectIn(asAna('GET', `${place}ip-rules`));
});

test('T94 rules for keys lock out nobody who is signed in', async () => {
  await rule('', { cidr: '192.0.2.0/24', applies_to: 'api' });
  await rule('', { cidr: '192.0.2.0/24', api_key_id: keyId });
  await expectIn(signedIn(here));
});

test('T94 who confirms is locked out, by keys too, until the rule is gone', async () => {
  expect((await addTo('organization/', { cidr: '192.0.2.0/24', confirm: true })).status).toBe(201);
  expectOutside(await addTo('organization/', { cidr: here }));
  expectOutside(await signedIn(here));
  expectOutside(await withKey(here));
  await service.owner.pool.query('delete from ip_rules');
  await expectIn(signedIn(here));
  await expectIn(withKey(here));
});

test('T94 rules are made and deleted only by who has just proved who they are, and leave entries', async () => {
  const id = await rule('', { cidr: office, note: 'office' });
  await service.owner.pool.query(
    "update sessions set (authenticated_at, account_authenticated_at) = (now() - interval '15 minutes', now() - interval '15 minutes')",
  );
  expectRefusal(await addTo('', { cidr: office }), 403, 'reauthentication_required');
  expectRefusal(await remove('', id), 403, 'reauthentication_required');
  const proved = await asAna('POST', 'session/reauthentication', { password: goodPassword });
  expect(proved.status, proved.text).toBe(204);
  expect((await remove('', id)).status).toBe(204);
  expect((await remove('', id)).status).toBe(404);
  const { rows } = await service.owner.pool.query(
    'select action, actor_id, ip, data from audit_entries where target_id = $1 order by recorded_at',
    [id],
  );
  const entry = { actor_id: ana.id, ip: here, data: { cidr: office, applies_to: 'both', api_key_id: null } };
  expect(rows).toEqual([
    { ...entry, action: 'ip-rule-creation', data: { ...entry.data, note: 'office' } },
    { ...entry, action: 'ip-rule-deletion' },
  ]);
});

test('T95 open sessions and keys are refused from the next request on, with an entry for each', async () => {
  const traveller = openBrowser(service.url, ana.browser.cookies);
  const away = { 'x-forwarded-for': elsewhere, 'lastro-workspace': ana.workspace };
  const ask = () => traveller.send('GET', '/v1/api/models', undefined, away);
  await expectIn(ask());
  await expectIn(withKey(elsewhere));
  await rule('organization/', { cidr: office });
  for (const [refused, channel, actor] of [
    [await ask(), 'dashboard', ana.id],
    [await withKey(elsewhere), 'api', keyId],
  ] as const) {
    expectOutside(refused);
    expect(refused.body.detail).toContain(elsewhere);
    const { rows } = await service.owner.pool.query('select * from audit_entries where request_id = $1', [
      refused.headers.get('request-id'),
    ]);
    expect(rows).toMatchObject([
      { action: 'access-denial', outcome: 'denied', ip: elsewhere, channel, actor_id: actor },
    ]);
  }
  await expectIn(signedIn(here));
  await expectIn(withKey(here));
});

test('T95 a key that is known from memory is refused at the very next answer', async () => {
  const predict = (ip: string) =>
    service.client(secret).post('/v1/api/prediction/mdl_0/none', { customer_id: 'C1' }, { 'x-forwarded-for': ip });
  expectRefusal(await predict(elsewhere), 404, 'not_found');
  const id = await rule('', { cidr: office, api_key_id: keyId });
  expectOutside(await predict(elsewhere));
  expectRefusal(await predict(here), 404, 'not_found');
  expect((await remove('', id)).status).toBe(204);
  expectRefusal(await predict(elsewhere), 404, 'not_found');
});

test('T95 every change counts up the epochs of the workspaces that it concerns', async () => {
  const changed = async (change: () => Promise<unknown>): Promise<string[]> => {
    const before = await epochs();
    await change();
    const after = await epochs();
    return Object.keys(after).filter((id) => after[id] !== before[id]);
  };
  const bob = await signUp(service, 'Bob');
  const { rows } = await service.owner.pool.query('select id from workspaces where organization_id = $1', [
    ana.organization,
  ]);
  const all = rows.map(({ id }) => id).sort();
  expect(all).not.toContain(bob.workspace);
  const ofAll = async (change: () => Promise<unknown>) => expect((await changed(change)).sort()).toEqual(all);
  const ofOne = async (change: () => Promise<unknown>) => expect(await changed(change)).toEqual([ana.workspace]);
  const { pool } = service.owner;
  await ofAll(() => rule('organization/', { cidr: office }));
  await ofAll(() => pool.query("update ip_rules set cidr = '0.0.0.0/0'"));
  await ofAll(() => pool.query('delete from ip_rules'));
  await ofOne(() => rule('', { cidr: office, api_key_id: keyId }));
  await ofOne(() => pool.query("update ip_rules set cidr = '0.0.0.0/0'"));
  await ofOne(() => pool.query('delete from ip_rules'));
});

test('T95 an open stream of events ends', async () => {
  const answer = await fetch(`${service.url}/v1/api/events/stream`, {
    headers: { authorization: `Bearer ${secret}`, 'x-forwarded-for': elsewhere },
  });
  expect(answer.status).toBe(200);
  const over = answer.text().catch(() => 'broken off');
  await rule('', { cidr: office });
  await over;
  expectOutside(await withKey(elsewhere));
});
