import type { Context } from '../../access/context.ts';
import { type Tx, tenant } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { newId } from '../../lib/crypto/ids.ts';
import type { StoredObject } from '../../lib/storage/storage.ts';
import type { App } from '../app.ts';
import { unreferenced } from './remove.ts';
import { isUnfinished, type SftpFileRow } from './sftp-file.ts';
import { lockByName, lockName, selectByName, updateFile } from './sql.ts';
import { look, submit } from './submit.ts';
import { clearName, takeAgain } from './take-place.ts';

/**
 * Renames a file in `batch/in`, in place of what is there under the other name. A whole file that waited under a name
 * of what is not finished is looked at now, and one that was refused is looked at again. The bytes of the file that was
 * taken last under the other name, within a day, are that file sent once more: it stays, and this one goes. Throws
 * Failure 'not_found', 'conflict'.
 */
export async function renameSftpFile(app: App, ctx: Context, from: string, to: string): Promise<void> {
  if (from === to) return;
  // Before the transaction, which would hold locks and a connection for as long as a slow storage takes.
  const held = await findHeld(app, ctx, from);
  const left = await tenant(app.db, ctx, async (tx) => {
    for (const name of [from, to].sort()) await lockName(tx, ctx, name);
    const file = await lockByName(tx, from);
    if (!file) throw refuse('not_found', `there is no file ${from}`);
    if (file.status === 'incomplete' && !isUnfinished(to))
      throw refuse('conflict', `${from} is not whole: its line dropped, so send the rest or all of it first`);
    if (isLookedAt(file, to)) {
      const replaced = await takeAgain(tx, to, file.sha256!);
      if (replaced !== null) {
        await updateFile(tx, file.id, { removed_at: new Date() });
        return [...replaced, ...unreferenced(file)];
      }
    }
    const replaced = await clearName(tx, to);
    await updateFile(tx, file.id, { name: to });
    if (isLookedAt(file, to)) await lookAt(app, tx, ctx, { file, name: to, held });
    return replaced;
  });
  for (const key of left) await app.storage.delete(key);
}

type Held = { readonly key: string; readonly stored: StoredObject | null };

/** What the storage has of a whole file that waits to be renamed. */
async function findHeld(app: App, ctx: Context, name: string): Promise<Held | null> {
  const file = await tenant(app.db, ctx, (tx) => selectByName(tx, name));
  if (file?.status !== 'held') return null;
  const key = file.storage_key!;
  return { key, stored: await app.storage.stat(key) };
}

/** Whether a file is one to be looked at once it has another name. */
function isLookedAt({ status, file_id }: SftpFileRow, name: string): boolean {
  return status === 'held' ? !isUnfinished(name) : status === 'refused' && file_id !== null;
}

async function lookAt(
  app: App,
  tx: Tx,
  ctx: Context,
  { file, name, held }: { readonly file: SftpFileRow; readonly name: string; readonly held: Held | null },
): Promise<void> {
  if (file.status === 'refused') {
    await updateFile(tx, file.id, { status: 'received', problems: [], problem_codes: '[]', settled_at: null });
    return look(app, tx, ctx, file.id);
  }
  const key = file.storage_key!;
  if (held?.key !== key) throw refuse('conflict', `another file came to be renamed to ${name}: rename it again`);
  if (!held.stored) throw app.storage.lost(key);
  await submit(app, tx, ctx, { id: file.id, name, fileId: newId('file'), key, stored: held.stored });
}
