import { refuse } from '../errors.ts';
import { namesEtag } from '../lib/http/etags.ts';
import type { Answer, Exchange } from '../lib/http/server.ts';
import { NotStored, type Storage } from '../lib/storage/storage.ts';
import type { Call } from './route.ts';
import { whileAllowed } from './while-allowed.ts';

export type SentObject = {
  readonly sha256: string;
  readonly bytes: number;
  readonly contentType: string;
  /** The file name that a browser should use. */
  readonly name: string;
};

/**
 * Answers with the bytes of a stored object, or with the one range for which the request asks, while the caller has the
 * right to them. The ETag is the SHA-256 of the bytes (RFC 9110 §13, §14). Bytes that turn out to be others break the
 * answer off. Throws Failure 'range_not_satisfiable', 'object_damaged'.
 */
export async function sendObject(
  storage: Storage,
  key: string,
  { exchange: { headers }, ensure }: Pick<Call<never, never, never>, 'exchange' | 'ensure'>,
  { sha256, bytes, contentType, name }: SentObject,
): Promise<Answer> {
  const etag = `"${sha256}"`;
  const common = {
    etag,
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-transform',
    'repr-digest': `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`,
    'content-disposition': dispositionOf(name.split('/').at(-1)!),
  };
  const part = partOf(headers, { sha256, bytes });
  if (part === null) return { status: 304, headers: common };
  const isWhole = part === 'whole';
  const length = isWhole ? bytes : part.end - part.start + 1;
  const stream = await storage.get(key, sha256, isWhole ? {} : { range: part }).catch((error) => {
    // By the database the bytes exist.
    throw error instanceof NotStored ? storage.lost(key) : error;
  });
  return {
    status: isWhole ? 200 : 206,
    headers: {
      ...common,
      'content-type': contentType,
      'content-length': String(length),
      ...(isWhole ? {} : { 'content-range': `bytes ${part.start}-${part.end}/${bytes}` }),
    },
    body: whileAllowed(stream, ensure),
  };
}

/**
 * The part of an object with which a request is answered: the one range for which it asks, or the whole; null when the
 * caller already has these bytes (If-None-Match). Throws Failure 'range_not_satisfiable'.
 */
export function partOf(
  headers: Exchange['headers'],
  { sha256, bytes }: Pick<SentObject, 'sha256' | 'bytes'>,
): ByteRange | 'whole' | null {
  const etag = `"${sha256}"`;
  const known = headers['if-none-match'];
  if (known !== undefined && namesEtag(String(known), etag, 'weak')) return null;
  const isCurrent = headers['if-range'] === undefined || headers['if-range'] === etag;
  return (isCurrent && bytes > 0 && rangeOf(headers.range, bytes)) || 'whole';
}

/** First and last byte, both included. */
type ByteRange = { readonly start: number; readonly end: number };

/** The name under which a file is saved (RFC 6266): twice, since curl and others read the plain one alone. */
function dispositionOf(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  return `attachment; filename="${plain}"; filename*=UTF-8''${extendedValue(name)}`;
}

/** Encodes text beyond ASCII for a header (RFC 8187). */
function extendedValue(text: string): string {
  return encodeURIComponent(text).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** The range for which a request asks; null for none, and for several, which may be answered with the whole. */
function rangeOf(header: string | string[] | undefined, bytes: number): ByteRange | null {
  const match = typeof header === 'string' ? /^bytes=(\d*)-(\d*)$/.exec(header) : null;
  if (!match || (match[1] === '' && match[2] === '')) return null;
  const isSuffix = match[1] === '';
  const start = isSuffix ? Math.max(0, bytes - Number(match[2])) : Number(match[1]);
  const last = isSuffix || match[2] === '' ? Number.POSITIVE_INFINITY : Number(match[2]);
  // A range that ends before it starts is invalid and ignored.
  if (last < start) return null;
  if (start >= bytes)
    throw refuse('range_not_satisfiable', `the file has ${bytes} bytes; ${header} lies outside of it`, {
      headers: { 'content-range': `bytes */${bytes}` },
    });
  return { start, end: Math.min(last, bytes - 1) };
}
