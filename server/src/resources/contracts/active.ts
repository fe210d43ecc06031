import type { Tx } from '../../access/transactions.ts';
import type { ContractRow } from './contract.ts';
import { selectActive } from './sql.ts';

/** Returns the contract that files are checked against; undefined before the first is accepted. */
export function selectActiveContract(tx: Tx): Promise<ContractRow | undefined> {
  return selectActive(tx);
}
