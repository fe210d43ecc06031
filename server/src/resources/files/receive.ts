import type { Admission } from '../../access/admit.ts';
import type { Context } from '../../access/context.ts';
import { tenant } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { Failure } from '../../lib/failure.ts';
import type { Exchange } from '../../lib/http/server.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { type FileRow, presentFile } from './file.ts';
import { markUploaded, selectFile } from './sql.ts';

/**
 * Stores the bytes of a declared file. The caller has checked the address. Throws Failure 'content_type_mismatch' or
 * 'digest_mismatch', with nothing stored; 'file_already_uploaded'; 'file_deleted'; 'not_found'; 'insufficient_storage'.
 */
export async function receiveFile(app: App, ctx: Context, id: string, exchange: Exchange, ensure: Admission['ensure']) {
  const file = await tenant(app.db, ctx, (tx) => selectFile(tx, id));
  if (!file || file.status === 'deleted') throw refuse('not_found', `there is no file ${id} to send`);
  if (file.status === 'uploaded')
    throw refuse('file_already_uploaded', `${file.path} has been sent already; declare another file to send new bytes`);
  checkHeaders(file, exchange);
  const length = exchange.headers['content-length'];
  const stored = await app.storage
    .put(file.storage_key, exchange.stream, {
      expectedMd5: file.md5,
      contentType: file.content_type,
      ...(length !== undefined && { size: Number(length) }),
    })
    .catch((error) => {
      throw error instanceof Failure && error.code === 'invalid' ? refuse('digest_mismatch', error.message) : error;
    });
  // The upload may have taken an hour. If the caller has lost the permission, the sweep removes the bytes with their
  // record.
  await ensure();
  const row = await tenant(app.db, ctx, async (tx) => {
    const isFirst = await markUploaded(tx, id, stored.size, stored.sha256);
    if (isFirst) await record(tx, ctx, 'batch-input-upload', { type: 'file', id }, { path: file.path });
    const row = (await selectFile(tx, id))!;
    // Two requests that sent the same bytes both succeed.
    if (!isFirst && row.status === 'uploaded' && row.sha256 !== stored.sha256)
      throw refuse('file_already_uploaded', `${file.path} was sent by another request meanwhile`);
    return row;
  });
  if (row.status !== 'deleted') return presentFile(row);
  await app.storage.delete(file.storage_key);
  throw refuse('file_deleted', `${file.path} was deleted while it was being sent`);
}

function checkHeaders(file: FileRow, { headers }: Exchange): void {
  const type = headers['content-type'];
  const md5 = headers['content-md5'];
  if (type !== file.content_type)
    throw refuse(
      'content_type_mismatch',
      `Content-Type must be ${file.content_type}, as declared; it is ${type ?? 'missing'}`,
    );
  if (md5 !== file.md5)
    throw refuse('digest_mismatch', `Content-MD5 must be ${file.md5}, as declared; it is ${md5 ?? 'missing'}`);
}
