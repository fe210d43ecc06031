import type { Context } from '../../access/context.ts';
import { type Database, tenant } from '../../access/transactions.ts';
import type { Storage } from '../../lib/storage/storage.ts';
import { gfmFolderOf, storedGfm } from '../../serving/graph-models.ts';
import { requireGfmVersion } from './require.ts';

/** Returns a local folder with the files of a released version. Throws Failure 'not_found'. */
export async function placeGfm(
  { db, storage }: { readonly db: Database; readonly storage: Storage },
  ctx: Context,
  workFolder: string,
  id: string,
): Promise<string> {
  return gfmFolderOf(storage, workFolder, storedGfm(await tenant(db, ctx, (tx) => requireGfmVersion(tx, id))));
}
