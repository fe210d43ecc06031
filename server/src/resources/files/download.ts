import type { Context } from '../../access/context.ts';
import { tenant } from '../../access/transactions.ts';
import type { Call } from '../../api/route.ts';
import { sendObject } from '../../api/send-object.ts';
import { refuse } from '../../errors.ts';
import type { Answer } from '../../lib/http/server.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { selectFile } from './sql.ts';

/**
 * Sends the bytes of a file as they were uploaded, whole or a range. Throws Failure 'not_found', 'file_not_uploaded',
 * 'file_deleted'.
 */
export async function downloadFile(
  app: App,
  ctx: Context,
  id: string,
  { exchange, ensure }: Pick<Call<never, never, never>, 'exchange' | 'ensure'>,
): Promise<Answer> {
  const file = await tenant(app.db, ctx, async (tx) => {
    const file = await selectFile(tx, id);
    if (!file) throw refuse('not_found', `there is no file ${id}`);
    if (file.status === 'deleted') throw refuse('file_deleted', `${file.path} has been deleted`);
    if (file.status !== 'uploaded') throw refuse('file_not_uploaded', `the bytes of ${file.path} have not arrived`);
    if (exchange.method !== 'HEAD') await record(tx, ctx, 'file-download', { type: 'file', id }, { path: file.path });
    return file;
  });
  return sendObject(
    app.storage,
    file.storage_key,
    { exchange, ensure },
    {
      sha256: file.sha256!,
      bytes: Number(file.bytes),
      contentType: file.content_type,
      name: file.path,
    },
  );
}
