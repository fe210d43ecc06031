import { sql } from 'kysely';
import type { Tx } from '../../../access/transactions.ts';

export type NewDelivery = {
  readonly id: string;
  readonly organization_id: string;
  readonly workspace_id: string;
  readonly webhook_id: string;
  readonly message_id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly trigger: 'auto' | 'manual' | 'recover' | 'test';
  readonly replay_of: string | null;
  readonly recovery_id: string | null;
  readonly status: 'queued' | 'skipped';
};

const deliveryColumns = [
  ...(['id', 'organization_id', 'workspace_id', 'webhook_id', 'message_id', 'event_id', 'event_type'] as const),
  ...(['trigger', 'replay_of', 'recovery_id', 'status'] as const),
];

/** Inserts deliveries; an event that a webhook has a delivery of already makes no second one. */
export async function insertDeliveries(tx: Tx, rows: readonly NewDelivery[]): Promise<void> {
  if (rows.length === 0) return;
  const names = sql.join(deliveryColumns.map((name) => sql.ref(name)));
  const arrays = sql.join(deliveryColumns.map((name) => sql`${rows.map((row) => row[name])}::text[]`));
  await sql`insert into webhook_deliveries (${names}, finished_at)
    select ${names}, case when status = 'skipped' then now() end from unnest(${arrays}) as item (${names})
    on conflict do nothing`.execute(tx);
}

type NewPayload = {
  readonly id: string;
  readonly organization_id: string;
  readonly workspace_id: string;
  readonly body: string;
};

/** Keeps what is sent of events. */
export async function insertPayloads(tx: Tx, rows: readonly NewPayload[]): Promise<void> {
  if (rows.length === 0) return;
  const arrays = (['id', 'organization_id', 'workspace_id', 'body'] as const).map(
    (name) => sql`${rows.map((row) => row[name])}::text[]`,
  );
  await sql`insert into webhook_payloads (event_id, organization_id, workspace_id, body)
    select * from unnest(${sql.join(arrays)}) on conflict do nothing`.execute(tx);
}

const columns = [
  ...(['id', 'webhook_id', 'message_id', 'event_id', 'event_type', 'trigger', 'replay_of', 'recovery_id'] as const),
  ...(['status', 'attempts', 'run_at', 'created_at', 'finished_at'] as const),
];

export type DeliveryFilter = {
  readonly status?: string | undefined;
  readonly eventType?: string | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
};

/** The deliveries of a webhook, newest first. */
export async function selectDeliveries(
  tx: Tx,
  webhookId: string,
  { status, eventType, since, until }: DeliveryFilter,
  before: string | null,
  most: number,
) {
  return tx
    .selectFrom('webhook_deliveries')
    .select(columns)
    .where('webhook_id', '=', webhookId)
    .$if(before !== null, (query) => query.where('id', '<', before!))
    .$if(status !== undefined, (query) => query.where('status', '=', status!))
    .$if(eventType !== undefined, (query) => query.where('event_type', '=', eventType!))
    .$if(since !== undefined, (query) => query.where('created_at', '>=', since!))
    .$if(until !== undefined, (query) => query.where('created_at', '<', until!))
    .orderBy('id', 'desc')
    .limit(most)
    .execute();
}
export type DeliveryRow = Awaited<ReturnType<typeof selectDeliveries>>[number];

export async function selectDelivery(tx: Tx, id: string): Promise<DeliveryRow | undefined> {
  return tx.selectFrom('webhook_deliveries').select(columns).where('id', '=', id).executeTakeFirst();
}

/** How many test events wait or are being sent, in the workspace of the transaction. */
export async function countTests(tx: Tx, workspaceId: string): Promise<number> {
  const { count } = await tx
    .selectFrom('webhook_deliveries')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .where('trigger', '=', 'test')
    .where('status', 'in', ['queued', 'running'])
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function selectPayload(tx: Tx, eventId: string): Promise<string | undefined> {
  const row = await tx.selectFrom('webhook_payloads').select('body').where('event_id', '=', eventId).executeTakeFirst();
  return row?.body;
}

/** The attempts of a delivery in order. */
export async function selectAttempts(tx: Tx, deliveryId: string) {
  return tx
    .selectFrom('webhook_attempts')
    .selectAll()
    .where('delivery_id', '=', deliveryId)
    .orderBy('number')
    .execute();
}
export type AttemptRow = Awaited<ReturnType<typeof selectAttempts>>[number];

/** Has the next request to a webhook sent at once, as the one that tells whether it answers again. */
export async function endPause(tx: Tx, webhookId: string): Promise<void> {
  await tx
    .updateTable('webhook_lanes')
    .set({ paused_until: sql<Date>`least(paused_until, now())` })
    .where('webhook_id', '=', webhookId)
    .where('paused_until', 'is not', null)
    .execute();
}

/** Deletes up to `most` payloads older than so many days; returns how many. */
export async function deletePayloads(tx: Tx, days: number, most: number): Promise<number> {
  const { numAffectedRows } = await sql`delete from webhook_payloads where event_id in
    (select event_id from webhook_payloads where created_at < now() - ${days} * interval '1 day' limit ${most})`.execute(
    tx,
  );
  return Number(numAffectedRows);
}

/** Deletes up to `most` ended deliveries older than so many days, with their attempts; returns how many. */
export async function deleteDeliveries(tx: Tx, days: number, most: number): Promise<number> {
  const { rows } = await sql<{ id: string }>`delete from webhook_deliveries where id in
    (select id from webhook_deliveries where created_at < now() - ${days} * interval '1 day'
      and status not in ('queued', 'running') limit ${most}) returning id`.execute(tx);
  const ids = rows.map(({ id }) => id);
  if (ids.length > 0) await sql`delete from webhook_attempts where delivery_id = any(${ids})`.execute(tx);
  return ids.length;
}
