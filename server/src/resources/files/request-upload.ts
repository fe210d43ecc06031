import type { Context } from '../../access/context.ts';
import { signAddress } from '../../access/credentials/signed-address.ts';
import type { Tx } from '../../access/transactions.ts';
import { create } from '../../api/idempotency.ts';
import { newId } from '../../lib/crypto/ids.ts';
import type { Answer } from '../../lib/http/server.ts';
import { record } from '../../trail/record.ts';
import { requireHeld } from '../allowances/require-held.ts';
import type { App } from '../app.ts';
import { uploadLifetimeMs } from './file.ts';
import { insertUpload, setExpiry } from './sql.ts';

export type DeclaredFile = {
  readonly path: string;
  readonly content_type: string;
  readonly md5: string;
  readonly bytes?: number;
};

type Declared = {
  readonly id: string;
  readonly files: readonly (DeclaredFile & { readonly id: string })[];
};

/**
 * Declares files and returns for each a signed address to send its bytes to. A repeated request (same Idempotency-Key)
 * returns new addresses of the same files. Throws Failure 'quota_exceeded'.
 */
export function requestUpload(app: App, ctx: Context, declared: readonly DeclaredFile[]): Promise<Answer> {
  return create(
    app.db,
    ctx,
    201,
    (tx) => declare(tx, ctx, declared),
    (tx, made) => address(app, tx, ctx, made),
  );
}

async function declare(tx: Tx, ctx: Context, declared: readonly DeclaredFile[]): Promise<Declared> {
  const uploadId = newId('upl');
  const files = declared.map((file) => ({ id: newId('file'), ...file }));
  const stored = files.map(({ bytes = null, ...file }) => ({
    ...{ ...file, declared_bytes: bytes, storage_key: fileKey(ctx, file.id) },
  }));
  await insertUpload(tx, ctx, uploadId, stored, addressesExpire());
  await requireHeld(tx, 'stored_megabytes', 0);
  const about = { files: files.map(({ id, path }) => ({ id, path })) };
  await record(tx, ctx, 'batch-input-upload-request', { type: 'upload', id: uploadId }, about);
  return { id: uploadId, files };
}

/** Signs new upload addresses of declared files and extends the files' expiry to that of the addresses. */
async function address(app: App, tx: Tx, ctx: Context, { id, files }: Declared) {
  const expires = addressesExpire();
  await setExpiry(
    tx,
    files.map((file) => file.id),
    expires,
  );
  const sign = (path: string) =>
    `${app.publicUrl()}${signAddress(app.keys.addresses, ctx, { path, method: 'PUT', expires })}`;
  return {
    id,
    files: files.map(({ id, path, content_type, md5 }) => ({
      id,
      path,
      upload_url: sign(uploadPath(id)),
      method: 'PUT',
      headers: { 'Content-Type': content_type, 'Content-MD5': md5 },
      expires_at: expires.toISOString(),
    })),
  };
}

function addressesExpire(): Date {
  return new Date(Date.now() + uploadLifetimeMs);
}

/** Returns the prefix of the storage keys of a file's bytes; see `receivedKey`. */
export function fileKey({ organizationId, workspaceId }: Context, id: string): string {
  return `${organizationId}/${workspaceId}/files/${id}`;
}

/**
 * Returns a new storage key for the bytes of one request. Each request has its own, so a late one cannot replace what
 * an earlier one has stored; what a killed process leaves is swept, by the time in the key's last id.
 */
export function receivedKey(ctx: Context, id: string): string {
  return `${fileKey(ctx, id)}-${newId('put')}`;
}

function uploadPath(id: string): string {
  return `/v2/api/files/${id}/upload`;
}
