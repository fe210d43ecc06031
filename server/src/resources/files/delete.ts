import type { Context } from '../../access/context.ts';
import { tenant } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { presentFile } from './file.ts';
import { markDeleted, selectFile, takeParts } from './sql.ts';

/** Deletes a file's bytes and marks its record as deleted. Idempotent. Throws Failure 'not_found'. */
export async function deleteFile(app: App, ctx: Context, id: string) {
  const { file, parts } = await tenant(app.db, ctx, async (tx) => {
    const file = await selectFile(tx, id);
    if (!file) throw refuse('not_found', `there is no file ${id}`);
    if (await markDeleted(tx, id))
      await record(tx, ctx, 'batch-input-deletion', { type: 'file', id }, { path: file.path });
    return { file: (await selectFile(tx, id))!, parts: await takeParts(tx, id) };
  });
  for (const key of [file.storage_key, ...parts]) await app.storage.delete(key);
  return presentFile(file);
}
