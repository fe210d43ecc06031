import type { Tx } from '../../access/transactions.ts';
import { selectAliases, selectLastHolder } from './sql.ts';

/** The version that one with this alias would replace: what it points at, or pointed at last; null for none. */
export async function findReplaced(tx: Tx, modelId: string, alias: string): Promise<string | null> {
  const pointed = (await selectAliases(tx, [modelId])).find((known) => known.alias === alias);
  return pointed?.version_id ?? (await selectLastHolder(tx, modelId, alias));
}
