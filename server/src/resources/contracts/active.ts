import type { Tx } from '../../access/transactions.ts';
import type { ContractRow } from './contract.ts';
import { selectActive } from './sql.ts';

/** The contract that files are held against now; undefined before the first. */
export function selectActiveContract(tx: Tx): Promise<ContractRow | undefined> {
  return selectActive(tx);
}
