import type { Tx } from '../../access/transactions.ts';
import { selectLabels } from './sql.ts';

/** Returns the ids of all files that some task learns its labels from. */
export async function labelFiles(tx: Tx): Promise<ReadonlySet<string>> {
  return new Set((await selectLabels(tx)).flatMap((labels) => Object.values(labels)));
}
