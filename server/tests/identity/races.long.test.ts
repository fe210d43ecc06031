/** What people do at the same moment: whatever the order, what must hold holds. A hundred rounds of each. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type Tenant, type TestService } from '../service.ts';
import { goodPassword, mailTo, openBrowser } from './browser.ts';

const rounds = 100;
/** Rounds at once, each in an organization of its own: an answer about rights waits for half a second. */
const atOnce = 10;
let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

async function inRounds(work: (tenant: Tenant, round: number) => Promise<void>): Promise<void> {
  for (let first = 0; first < rounds; first += atOnce)
    await Promise.all(
      Array.from({ length: atOnce }, async (_, at) =>
        work(await service.tenant(`Round ${first + at} ${Math.random()}`), at),
      ),
    );
}

async function creatorsOf({ ctx }: Tenant): Promise<number> {
  const { rows } = await service.owner.pool.query(
    "select count(*)::int as n from grants where organization_id = $1 and workspace_id is null and role = 'creator'",
    [ctx.organizationId],
  );
  return rows[0].n;
}

/** Two Creators who are signed in and the only ones. */
async function twoCreators(tenant: Tenant) {
  const [a, b] = [await tenant.signedIn('creator', 'organization'), await tenant.signedIn('creator', 'organization')];
  const removed = await a.send('DELETE', `/v1/api/organization/members/${tenant.userId}`);
  expect(removed.status, removed.text).toBe(204);
  return [a, b] as const;
}

test('T71 two Creators who demote each other leave one', async () => {
  await inRounds(async (tenant) => {
    const [a, b] = await twoCreators(tenant);
    const path = (id: string) => `/v1/api/organization/members/${id}`;
    const done = await Promise.all([
      a.send('PATCH', path(b.userId), { body: { role: 'member' } }),
      b.send('PATCH', path(a.userId), { body: { role: 'member' } }),
    ]);
    expect(done.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await creatorsOf(tenant)).toBe(1);
  });
});

test('T71 two Creators who leave at once leave one', async () => {
  await inRounds(async (tenant) => {
    const both = await twoCreators(tenant);
    const done = await Promise.all(both.map((one) => one.post('/v1/api/organization/members/leave')));
    expect(done.map(({ status }) => status).sort()).toEqual([204, 409]);
    expect(await creatorsOf(tenant)).toBe(1);
  });
});

test('T73 nothing is answered to a key of somebody removed after the answer to the removal', async () => {
  await inRounds(async (tenant) => {
    const member = await tenant.as('developer');
    const creator = await tenant.signedIn('creator', 'workspace');
    const answers: { at: number; status: number }[] = [];
    let isOver = false;
    const using = (async () => {
      while (!isOver) {
        const { status } = await member.get('/v1/api/models');
        answers.push({ at: performance.now(), status });
      }
    })();
    const removed = await creator.send('DELETE', `/v1/api/members/${member.userId}`);
    const at = performance.now();
    expect(removed.status, removed.text).toBe(204);
    expect((await member.get('/v1/api/models')).status).toBe(401);
    isOver = true;
    await using;
    expect(answers.filter((answer) => answer.at > at && answer.status !== 401)).toEqual([]);
  });
});

test('T86 of a key that is rotated twice at once two secrets are good, and no more', async () => {
  await inRounds(async (tenant) => {
    const person = await tenant.signedIn('developer', 'workspace');
    const made = await person.post('/v1/api/api-keys', { name: 'a key' });
    const rotated = await Promise.all(
      [1, 2, 3].map(() => person.post(`/v1/api/api-keys/${made.body.id}/rotation`, {})),
    );
    const secrets = [made, ...rotated].map(({ body }) => body.secret);
    const answers = await Promise.all(secrets.map((secret) => service.client(secret).get('/v1/api/models')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
    expect(answers[0].status).toBe(401);
  });
});

test('T76 an invitation that is accepted several times at once makes one member', async () => {
  await inRounds(async (tenant, round) => {
    const creator = await tenant.signedIn('creator', 'workspace');
    const email = `guest-${round}@${tenant.ctx.organizationId.replace('_', '-')}.example`;
    const invited = await creator.post('/v1/api/invitations', { email, role: 'member' });
    expect(invited.status, invited.text).toBe(201);
    const { token } = await mailTo(service, email, /invited/);
    const asked = { token, name: 'Guest', password: goodPassword };
    const accepted = await Promise.all(
      [1, 2, 3].map(() => openBrowser(service.url).post('/v1/api/invitations/account', asked)),
    );
    expect(accepted.filter(({ status }) => status === 201)).toHaveLength(1);
    const { rows } = await service.owner.pool.query(
      'select count(*)::int as n from grants g join users u on u.id = g.user_id where u.email = $1',
      [email],
    );
    expect(rows[0].n).toBe(1);
  });
});
