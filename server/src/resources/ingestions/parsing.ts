import { diffContracts } from '../../ml/contract/diff.ts';
import { parseStoredContract } from '../../ml/contract/parse.ts';
import { type StaleTable, staleTables } from '../../ml/lake/stale.ts';

/** The names of the tables of a contract that was accepted. */
export async function readTableNames({ contract }: { readonly contract: string }): Promise<readonly string[]> {
  return parseStoredContract(contract, 'the active contract').tables.map(({ name }) => name);
}

export type Difference = {
  /** Tables whose files must be read again. */
  readonly stale: readonly StaleTable[];
  /** All that differs, as paths such as `orders.buyer_id.type`. */
  readonly paths: readonly string[];
};

/** Says how the contract that data are stored under differs from another one. */
export async function compareStored({
  stored,
  other,
}: {
  readonly stored: string;
  readonly other: string;
}): Promise<Difference> {
  const before = parseStoredContract(stored, 'the contract of the snapshot');
  const after = parseStoredContract(other, 'the contract');
  return { stale: staleTables(before, after, true), paths: diffContracts(before, after).map(({ path }) => path) };
}
