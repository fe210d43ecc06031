import { sql } from 'kysely';
import type { Context } from '../../../access/context.ts';
import type { Tx } from '../../../access/transactions.ts';
import type { Failed } from '../../../schema/json.ts';

const columns = [
  ...(['id', 'organization_id', 'workspace_id', 'webhook_id', 'since', 'until', 'status', 'total'] as const),
  ...(['queued', 'expired', 'cursor', 'failure', 'created_at', 'finished_at'] as const),
];

type Span = { readonly webhookId: string; readonly since: Date; readonly until: Date };

/**
 * What never arrived of a webhook: originals that failed or were skipped, and of which nothing that was sent again
 * arrived, or may yet.
 */
const lost = ({ webhookId, since, until }: Span) => sql`
  from webhook_deliveries d
  where d.webhook_id = ${webhookId} and d.trigger = 'auto' and d.status in ('failed', 'skipped')
    and d.created_at >= ${since} and d.created_at < ${until}
    and not exists (select from webhook_deliveries again where again.message_id = d.message_id
      and again.status in ('queued', 'running', 'succeeded'))`;

export async function countLost(tx: Tx, span: Span): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count ${lost(span)}`.execute(tx);
  return rows[0].count;
}

export type LostRow = {
  readonly id: string;
  readonly message_id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly is_kept: boolean;
};

/** Up to `most` of them after the one with the id `after`, in order of id. */
export async function selectLost(tx: Tx, span: Span, after: string, most: number): Promise<readonly LostRow[]> {
  const { rows } = await sql<LostRow>`
    select d.id, d.message_id, d.event_id, d.event_type,
      exists (select from webhook_payloads p where p.event_id = d.event_id) as is_kept
    ${lost(span)} and d.id > ${after} order by d.id limit ${most}`.execute(tx);
  return rows;
}

/** Returns undefined when one of the webhook is under way already. */
export async function insertRecovery(
  tx: Tx,
  { organizationId, workspaceId }: Context,
  { id, webhookId, since, until, total }: Span & { readonly id: string; readonly total: number },
): Promise<RecoveryRow | undefined> {
  return tx
    .insertInto('webhook_recoveries')
    .values({
      ...{ id, organization_id: organizationId, workspace_id: workspaceId },
      ...{ webhook_id: webhookId, since, until, total },
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning(columns)
    .executeTakeFirst();
}

export async function selectRecovery(tx: Tx, webhookId: string, id: string) {
  return tx
    .selectFrom('webhook_recoveries')
    .select(columns)
    .where('webhook_id', '=', webhookId)
    .where('id', '=', id)
    .executeTakeFirst();
}
export type RecoveryRow = NonNullable<Awaited<ReturnType<typeof selectRecovery>>>;

/** Newest first. */
export async function selectRecoveries(
  tx: Tx,
  webhookId: string,
  before: string | null,
  most: number,
): Promise<readonly RecoveryRow[]> {
  return tx
    .selectFrom('webhook_recoveries')
    .select(columns)
    .where('webhook_id', '=', webhookId)
    .$if(before !== null, (query) => query.where('id', '<', before!))
    .orderBy('id', 'desc')
    .limit(most)
    .execute();
}

/** Holds while there are recoveries that have not ended. */
export const isAnyRecovering = "exists (select from webhook_recoveries where status in ('queued', 'running'))";

/** The recovery that has waited longest for its next piece; no other process gets it in this transaction. */
export async function takeRecovery(tx: Tx): Promise<RecoveryRow | undefined> {
  return tx
    .selectFrom('webhook_recoveries')
    .select(columns)
    .where('status', 'in', ['queued', 'running'])
    .orderBy('moved_at')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
}

/** Whether a webhook can be sent to. */
export async function isActive(tx: Tx, webhookId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('webhooks')
    .select('id')
    .where('id', '=', webhookId)
    .where('status', '=', 'active')
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

type Moved = {
  readonly status: 'running' | 'succeeded' | 'failed';
  readonly queued: number;
  readonly expired: number;
  readonly cursor: string;
  readonly failure?: Failed;
};

/** Notes how far a recovery has come. */
export async function moveRecovery(tx: Tx, id: string, moved: Moved): Promise<void> {
  const { failure, ...rest } = moved;
  await tx
    .updateTable('webhook_recoveries')
    .set({
      ...rest,
      failure: failure ? JSON.stringify(failure) : null,
      moved_at: sql<Date>`clock_timestamp()`,
      finished_at: moved.status === 'running' ? null : sql<Date>`now()`,
    })
    .where('id', '=', id)
    .execute();
}
