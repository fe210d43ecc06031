import { parseStoredContract } from '../../ml/contract/parse.ts';

/** The names of the tables of a contract that was accepted. */
export async function readTableNames({ contract }: { readonly contract: string }): Promise<readonly string[]> {
  return parseStoredContract(contract, 'the active contract').tables.map(({ name }) => name);
}
