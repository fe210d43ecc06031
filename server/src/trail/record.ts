import { CompiledQuery, sql } from 'kysely';
import type { Context } from '../access/context.ts';
import type { Scope } from '../access/scope.ts';
import { type Database, system, type Tx } from '../access/transactions.ts';
import { newId } from '../lib/crypto/ids.ts';
import { type AuditEntry, auditColumns, auditEntry, type Target } from './audit-entry.ts';
import { type AuditAction, type EventType, isEventType, type PayloadOf } from './catalog.ts';
import { columnTexts, insertText } from './insert.ts';

/**
 * Records a change in the change's own transaction: writes an audit entry and, if the act makes one (`isEventType`), an
 * event for webhooks and notifications. `payload` is public to the workspace, so it holds no secrets.
 */
export async function record<A extends AuditAction>(
  tx: Tx,
  ctx: Context<Scope>,
  action: A,
  target: Target,
  ...[given]: PayloadArgument<A>
): Promise<void> {
  await leave(tx, ctx, action, target, { ...given }, false);
}

/** As `record`, for an act that has been recorded in another organization already: nobody is mailed of it again. */
export async function recordAgain<A extends AuditAction>(
  tx: Tx,
  ctx: Context<Scope>,
  action: A,
  target: Target,
  ...[given]: PayloadArgument<A>
): Promise<void> {
  await leave(tx, ctx, action, target, { ...given }, true);
}

async function leave(
  tx: Tx,
  ctx: Context<Scope>,
  action: AuditAction,
  target: Target,
  payload: AuditEntry['data'],
  isRepeat: boolean,
): Promise<void> {
  const outcome = failures.get(action) ?? 'succeeded';
  await insertEntry(tx, auditEntry(ctx, action, target, payload, outcome));
  if (isEventType(action)) await emit(tx, ctx, action, target, payload, isRepeat);
}

/** The payload of an act; an act whose payload has no required fields may go without. */
export type PayloadArgument<A extends AuditAction> =
  Record<never, never> extends PayloadOf<A> ? [payload?: PayloadOf<A>] : [payload: PayloadOf<A>];

/** Acts that happen by coming to nothing. */
const failures: ReadonlyMap<AuditAction, 'denied' | 'failed'> = new Map([
  ['login-failure', 'denied'],
  ['training-run-failure', 'failed'],
]);

/** Records an act that came to nothing: an audit entry, and no event. */
export async function recordAs(
  tx: Tx,
  ctx: Context<Scope>,
  action: AuditAction,
  target: Target,
  outcome: 'denied' | 'failed',
): Promise<void> {
  await insertEntry(tx, auditEntry(ctx, action, target, {}, outcome));
}

/** Records a call that was refused because the caller lacked a permission, in a transaction of its own. */
export async function recordDenial(db: Database, ctx: Context<Scope>, route: string): Promise<void> {
  const entry = auditEntry(ctx, 'access-denial', { type: 'route', id: route }, {}, 'denied');
  await system(db, 'audit', (tx) => insertEntry(tx, entry));
}

const entryText = insertText('audit_entries', auditColumns, 1);

async function insertEntry(tx: Tx, entry: AuditEntry): Promise<void> {
  await tx.executeQuery(CompiledQuery.raw(entryText, columnTexts(auditColumns, [entry])));
}

const lately = sql<Date>`now() - interval '1 day'`;

/**
 * Whether the actor of `ctx` left an entry of this action on the target within the last day whose data contain
 * `payload`.
 */
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

/**
 * Writes an event with the next sequence number of its resource. An advisory lock makes concurrent changes of one
 * resource wait for each other.
 */
async function emit(
  tx: Tx,
  ctx: Pick<Scope, 'organizationId' | 'workspaceId'>,
  type: EventType,
  target: Target,
  payload: Readonly<Record<string, unknown>>,
  isRepeat: boolean,
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
      // Each workspace numbers its own events of a resource that all workspaces share. The indexes begin with both
      // columns. Of events that were removed, the last number is kept.
      sequence: sql<number>`(select coalesce(max(sequence), 0) + 1 from (
        select max(sequence) as sequence from events
          where resource_id = ${target.id} and workspace_id is not distinct from ${ctx.workspaceId}
        union all select sequence from event_sequences
          where resource_id = ${target.id} and workspace_id is not distinct from ${ctx.workspaceId}) as numbers)`,
      payload: JSON.stringify({ id: target.id, ...payload }),
      is_repeat: isRepeat,
    })
    .execute();
}
