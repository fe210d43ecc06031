import type { Context } from '../../access/context.ts';
import { type Tx, tenant } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { type Key, textsOf } from './create.ts';
import { requireList, requireLocked } from './require.ts';
import { countKeys, deleteKeys, insertKeys } from './sql.ts';
import { entriesMax, presentList } from './watch-list.ts';

/** Makes the entries of a list those of some keys: who is on it already stays, with its moves. */
export function setEntries(app: App, ctx: Context, id: string, keys: readonly Key[]) {
  return change(app, ctx, id, async (tx) => {
    const texts = textsOf(keys);
    const removed = await deleteKeys(tx, id, 'others', texts);
    return { added: await insertKeys(tx, ctx, id, texts), removed };
  });
}

/** Adds entries; who is on the list already stays as it is. */
export function addEntries(app: App, ctx: Context, id: string, keys: readonly Key[]) {
  return change(app, ctx, id, async (tx) => ({ added: await insertKeys(tx, ctx, id, textsOf(keys)), removed: 0 }));
}

/** Removes entries with their moves; keys that are not on the list are none. */
export function removeEntries(app: App, ctx: Context, id: string, keys: readonly Key[]) {
  return change(app, ctx, id, async (tx) => ({ added: 0, removed: await deleteKeys(tx, id, 'these', textsOf(keys)) }));
}

type Changed = { readonly added: number; readonly removed: number };

/** Changes entries of a list. Throws Failure 'not_found', and 'limit_exceeded' where it would have too many. */
function change(app: App, ctx: Context, id: string, work: (tx: Tx) => Promise<Changed>) {
  return tenant(app.db, ctx, async (tx) => {
    const { name, model_id, alias } = await requireLocked(tx, id);
    const changed = await work(tx);
    const count = await countKeys(tx, id);
    if (count > entriesMax)
      throw refuse(
        'limit_exceeded',
        `the list would have ${count} entries, and has room for ${entriesMax}: make another list for the rest`,
      );
    const about = { name, model_id, alias, ...changed };
    await record(tx, ctx, 'watch-list-update', { type: 'watch_list', id }, about);
    return presentList(await requireList(tx, id));
  });
}
