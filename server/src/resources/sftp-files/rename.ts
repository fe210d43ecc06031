import type { Context } from '../../access/context.ts';
import { tenant } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { newId } from '../../lib/crypto/ids.ts';
import type { App } from '../app.ts';
import { unreferenced } from './remove.ts';
import { isUnfinished } from './sftp-file.ts';
import { lockByName, lockName, updateFile } from './sql.ts';
import { look, submit } from './submit.ts';

/**
 * Renames a file in `batch/in`, in place of what is there under the other name. A whole file that waited under a name
 * of what is not finished is looked at now, and one that was refused is looked at again. Throws Failure 'not_found',
 * 'conflict'.
 */
export async function renameSftpFile(app: App, ctx: Context, from: string, to: string): Promise<void> {
  if (from === to) return;
  const left: string[] = [];
  await tenant(app.db, ctx, async (tx) => {
    for (const name of [from, to].sort()) await lockName(tx, ctx, name);
    const file = await lockByName(tx, from);
    if (!file) throw refuse('not_found', `there is no file ${from}`);
    if (file.status === 'incomplete' && !isUnfinished(to))
      throw refuse('conflict', `${from} is not whole: its line dropped, so send the rest or all of it first`);
    const before = await lockByName(tx, to);
    if (before) {
      await updateFile(tx, before.id, { removed_at: new Date() });
      left.push(...unreferenced(before));
    }
    await updateFile(tx, file.id, { name: to });
    if (file.status === 'held' && !isUnfinished(to)) {
      const key = file.storage_key!;
      const stored = await app.storage.stat(key);
      if (!stored) throw app.storage.lost(key);
      await submit(app, tx, ctx, { id: file.id, name: to, fileId: newId('file'), key, stored });
    }
    if (file.status === 'refused' && file.file_id !== null) {
      await updateFile(tx, file.id, { status: 'received', problems: [], problem_codes: '[]', settled_at: null });
      await look(app, tx, ctx, file.id);
    }
  });
  for (const key of left) await app.storage.delete(key);
}
