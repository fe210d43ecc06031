import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import { selectStoredGfms } from '../../serving/graph-models.ts';
import { currentIdentifiers, currentSnapshot } from '../../serving/snapshot.ts';
import { isWholeDue, lockList, selectAliasVersion, selectKeys, updateList } from './sql.ts';

/** A rescoring that was begun: by what, over what and as of when which entries are scored. */
export type Begun = NonNullable<Awaited<ReturnType<typeof begin>>>;

/** Begins a rescoring, after which none that was begun earlier may end. Null where there is nothing to score by. */
export async function begin(tx: Tx, ctx: Context, id: string) {
  const list = await lockList(tx, id);
  if (!list) return null;
  const versions = await selectAliasVersion(tx, list);
  const snapshot = await currentSnapshot(tx, ctx);
  if (versions.length === 0 || !snapshot) {
    await updateList(tx, id, { rest_until: new Date() });
    return null;
  }
  const which: 'all' | 'waiting' = (await isWholeDue(tx, id)) ? 'all' : 'waiting';
  const attempt = list.attempt + 1;
  await updateList(tx, id, { attempt });
  return {
    ...{ list, attempt, snapshot, versions, which, asOf: new Date() },
    names: await currentIdentifiers(tx, ctx),
    graphModels: await selectStoredGfms(tx, versions),
    keys: await selectKeys(tx, id, which),
  };
}
