import { sql } from 'kysely';
import { newId } from '../lib/crypto/ids.ts';
import type { Context } from './context.ts';
import { type Database, system, type Tx } from './doors.ts';
import type { AuditAction, EventType } from './events.ts';
import { eventTypes } from './events.ts';

export type Target = { readonly type: string; readonly id: string };

/**
 * Leaves the trail of a change within the change's own transaction: an audit entry, and an event for webhooks and
 * notifications where the catalog has one of that name. `payload` is public to the workspace; no secrets.
 */
export async function record(
  tx: Tx,
  ctx: Context,
  action: AuditAction,
  target: Target,
  payload: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await tx
    .insertInto('audit_entries')
    .values({
      ...entryOf(ctx),
      id: newId('aud'),
      action,
      outcome: 'succeeded',
      target_type: target.type,
      target_id: target.id,
      data: JSON.stringify(payload),
    })
    .execute();
  if (action in eventTypes) await emit(tx, ctx, action as EventType, target, payload);
}

const lately = sql<Date>`now() - interval '1 day'`;

/** Whether the same actor left such an entry of the target within a day, with at least `payload` in it. */
export async function hasRecorded(
  tx: Tx,
  ctx: Context,
  action: AuditAction,
  target: Target,
  payload: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  const entry = await tx
    .selectFrom('audit_entries')
    .select('id')
    .where('workspace_id', '=', ctx.workspaceId)
    .where('target_id', '=', target.id)
    .where('action', '=', action)
    .where('actor_id', '=', ctx.actor.id)
    .where('recorded_at', '>', lately)
    .where(sql<boolean>`data @> ${JSON.stringify(payload)}`)
    .limit(1)
    .executeTakeFirst();
  return entry !== undefined;
}

/** Writes an event with the next number of its resource. Changes of one resource wait for each other here. */
async function emit(
  tx: Tx,
  ctx: Pick<Context, 'organizationId' | 'workspaceId'>,
  type: EventType,
  target: Target,
  payload: Readonly<Record<string, unknown>>,
): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${target.id}, 0))`.execute(tx);
  await tx
    .insertInto('events')
    .values({
      id: newId('evt'),
      organization_id: ctx.organizationId,
      workspace_id: ctx.workspaceId,
      type,
      resource_type: target.type,
      resource_id: target.id,
      sequence: sql<number>`(select coalesce(max(sequence), 0) + 1 from events where resource_id = ${target.id})`,
      payload: JSON.stringify({ id: target.id, ...payload }),
    })
    .execute();
}

/** Leaves the trail of a call that was refused for want of a right, in a transaction of its own. */
export async function recordDenial(db: Database, ctx: Context, route: string): Promise<void> {
  await system(db, 'audit', (tx) =>
    tx
      .insertInto('audit_entries')
      .values({
        ...entryOf(ctx),
        id: newId('aud'),
        action: 'access-denial' satisfies AuditAction,
        outcome: 'denied',
        target_type: 'route',
        target_id: route,
        data: '{}',
      })
      .execute(),
  );
}

function entryOf(ctx: Context) {
  return {
    organization_id: ctx.organizationId,
    workspace_id: ctx.workspaceId,
    actor_type: ctx.actor.type,
    actor_id: ctx.actor.id,
    actor_label: ctx.actor.label,
    channel: ctx.channel,
    ip: ctx.ip,
    user_agent: ctx.userAgent,
    request_id: ctx.requestId,
  };
}
