import { verifySignedUrl } from '../../lib/crypto/signed-url.ts';
import { Failure } from '../../lib/failure.ts';
import type { Exchange, Head } from '../../lib/http/server.ts';
import { holderContext } from '../../tenancy/address.ts';
import { record } from '../../tenancy/audit.ts';
import { system, tenant } from '../../tenancy/doors.ts';
import { refuse } from '../../tenancy/errors.ts';
import type { App } from '../app.ts';
import { type FileRow, presentFile } from './file.ts';
import { markUploaded, selectFile } from './sql.ts';

/**
 * Stores the bytes of a declared file, whose address has been checked. Throws Failure: `content_type_mismatch`,
 * `digest_mismatch` with nothing stored; `file_already_uploaded`; `file_deleted`; `insufficient_storage`.
 */
export async function receiveFile(
  app: App,
  { id, claims }: { id: string; claims: Readonly<Record<string, string>> },
  exchange: Exchange,
) {
  const file = await system(app.db, 'receive file', (tx) => selectFile(tx, id));
  if (!file || file.status === 'deleted') throw refuse('not_found', `there is no file ${id} to send`);
  if (file.status === 'uploaded')
    throw refuse('file_already_uploaded', `${file.path} has been sent already; declare another file to send new bytes`);
  checkHeaders(file, exchange);
  const stored = await app.storage
    .put(file.storage_key, exchange.stream, { expectedMd5: file.md5, contentType: file.content_type })
    .catch((error) => {
      throw error instanceof Failure && error.code === 'invalid' ? refuse('digest_mismatch', error.message) : error;
    });
  const ctx = await holderContext(app.db, file.workspace_id, claims, exchange);
  const row = await tenant(app.db, ctx, async (tx) => {
    const isFirst = await markUploaded(tx, id, stored.size, stored.sha256);
    if (isFirst) await record(tx, ctx, 'batch-input-upload', { type: 'file', id }, { path: file.path });
    const row = (await selectFile(tx, id))!;
    // Two senders of the same bytes: both have delivered what was declared.
    if (!isFirst && row.status === 'uploaded' && row.sha256 !== stored.sha256)
      throw refuse('file_already_uploaded', `${file.path} was sent by another request meanwhile`);
    return row;
  });
  if (row.status !== 'deleted') return presentFile(row);
  await app.storage.delete(file.storage_key);
  throw refuse('file_deleted', `${file.path} was deleted while it was being sent`);
}

/** What an address that we signed says. Throws Failure 'signature_invalid' or 'signature_expired' for any other. */
export function checkAddress(app: App, { method, url }: Head): Readonly<Record<string, string>> {
  const check = verifySignedUrl({ method, url }, app.keys.addresses, new Date());
  if (check.status === 'ok') return check.claims;
  if (check.status === 'expired') throw refuse('signature_expired', 'the address has expired; ask for a new one');
  throw refuse('signature_invalid', 'the address is not as it was given out');
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
