import type { Admission } from '../../access/admit.ts';
import type { Context } from '../../access/context.ts';
import { type Tx, tenant } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { Failure } from '../../lib/failure.ts';
import type { Answer, Exchange } from '../../lib/http/server.ts';
import type { Storage } from '../../lib/storage/storage.ts';
import { record } from '../../trail/record.ts';
import { requireHeld } from '../allowances/require-held.ts';
import type { App } from '../app.ts';
import type { FileRow } from './file.ts';
import { gather } from './gather.ts';
import { alreadySent, refusalOfLate } from './receive.ts';
import { receivedKey } from './request-upload.ts';
import {
  type FilePart,
  insertPart,
  lockFile,
  markUploaded,
  selectFile,
  selectParts,
  setDeclaredBytes,
  takeParts,
} from './sql.ts';
import { readPartHead, type UploadProgress, uploadHeaders } from './upload-offset.ts';

/** Bytes of a part: so much of what was sent is lost at most when a process dies, and is held in memory meanwhile. */
const partBytesMin = 8 * 1024 * 1024;
/** Parts of a file. A file that would have more has larger ones. */
export const partsMax = 10_000;

/**
 * Takes bytes of a declared file that go on where those end that have arrived, and keeps what arrives also when the
 * connection breaks. With its last byte the file is put together, held against its MD5, and uploaded. Throws Failure
 * 'offset_mismatch', 'file_already_uploaded', 'file_deleted', 'not_found', 'limit_exceeded', 'quota_exceeded',
 * 'insufficient_storage', and 'digest_mismatch', after which the file begins anew.
 */
export async function receiveAtOffset(
  app: App,
  ctx: Context,
  id: string,
  exchange: Exchange,
  ensure: Admission['ensure'],
): Promise<Answer> {
  const { offset, length } = readPartHead(exchange);
  const { file, bytes } = await tenant(app.db, ctx, (tx) => openAt(tx, id, offset, length));
  let at = offset;
  const take = async (piece: Buffer): Promise<void> => {
    if (at + piece.length > bytes)
      throw refuse(
        'malformed',
        `${file.path} has ${bytes} bytes, and more were sent; nothing after byte ${at} was kept`,
      );
    if (at + piece.length < bytes) await keepPart(app, ctx, file, at, piece);
    else await finish(app, ctx, file, { last: piece, starts: at }, ensure);
    at += piece.length;
  };
  for await (const piece of gather(exchange.stream, partBytesOf(bytes))) await take(piece);
  if (bytes === 0) await take(Buffer.alloc(0));
  const after = (await tenant(app.db, ctx, (tx) => selectFile(tx, id)))!;
  return { status: 204, headers: uploadHeaders(after, { offset: at, bytes }) };
}

/** A twentieth of the parts that a file may have is left for connections that break. */
function partBytesOf(bytes: number): number {
  return Math.max(partBytesMin, Math.ceil(bytes / (partsMax * 0.95)));
}

async function openAt(tx: Tx, id: string, offset: number, length: number | null) {
  const file = await lockFile(tx, id);
  if (!file || file.status === 'deleted') throw refuse('not_found', `there is no file ${id} to send`);
  if (file.status === 'uploaded') throw alreadySent(file);
  const bytes = file.declared_bytes ?? length;
  if (bytes === null)
    throw refuse('malformed', 'Upload-Length must say how many bytes the file has, as it was declared without bytes');
  if (length !== null && length !== bytes)
    throw refuse('malformed', `Upload-Length is ${length}, and ${file.path} was said to have ${bytes} bytes`);
  if (file.declared_bytes === null) {
    await setDeclaredBytes(tx, id, bytes);
    await requireHeld(tx, 'stored_megabytes', 0);
  }
  checkOffset(file, await selectParts(tx, id), offset);
  return { file, bytes };
}

function checkOffset(file: FileRow, parts: readonly FilePart[], offset: number): void {
  const arrived = endOf(parts);
  if (offset !== arrived)
    throw refuse('offset_mismatch', `${arrived} bytes of ${file.path} have arrived, and the part begins at ${offset}`, {
      headers: { 'upload-offset': String(arrived) },
    });
  if (parts.length >= partsMax)
    throw refuse(
      'limit_exceeded',
      `${file.path} came in ${partsMax} parts already: send larger ones, or declare it anew`,
    );
}

/** A declared file and how many of its bytes have arrived. Throws Failure 'not_found'. */
export async function readProgress(
  tx: Tx,
  id: string,
): Promise<{ readonly file: FileRow; readonly progress: UploadProgress }> {
  const file = await selectFile(tx, id);
  if (!file || file.status === 'deleted') throw refuse('not_found', `there is no file ${id} to send`);
  const { declared_bytes, bytes } = file;
  if (bytes !== null) return { file, progress: { offset: bytes, bytes } };
  return { file, progress: { offset: endOf(await selectParts(tx, id)), bytes: declared_bytes } };
}

function endOf(parts: readonly FilePart[]): number {
  const last = parts.at(-1);
  return last ? last.starts + last.bytes : 0;
}

async function keepPart(app: App, ctx: Context, file: FileRow, starts: number, piece: Buffer): Promise<void> {
  const { id } = file;
  const key = receivedKey(ctx, id);
  const { sha256 } = await app.storage.put(key, piece, { size: piece.length });
  await unlessRefused(app, [key], () =>
    tenant(app.db, ctx, async (tx) => {
      const now = await lockFile(tx, id);
      if (now?.status !== 'awaiting_upload') throw await refusalOfLate(tx, file);
      checkOffset(file, await selectParts(tx, id), starts);
      await insertPart(tx, ctx, id, { starts, bytes: piece.length, storage_key: key, sha256 });
    }),
  );
}

/** Puts the parts together, of which the last is not kept by itself: until the file is there, it can be sent again. */
async function finish(
  app: App,
  ctx: Context,
  file: FileRow,
  { last, starts }: { last: Buffer; starts: number },
  ensure: Admission['ensure'],
): Promise<void> {
  const { id, path, md5: expectedMd5, content_type: contentType } = file;
  const parts = await tenant(app.db, ctx, (tx) => selectParts(tx, id));
  if (endOf(parts) !== starts) checkOffset(file, parts, starts);
  const key = receivedKey(ctx, id);
  const size = starts + last.length;
  const stored = await app.storage
    .put(key, joined(app.storage, parts, last), { expectedMd5, contentType, size })
    .catch(async (error) => {
      if (!(error instanceof Failure) || error.code !== 'invalid') throw error;
      await forget(app, ctx, id);
      throw refuse('digest_mismatch', `${error.message} Send the file from its first byte again.`);
    });
  const kept = await unlessRefused(app, [key], async () => {
    // The upload may have taken an hour.
    await ensure();
    return tenant(app.db, ctx, async (tx) => {
      if (!(await markUploaded(tx, id, key, stored))) throw await refusalOfLate(tx, file);
      await record(tx, ctx, 'batch-input-upload', { type: 'file', id }, { path });
      return takeParts(tx, id);
    });
  });
  for (const part of kept) await app.storage.delete(part);
}

async function* joined(storage: Storage, parts: readonly FilePart[], last: Buffer): AsyncGenerator<Uint8Array> {
  for (const { storage_key, sha256 } of parts) yield* await storage.get(storage_key, sha256);
  yield last;
}

async function forget(app: App, ctx: Context, id: string): Promise<void> {
  const keys = await tenant(app.db, ctx, (tx) => takeParts(tx, id));
  for (const key of keys) await app.storage.delete(key);
}

/**
 * Removes what was stored under `keys` when `work` is refused. After any other error the commit may have happened:
 * unless it did, the sweep removes the bytes.
 */
async function unlessRefused<T>({ storage }: App, keys: readonly string[], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Failure && error.code !== 'unavailable') for (const key of keys) await storage.delete(key);
    throw error;
  }
}
