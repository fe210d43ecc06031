import type { Tx } from '../../access/transactions.ts';
import type { SplitRow, VersionRow } from './model.ts';
import { requireModel } from './require.ts';
import { selectSplit, selectVersion, selectVersionNamed } from './sql.ts';

export type FoundSplit = {
  readonly split: SplitRow;
  /** The version that the alias points at, and the one that answers a share. */
  readonly pointed: VersionRow;
  readonly challenger: VersionRow;
};

/** The split of an alias of a model; null where it is not split. Throws Failure 'not_found' without the model. */
export async function findSplit(tx: Tx, model: string, alias: string): Promise<FoundSplit | null> {
  const { id } = await requireModel(tx, model);
  const split = await selectSplit(tx, id, alias);
  const pointed = await selectVersionNamed(tx, id, alias);
  const challenger = split && (await selectVersion(tx, id, split.version_id));
  return split && pointed && challenger ? { split, pointed, challenger } : null;
}
