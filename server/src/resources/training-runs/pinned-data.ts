import type { Context } from '../../access/context.ts';
import { tenant } from '../../access/transactions.ts';
import { wallClock } from '../../lib/time-zone.ts';
import { currentIdentifiers, requireSnapshot } from '../../serving/snapshot.ts';
import { localSnapshot } from '../../serving/snapshot-files.ts';
import type { App } from '../app.ts';
import { requireContract } from '../contracts/require.ts';
import type { RunRow } from './run.ts';

/**
 * Returns the data that a run reads, as local files, and its as-of moment `now`: local time of the workspace in
 * microseconds.
 */
export async function pinnedData(app: App, ctx: Context, row: RunRow) {
  const { contract, snapshot, names } = await tenant(app.db, ctx, async (tx) => ({
    contract: await requireContract(tx, row.contract_id),
    snapshot: await requireSnapshot(tx, row.snapshot_id),
    names: await currentIdentifiers(tx, ctx),
  }));
  const local = await localSnapshot(app.storage, snapshot, names);
  return {
    contract: contract.document,
    frozen: local.frozen,
    identifiers: local.names,
    now: wallClock(ctx.timeZone, row.created_at.getTime()) * 1000,
  };
}
