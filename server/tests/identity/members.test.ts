/** Members, roles and invitations. The numbers are those of the cases in the study of identity. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Client, startTestService, type TestService } from '../service.ts';
import { type Browser, goodPassword, mailTo, openBrowser, signIn, signUp } from './browser.ts';

let service: TestService;
let ana: Awaited<ReturnType<typeof signUp>>;
let people = 0;

beforeAll(async () => {
  service = await startTestService();
  ana = await signUp(service, 'Ana');
});
afterAll(() => service.close());
beforeEach(async () => {
  await service.owner.pool.query('delete from attempts');
});

type Place = '' | 'organization/';
type Joined = { readonly id: string; readonly email: string; readonly browser: Browser };

/** Invites somebody new, who makes an account and is signed in; to `workspace` where there is more than one. */
async function join(role: string, place: Place = '', workspace?: string): Promise<Joined> {
  const email = `person-${++people}@ana-company.example`;
  const named = workspace === undefined ? {} : { 'lastro-workspace': workspace };
  const invited = await ana.browser.send('POST', `/v1/api/${place}invitations`, { email, role }, named);
  expect(invited.status, invited.text).toBe(201);
  const { token } = await mailTo(service, email, /invited/);
  const browser = openBrowser(service.url);
  const made = await browser.post('/v1/api/invitations/account', {
    token,
    name: `Person ${people}`,
    password: goodPassword,
  });
  expect(made.status, made.text).toBe(201);
  return { id: made.body.id, email, browser };
}

/** Makes a key as somebody who is signed in. */
async function keyOf(browser: Browser, asked: object = { name: 'a key' }): Promise<Client & { id: string }> {
  const made = await browser.post('/v1/api/api-keys', asked);
  expect(made.status, made.text).toBe(201);
  return { ...service.client(made.body.secret), id: made.body.id };
}

const membersOf = async (place: Place = '') => (await ana.browser.get(`/v1/api/${place}members?limit=200`)).body.data;

test('somebody invited joins with the role of the invitation, and no other right', async () => {
  const { id, browser } = await join('analyst');
  const { body } = await browser.get('/v1/api/user');
  expect(body.workspaces).toMatchObject([{ id: ana.workspace, roles: ['analyst'] }]);
  expect(body.organizations).toMatchObject([{ id: ana.organization, role: null }]);
  expect((await browser.get('/v1/api/models')).status).toBe(200);
  expect((await browser.get('/v1/api/api-keys')).status).toBe(403);
  expect(await membersOf()).toContainEqual(
    expect.objectContaining({ user_id: id, role: 'analyst', workspace_id: ana.workspace }),
  );
});

test('T70 the last Creator is neither demoted nor removed, and does not leave', async () => {
  const path = `/v1/api/organization/members/${ana.id}`;
  for (const asked of [
    () => ana.browser.send('PATCH', path, { role: 'developer' }),
    () => ana.browser.send('DELETE', path),
    () => ana.browser.post('/v1/api/organization/members/leave'),
  ])
    expect((await asked()).body).toMatchObject({ status: 409, code: 'last_creator' });
  await expect(service.owner.pool.query('delete from grants where user_id = $1', [ana.id])).rejects.toThrow(
    /keeps a Creator/,
  );
  await expect(
    service.owner.pool.query("update users set status = 'suspended' where id = $1", [ana.id]),
  ).rejects.toThrow(/keeps a Creator/);
  expect((await ana.browser.get('/v1/api/user')).status).toBe(200);
  const second = await join('creator', 'organization/');
  expect((await second.browser.send('PATCH', path, { role: 'creator' })).status).toBe(200);
  expect((await ana.browser.send('DELETE', `/v1/api/organization/members/${second.id}`)).status).toBe(204);
});

test('T72 who is demoted gets nothing more by the old role, nor do their keys', async () => {
  const dev = await join('developer');
  const key = await keyOf(dev.browser);
  const answers: { at: number; status: number }[] = [];
  let isOver = false;
  const loops = [() => key.get('/v1/api/predictions'), () => dev.browser.get('/v1/api/predictions')].map(
    async (ask) => {
      while (!isOver) {
        const { status } = await ask();
        answers.push({ at: performance.now(), status });
      }
    },
  );
  await sleep(300);
  const demoted = await ana.browser.send('PATCH', `/v1/api/members/${dev.id}`, { role: 'member' });
  const at = performance.now();
  expect(demoted.status, demoted.text).toBe(200);
  await sleep(300);
  isOver = true;
  await Promise.all(loops);
  expect(answers.some(({ status }) => status === 200)).toBe(true);
  expect(answers.filter((answer) => answer.at > at).map(({ status }) => status)).toEqual(
    answers.filter((answer) => answer.at > at).map(() => 403),
  );
});

test('T73 T80 who is removed is signed out at once, keys and open streams end, and stay so', async () => {
  const dev = await join('developer');
  const key = await keyOf(dev.browser);
  const stream = await fetch(`${service.url}/v1/api/events/stream`, {
    headers: { authorization: `Bearer ${key.key}` },
  });
  expect(stream.status).toBe(200);
  const ended = (async () => {
    for await (const _ of stream.body!) {
      // It sends comments until it ends.
    }
    return performance.now();
  })();
  const removed = await ana.browser.send('DELETE', `/v1/api/members/${dev.id}`);
  expect(removed.status, removed.text).toBe(204);
  expect((await dev.browser.get('/v1/api/user')).status).toBe(401);
  expect((await key.get('/v1/api/models')).status).toBe(401);
  await ended.catch(() => {});
  const { rows } = await service.owner.pool.query('select ended_reason from sessions where user_id = $1', [dev.id]);
  expect(rows).toEqual([{ ended_reason: 'member_removed' }]);
  const again = await ana.browser.post('/v1/api/invitations', { email: dev.email, role: 'creator' });
  expect(again.status, again.text).toBe(201);
  const { token } = await mailTo(service, dev.email, /invited/, 1);
  await signIn(service, dev.email, dev.browser);
  expect((await dev.browser.post('/v1/api/invitations/acceptance', { token })).status).toBe(200);
  expect((await dev.browser.get('/v1/api/api-keys')).status).toBe(200);
  expect((await key.get('/v1/api/models')).status).toBe(401);
});

test('T74 who is removed from one workspace keeps another', async () => {
  const other = await ana.browser.post('/v1/api/workspaces', { name: 'Other' });
  expect(other.status, other.text).toBe(201);
  const named = (id: string) => ({ 'lastro-workspace': id });
  const dev = await join('developer', '', ana.workspace);
  const second = await ana.browser.send(
    'POST',
    '/v1/api/invitations',
    { email: dev.email, role: 'developer' },
    named(other.body.id),
  );
  expect(second.status, second.text).toBe(201);
  const { token } = await mailTo(service, dev.email, /invited to Other/);
  expect((await dev.browser.post('/v1/api/invitations/acceptance', { token })).status).toBe(200);
  const inFirst = await dev.browser.send('POST', '/v1/api/api-keys', { name: 'first' }, named(ana.workspace));
  const inSecond = await dev.browser.send('POST', '/v1/api/api-keys', { name: 'second' }, named(other.body.id));
  expect((await dev.browser.get('/v1/api/models')).body).toMatchObject({ status: 400, code: 'scope_required' });
  const removed = await ana.browser.send('DELETE', `/v1/api/members/${dev.id}`, undefined, named(ana.workspace));
  expect(removed.status, removed.text).toBe(204);
  await signIn(service, dev.email, dev.browser);
  expect((await dev.browser.send('GET', '/v1/api/models', undefined, named(ana.workspace))).status).toBe(404);
  expect((await dev.browser.send('GET', '/v1/api/models', undefined, named(other.body.id))).status).toBe(200);
  expect((await service.client(inFirst.body.secret).get('/v1/api/models')).status).toBe(401);
  expect((await service.client(inSecond.body.secret).get('/v1/api/models')).status).toBe(200);
});

describe('in a workspace of their own', () => {
  let eva: Awaited<ReturnType<typeof signUp>>;
  beforeAll(async () => {
    eva = await signUp(service, 'Eva');
  });

  const invite = (body: object) => eva.browser.post('/v1/api/invitations', body);

  test('T75 nobody gives themselves a role, by whatever field', async () => {
    const email = 'plain@eva-company.example';
    await invite({ email, role: 'member' });
    const { token } = await mailTo(service, email, /invited/);
    const browser = openBrowser(service.url);
    const asked = { token, name: 'Plain', password: goodPassword };
    expect((await browser.post('/v1/api/invitations/account', { ...asked, role: 'creator' })).status).toBe(422);
    const { body } = await browser.post('/v1/api/invitations/account', asked);
    expect((await browser.send('PATCH', `/v1/api/members/${body.id}`, { role: 'creator' })).status).toBe(403);
    expect((await browser.send('PATCH', '/v1/api/user', { role: 'creator' })).status).toBe(422);
    expect(
      (await browser.post('/v1/api/invitations', { email: 'x@eva-company.example', role: 'creator' })).status,
    ).toBe(403);
    const roles = (await browser.get('/v1/api/user')).body.workspaces.map(({ roles }: { roles: string[] }) => roles);
    expect(roles).toEqual([['member']]);
  });

  test('T76 an invitation is accepted once, in time, and by the token sent last', async () => {
    const email = 'once@eva-company.example';
    const { body } = await invite({ email, role: 'member' });
    expect((await invite({ email, role: 'member' })).body.code).toBe('already_invited');
    const first = await mailTo(service, email, /invited/);
    const resent = await eva.browser.post(`/v1/api/invitations/${body.id}/resend`);
    expect(resent.body).toMatchObject({ times_sent: 2, status: 'pending' });
    const second = await mailTo(service, email, /invited/, 1);
    const accept = (token: string) =>
      openBrowser(service.url).post('/v1/api/invitations/account', { token, name: 'Once', password: goodPassword });
    expect((await accept(first.token)).body.code).toBe('token_invalid');
    const both = await Promise.all([accept(second.token), accept(second.token), accept(second.token)]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 422, 422]);
    const { rows } = await service.owner.pool.query(
      'select count(*)::int as n from grants g join users u on u.id = g.user_id where u.email = $1',
      [email],
    );
    expect(rows).toEqual([{ n: 1 }]);
    const late = await invite({ email: 'late@eva-company.example', role: 'member' });
    const { token } = await mailTo(service, 'late@eva-company.example', /invited/);
    expect(Date.parse(late.body.expires_at) - Date.parse(late.body.created_at)).toBeCloseTo(7 * 86_400_000, -4);
    await service.owner.pool.query("update invitations set expires_at = now() - interval '1 second' where id = $1", [
      late.body.id,
    ]);
    expect((await accept(token)).body.code).toBe('token_invalid');
    const list = await eva.browser.get('/v1/api/invitations');
    expect(list.body.data.map(({ status }: { status: string }) => status)).toEqual(
      expect.arrayContaining(['accepted', 'expired']),
    );
    const dropped = await invite({ email: 'dropped@eva-company.example', role: 'member' });
    const revoked = await mailTo(service, 'dropped@eva-company.example', /invited/);
    expect((await eva.browser.send('DELETE', `/v1/api/invitations/${dropped.body.id}`)).body.status).toBe('revoked');
    expect((await accept(revoked.token)).body.code).toBe('token_invalid');
  });

  test('T77 an invitation is for the invited address alone', async () => {
    const email = 'right@eva-company.example';
    await invite({ email, role: 'creator' });
    const { token } = await mailTo(service, email, /invited/);
    const other = await signUp(service, 'Fred');
    expect((await other.browser.post('/v1/api/invitations/acceptance', { token })).body).toMatchObject({
      status: 403,
      code: 'wrong_address',
    });
    expect((await invite({ email: 'RIGHT@eva-company.example', role: 'member' })).body.code).toBe('already_invited');
    for (const [address, code] of [
      ['right＠eva-company.example', 'schema_mismatch'],
      ['rіght@eva-company.example', 'schema_mismatch'],
    ])
      expect((await invite({ email: address, role: 'member' })).body.code).toBe(code);
    // The refusal has not used the token up.
    const made = await openBrowser(service.url).post('/v1/api/invitations/account', {
      token,
      name: 'Right',
      password: goodPassword,
    });
    expect(made.status, made.text).toBe(201);
  });

  test('T78 addresses of free mail are not invited', async () => {
    for (const domain of ['gmail.com', 'outlook.com', 'yahoo.com.br', 'mailinator.com'])
      expect((await invite({ email: `somebody@${domain}`, role: 'member' })).body).toMatchObject({
        status: 422,
        code: 'personal_address',
      });
  });

  test('T79 no token of an invitation is kept, told or logged', async () => {
    const email = 'quiet@eva-company.example';
    const made = await invite({ email, role: 'member' });
    const { token, text } = await mailTo(service, email, /invited/);
    expect(text).toContain(`${service.url}/invitation#${token}`);
    expect(made.text).not.toContain(token);
    const { rows } = await service.owner.pool.query(
      `select row_to_json(i)::text as row from invitations i union all select row_to_json(a)::text from audit_entries a
       union all select row_to_json(e)::text from events e union all select row_to_json(j)::text from pgboss.job_common j`,
    );
    expect(rows.length).toBeGreaterThan(5);
    expect(rows.filter(({ row }) => row.includes(token))).toEqual([]);
  });

  test('T81 the history is CSV that no spreadsheet runs, of this workspace alone', async () => {
    const email = 'formula@eva-company.example';
    await invite({ email, role: 'member' });
    const { token } = await mailTo(service, email, /invited/);
    const browser = openBrowser(service.url);
    await browser.post('/v1/api/invitations/account', { token, name: '=cmd()', password: goodPassword });
    await eva.browser.send('PATCH', '/v1/api/workspace', { name: '=HYPERLINK("x";"y")\n@z' });
    const history = await eva.browser.get('/v1/api/members/history');
    expect(history.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(history.text.split('\r\n')[0]).toBe(
      'recorded_at,event,email,user_id,old_role,new_role,workspace_id,workspace,by_type,by,by_id',
    );
    expect(history.text).toContain('"\'=HYPERLINK(""x"";""y"")\n@z"');
    expect(history.text).toContain(`joined,${email},`);
    expect(history.text).not.toContain('ana-company');
    expect((await browser.get('/v1/api/members/history')).status).toBe(403);
    const { rows } = await service.owner.pool.query(
      'select count(*)::int as n from membership_events where organization_id = $1',
      [eva.organization],
    );
    const lines = history.text.replace(/"(?:[^"]|"")*"/g, '').split('\r\n').length - 2;
    expect(lines).toBe(rows[0].n);
    await expect(service.owner.pool.query('delete from membership_events')).rejects.toThrow(/append-only/);
  });

  test('a workspace in the archive is read and not changed, and what ran in it has ended', async () => {
    const key = await keyOf(eva.browser);
    expect((await eva.browser.post('/v1/api/workspace/archive')).status).toBe(204);
    expect((await eva.browser.get('/v1/api/workspace')).body.status).toBe('archived');
    expect((await eva.browser.post('/v1/api/workspace/archive')).body.code).toBe('workspace_archived');
    expect((await key.post('/v1/api/tasks', { name: 'x', definition: 'y' })).body).toMatchObject({
      status: 409,
      code: 'workspace_archived',
    });
    expect((await invite({ email: 'x@eva-company.example', role: 'member' })).body.code).toBe('workspace_archived');
    expect((await eva.browser.post('/v1/api/workspace/unarchive')).status).toBe(204);
    expect((await eva.browser.post('/v1/api/workspace/unarchive')).body.code).toBe('conflict');
    expect((await key.get('/v1/api/models')).status).toBe(200);
  });
});
