import type { Context } from '../../access/context.ts';
import { tenant } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { presentContract } from './contract.ts';
import { acceptWithin, type PlanAdoption } from './propose.ts';
import { requireContract } from './require.ts';
import { reject, selectContract } from './sql.ts';

/**
 * Makes a proposed contract version active, and starts the ingestion that brings the data under it, with the files that
 * asked for it. Of the active version it starts that ingestion once more, where the data are under another one still.
 * Throws Failure 'not_found', 'conflict'.
 */
export async function acceptContract(app: App, planAdoption: PlanAdoption, ctx: Context, id: string) {
  const { document } = await tenant(app.db, ctx, (tx) => requireContract(tx, id));
  const adoption = await planAdoption(app, ctx, document);
  return tenant(app.db, ctx, async (tx) => {
    const row = await requireContract(tx, id);
    const isAgain = row.status === 'active' && adoption.isBehind;
    if (!isAgain) await acceptWithin(tx, ctx, id);
    const started = await adoption.start(tx, isAgain ? null : row.ingestion_id);
    return { ...presentContract(await requireContract(tx, id)), ...started };
  });
}

/** Rejects a proposed version. Throws Failure 'not_found', 'conflict'. */
export function rejectContract(app: App, ctx: Context, id: string) {
  return tenant(app.db, ctx, async (tx) => {
    if (!(await selectContract(tx, id))) throw refuse('not_found', `there is no contract ${id}`);
    if (!(await reject(tx, id))) throw refuse('conflict', `contract ${id} is not proposed any more`);
    await record(tx, ctx, 'data-contract-version', { type: 'contract', id }, { status: 'rejected' });
    return presentContract((await selectContract(tx, id))!);
  });
}
