// What tus 1.0 (https://tus.io/protocols/resumable-upload) says in headers. Of its extensions, expiry; that a length
// may follow later is of its creation, which is our declaration.
import { refuse } from '../../errors.ts';
import type { AnswerHeaders, Head } from '../../lib/http/server.ts';
import type { FileRow } from './file.ts';

export const partType = 'application/offset+octet-stream';
const tusVersion = '1.0.0';

/** What a part says of itself: where it begins, and how many bytes the file has, if it says. */
export type PartHead = { readonly offset: number; readonly length: number | null };

/**
 * Throws Failure 'precondition_failed' for another version of the protocol, 'unsupported_media_type', and 'malformed'
 * for offset or length. Clients that name no version are taken at their word.
 */
export function readPartHead({ headers }: Head): PartHead {
  checkVersion(headers['tus-resumable']);
  if (headers['content-type'] !== partType)
    throw refuse(
      'unsupported_media_type',
      `Content-Type of a part must be ${partType}; it is ${headers['content-type'] ?? 'missing'}`,
    );
  const offset = countOf('Upload-Offset', headers['upload-offset']);
  if (offset === null) throw refuse('malformed', 'Upload-Offset must say where the part begins: 0 for the first byte');
  return { offset, length: countOf('Upload-Length', headers['upload-length']) };
}

function checkVersion(version: string | string[] | undefined): void {
  if (version === undefined || version === tusVersion) return;
  throw refuse('precondition_failed', `Tus-Resumable must be ${tusVersion}; it is ${version}`, {
    headers: { 'tus-version': tusVersion },
  });
}

function countOf(name: string, text: string | string[] | undefined): number | null {
  if (text === undefined) return null;
  const count = typeof text === 'string' && /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(count)) throw refuse('malformed', `${name} must be a number of bytes, not ${text}`);
  return count;
}

/** How many bytes of a file have arrived, as headers. */
export function uploadHeaders(file: Pick<FileRow, 'status' | 'expires_at'>, progress: UploadProgress): AnswerHeaders {
  const { offset, bytes } = progress;
  return {
    'tus-resumable': tusVersion,
    'upload-offset': String(offset),
    ...(bytes === null ? { 'upload-defer-length': '1' } : { 'upload-length': String(bytes) }),
    ...(file.status === 'awaiting_upload' ? { 'upload-expires': file.expires_at.toUTCString() } : {}),
  };
}

/** `offset`: bytes that have arrived. `bytes`: that the file has, once that is known. */
export type UploadProgress = { readonly offset: number; readonly bytes: number | null };
