import { ConnectionError } from '@lastro/sdk';
import type { Hashed } from './md5-worker.ts';

/** A file of the disk that could not be read: it was changed, moved or deleted after it was chosen. */
export class UnreadableFileError extends Error {}

/**
 * The MD5 of a file in base64, computed beside the page. Throws UnreadableFileError, ConnectionError where there is no
 * network to begin with, and what `signal` was ended with.
 */
export async function md5OfFile(file: Blob, tell: (loaded: number) => void, signal: AbortSignal): Promise<string> {
  signal.throwIfAborted();
  const worker = new Worker(new URL('./md5-worker.ts', import.meta.url), { type: 'module' });
  const ending = new AbortController();
  const until = { signal: ending.signal };
  const hashed = new Promise<string>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), until);
    // Without a message it is the script of the worker that could not be fetched.
    worker.addEventListener(
      'error',
      ({ message }) => reject(message ? new Error(message) : new ConnectionError({ detail: 'no connection' })),
      until,
    );
    worker.addEventListener('message', ({ data }: MessageEvent<Hashed>) => {
      if ('loaded' in data) tell(data.loaded);
      else if ('md5' in data) resolve(data.md5);
      else reject(new UnreadableFileError(data.unreadable));
    });
  });
  worker.postMessage(file);
  try {
    return await hashed;
  } finally {
    ending.abort();
    worker.terminate();
  }
}
