import { sql } from 'kysely';
import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';

const columns = [
  ...(['id', 'url', 'description', 'events', 'resource_ids', 'header_names', 'rate_limit'] as const),
  ...(['status', 'disabled_reason', 'disabled_at', 'created_at', 'updated_at'] as const),
];

/** Newest first. */
export async function selectWebhooks(tx: Tx, ctx: Context, before: string | null, most: number) {
  return tx
    .selectFrom('webhooks')
    .select(columns)
    .$narrowType<{ status: 'active' | 'disabled' }>()
    .where('workspace_id', '=', ctx.workspaceId)
    .where('deleted_at', 'is', null)
    .$if(before !== null, (query) => query.where('id', '<', before!))
    .orderBy('id', 'desc')
    .limit(most)
    .execute();
}
export type WebhookRow = Awaited<ReturnType<typeof selectWebhooks>>[number];

export async function selectWebhook(tx: Tx, id: string): Promise<WebhookRow | undefined> {
  return one(tx, id).executeTakeFirst();
}

/** Other changes of the webhook wait for this transaction. */
export async function lockWebhook(tx: Tx, id: string): Promise<WebhookRow | undefined> {
  return one(tx, id).forUpdate().executeTakeFirst();
}

const one = (tx: Tx, id: string) =>
  tx
    .selectFrom('webhooks')
    .select(columns)
    .$narrowType<{ status: 'active' | 'disabled' }>()
    .where('id', '=', id)
    .where('deleted_at', 'is', null);

export async function countWebhooks(tx: Tx, { workspaceId }: Context): Promise<number> {
  const { count } = await tx
    .selectFrom('webhooks')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export type WebhookFields = {
  readonly url: string;
  readonly description: string | null;
  readonly events: readonly string[];
  readonly resource_ids: readonly string[] | null;
  readonly headers: string | null;
  readonly header_names: readonly string[];
  readonly rate_limit: number | null;
};

export async function insertWebhook(
  tx: Tx,
  { organizationId, workspaceId }: Context,
  { id, ...fields }: WebhookFields & { readonly id: string },
): Promise<WebhookRow> {
  const owner = { organization_id: organizationId, workspace_id: workspaceId };
  const row = await tx
    .insertInto('webhooks')
    .values({ id, ...owner, ...mutable(fields) })
    .returning(columns)
    .$narrowType<{ status: 'active' | 'disabled' }>()
    .executeTakeFirstOrThrow();
  await tx
    .insertInto('webhook_lanes')
    .values({ webhook_id: id, ...owner })
    .execute();
  return row;
}

export async function updateWebhook(tx: Tx, id: string, fields: Partial<WebhookFields>): Promise<void> {
  await tx
    .updateTable('webhooks')
    .set({ ...mutable(fields), updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();
}

/** Copies lists, which statements take only as arrays that may be written. */
function mutable<F extends Partial<WebhookFields>>({ events, resource_ids, header_names, ...rest }: F) {
  return {
    ...rest,
    ...(events ? { events: [...events] } : {}),
    ...(resource_ids === undefined ? {} : { resource_ids: resource_ids && [...resource_ids] }),
    ...(header_names ? { header_names: [...header_names] } : {}),
  } as Omit<F, 'events' | 'resource_ids' | 'header_names'> & {
    events: string[];
    resource_ids: string[] | null;
    header_names: string[];
  };
}

/** Disables webhooks that are active; returns those it did. */
export async function markDisabled(
  tx: Tx,
  ids: readonly string[],
  reason: 'requested' | 'gone' | 'failing',
): Promise<readonly { readonly id: string; readonly workspace_id: string; readonly url: string }[]> {
  return tx
    .updateTable('webhooks')
    .set({
      ...{ status: 'disabled', disabled_reason: reason },
      ...{ disabled_at: sql<Date>`now()`, updated_at: sql<Date>`now()` },
    })
    .where('id', 'in', [...ids])
    .where('status', '=', 'active')
    .where('deleted_at', 'is', null)
    .returning(['id', 'workspace_id', 'url'])
    .execute();
}

export async function markActive(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable('webhooks')
    .set({ status: 'active', disabled_reason: null, disabled_at: null, updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();
}

/** Forgets how it went: what is next is sent without waiting. */
export async function resetLane(tx: Tx, webhookId: string): Promise<void> {
  await tx
    .updateTable('webhook_lanes')
    .set({ failures_in_row: 0, failing_since: null, last_failed_at: null, paused_until: null, probes: 0 })
    .where('webhook_id', '=', webhookId)
    .execute();
}

/** Deletes a webhook with what it kept secret; returns its address, or undefined when there is none. */
export async function markDeleted(tx: Tx, id: string): Promise<string | undefined> {
  const row = await tx
    .updateTable('webhooks')
    .set({ deleted_at: sql<Date>`now()`, headers: null })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .returning('url')
    .executeTakeFirst();
  if (row) await tx.deleteFrom('webhook_secrets').where('webhook_id', '=', id).execute();
  return row?.url;
}

const secretColumns = ['id', 'webhook_id', 'secret', 'created_at', 'expires_at'] as const;

/** The secrets of webhooks by which requests are signed now, the newest first. */
export async function selectSecrets(tx: Tx, webhookIds: readonly string[]) {
  if (webhookIds.length === 0) return [];
  return tx
    .selectFrom('webhook_secrets')
    .select(secretColumns)
    .where('webhook_id', 'in', [...webhookIds])
    .where((or) => or.or([or('expires_at', 'is', null), or('expires_at', '>', sql<Date>`now()`)]))
    .orderBy(sql`expires_at is null`, 'desc')
    .orderBy('id', 'desc')
    .execute();
}
export type SecretRow = Awaited<ReturnType<typeof selectSecrets>>[number];

export async function selectSecret(tx: Tx, id: string): Promise<SecretRow | undefined> {
  return tx.selectFrom('webhook_secrets').select(secretColumns).where('id', '=', id).executeTakeFirst();
}

export async function insertSecret(
  tx: Tx,
  { organizationId, workspaceId }: Context,
  secret: { readonly id: string; readonly webhook_id: string; readonly secret: string },
): Promise<void> {
  await tx
    .insertInto('webhook_secrets')
    .values({ ...secret, organization_id: organizationId, workspace_id: workspaceId })
    .execute();
}

/** Lets the current secret of a webhook end after so many hours; 0 ends it at once. */
export async function retireSecret(tx: Tx, webhookId: string, overlapHours: number): Promise<void> {
  await tx
    .updateTable('webhook_secrets')
    .set({ expires_at: sql<Date>`now() + ${overlapHours} * interval '1 hour'` })
    .where('webhook_id', '=', webhookId)
    .where('expires_at', 'is', null)
    .execute();
}

/** Ends a secret that is not the current one; returns false when there is none. */
export async function deleteSecret(tx: Tx, webhookId: string, id: string): Promise<boolean> {
  const done = await tx
    .deleteFrom('webhook_secrets')
    .where('webhook_id', '=', webhookId)
    .where('id', '=', id)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
  return Number(done.numDeletedRows) > 0;
}

/** Deletes secrets that have ended. */
export async function deleteEndedSecrets(tx: Tx): Promise<void> {
  await tx.deleteFrom('webhook_secrets').where('expires_at', '<=', sql<Date>`now()`).execute();
}

/** The webhooks of workspaces, with what each is told of. `tx` is of the system. */
export async function selectSubscriptions(tx: Tx, workspaces: readonly string[]) {
  return tx
    .selectFrom('webhooks')
    .innerJoin('webhook_lanes', 'webhook_id', 'webhooks.id')
    .select(['webhooks.id', 'webhooks.organization_id', 'webhooks.workspace_id', 'events', 'resource_ids'])
    .select(['status', 'is_full'])
    .where('webhooks.workspace_id', 'in', [...workspaces])
    .where('deleted_at', 'is', null)
    .orderBy('webhooks.id')
    .execute();
}
