import { LastroError } from '../errors.ts';
import { delayBefore } from '../http/retry.ts';
import { send } from '../http/send.ts';
import { sleep } from '../http/sleep.ts';
import type { Settings } from '../settings.ts';
import type { RequestOptions, Schemas } from '../signatures.ts';
import type { SlicedSource } from './source.ts';

/** Bytes of a request: what stands between may take no larger ones. */
export const partBytesMax = 64 * 1024 * 1024;

/** How parts of a file are sent to its `upload_url`. */
export const partType = 'application/offset+octet-stream';

/**
 * Sends a file from where it broke off before, part after part (tus 1.0). `bodyOf` makes the body of a request, and
 * `tell` hears how many bytes of the file have gone out. Failures in a row count, not those after which more had
 * arrived.
 */
export async function sendInParts(
  settings: Settings,
  source: SlicedSource,
  address: string,
  bodyOf: (part: SlicedSource, tell: (sent: number) => void) => unknown,
  tell: (sent: number) => void,
  options: RequestOptions,
): Promise<void> {
  const { signal, maxRetries = settings.maxRetries } = options;
  let failures = 0;
  for (let arrived = -1; ; ) {
    const offset = await offsetOf(settings, address, options);
    if (offset > arrived) failures = 0;
    arrived = offset;
    tell(offset);
    if (offset === source.size) return;
    try {
      for (let at = offset; at < source.size; at += partBytesMax) {
        const part = source.slice(at, Math.min(source.size, at + partBytesMax));
        await send(settings, {
          method: 'PATCH',
          address,
          headers: { ...partHeaders(at), 'content-length': String(part.size) },
          body: () => bodyOf(part, (sent) => tell(at + sent)),
          // Where it would be repeated from has to be asked first.
          isRepeatable: false,
          wants: 'json',
          hasNoTimeout: true,
          options: { ...options, maxRetries: 0 },
        });
      }
      return;
    } catch (error) {
      const delayMs = failures < maxRetries ? delayOf(error, failures) : null;
      if (delayMs === null) throw error;
      failures++;
      await sleep(delayMs, signal);
    }
  }
}

export function partHeaders(offset: number): Readonly<Record<string, string>> {
  return { 'content-type': partType, 'upload-offset': String(offset), 'tus-resumable': '1.0.0' };
}

/** Of a part that broke off, the service may be storing the rest while the next one begins too early. */
function delayOf(error: unknown, failures: number): number | null {
  if (!(error instanceof LastroError)) return null;
  const isEarly = error.code === 'offset_mismatch';
  return delayBefore(isEarly ? { status: null, code: null, retryAfter: null } : error, true, failures, Math.random());
}

/** How many bytes of the file have arrived; all where it is there as a whole. */
async function offsetOf(settings: Settings, address: string, options: RequestOptions): Promise<number> {
  const { data } = await send(settings, { method: 'GET', address, isRepeatable: true, wants: 'json', options });
  return (data as Schemas['UploadProgress']).offset;
}
