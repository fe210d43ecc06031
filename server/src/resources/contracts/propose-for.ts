import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import { record } from '../../trail/record.ts';
import { type ContractProposal, insertProposed } from './sql.ts';

/** Adds the contract that would accept an ingestion's files, as proposed. Returns its id. */
export async function proposeFor(
  tx: Tx,
  ctx: Context,
  proposal: ContractProposal & { readonly ingestionId: string },
): Promise<string> {
  const id = await insertProposed(tx, ctx, proposal);
  await record(
    tx,
    ctx,
    'data-contract-version',
    { type: 'contract', id },
    {
      status: 'proposed',
      ingestion_id: proposal.ingestionId,
    },
  );
  return id;
}
