import type { Tx } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { didYouMean } from '../../lib/nearest-word.ts';
import type { ModelRow, VersionRow } from './model.ts';
import { selectAliases, selectModel, selectModelNames, selectVersionNamed } from './sql.ts';

/** Returns the model of an id or name. Throws Failure 'not_found'. */
export async function requireModel(tx: Tx, idOrName: string): Promise<ModelRow> {
  const row = await selectModel(tx, idOrName);
  if (row) return row;
  throw refuse('not_found', `there is no model ${idOrName}${didYouMean(idOrName, await selectModelNames(tx))}`);
}

/**
 * Returns the version of an id, number or alias of a model, which is given by its id or name. Throws Failure
 * 'not_found'.
 */
export async function requireVersion(tx: Tx, model: string, name: string): Promise<VersionRow> {
  const { id } = await requireModel(tx, model);
  const row = await selectVersionNamed(tx, id, name);
  if (row) return row;
  const aliases = (await selectAliases(tx, [id])).map(({ alias }) => alias);
  const hint = didYouMean(name, aliases) || '; give its id, its number or an alias';
  throw refuse('not_found', `model ${model} has no version ${name}${hint}`);
}

/** Returns the id of the model of an id or name; what names no model is returned as it is. */
export async function modelIdOf(tx: Tx, idOrName: string): Promise<string> {
  return (await selectModel(tx, idOrName))?.id ?? idOrName;
}
