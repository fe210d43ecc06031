/** The trail is added to and never changed, and an act and its entry are there together or not at all. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { system } from '../../src/access/transactions.ts';
import { issueLink } from '../../src/resources/sessions/link.ts';
import { type Client, type Reply, startTestService, type Tenant, type TestService } from '../service.ts';

let service: TestService;
let tenant: Tenant;
let creator: Client & { userId: string };

beforeAll(async () => {
  // Without workers, which hand events on and send mails meanwhile.
  service = await startTestService({ logLevel: 'silent' }, 'api');
  tenant = await service.tenant('Shop');
  creator = await tenant.signedIn('creator', 'organization');
});
afterAll(() => service.close());

/** Runs statements on a connection as the service has it, in the organization, and takes them back. */
async function asService(pool: pg.Pool, ...statements: string[]): Promise<unknown> {
  const connection = await pool.connect();
  try {
    await connection.query('begin');
    await connection.query("select set_config('app.organization_id', $1, true)", [tenant.ctx.organizationId]);
    let last: unknown;
    for (const statement of statements) last = await connection.query(statement);
    return last;
  } finally {
    await connection.query('rollback');
    connection.release();
  }
}

describe.each(['audit_entries', 'membership_events'])('T100 of %s', (table) => {
  const changes = [
    `update ${table} set actor_label = 'nobody'`,
    `delete from ${table}`,
    `truncate ${table}`,
    `alter table ${table} disable trigger all`,
    `drop table ${table}`,
  ];

  test.each(changes)('the service can do nothing like: %s', async (change) => {
    const { pool } = service.service.app.db;
    await expect(asService(pool, change), 'its login').rejects.toMatchObject({ code: '42501' });
    for (const role of ['lastro_app', 'lastro_system'])
      await expect(asService(pool, `set local role ${role}`, change), role).rejects.toMatchObject({ code: '42501' });
  });

  test.each(changes.slice(0, 3))('nor does the owner by mistake: %s', async (change) => {
    await expect(asService(service.owner.pool, change)).rejects.toMatchObject({ code: '42501' });
  });

  test('rows are seen and added to', async () => {
    const { pool } = service.service.app.db;
    const seen = await asService(pool, 'set local role lastro_system', `select from ${table}`);
    expect((seen as pg.QueryResult).rowCount).toBeGreaterThan(0);
  });
});

test('T100 the service cannot switch triggers off for itself', async () => {
  const { pool } = service.service.app.db;
  const off = "set local session_replication_role = 'replica'";
  await expect(asService(pool, off)).rejects.toMatchObject({ code: '42501' });
});

test('T100 no method of the API changes what the trail keeps', async () => {
  const document = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8'));
  const documented = Object.keys(document.paths).filter((path) => /\/(audit|events|history)/.test(path));
  expect(documented.length).toBeGreaterThan(3);
  const guessed = ['/v1/api/audit', '/v1/api/audit-entries', '/v1/api/audit-entries/{id}', '/v1/api/membership-events'];
  for (const path of new Set([...documented, ...guessed]))
    for (const method of ['PUT', 'PATCH', 'DELETE'])
      for (const [client, statuses] of [
        [creator, [404, 405]],
        // `history` may be taken for the id of a member, whom no key changes.
        [tenant.client, [403, 404, 405]],
      ] as const) {
        const reply = await client.send(method, path.replace(/\{\w+\}/g, 'any'), { body: { role: 'member' } });
        expect(statuses, `${method} ${path}: ${reply.text}`).toContain(reply.status);
      }
});

/** All that an act may change, and all that it leaves behind. */
const tables = [
  ...['api_keys', 'audit_entries', 'events', 'grants', 'idempotency_keys', 'invitations', 'ip_rules'],
  ...['membership_events', 'one_time_tokens', 'organizations', 'sessions', 'users', 'workspaces'],
];

async function everything(): Promise<Record<string, string[]>> {
  const kept: Record<string, string[]> = {};
  const rowsOf = async (from: string) =>
    (await service.owner.pool.query(`select to_jsonb(t)::text as row from ${from} as t order by 1`)).rows;
  for (const table of tables) kept[table] = (await rowsOf(table)).map(({ row }) => row);
  kept.mails = (await rowsOf("(select id from pgboss.job_common where name = 'mails')")).map(({ row }) => row);
  return kept;
}

/** Where the fault strikes: `entry` and `event` while they are written, `commit` once all of the act is. */
const faults = {
  entry: 'create trigger fault after insert on audit_entries for each row execute function fault()',
  event: 'create trigger fault after insert on events for each row execute function fault()',
  commit: `create constraint trigger fault after insert on audit_entries deferrable initially deferred
    for each row execute function fault()`,
} as const;

async function withFault<T>(fault: keyof typeof faults, run: () => Promise<T>): Promise<T> {
  const { pool } = service.owner;
  await pool.query(`create or replace function fault() returns trigger language plpgsql as
    $$ begin raise exception 'a fault that a test injects'; end $$`);
  await pool.query(faults[fault]);
  try {
    return await run();
  } finally {
    await pool.query(`drop trigger fault on ${fault === 'event' ? 'events' : 'audit_entries'}`);
  }
}

/** What is done, and how many entries and events it leaves: one of each, unless it says otherwise. */
type Act = { readonly leaves?: readonly [entries: number, events: number]; prepare(): Promise<() => Promise<Reply>> };

const person = async () => (await tenant.signedIn('developer', 'workspace')).userId;
const acts: Readonly<Record<string, Act>> = {
  'the organization is renamed': {
    prepare: async () => () => creator.send('PATCH', '/v1/api/organization', { body: { name: 'Shop S.A.' } }),
  },
  'a workspace is made': {
    prepare: async () => () => creator.post('/v1/api/workspaces', { name: 'Second' }),
  },
  'a workspace is renamed': {
    prepare: async () => () => creator.send('PATCH', '/v1/api/workspace', { body: { name: 'Renamed' } }),
  },
  'a key is made': {
    prepare: async () => () => creator.post('/v1/api/api-keys', { name: 'a key' }),
  },
  'a key is deleted': {
    prepare: async () => {
      const { body } = await creator.post('/v1/api/api-keys', { name: 'a key' });
      return () => creator.send('DELETE', `/v1/api/api-keys/${body.id}`);
    },
  },
  'a role is changed': {
    prepare: async () => {
      const id = await person();
      return () => creator.send('PATCH', `/v1/api/members/${id}`, { body: { role: 'analyst' } });
    },
  },
  'a member is removed': {
    prepare: async () => {
      const id = await person();
      return () => creator.send('DELETE', `/v1/api/members/${id}`);
    },
  },
  'somebody is invited': {
    prepare: async () => {
      const email = `rui-${randomUUID()}@shop.example`;
      return () => creator.post('/v1/api/invitations', { email, role: 'member' });
    },
  },
  'a rule about addresses is made': {
    prepare: async () => () =>
      creator.post('/v1/api/ip-rules', { cidr: '0.0.0.0/0', applies_to: 'api', confirm: true }),
  },
  'somebody signs in': {
    // A session, the sign-in, and the device, which was not known.
    leaves: [3, 2],
    prepare: async () => {
      const userId = await person();
      const { app } = service.service;
      const token = await system(app.db, 'test', (tx) => issueLink(app, tx, userId));
      return () =>
        service.anonymous.send('POST', '/v1/api/sessions/link', { body: { token }, headers: { origin: service.url } });
    },
  },
};

describe.each(Object.entries(acts))('T102 when %s', (_, { leaves = [1, 1], prepare }) => {
  const struck = Object.keys(faults) as (keyof typeof faults)[];

  test.each(struck)('and a fault strikes at its %s, neither the act nor its entry remains', async (fault) => {
    const run = await prepare();
    const before = await everything();
    const failed = await withFault(fault, run);
    expect(failed.body, failed.text).toMatchObject({ status: 500, code: 'internal' });
    expect(failed.text).not.toMatch(/fault that a test/);
    expect(await everything()).toEqual(before);
  });

  test('and none does, there are its entry and its event', async () => {
    const run = await prepare();
    const before = await everything();
    const done = await run();
    expect(done.status, done.text).toBeLessThan(300);
    const after = await everything();
    const added = (table: string): number => after[table].length - before[table].length;
    expect([added('audit_entries'), added('events')]).toEqual(leaves);
  });
});
