import type { Tx } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import type { ContractRow } from './contract.ts';
import { selectContract } from './sql.ts';

/** Returns a contract. Throws Failure 'not_found'. */
export async function requireContract(tx: Tx, id: string): Promise<ContractRow> {
  const row = await selectContract(tx, id);
  if (!row) throw refuse('not_found', `there is no contract ${id}`);
  return row;
}
