import type { Context } from '../../access/context.ts';
import { type Tx, tenant } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { Failure } from '../../lib/failure.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { presentContract } from './contract.ts';
import { acceptWithin } from './propose.ts';
import { reject, selectContract } from './sql.ts';

/** Queues the files of an earlier ingestion again. Returns the id of the new ingestion. */
export type StartIngestion = (app: App, tx: Tx, ctx: Context, asked: { readonly again: string }) => Promise<string>;

/**
 * Makes a proposed contract version active, and queues again the files of the ingestion that proposed it, unless one
 * has been deleted. Throws Failure 'not_found', 'conflict'.
 */
export function acceptContract(app: App, startIngestion: StartIngestion, ctx: Context, id: string) {
  return tenant(app.db, ctx, async (tx) => {
    const row = await selectContract(tx, id);
    if (!row) throw refuse('not_found', `there is no contract ${id}`);
    await acceptWithin(tx, ctx, id);
    const { ingestion_id: asking } = row;
    const again = asking === null ? null : await unlessDeleted(startIngestion(app, tx, ctx, { again: asking }));
    return { ...presentContract((await selectContract(tx, id))!), started_ingestion_id: again };
  });
}

/**
 * Returns null when a file of the ingestion has been deleted. `startIngestion` refuses that before it writes anything.
 */
function unlessDeleted(starting: Promise<string>): Promise<string | null> {
  return starting.catch((error) => {
    if (error instanceof Failure && error.reason === 'file_deleted') return null;
    throw error;
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
