import type { Context } from '../../../access/context.ts';
import { system, type Tx } from '../../../access/transactions.ts';
import { workspaceContext } from '../../../access/workspace-context.ts';
import { record } from '../../../trail/record.ts';
import type { App } from '../../app.ts';
import { originOf } from '../create.ts';
import { markDisabled } from '../sql.ts';
import type { Attempted } from './attempt.ts';
import { attemptRow } from './attempt-row.ts';
import { afterFailures, recentMinutes } from './breaker.ts';
import { retryDelayMs } from './schedule.ts';
import {
  clearLanes,
  countRecent,
  insertAttempts,
  lockLanes,
  type Settlement,
  settleDeliveries,
  updateLane,
} from './sql.ts';

/** How long a delivery waits that was not sent since too much was under way. */
const busyDelayMs = 1_000;
/** Attempts that are looked at to tell how an address does. */
const recentAttemptsMax = 200;

type Settling = Pick<App, 'db' | 'webhooks'>;

/**
 * Writes what became of attempts, in one transaction: of the deliveries, of their addresses, and what is told of it. An
 * attempt whose delivery was given to another process meanwhile changes nothing.
 */
export async function settleAttempts(app: Settling, attempted: readonly Attempted[]): Promise<void> {
  const settled = [...attempted]
    .sort((a, b) => (a.claimed.id < b.claimed.id ? -1 : 1))
    .map((one) => ({ ...one, settlement: settlementOf(app, one) }));
  const contexts = await contextsFor(app, settled);
  await system(app.db, 'settle webhook deliveries', async (tx) => {
    const ours = await settleDeliveries(
      tx,
      settled.map(({ settlement }) => settlement),
    );
    const known = settled.filter(({ claimed, result }) => ours.has(claimed.id) && result !== 'busy');
    await insertAttempts(tx, known.map(attemptRow));
    const counted = known.filter(({ claimed }) => claimed.trigger !== 'test');
    await clearLanes(
      tx,
      webhooksOf(counted, (one) => one.result === 'succeeded' || one.result === 'aborted'),
    );
    const failing = await noteFailures(tx, counted);
    const gone = webhooksOf(counted, ({ result }) => result === 'gone');
    await disable(tx, contexts, gone, 'gone');
    await disable(tx, contexts, failing, 'failing');
    for (const one of counted) if (isExhausted(one)) await tellExhausted(tx, contexts, one);
  });
}

type Settled = Attempted & { readonly settlement: Settlement };

function settlementOf({ webhooks }: Settling, { claimed, result, retryAfterMs }: Attempted): Settlement {
  const { id, claim_id: claimId, trigger } = claimed;
  const ended = { id, claimId, delayMs: 0, failed: 0 };
  if (result === 'succeeded') return { ...ended, status: 'succeeded' };
  if (result === 'busy') return { ...ended, status: 'queued', delayMs: busyDelayMs };
  if (result !== 'failed' || trigger === 'test') return { ...ended, status: 'failed', failed: 1 };
  const failures = claimed.failures + 1;
  const delayMs = retryDelayMs(webhooks.schedule, { deliveryId: id, failures, retryAfterMs });
  return delayMs === null
    ? { ...ended, status: 'failed', failed: 1 }
    : { ...ended, status: 'queued', failed: 1, delayMs };
}

/** It failed as often as it is tried. */
function isExhausted({ result, settlement }: Settled): boolean {
  return result === 'failed' && settlement.status === 'failed';
}

async function tellExhausted(tx: Tx, contexts: Contexts, { claimed }: Settled): Promise<void> {
  const { id, webhook_id, event_id, event_type, attempts } = claimed;
  const told = { webhook_id, event_id, event_type, attempts };
  const target = { type: 'webhook_delivery', id };
  await record(tx, contexts.get(claimed.workspace_id)!, 'webhook-delivery-exhaustion', target, told);
}

/** Notes failures of addresses, and pauses those that seem not to answer. Returns the webhooks to be disabled. */
async function noteFailures(tx: Tx, settled: readonly Settled[]): Promise<string[]> {
  const failed = settled.filter(({ result }) => result === 'failed');
  if (failed.length === 0) return [];
  const toDisable = [];
  for (const { webhookId, nowMs, ...lane } of await lockLanes(tx, webhooksOf(failed))) {
    const own = failed.filter(({ claimed }) => claimed.webhook_id === webhookId);
    const failures = {
      count: own.length,
      isProbe: own.some(({ claimed }) => claimed.isProbe),
      recent: await countRecent(tx, webhookId, recentMinutes, recentAttemptsMax),
    };
    const after = afterFailures(lane, failures, nowMs);
    await updateLane(tx, webhookId, after.lane);
    if (after.isToDisable) toDisable.push(webhookId);
  }
  return toDisable;
}

async function disable(
  tx: Tx,
  contexts: Contexts,
  webhookIds: readonly string[],
  reason: 'gone' | 'failing',
): Promise<void> {
  if (webhookIds.length === 0) return;
  for (const { id, workspace_id, url } of await markDisabled(tx, webhookIds, reason)) {
    const told = { url: originOf(url), reason };
    await record(tx, contexts.get(workspace_id)!, 'webhook-disablement', { type: 'webhook', id }, told);
  }
}

type Contexts = ReadonlyMap<string, Context>;

/** The contexts of the workspaces of attempts that did not succeed. */
async function contextsFor({ db }: Settling, settled: readonly Settled[]): Promise<Contexts> {
  const failed = settled.filter(({ result }) => result === 'failed' || result === 'gone');
  const contexts = new Map<string, Context>();
  for (const id of new Set(failed.map(({ claimed }) => claimed.workspace_id)))
    contexts.set(id, await workspaceContext(db, id));
  return contexts;
}

function webhooksOf(settled: readonly Settled[], is: (one: Settled) => boolean = () => true): string[] {
  return [...new Set(settled.filter(is).map(({ claimed }) => claimed.webhook_id))].sort();
}
