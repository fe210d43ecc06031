// The interface of every storage: whole objects under keys, which are never changed in part.
import type { Readable } from 'node:stream';
import { assert, Failure } from '../failure.ts';

export type Storage = {
  /**
   * Stores all bytes under the key in place of what was there, or nothing: readers see the old object or the new one.
   * When the stream ends with an error (a caller hung up), nothing is stored and that error is thrown. A stream that is
   * given up is not destroyed: it may be a request whose connection is still needed for the answer. Throws Failure
   * 'invalid' when the bytes do not have `expectedMd5`, 'insufficient_storage' when there is no room for them.
   */
  readonly put: (key: string, body: Body, options?: PutOptions) => Promise<StoredObject>;
  /**
   * The bytes of an object, or those of a range. Consume or destroy the stream. The whole object is checked against its
   * hash: before anything of a range is told, else before the end is, so a stream of other bytes ends with an error.
   * Throws Failure 'not_found', 'object_damaged', and 'invalid' for a range that starts after the last byte.
   */
  readonly get: (key: string, sha256: ExpectedHash, options?: { readonly range?: Range }) => Promise<Readable>;
  readonly stat: (key: string) => Promise<StoredObject | null>;
  /**
   * Lists everything under a folder such as `a/b/` (all for ``), in order of key. Changes made meanwhile may be missed.
   */
  readonly list: (folder: string) => AsyncIterable<ListedObject>;
  /** Removes an object. An absent object is no error. */
  readonly delete: (key: string) => Promise<void>;
  /** Removes everything under a folder such as `a/b/`, including what interrupted writes left there. */
  readonly deletePrefix: (folder: string) => Promise<void>;
  /** Removes what killed writes left behind, if it is older than `ageMs`. */
  readonly tidy: (ageMs: number) => Promise<void>;
  /** Reads the object and returns whether its size, SHA-256 and MD5 are still right. Throws Failure 'not_found'. */
  readonly verify: (key: string) => Promise<boolean>;
  /**
   * The path of a local file with the object's bytes, which have been checked. Only for reading, and only at once:
   * later writes may remove it. Throws as `get` does.
   */
  readonly localPath: (key: string, sha256: ExpectedHash) => Promise<string>;
  /**
   * Reports an object as damaged that is not there and must be, and returns the Failure. Only whoever knows that nobody
   * has just deleted it can tell.
   */
  readonly lost: (key: string) => Failure;
  /**
   * Removes this machine's copies of the objects under a folder that were made before a moment (milliseconds since
   * 1970). Absent when the objects themselves are local.
   */
  readonly forget?: (folder: string, madeBefore: number) => Promise<void>;
};

export type Body = Uint8Array | AsyncIterable<Uint8Array>;

/**
 * The SHA-256 in hexadecimal that an object must have. Null when nobody kept it apart from the object: then it is the
 * one that was recorded beside the bytes when they were stored, which finds flipped bits but no exchanged objects.
 */
export type ExpectedHash = string | null;

export type PutOptions = {
  /** Base64, as in `Content-MD5`. */
  readonly expectedMd5?: string;
  /** Hexadecimal, of bytes that this program wrote. */
  readonly expectedSha256?: string;
  readonly contentType?: string;
  /** The expected number of bytes, if known: S3 takes larger parts for objects above 80 GB. */
  readonly size?: number;
};

/** First and last byte, both included, as in HTTP. Without `end`, to the last byte; an `end` after it is cut. */
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

/** Below S3's limit of 1,024 bytes, to leave room for a prefix. */
const keyLengthMax = 800;
/** File systems allow 255 bytes; the disk storage adds a suffix of its own. */
const segmentLengthMax = 200;

/**
 * Throws unless a text is a key. Keys are made of the program's own ids and names: a caller's path in one is a bug, and
 * a key cannot express path traversal.
 */
export function checkKey(key: string): void {
  assert(key.length <= keyLengthMax && key.split('/').every(isSegment), `${JSON.stringify(key)} is no storage key`);
}

/** Throws unless a text is a folder: empty, or ending with a slash, so that `a/1/` does not also mean `a/10/`. */
export function checkFolder(folder: string): void {
  if (folder === '') return;
  assert(folder.endsWith('/'), `${JSON.stringify(folder)} is no storage folder: it must end with a slash`);
  checkKey(folder.slice(0, -1));
}

/** Throws when the range is not valid, and Failure 'invalid' when it starts after the last byte. */
export function checkRange({ start, end = start }: Range, size = Number.POSITIVE_INFINITY): void {
  assert(Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0 && end >= start, 'not a range');
  if (start >= size) throw new Failure('invalid', `The range starts at byte ${start}, behind the last one.`);
}

/** The Failure for an object that does not exist. */
export class NotStored extends Failure {
  readonly key: string;

  constructor(key: string) {
    super('not_found', `Nothing is stored under ${key}.`);
    this.key = key;
  }
}

function isSegment(text: string): boolean {
  return text.length <= segmentLengthMax && /^[A-Za-z0-9_][A-Za-z0-9._=@+-]*$/.test(text) && !text.endsWith('.');
}

/** The Failure for bytes for which there is no room. */
export function storageFull(cause: unknown): Failure {
  return new Failure('insufficient_storage', 'The storage is full; nothing was stored.', { cause });
}
