// The one contract for stored bytes, whatever keeps them: whole objects under keys, never changed in part.
import type { Readable } from 'node:stream';
import { assert, Failure } from '../failure.ts';

export type Storage = {
  /**
   * Stores all bytes under the key in place of what was there, or nothing: readers see the old object or the new one. A
   * stream that ends with an error (a caller who hung up) stores nothing and throws that error. A stream that is given
   * up is not destroyed: it may be a request on whose connection the refusal still has to be answered. Throws: Failure
   * `invalid` when the bytes do not have `expectedMd5`, `insufficient_storage` when they find no room.
   */
  readonly put: (key: string, body: Body, options?: PutOptions) => Promise<StoredObject>;
  /**
   * The bytes, or those of a range; consume or destroy the stream. Nothing is verified on the way.
   * Throws: Failure `not_found`, and `invalid` for a range that starts behind the end.
   */
  readonly get: (key: string, options?: { readonly range?: Range }) => Promise<Readable>;
  readonly stat: (key: string) => Promise<StoredObject | null>;
  /** Everything under a folder such as `a/b/` (all for ``), in order of key. What changes meanwhile may be missed. */
  readonly list: (folder: string) => AsyncIterable<ListedObject>;
  /** Removes an object; an absent one is no error. */
  readonly delete: (key: string) => Promise<void>;
  /** Removes everything under a folder such as `a/b/`, and what interrupted writes left there. */
  readonly deletePrefix: (folder: string) => Promise<void>;
  /** Removes what writes that were killed left behind, where it is older than `ageMs`. */
  readonly tidy: (ageMs: number) => Promise<void>;
  /** Reads the object again and says whether size, SHA-256 and MD5 still hold. Throws: Failure `not_found`. */
  readonly verify: (key: string) => Promise<boolean>;
  /** A local file with these bytes, for reading only, for use at once: later writes may remove it. Throws as `get`. */
  readonly localPath: (key: string) => Promise<string>;
  /**
   * Removes the copies that this machine has of what lies under a folder; absent where objects are local themselves.
   */
  readonly forget?: (folder: string) => Promise<void>;
};

export type Body = Uint8Array | AsyncIterable<Uint8Array>;

export type PutOptions = {
  /** Base64, as in `Content-MD5`. */
  readonly expectedMd5?: string;
  readonly contentType?: string;
  /** How many bytes are expected, if known: S3 takes larger parts for objects above 80 GB. */
  readonly size?: number;
};

/** First and last byte, both included, as in HTTP; without `end` to the end. An `end` behind the end is cut. */
export type Range = { readonly start: number; readonly end?: number };

export type StoredObject = {
  readonly size: number;
  /** Hex. */
  readonly sha256: string;
  /** Base64, as in `Content-MD5`. */
  readonly md5: string;
  readonly contentType: string | null;
};

export type ListedObject = { readonly key: string; readonly size: number };

/** With S3's 1,024 bytes in mind, less a prefix. */
const keyLengthMax = 800;
/** File systems allow 255 bytes; the drivers add a mark of their own. */
const segmentLengthMax = 200;

/** Keys are made of ids and names of our own: a caller's path in one is a bug, and traversal is not expressible. */
export function checkKey(key: string): void {
  assert(key.length <= keyLengthMax && key.split('/').every(isSegment), `${JSON.stringify(key)} is no storage key`);
}

/** A folder is empty or ends with a slash, so that `a/1/` does not mean `a/10/` too. */
export function checkFolder(folder: string): void {
  if (folder === '') return;
  assert(folder.endsWith('/'), `${JSON.stringify(folder)} is no storage folder: it must end with a slash`);
  checkKey(folder.slice(0, -1));
}

/** Refuses what is no range, or starts behind the end. */
export function checkRange({ start, end = start }: Range, size = Number.POSITIVE_INFINITY): void {
  assert(Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0 && end >= start, 'not a range');
  if (start >= size) throw new Failure('invalid', `The range starts at byte ${start}, behind the last one.`);
}

/** What is thrown where an object was expected. */
export function notStored(key: string): Failure {
  return new Failure('not_found', `Nothing is stored under ${key}.`);
}

function isSegment(text: string): boolean {
  return text.length <= segmentLengthMax && /^[A-Za-z0-9_][A-Za-z0-9._=@+-]*$/.test(text) && !text.endsWith('.');
}

/** What is thrown when bytes find no room. */
export function storageFull(cause: unknown): Failure {
  return new Failure('insufficient_storage', 'The storage is full; nothing was stored.', { cause });
}
