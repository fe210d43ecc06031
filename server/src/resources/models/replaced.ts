import type { Tx } from '../../access/transactions.ts';
import { selectAliases, selectLastHolder } from './sql.ts';

/** The version that one with this alias would replace: what it points at, or pointed at last; null for none. */
export async function findReplaced(tx: Tx, modelId: string, alias: string): Promise<string | null> {
  const pointed = (await selectAliases(tx, [modelId])).find((known) => known.alias === alias);
  return pointed?.version_id ?? (await selectLastHolder(tx, modelId, alias));
}

/**
 * What a version that was just learned is held against: the one that it would replace under its run's alias, else the
 * one behind the model's only alias, or behind `production` among several. Null where nothing answers by a name yet.
 */
export async function findHeldAgainst(
  tx: Tx,
  modelId: string,
  alias: string | null,
): Promise<{ readonly alias: string; readonly versionId: string } | null> {
  const replaced = alias === null ? null : await findReplaced(tx, modelId, alias);
  if (alias !== null && replaced !== null) return { alias, versionId: replaced };
  const aliases = await selectAliases(tx, [modelId]);
  const usual = aliases.length === 1 ? aliases[0] : aliases.find((one) => one.alias === 'production');
  return usual ? { alias: usual.alias, versionId: usual.version_id } : null;
}
