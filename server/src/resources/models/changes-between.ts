import type { Tx } from '../../access/transactions.ts';
import type { Field } from '../../ml/version/schema.ts';
import type { InputChange } from '../../schema/json.ts';
import { inputChanges } from './input-changes.ts';
import { selectVersion } from './sql.ts';

/** By which inputs callers of one version of a model would be refused by another one. */
export async function changesBetween(
  tx: Tx,
  modelId: string,
  before: string,
  after: string,
): Promise<readonly InputChange[]> {
  if (before === after) return [];
  const [from, to] = [await selectVersion(tx, modelId, before), await selectVersion(tx, modelId, after)];
  // They were stored as the fields of the versions, so the casts hold.
  return inputChanges((from?.inputs ?? []) as Field[], (to?.inputs ?? []) as Field[]);
}
