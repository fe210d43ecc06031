import { ConnectionError, type Lastro, LastroError, RateLimitError, ServiceError, TimeoutError } from '@lastro/sdk';
import { contentTypeOf } from '@lastro/sdk/uploading';
import { md5OfFile } from './md5-of-file.ts';
import { putFile } from './put-file.ts';

export type SendingState = {
  readonly phase: 'hashing' | 'sending' | 'stalled';
  /** Bytes; what was told last stands while it is stalled. */
  readonly loaded?: number;
};

/** A file on its way: what has been found of it stays, so that it goes on where it failed. */
export type Sending = {
  readonly file: File;
  /** The same file declared again with the same key is the same file of the service. */
  readonly key: string;
  md5: string | null;
};

const attemptsMax = 30;
const pauseMsMax = 15_000;

/**
 * Hashes a file, declares it and sends its bytes; returns its id. A connection that breaks is waited for, and the file
 * then goes on where it broke off. Throws LastroError for
 * what is refused, and after `attemptsMax` broken attempts.
 */
export async function sendFile(
  client: Lastro,
  sending: Sending,
  tell: (state: SendingState) => void,
  signal: AbortSignal,
): Promise<string> {
  const { file, key } = sending;
  for (let attempt = 1; ; attempt++) {
    let id = '';
    try {
      sending.md5 ??= await md5OfFile(file, (loaded) => tell({ phase: 'hashing', loaded }), signal);
      const { name: path, size: bytes } = file;
      const declared = { path, bytes, content_type: contentTypeOf(path), md5: sending.md5 };
      // Asked again with the same key, the service gives a new address of the same file.
      const { files } = await client.files.upload({ files: [declared] }, { idempotencyKey: key, signal });
      id = files[0].id;
      await putFile(file, files[0].upload_url, (loaded) => tell({ phase: 'sending', loaded }), signal);
      return id;
    } catch (error) {
      signal.throwIfAborted();
      // The answer to an earlier attempt was lost.
      if (error instanceof LastroError && error.code === 'file_already_uploaded') return id;
      if (!isPassing(error) || attempt === attemptsMax) throw error;
      tell({ phase: 'stalled' });
      await online(Math.min(pauseMsMax, 500 * 2 ** attempt), signal);
    }
  }
}

function isPassing(error: unknown): boolean {
  return (
    error instanceof ConnectionError ||
    error instanceof TimeoutError ||
    error instanceof ServiceError ||
    error instanceof RateLimitError ||
    // Of a part that broke off, the service was still storing the rest.
    (error instanceof LastroError && error.code === 'offset_mismatch') ||
    (error instanceof LastroError && error.code === 'signature_expired')
  );
}

/** Waits for a while, and less where the browser tells that the network is back. */
async function online(waitMs: number, signal: AbortSignal): Promise<void> {
  const ending = new AbortController();
  const until = { signal: ending.signal };
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, waitMs);
    until.signal.addEventListener('abort', () => clearTimeout(timer));
    window.addEventListener('online', () => resolve(), until);
    signal.addEventListener('abort', () => reject(signal.reason), until);
  }).finally(() => ending.abort());
}
