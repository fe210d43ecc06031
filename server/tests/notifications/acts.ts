/** Events, and who is told of them; test support. */
import { sql } from 'kysely';
import { vi } from 'vitest';
import type { Context } from '../../src/access/context.ts';
import type { Scope } from '../../src/access/scope.ts';
import { system, tenant } from '../../src/access/transactions.ts';
import type { EventType } from '../../src/trail/catalog.ts';
import { record } from '../../src/trail/record.ts';
import type { Client, TestService } from '../service.ts';

/** Records an event as a change does. */
export function happen(
  { service }: Pick<TestService, 'service'>,
  ctx: Context<Scope>,
  type: EventType,
  payload: Record<string, unknown> = {},
  target = { type: 'batch', id: 'bat_1' },
): Promise<void> {
  return tenant(service.app.db, ctx, (tx) => record(tx, ctx, type, target, payload));
}

/** Resolves once everybody has been told of all that has happened so far. */
export async function told({ service }: Pick<TestService, 'service'>): Promise<void> {
  const isBehind = () =>
    system(service.app.db, 'test', async (tx) => {
      const { rows } = await sql<{ left: number }>`select count(*)::int as left from events
        where position is null or position > coalesce(
          (select position from event_readers where name = 'notifications'), 0)`.execute(tx);
      return rows[0].left > 0;
    });
  while (await isBehind()) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Resolves once no mail is due any more. */
export async function mailed({ service }: Pick<TestService, 'service'>): Promise<void> {
  const isDue = () =>
    system(service.app.db, 'test', async (tx) => {
      const { rows } = await sql<{ left: number }>`select count(*)::int as left from notification_mails
        where status = 'waiting' and (due_at <= now() or leased_until > now())`.execute(tx);
      return rows[0].left > 0;
    });
  await vi.waitUntil(async () => !(await isDue()), { timeout: 60_000, interval: 20 });
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
type Row = any;

/** All that an inbox lists, page by page, newest first. */
export async function inboxOf(client: Pick<Client, 'get'>, query = '', limit = 100): Promise<Row[]> {
  const found: Row[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await client.get(`/v1/api/notifications?limit=${limit}${query}${cursor && `&cursor=${cursor}`}`);
    if (page.status !== 200) throw new Error(page.text);
    found.push(...page.body.data);
    cursor = page.body.next_cursor;
  }
  return found;
}

/** Chooses channels of types, in the workspace or the whole organization. */
export async function choose(
  client: Pick<Client, 'send'>,
  what: 'preferences' | 'defaults',
  preferences: readonly { readonly type: string; readonly channels: string | null }[],
  path = '/v1/api',
): Promise<Row> {
  const reply = await client.send('PATCH', `${path}/notification-${what}`, { body: { preferences } });
  if (reply.status !== 200) throw new Error(reply.text);
  return reply.body;
}

export const emailOf = async ({ owner }: Pick<TestService, 'owner'>, userId: string): Promise<string> =>
  (await owner.kysely.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirstOrThrow()).email;
