/**
 * Rights end while two processes answer by them, keys from memory among them. Whoever ends a right gets an answer;
 * asserted is that
 * - no request that began after that answer arrived succeeds, in either process, and all are told why not;
 * - no success arrives later than a moment after it: what was sent before may still be under way;
 * - whoever keeps their rights, in the same workspace or elsewhere, is refused nothing.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { system } from '../../src/access/transactions.ts';
import { resumeOrganization, suspendOrganization } from '../../src/resources/organizations/suspend.ts';
import { issueLink } from '../../src/resources/sessions/link.ts';
import { type SecondProcess, startSecondProcess } from '../second-process.ts';
import { type Client, openClient, startTestService, type Tenant, type TestService } from '../service.ts';
import { learnReturns } from '../support/samples/batches.ts';

const rounds = 25;
/** Successes that each caller has had before rights end. */
const warmAnswers = 3;
/** What a process has sent arrives within it, however busy this one is. */
const underWayMs = 1_000;

let service: TestService;
let second: SecondProcess;
let urls: readonly string[];
let tenant: Tenant;
let other: Tenant;
let model: string;

beforeAll(async () => {
  service = await startTestService({ requestsPerMinute: 1_000_000 });
  [tenant, other] = [await service.tenant('Shop'), await service.tenant('Other')];
  [model, second] = [
    (await learnReturns(tenant.client)).model_id,
    await startSecondProcess(service, { LASTRO_REQUESTS_PER_MINUTE: '1000000' }),
  ];
  urls = [service.url, second.url];
});
afterAll(async () => {
  await second.close();
  await service.close();
});

/** A member with a key and a session, and another session by which they end that one. */
type Victim = {
  readonly userId: string;
  readonly keyId: string;
  readonly key: Client;
  readonly session: Client & { id: string };
  readonly spare: Client;
};

async function newVictim(): Promise<Victim> {
  const key = await tenant.as('developer');
  const [session, spare] = [await signedIn(key.userId), await signedIn(key.userId)];
  return { userId: key.userId, keyId: key.keyId, key, session, spare };
}

async function signedIn(userId: string): Promise<Client & { id: string }> {
  const { app } = service.service;
  const token = await system(app.db, 'test', (tx) => issueLink(app, tx, userId));
  const answer = await fetch(`${service.url}/v1/api/sessions/link`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: service.url },
    body: JSON.stringify({ token }),
  });
  expect(answer.status).toBe(201);
  const cookie = answer.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ');
  const client = openClient(service.url, '', { cookie, 'lastro-workspace': tenant.ctx.workspaceId });
  const sessions = await client.get('/v1/api/sessions');
  return { ...client, id: sessions.body.data.find((one: { current: boolean }) => one.current).id };
}

type Ending = {
  /** What is told from then on, by credential; null for one that stays good. */
  readonly told: { readonly key: string | null; readonly session: string | null };
  /** Ends the right through the process at `url`; resolves with its answer. */
  end(victim: Victim, creator: Client, url: string): Promise<unknown>;
  restore?(): Promise<unknown>;
};

async function asked(client: Client, url: string, method: string, path: string, body?: object): Promise<void> {
  const reply = await client.send(method, `${url}${path}`, { headers: { origin: url }, ...(body ? { body } : {}) });
  expect(reply.status, reply.text).toBeLessThan(300);
}

const organization = () => [service.service.app.db, tenant.ctx.organizationId] as const;
const endings: Readonly<Record<string, Ending>> = {
  'a key is deleted': {
    told: { key: 'unauthenticated', session: null },
    end: ({ keyId }, creator, url) => asked(creator, url, 'DELETE', `/v1/api/api-keys/${keyId}`),
  },
  'a role is lowered': {
    told: { key: 'permission_denied', session: 'permission_denied' },
    end: ({ userId }, creator, url) =>
      asked(creator, url, 'PATCH', `/v1/api/members/${userId}`, { role: 'billing_manager' }),
  },
  'a member is removed': {
    told: { key: 'unauthenticated', session: 'unauthenticated' },
    end: ({ userId }, creator, url) => asked(creator, url, 'DELETE', `/v1/api/members/${userId}`),
  },
  'a session is ended': {
    told: { key: null, session: 'unauthenticated' },
    end: ({ spare, session }, _, url) => asked(spare, url, 'DELETE', `/v1/api/sessions/${session.id}`),
  },
  'the organization is suspended': {
    told: { key: 'organization_suspended', session: 'organization_suspended' },
    // As the command does, in a process of its own.
    end: () => suspendOrganization(...organization()),
    restore: () => resumeOrganization(...organization()),
  },
};

type Seen = { readonly by: string; readonly begunAt: number; readonly endedAt: number; readonly code: string };

type Caller = { readonly by: string; readonly told: string | null; ask(): ReturnType<Client['get']> };

/** Whoever asks, each of each process, and what they are told once rights have ended. */
function callersOf({ key, session }: Victim, { told }: Ending): Caller[] {
  const inTenant = told.key === 'organization_suspended' ? told.key : null;
  return urls.flatMap((url, at): Caller[] => {
    const predict = (client: Client) =>
      client.post(`${url}/v1/api/prediction/${model}/production`, { customer_id: 'C1' });
    const list = (client: Client) => client.get(`${url}/v1/api/models`);
    return [
      { by: `key, from memory, process ${at}`, told: told.key, ask: () => predict(key) },
      { by: `key, process ${at}`, told: told.key, ask: () => list(key) },
      { by: `session, process ${at}`, told: told.session, ask: () => list(session) },
      { by: `key of a colleague, process ${at}`, told: inTenant, ask: () => predict(tenant.client) },
      { by: `key of another organization, process ${at}`, told: null, ask: () => list(other.client) },
    ];
  });
}

async function oneRound(ending: Ending, creator: Client, url: string): Promise<void> {
  const victim = await newVictim();
  const callers = callersOf(victim, ending);
  const seen: Seen[] = [];
  let over = Number.POSITIVE_INFINITY;
  let warm = 0;
  const isWarm = Promise.withResolvers<void>();
  const loops = callers.map(async ({ by, ask }) => {
    for (let successes = 0; ; ) {
      const begunAt = performance.now();
      const { status, body } = await ask();
      seen.push({ by, begunAt, endedAt: performance.now(), code: status === 200 ? '' : body.code });
      if (status === 200 && ++successes === warmAnswers && ++warm === callers.length) isWarm.resolve();
      // Twice after the end, so that the second is asked by what memory has learned.
      if (seen.filter((one) => one.by === by && one.begunAt > over).length >= 2) return;
    }
  });
  await Promise.race([isWarm.promise, Promise.all(loops)]);
  await ending.end(victim, creator, url);
  over = performance.now();
  await Promise.all(loops);
  await ending.restore?.();
  for (const { by, told } of callers) {
    const own = seen.filter((one) => one.by === by);
    const codes = (some: readonly Seen[]) => [...new Set(some.map(({ code }) => code))];
    expect(codes(own.filter(({ begunAt }) => begunAt > over)), by).toEqual([told ?? '']);
    // While rights end, a refusal may be of another kind.
    if (told === null) expect(codes(own), by).toEqual(['']);
    else
      expect(
        own.filter(({ code, endedAt }) => code === '' && endedAt > over + underWayMs),
        by,
      ).toEqual([]);
  }
}

describe.each(Object.entries(endings))('T72 T73 T87 once %s', (_, ending) => {
  test(`and that is answered, nothing is answered by it in any process, ${rounds} times`, async () => {
    const creator = await tenant.signedIn('creator', 'organization');
    for (let round = 0; round < rounds; round++) await oneRound(ending, creator, urls[round % urls.length]);
  });
});
