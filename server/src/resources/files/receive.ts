import type { Admission } from '../../access/admit.ts';
import type { Context } from '../../access/context.ts';
import { type Tx, tenant } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { Failure } from '../../lib/failure.ts';
import type { Exchange } from '../../lib/http/server.ts';
import { record } from '../../trail/record.ts';
import { requireHeld } from '../allowances/require-held.ts';
import type { App } from '../app.ts';
import { type FileRow, presentFile } from './file.ts';
import { receivedKey } from './request-upload.ts';
import { markUploaded, selectFile, takeParts } from './sql.ts';

/**
 * Stores the bytes of a declared file. The caller has checked the address. Of several requests that send the same file
 * the one that ends first wins; the others are refused. Throws, with nothing stored, Failure 'content_type_mismatch',
 * 'digest_mismatch', 'file_already_uploaded', 'file_deleted', 'not_found', 'insufficient_storage', 'quota_exceeded'.
 */
export async function receiveFile(app: App, ctx: Context, id: string, exchange: Exchange, ensure: Admission['ensure']) {
  const length = exchange.headers['content-length'];
  const file = await tenant(app.db, ctx, (tx) => openWhole(tx, id, Number(length ?? 0)));
  checkHeaders(file, exchange);
  const key = receivedKey(ctx, id);
  const stored = await app.storage
    .put(key, exchange.stream, {
      expectedMd5: file.md5,
      contentType: file.content_type,
      ...(length !== undefined && { size: Number(length) }),
    })
    .catch((error) => {
      throw error instanceof Failure && error.code === 'invalid' ? refuse('digest_mismatch', error.message) : error;
    });
  try {
    // The upload may have taken an hour.
    await ensure();
    const { uploaded, parts } = await tenant(app.db, ctx, async (tx) => {
      if (!(await markUploaded(tx, id, key, stored))) throw await refusalOfLate(tx, file);
      await requireHeld(tx, 'stored_megabytes', 0);
      await record(tx, ctx, 'batch-input-upload', { type: 'file', id }, { path: file.path });
      return { uploaded: presentFile((await selectFile(tx, id))!), parts: await takeParts(tx, id) };
    });
    for (const part of parts) await app.storage.delete(part);
    return uploaded;
  } catch (error) {
    // After any other error the commit may have happened: unless it did, the sweep removes the bytes.
    const isRefused = error instanceof Failure && error.code !== 'unavailable';
    if (isRefused) await app.storage.delete(key);
    throw error;
  }
}

/** A declared file for which there is room. What was declared is counted already. */
async function openWhole(tx: Tx, id: string, bytes: number): Promise<FileRow> {
  const file = await selectFile(tx, id);
  if (!file || file.status === 'deleted') throw refuse('not_found', `there is no file ${id} to send`);
  if (file.status === 'uploaded') throw alreadySent(file);
  await requireHeld(tx, 'stored_megabytes', Math.floor(Math.max(0, bytes - (file.declared_bytes ?? 0)) / 1e6));
  return file;
}

/** Why the bytes of a file are not taken any more that waited for them when they began to come. */
export async function refusalOfLate(tx: Tx, file: FileRow): Promise<Failure> {
  const now = await selectFile(tx, file.id);
  return now?.status === 'uploaded'
    ? alreadySent(file)
    : refuse('file_deleted', `${file.path} was deleted while it was being sent`);
}

export function alreadySent({ path }: FileRow): Failure {
  return refuse('file_already_uploaded', `${path} has been sent already; declare another file to send new bytes`);
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
