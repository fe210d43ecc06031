import { system } from '../../../access/transactions.ts';
import type { App } from '../../app.ts';
import { selectSecrets } from '../sql.ts';
import type { Claimed } from './attempt.ts';
import { choose } from './choose.ts';
import type { Deliveries } from './holding.ts';
import {
  type ClaimedRow,
  claimDeliveries,
  claimTests,
  reserveProbes,
  selectBodies,
  selectDueLanes,
  selectTargets,
} from './sql.ts';
import { openTurns, readClock } from './turns.ts';

/** Longer than any request takes. What is not settled by then is given to another process. */
export const leaseMs = 60_000;
/** Test events that one process takes at once; they wait for no address. */
const testsMax = 16;

export type Claim = {
  readonly claimed: readonly Claimed[];
  /** The database's clock less `performance.now`; 0 where nothing was taken. */
  readonly clockOffsetMs: number;
};

/**
 * Takes what is due and fits. Deliveries are taken one by one for this process alone, by rows that others skip, so that
 * no transaction is open while requests are under way.
 */
export function claimDue({ db }: Pick<App, 'db'>, held: Deliveries): Promise<Claim> {
  return system(db, 'deliver webhooks', async (tx) => {
    const clock = await readClock(tx);
    const clockOffsetMs = clock.atMs - clock.toldMs;
    const tests = await claimTests(tx, testsMax, leaseMs);
    const due = held.room > 0 ? choose(await selectDueLanes(tx), held) : [];
    const probing = due.filter(({ lane }) => lane.isProbe).map(({ webhookId }) => webhookId);
    const reserved = await reserveProbes(tx, probing, leaseMs);
    const chosen = due.filter(({ lane, webhookId }) => !lane.isProbe || reserved.includes(webhookId));
    const turns = await openTurns(
      tx,
      clock,
      chosen.flatMap(({ webhookId, count, lane: { rateLimit } }) =>
        rateLimit ? [{ webhookId, count, rateLimit }] : [],
      ),
    );
    const rows = [...tests, ...inOrder(await claimDeliveries(tx, chosen, leaseMs))];
    if (rows.length === 0) return { claimed: [], clockOffsetMs };
    const webhookIds = [...new Set(rows.map(({ webhook_id }) => webhook_id))];
    const targets = new Map((await selectTargets(tx, webhookIds)).map((row) => [row.id, row]));
    const secrets = await selectSecrets(tx, webhookIds);
    const eventIds = [...new Set(rows.map(({ event_id }) => event_id))];
    const bodies = new Map((await selectBodies(tx, eventIds)).map((row) => [row.event_id, row.body]));
    const claimed = rows.map((row): Claimed => {
      const { url, headers } = targets.get(row.webhook_id)!;
      return {
        ...{ ...row, url, headers, body: bodies.get(row.event_id) ?? null },
        secrets: secrets.filter(({ webhook_id }) => webhook_id === row.webhook_id),
        isProbe: row.trigger !== 'test' && reserved.includes(row.webhook_id),
        turn: row.trigger === 'test' ? null : turns(row.webhook_id),
      };
    });
    return { claimed, clockOffsetMs };
  });
}

/** The oldest first, as it will be sent. */
function inOrder(rows: readonly ClaimedRow[]): ClaimedRow[] {
  return [...rows].sort((a, b) => a.run_at.getTime() - b.run_at.getTime() || (a.id < b.id ? -1 : 1));
}
