import { systemContext } from '../../access/context.ts';
import { type Database, system } from '../../access/transactions.ts';
import { announceQuotas } from '../allowances/announce.ts';
import { meterLeaves, tryMeterLock } from './sql.ts';

const workspacesMost = 50;
const leavesMost = 5_000;

/**
 * Meters what the audit trail has sealed since the last time, and tells of quotas that come to their end. Everything
 * that is sealed is metered once: the position in each tree moves in the transaction that counts, and leaves have no
 * gaps and never change. One process meters at a time: a process that finds another at it leaves the work to the other.
 * Stops soon after `signal` aborts. Returns how many entries it has read.
 */
export async function meterUsage(
  db: Database,
  signal?: AbortSignal,
  { workspaces = workspacesMost, leaves = leavesMost } = {},
): Promise<number> {
  for (let metered = 0; ; ) {
    const round = await system(db, 'meter usage', async (tx) => {
      if (!(await tryMeterLock(tx))) return [];
      // A separate statement, whose snapshot is taken once the lock is held: it sees how far the last holder came.
      const found = await meterLeaves(tx, workspaces, leaves);
      for (const { organization_id, workspace_id, time_zone, language, hasUsage } of found) {
        const place = { organizationId: organization_id, workspaceId: workspace_id, timeZone: time_zone, language };
        if (hasUsage) await announceQuotas(tx, systemContext(place));
      }
      return found;
    });
    metered += round.reduce((sum, one) => sum + one.leaves, 0);
    if (round.length === 0 || signal?.aborted) return metered;
  }
}
