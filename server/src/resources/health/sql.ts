import { sql } from 'kysely';
import type { Tx } from '../../access/transactions.ts';

/** Throws when the database does not answer. */
export async function ask(tx: Tx): Promise<void> {
  await sql`select 1`.execute(tx);
}

/** What waits in the database besides jobs, and what was found there. Ages are in seconds, 0 where nothing waits. */
export type Waiting = {
  readonly batchesQueued: number;
  readonly batchesRunning: number;
  /** Of units of batches that are not done. */
  readonly units: number;
  readonly unsealedSeconds: number;
  readonly unnumberedSeconds: number;
  readonly deliveriesSeconds: number;
  readonly mailsSeconds: number;
  /** Predictions, and rows of batches, that replays of the last week have found otherwise. */
  readonly replayDifferences: number;
  /** Alarms of models that are raised, by kind. */
  readonly driftAlarms: number;
  readonly performanceAlarms: number;
  readonly contractAlarms: number;
  /** Watch lists whose newest rescoring failed. */
  readonly watchListsFailed: number;
};

/** Most rows of one kind that are looked at to find the oldest: what is that far behind is behind all the same. */
const lookedAtMost = 10_000;

const ageOf = (moment: ReturnType<typeof sql>) =>
  sql`coalesce(greatest(extract(epoch from now() - (${moment})), 0), 0)::float8`;

const alarmsOf = (kind: string) =>
  sql`(select count(*) from model_alarms where cleared_at is null and kind = ${sql.lit(kind)})::float8`;

/**
 * Reads what waits by indexes of what waits alone. Deliveries count that are due at webhooks whose receiver answers and
 * that have no limit of their own: what waits for others is theirs.
 */
export async function selectWaiting(tx: Tx): Promise<Waiting> {
  const { rows } = await sql<Waiting>`
    with recursive lane (webhook_id) as (
      (select webhook_id from webhook_deliveries where status = 'queued' and trigger <> 'test'
        order by webhook_id limit 1)
      union all
      select (select d.webhook_id from webhook_deliveries d
        where d.status = 'queued' and d.trigger <> 'test' and d.webhook_id > lane.webhook_id
        order by d.webhook_id limit 1)
      from lane where lane.webhook_id is not null)
    select
      (select count(*) from batches where status = 'queued')::float8 as "batchesQueued",
      (select count(*) from batches where status = 'running')::float8 as "batchesRunning",
      (select count(*) from batch_units where status in ('planned', 'queued', 'running'))::float8 as units,
      ${ageOf(sql`select recorded_at from audit.unsealed order by ordinal limit 1`)} as "unsealedSeconds",
      ${ageOf(sql`select min(created_at) from (select created_at from events where position is null
        limit ${sql.lit(lookedAtMost)}) as unnumbered`)} as "unnumberedSeconds",
      ${ageOf(sql`select min(first.run_at) from lane
        join webhooks w on w.id = lane.webhook_id and w.status = 'active' and w.deleted_at is null
          and w.rate_limit is null
        join organizations o on o.id = w.organization_id and o.status = 'active'
        join webhook_lanes l on l.webhook_id = w.id and l.paused_until is null
        cross join lateral (select d.run_at from webhook_deliveries d
          where d.webhook_id = w.id and d.status = 'queued' and d.trigger <> 'test'
          order by d.run_at, d.id limit 1) as first`)} as "deliveriesSeconds",
      ${ageOf(sql`select due_at from notification_mails where status = 'waiting' order by due_at limit 1`)}
        as "mailsSeconds",
      (select coalesce(sum(different), 0) from replays where different > 0
        and finished_at > now() - interval '7 days')::float8 as "replayDifferences",
      ${alarmsOf('drift')} as "driftAlarms",
      ${alarmsOf('performance')} as "performanceAlarms",
      ${alarmsOf('contract')} as "contractAlarms",
      (select count(*) from watch_lists where failure is not null)::float8 as "watchListsFailed"`.execute(tx);
  return rows[0]!;
}

/** How many events have a position that a reader has not read, by its name. */
export async function selectUnread(tx: Tx): Promise<Readonly<Record<string, number>>> {
  const { rows } = await sql<{ name: string; unread: number }>`
    select name, greatest(coalesce((select max(position) from events), 0) - position, 0)::float8 as unread
    from event_readers`.execute(tx);
  return Object.fromEntries(rows.map(({ name, unread }) => [name, unread]));
}
