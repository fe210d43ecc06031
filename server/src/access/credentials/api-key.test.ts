import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../tests/support/samples/lib-db.ts';
import { hashToken, makeToken } from '../../lib/crypto/tokens.ts';
import { openDb } from '../../lib/db/db.ts';
import { type Guesses, openGuesses, unknownKeysMax, waitingKeysMax } from '../guesses.ts';
import type { Database } from '../transactions.ts';
import { openApiKeys } from './api-key.ts';
import type { CallerHead } from './credential.ts';

let database: TestDatabase;
let db: Database;
const secret = makeToken('lst');
const caller = callerWith(secret);

function callerWith(key: string, ip = '192.0.2.1'): CallerHead {
  return { method: 'GET', url: '/', headers: { authorization: `Bearer ${key}` }, ip };
}

/** The credential that recognises callers with a key. */
function open(guesses?: Guesses) {
  const keys = openApiKeys(db, guesses === undefined ? {} : { guesses });
  return (head: CallerHead, { cached }: { cached: boolean }) => keys.recognise(head, 'workspace')!(cached);
}

beforeAll(async () => {
  database = await createTestDatabase(fileURLToPath(new URL('../../schema', import.meta.url)));
  db = openDb(database.connection, { max: 2 });
  for (const statement of [
    sql`insert into organizations (id, name) values ('org_1', 'One')`,
    sql`insert into workspaces (id, organization_id, name) values ('ws_1', 'org_1', 'w')`,
    sql`insert into users (id, email, email_canonical, display_name) values ('usr_1', 'a@b', 'a@b', 'A')`,
    sql`insert into grants (id, organization_id, user_id, role) values ('grt_1', 'org_1', 'usr_1', 'creator')`,
    // The one who remains when the other is given another role.
    sql`insert into users (id, email, email_canonical, display_name) values ('usr_2', 'b@b', 'b@b', 'B')`,
    sql`insert into grants (id, organization_id, user_id, role) values ('grt_2', 'org_1', 'usr_2', 'creator')`,
    sql`insert into api_keys (id, organization_id, workspace_id, user_id, name, hint, secret_hash)
      values ('key_1', 'org_1', 'ws_1', 'usr_1', 'k', 'h', ${hashToken(secret)})`,
  ])
    await statement.execute(db.kysely);
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

test('many who ask for one key at once share what is read, and it is read after each of them asked', async () => {
  let transactions = 0;
  db.pool.on('acquire', () => transactions++);
  const authenticate = open();
  const before = Array.from({ length: 100 }, () => authenticate(caller, { cached: false }));
  await sql`update grants set role = 'analyst' where id = 'grt_1'`.execute(db.kysely);
  const changed = Array.from({ length: 100 }, () => authenticate(caller, { cached: false }));
  expect((await Promise.all(before)).every(({ actor }) => actor.id === 'key_1')).toBe(true);
  for (const { permissions } of await Promise.all(changed)) expect(permissions.has('invoke_predictions')).toBe(false);
  expect(transactions).toBeLessThan(10);
  expect((await authenticate(caller, { cached: true })).permissions.has('invoke_predictions')).toBe(false);
});

test('a key that has ended is refused to all who share the reading, and then to everybody', async () => {
  const authenticate = open();
  await authenticate(caller, { cached: true });
  await sql`update api_keys set revoked_at = now() where id = 'key_1'`.execute(db.kysely);
  const ends = await Promise.allSettled(Array.from({ length: 20 }, () => authenticate(caller, { cached: false })));
  for (const end of ends) expect(end).toMatchObject({ status: 'rejected', reason: { code: 'unauthenticated' } });
  await expect(authenticate(caller, { cached: true })).rejects.toMatchObject({ code: 'unauthenticated' });
});

test('an address that guesses keys is slowed down, and shuts out nobody behind it', async () => {
  await sql`update api_keys set revoked_at = null where id = 'key_1'`.execute(db.kysely);
  let now = 0;
  const guesses = openGuesses(() => now);
  const authenticate = open(guesses);
  let inUse = 0;
  let most = 0;
  db.pool.on('acquire', () => {
    most = Math.max(most, ++inUse);
  });
  db.pool.on('release', () => inUse--);
  const guess = (ip?: string) => authenticate(callerWith(makeToken('lst'), ip), { cached: false });
  const unknown = { status: 'rejected', reason: { code: 'unauthenticated' } };
  const waits = { status: 'rejected', reason: { code: 'rate_limited', headers: { 'retry-after': '1' } } };
  for (let i = 0; i < unknownKeysMax; i++) await expect(guess()).rejects.toMatchObject(unknown.reason);
  most = 0;
  // To another process with the same window, the key is as new as those that are nobody's.
  const stranger = open(guesses);
  const flood = Promise.allSettled(Array.from({ length: waitingKeysMax - 1 }, () => guess()));
  const honest = stranger(caller, { cached: false });
  const late = Promise.allSettled(Array.from({ length: 30 }, () => guess()));
  expect((await honest).actor.id).toBe('key_1');
  for (const end of await flood) expect(end).toMatchObject(unknown);
  for (const end of await late) expect(end).toMatchObject(waits);
  expect(most).toBe(1);
  await expect(guess('192.0.2.2')).rejects.toMatchObject(unknown.reason);
  now = 60_000;
  const free = await Promise.allSettled(Array.from({ length: 2 * waitingKeysMax }, () => guess()));
  for (const end of free) expect(end).toMatchObject(unknown);
});

test.each(['bearer', 'BEARER'])('the scheme is known in any case: %s', async (scheme) => {
  const { headers, ...rest } = caller;
  const secret = String(headers.authorization).slice('Bearer '.length);
  const sent = { ...rest, headers: { authorization: `${scheme} ${secret}` } };
  expect((await open()(sent, { cached: false })).actor.id).toBe('key_1');
});
