import { sql } from 'kysely';
import type { Tx } from '../../../access/transactions.ts';
import type { Lane } from './breaker.ts';
import { type Chosen, type DueLane, horizonMs, laneMax } from './choose.ts';

const isIdleLately = "coalesce(w.deleted_at, w.disabled_at) > now() - interval '1 day'";

/** Holds while anything waits to be sent, due or not: by two conditions, since each has an index. */
export const isAnyQueued = `exists (select from webhook_deliveries where status = 'queued' and trigger <> 'test')
  or exists (select from webhook_deliveries where status = 'queued' and trigger = 'test')`;

/** Holds while leases have ended, or webhooks were disabled or deleted lately. */
export const isAnyToTidy = `exists (select from webhook_deliveries where status = 'running' and lease_until < now())
  or exists (select from webhooks w where ${isIdleLately})`;

/**
 * The active webhooks of active organizations for which something is due: one probe of the index for each webhook that
 * has anything queued (a skip scan), and as many rows of it as can be sent at once.
 */
export async function selectDueLanes(tx: Tx): Promise<readonly DueLane[]> {
  const { rows } = await sql<DueLane>`
    with recursive waiting (webhook_id) as (
      (select webhook_id from webhook_deliveries where status = 'queued' and trigger <> 'test'
        order by webhook_id limit 1)
      union all
      select (select d.webhook_id from webhook_deliveries d
        where d.status = 'queued' and d.trigger <> 'test' and d.webhook_id > waiting.webhook_id
        order by d.webhook_id limit 1)
      from waiting where waiting.webhook_id is not null
    )
    select w.id as "webhookId", w.workspace_id as "workspaceId", w.rate_limit as "rateLimit", first.due,
      l.paused_until is not null as "isProbe",
      coalesce(extract(epoch from l.next_at - now()) * 1000, 0)::float8 as "nextInMs"
    from waiting
    join webhooks w on w.id = waiting.webhook_id and w.status = 'active' and w.deleted_at is null
    join organizations o on o.id = w.organization_id and o.status = 'active'
    join webhook_lanes l on l.webhook_id = w.id and (l.paused_until is null or l.paused_until <= now())
      and (l.next_at is null or l.next_at <= now() + ${horizonMs} * interval '1 millisecond')
    cross join lateral (select count(*)::int as due from (
      select from webhook_deliveries d
      where d.webhook_id = w.id and d.status = 'queued' and d.trigger <> 'test' and d.run_at <= now()
      order by d.run_at, d.id limit ${laneMax}) as due) as first
    where first.due > 0`.execute(tx);
  return rows;
}

/** Reserves the turn of paused addresses that are to be tried; returns those that no other process has. */
export async function reserveProbes(tx: Tx, ids: readonly string[], leaseMs: number): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<{ webhook_id: string }>`
    update webhook_lanes set paused_until = now() + ${leaseMs} * interval '1 millisecond'
    where webhook_id = any(${ids}) and paused_until <= now() returning webhook_id`.execute(tx);
  return rows.map(({ webhook_id }) => webhook_id);
}

export type AskedTurns = { readonly webhookId: string; readonly count: number; readonly rateLimit: number };

/**
 * Reserves the moments at which so many requests may be sent to addresses with a limit; returns the first of each, in
 * milliseconds by the database's clock.
 */
export async function reserveTurns(tx: Tx, asked: readonly AskedTurns[]): Promise<ReadonlyMap<string, number>> {
  if (asked.length === 0) return new Map();
  const column = <K extends keyof AskedTurns>(name: K) => asked.map((row) => row[name]);
  const { rows } = await sql<{ webhook_id: string; first_ms: number }>`
    update webhook_lanes l set next_at = greatest(l.next_at, clock_timestamp()) + asked.count * asked.step
    from (select webhook_id, count, interval '1 second' / rate as step
      from unnest(${column('webhookId')}::text[], ${column('count')}::int[], ${column('rateLimit')}::int[])
        as asked (webhook_id, count, rate)) as asked
    where l.webhook_id = asked.webhook_id
    returning l.webhook_id, (extract(epoch from l.next_at - asked.count * asked.step) * 1000)::float8 as first_ms`.execute(
    tx,
  );
  return new Map(rows.map(({ webhook_id, first_ms }) => [webhook_id, first_ms]));
}

export type ClaimedRow = {
  readonly id: string;
  readonly organization_id: string;
  readonly workspace_id: string;
  readonly webhook_id: string;
  readonly message_id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly trigger: string;
  readonly attempts: number;
  readonly failures: number;
  readonly claim_id: string;
  readonly run_at: Date;
};

const claimed = sql`d.id, d.organization_id, d.workspace_id, d.webhook_id, d.message_id, d.event_id, d.event_type,
  d.trigger, d.attempts, d.failures, d.claim_id, d.run_at`;
const claiming = (leaseMs: number) => sql`status = 'running', attempts = d.attempts + 1, claim_id = gen_random_uuid(),
  claimed_at = now(), lease_until = now() + ${leaseMs} * interval '1 millisecond'`;

/** Takes so many due deliveries of each lane, the oldest first; others take none of them while the lease lasts. */
export async function claimDeliveries(tx: Tx, chosen: readonly Chosen[], leaseMs: number): Promise<ClaimedRow[]> {
  if (chosen.length === 0) return [];
  const { rows } = await sql<ClaimedRow>`
    update webhook_deliveries d set ${claiming(leaseMs)}
    from (select picked.id
      from unnest(${chosen.map(({ webhookId }) => webhookId)}::text[], ${chosen.map(({ count }) => count)}::int[])
        as lane (webhook_id, count)
      cross join lateral (select q.id from webhook_deliveries q
        where q.webhook_id = lane.webhook_id and q.status = 'queued' and q.trigger <> 'test' and q.run_at <= now()
        order by q.run_at, q.id limit lane.count for update skip locked) as picked) as picked
    where d.id = picked.id returning ${claimed}`.execute(tx);
  return rows;
}

/** Takes up to `most` test events. */
export async function claimTests(tx: Tx, most: number, leaseMs: number): Promise<ClaimedRow[]> {
  const { rows } = await sql<ClaimedRow>`
    update webhook_deliveries d set ${claiming(leaseMs)}
    where d.id in (select q.id from webhook_deliveries q
      join webhooks w on w.id = q.webhook_id and w.status = 'active' and w.deleted_at is null
      join organizations o on o.id = w.organization_id and o.status = 'active'
      where q.status = 'queued' and q.trigger = 'test' order by q.run_at limit ${most} for update of q skip locked)
    returning ${claimed}`.execute(tx);
  return rows;
}

/** What is needed to send to webhooks, as it is at this moment, and the time by the database's clock. */
export async function selectTargets(tx: Tx, webhookIds: readonly string[]) {
  const { rows } = await sql<{ id: string; url: string; headers: string | null }>`
    select id, url, headers from webhooks where id = any(${webhookIds})`.execute(tx);
  return rows;
}

export async function selectBodies(tx: Tx, eventIds: readonly string[]) {
  const { rows } = await sql<{ event_id: string; body: string }>`
    select event_id, body from webhook_payloads where event_id = any(${eventIds})`.execute(tx);
  return rows;
}

/** The database's clock, in milliseconds since 1970. */
export async function selectNow(tx: Tx): Promise<number> {
  const { rows } = await sql<{ now: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`.execute(tx);
  return rows[0].now;
}

export type Settlement = {
  readonly id: string;
  readonly claimId: string;
  readonly status: 'succeeded' | 'failed' | 'queued';
  /** How long to wait before the next attempt, when it is queued again. */
  readonly delayMs: number;
  /** 1 for an attempt that failed, and 0 for others. */
  readonly failed: number;
};

/** Writes what became of deliveries that this process still has; returns the ids of those. */
export async function settleDeliveries(tx: Tx, settled: readonly Settlement[]): Promise<ReadonlySet<string>> {
  const column = <K extends keyof Settlement>(name: K) => settled.map((row) => row[name]);
  const { rows } = await sql<{ id: string }>`
    update webhook_deliveries d set status = done.status, failures = d.failures + done.failed,
      run_at = now() + done.delay * interval '1 millisecond', claim_id = null, claimed_at = null, lease_until = null,
      finished_at = case when done.status = 'queued' then null else now() end
    from unnest(${column('id')}::text[], ${column('claimId')}::uuid[], ${column('status')}::text[],
      ${column('delayMs')}::float8[], ${column('failed')}::int[]) as done (id, claim_id, status, delay, failed)
    where d.id = done.id and d.claim_id = done.claim_id returning d.id`.execute(tx);
  return new Set(rows.map(({ id }) => id));
}

export type NewAttempt = {
  readonly delivery_id: string;
  readonly number: number;
  readonly organization_id: string;
  readonly workspace_id: string;
  readonly webhook_id: string;
  readonly trigger: string;
  /** How long ago it began, in milliseconds. */
  readonly ago_ms: number;
  readonly succeeded: boolean;
  readonly url: string;
  readonly remote_ip: string | null;
  readonly dns_ms: number | null;
  readonly connect_ms: number | null;
  readonly tls_ms: number | null;
  readonly first_byte_ms: number | null;
  readonly total_ms: number;
  readonly status_code: number | null;
  readonly error_class: string | null;
  readonly error: string | null;
  readonly response_headers: string | null;
  readonly response_body: string | null;
};

const attemptColumns = {
  ...{ delivery_id: 'text', number: 'int', organization_id: 'text', workspace_id: 'text', webhook_id: 'text' },
  ...{ trigger: 'text', succeeded: 'boolean', url: 'text', remote_ip: 'text', dns_ms: 'real', connect_ms: 'real' },
  ...{ tls_ms: 'real', first_byte_ms: 'real', total_ms: 'real', status_code: 'int', error_class: 'text' },
  ...{ error: 'text', response_headers: 'jsonb', response_body: 'text' },
} as const;

export async function insertAttempts(tx: Tx, rows: readonly NewAttempt[]): Promise<void> {
  if (rows.length === 0) return;
  const names = sql.join(Object.keys(attemptColumns).map((name) => sql.ref(name)));
  const arrays = Object.entries(attemptColumns).map(
    ([name, type]) => sql`${rows.map((row) => row[name as keyof NewAttempt])}::${sql.raw(type)}[]`,
  );
  await sql`insert into webhook_attempts (${names}, started_at, finished_at)
    select ${names}, clock_timestamp() - ago * interval '1 millisecond', clock_timestamp()
    from unnest(${sql.join(arrays)}, ${rows.map(({ ago_ms }) => ago_ms)}::float8[]) as item (${names}, ago)
    on conflict do nothing`.execute(tx);
}

/** Ends what was noted about failures of addresses that answered; those that had none are left alone. */
export async function clearLanes(tx: Tx, webhookIds: readonly string[]): Promise<void> {
  if (webhookIds.length === 0) return;
  await sql`update webhook_lanes set failures_in_row = 0, failing_since = null, last_failed_at = null,
      paused_until = null, probes = 0
    where webhook_id in (select webhook_id from webhook_lanes
      where webhook_id = any(${webhookIds}) and (failures_in_row > 0 or paused_until is not null)
      order by webhook_id for update)`.execute(tx);
}

const ms = (column: string) => sql`(extract(epoch from ${sql.ref(column)}) * 1000)::float8`;

/** Reads lanes that others change only after this transaction, in order of id. */
export async function lockLanes(
  tx: Tx,
  webhookIds: readonly string[],
): Promise<readonly (Lane & { readonly webhookId: string; readonly nowMs: number })[]> {
  const { rows } = await sql<Lane & { webhookId: string; nowMs: number }>`
    select webhook_id as "webhookId", failures_in_row as "failuresInRow", ${ms('failing_since')} as "failingSinceMs",
      ${ms('last_failed_at')} as "lastFailedMs", ${ms('paused_until')} as "pausedUntilMs", probes,
      (extract(epoch from now()) * 1000)::float8 as "nowMs"
    from webhook_lanes where webhook_id = any(${webhookIds}) order by webhook_id for update`.execute(tx);
  return rows;
}

export async function updateLane(tx: Tx, webhookId: string, lane: Lane): Promise<void> {
  const at = (time: number | null) => sql`to_timestamp(${time === null ? null : time / 1_000}::float8)`;
  await sql`update webhook_lanes set failures_in_row = ${lane.failuresInRow},
      failing_since = ${at(lane.failingSinceMs)}, last_failed_at = ${at(lane.lastFailedMs)},
      paused_until = ${at(lane.pausedUntilMs)}, probes = ${lane.probes}
    where webhook_id = ${webhookId}`.execute(tx);
}

/** How many of the last `most` attempts at an address there were within so many minutes, and failed; without tests. */
export async function countRecent(tx: Tx, webhookId: string, minutes: number, most: number) {
  const { rows } = await sql<{ attempts: number; failed: number }>`
    select count(*)::int as attempts, count(*) filter (where not succeeded)::int as failed
    from (select succeeded from webhook_attempts where webhook_id = ${webhookId} and trigger <> 'test'
      and finished_at > now() - ${minutes} * interval '1 minute' order by finished_at desc limit ${most}) as recent`.execute(
    tx,
  );
  return rows[0];
}

export type LostClaim = {
  readonly id: string;
  readonly organization_id: string;
  readonly workspace_id: string;
  readonly webhook_id: string;
  readonly trigger: string;
  readonly attempts: number;
  readonly failures: number;
  readonly ago_ms: number;
};

/**
 * Queues deliveries again whose lease has ended: the process that had them is gone, or stands still. Those that began
 * more often than `attemptsMax` come to nothing.
 */
export async function takeBackClaims(tx: Tx, most: number, attemptsMax: number): Promise<readonly LostClaim[]> {
  const { rows } = await sql<LostClaim>`
    update webhook_deliveries d set claim_id = null, lease_until = null, claimed_at = null, run_at = now(),
      status = case when lost.attempts >= ${attemptsMax} then 'failed' else 'queued' end,
      finished_at = case when lost.attempts >= ${attemptsMax} then now() end
    from (select id, attempts, claimed_at from webhook_deliveries where status = 'running' and lease_until < now()
      order by lease_until limit ${most} for update skip locked) as lost
    where d.id = lost.id
    returning d.id, d.organization_id, d.workspace_id, d.webhook_id, d.trigger, d.attempts, d.failures,
      (extract(epoch from now() - lost.claimed_at) * 1000)::float8 as ago_ms`.execute(tx);
  return rows;
}

/** Notes for which addresses at least `most` deliveries wait, and for which no longer. */
export async function markFull(tx: Tx, most: number): Promise<void> {
  await sql`update webhook_lanes l set is_full = not l.is_full
    from (select lane.webhook_id, exists (select from webhook_deliveries d
        where d.webhook_id = lane.webhook_id and d.status = 'queued' and d.trigger <> 'test'
        order by d.run_at, d.id offset ${most - 1} limit 1) as is_full
      from webhook_lanes lane join webhooks w on w.id = lane.webhook_id and w.deleted_at is null) as found
    where l.webhook_id = found.webhook_id and l.is_full <> found.is_full`.execute(tx);
}

/**
 * Ends up to `most` queued deliveries of webhooks that were disabled or deleted lately; returns how many. What was
 * being sent then may be queued once more, for as long as a lease lasts.
 */
export async function endIdle(tx: Tx, kind: 'lanes' | 'tests', most: number): Promise<number> {
  // Each has an index of its own.
  const ofKind = kind === 'tests' ? sql`q.trigger = 'test'` : sql`q.trigger <> 'test'`;
  const { numAffectedRows } = await sql`
    update webhook_deliveries d set finished_at = now(),
      status = case when w.deleted_at is null then 'skipped' else 'canceled' end
    from webhooks w
    where w.id = d.webhook_id and d.id in (
      select idle.id from webhooks w cross join lateral (select q.id from webhook_deliveries q
        where q.webhook_id = w.id and q.status = 'queued' and ${ofKind} limit ${most} for update skip locked) as idle
      where ${sql.raw(isIdleLately)} limit ${most})`.execute(tx);
  return Number(numAffectedRows);
}
