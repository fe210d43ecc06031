/** Many events, and how long they took to arrive; test support. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { EventType } from '../../src/trail/catalog.ts';
import type { Tenant } from '../service.ts';
import type { Received } from './farm.ts';
import { type Hooks, inDatabase } from './hooks.ts';

type Many = {
  readonly count: number;
  readonly type?: EventType;
  /** What they are about, in turn; each is about something of its own unless this is given. */
  readonly resources?: readonly string[];
};

let sequence = 1;

/** Has so many events happen in a workspace, by one statement, since acts that do so one by one take minutes. */
export async function emitMany(
  hooks: Pick<Hooks, 'service'>,
  { ctx }: Pick<Tenant, 'ctx'>,
  { count, type = 'batch-request', resources = [] }: Many,
): Promise<void> {
  sequence += count;
  await inDatabase(
    hooks,
    `insert into events (id, organization_id, workspace_id, type, resource_type, resource_id, sequence, payload)
      select 'evt_' || gen_random_uuid(), $1, $2, $3, 'batch', id, $6 - at, jsonb_build_object('id', id)
      from (select at, coalesce(($5::text[])[1 + (at - 1) % cardinality($5)], 'bat_' || gen_random_uuid()) as id
        from generate_series(1, $4::int) as at) as made`,
    [ctx.organizationId, ctx.workspaceId, type, count, resources.length > 0 ? resources : null, sequence],
  );
}

const beatMs = 200;

/** Calls `emit` with how many events are to happen, five times a second, so that so many do in each. */
export async function steadily(
  { perSecond, seconds }: { readonly perSecond: number; readonly seconds: number },
  emit: (count: number) => Promise<unknown>,
): Promise<void> {
  const start = performance.now();
  for (let beat = 1; beat * beatMs <= seconds * 1_000; beat++) {
    await emit(Math.round((perSecond * beatMs) / 1_000));
    await sleep(Math.max(0, start + beat * beatMs - performance.now()));
  }
}

/** How long after its event a request came, in milliseconds. */
export function waitOf({ atMs, body }: Received): number {
  return performance.timeOrigin + atMs - Date.parse(JSON.parse(body.toString()).timestamp);
}

/** The value below which such a share of the others lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!;
}

const standstillMs = 90_000;

/** Waits until exactly so many deliveries of webhooks have succeeded, however long that takes while some do. */
export async function allSucceeded(
  hooks: Pick<Hooks, 'service'>,
  ids: readonly string[],
  count: number,
): Promise<void> {
  const text = "select count(*)::int from webhook_deliveries where webhook_id = any($1) and status = 'succeeded'";
  for (let last = -1, since = performance.now(); ; await sleep(250)) {
    const [{ count: succeeded }] = await inDatabase(hooks, text, [ids]);
    if (succeeded >= count) return expect(succeeded).toBe(count);
    if (succeeded !== last) since = performance.now();
    last = succeeded;
    if (performance.now() - since > standstillMs) throw new Error(`it stands still at ${succeeded} of ${count}`);
  }
}
