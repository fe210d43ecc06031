import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import { record } from '../../trail/record.ts';
import { type ContractProposal, insertProposed } from './sql.ts';

/** Adds a contract as proposed, on the record. Returns its id. */
export async function addProposal(tx: Tx, ctx: Context, proposal: ContractProposal): Promise<string> {
  const { ingestionId } = proposal;
  const id = await insertProposed(tx, ctx, proposal);
  const about = ingestionId === null ? {} : { ingestion_id: ingestionId };
  await record(tx, ctx, 'data-contract-version', { type: 'contract', id }, { status: 'proposed', ...about });
  return id;
}
