import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import type { StoredObject } from '../../lib/storage/storage.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { keepFiles } from '../files/receive-parts.ts';
import { sftpFileQueue } from './queue.ts';
import { contentTypeOf } from './sftp-file.ts';
import { updateFile } from './sql.ts';

/** Where a workspace's files by SFTP stand among its files. */
const folder = 'batch/in';

/** Makes a whole file one of the workspace's, and has it looked at. Throws Failure 'quota_exceeded'. */
export async function submit(
  app: App,
  tx: Tx,
  ctx: Context,
  {
    id,
    name,
    fileId,
    key,
    stored,
  }: {
    readonly id: string;
    readonly name: string;
    readonly fileId: string;
    readonly key: string;
    readonly stored: StoredObject;
  },
): Promise<void> {
  const path = `${folder}/${name}`;
  // The quota of what may be stored counts what is held, until it is one of the workspace's files.
  await updateFile(tx, id, { status: 'received' });
  await keepFiles(tx, ctx, [{ id: fileId, name, path, contentType: contentTypeOf(name), key, stored }]);
  await updateFile(tx, id, { file_id: fileId });
  await record(tx, ctx, 'sftp-file-receipt', { type: 'sftp_file', id }, { name, file_id: fileId, bytes: stored.size });
  await look(app, tx, ctx, id);
}

/** Has a file looked at by a worker. */
export async function look(app: App, tx: Tx, ctx: Context, id: string, startAfter?: Date): Promise<void> {
  const options = { group: ctx.workspaceId, singletonKey: id, ...(startAfter && { startAfter }) };
  await app.queue.send(tx, sftpFileQueue, { id, workspace_id: ctx.workspaceId }, options);
}
