import { ConnectionError, LastroError } from '../errors.ts';
import { delayBefore } from '../http/retry.ts';
import { send } from '../http/send.ts';
import { sleep } from '../http/sleep.ts';
import type { Settings } from '../settings.ts';
import type { RequestOptions } from '../signatures.ts';

export type Download = {
  readonly bytes: number;
  /** A signed address, made anew each time. */
  readonly address: () => Promise<string>;
};

/**
 * The bytes behind a signed address, which go on where they broke off. Throws LastroError where they cannot be had, or
 * are not as many as was said.
 */
export async function* download(
  settings: Settings,
  { bytes, address }: Download,
  options: RequestOptions,
): AsyncGenerator<Uint8Array> {
  const { maxRetries = settings.maxRetries, signal } = options;
  let at = 0;
  let etag = '';
  for (let failures = 0; ; ) {
    try {
      const response = await ask(settings, await address(), at, etag, options);
      etag = response.headers.get('etag') ?? '';
      for await (const chunk of chunksOf(response)) {
        at += chunk.length;
        failures = 0;
        yield chunk;
      }
      if (at === bytes) return;
      throw new ConnectionError({ detail: `${at} of ${bytes} bytes arrived` });
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof LastroError) || at > bytes || failures >= maxRetries) throw error;
      const delayMs = delayBefore(error, true, failures++, Math.random());
      if (delayMs === null) throw error;
      await sleep(delayMs, signal);
    }
  }
}

async function ask(
  settings: Settings,
  address: string,
  at: number,
  etag: string,
  options: RequestOptions,
): Promise<Response> {
  const headers = at === 0 ? {} : { range: `bytes=${at}-`, ...(etag === '' ? {} : { 'if-range': etag }) };
  const request = { method: 'GET', address, headers, isRepeatable: true, wants: 'bytes', options } as const;
  const { response } = await send(settings, request);
  if (at > 0 && response.status !== 206)
    throw new LastroError({ detail: 'the bytes have changed while they were read' });
  return response;
}

async function* chunksOf({ body }: Response): AsyncGenerator<Uint8Array> {
  if (body === null) return;
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } catch (cause) {
    throw new ConnectionError({ detail: 'the answer broke off', cause });
  } finally {
    reader.cancel().catch(() => {});
  }
}

/** A stream of what is iterated over, read as it is asked for. */
export function streamOf(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await chunks.return(undefined);
    },
  });
}
