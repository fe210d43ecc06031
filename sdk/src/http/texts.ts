import { ConnectionError, LastroError } from '../errors.ts';

type Reading = Awaited<ReturnType<ReadableStreamDefaultReader<Uint8Array>['read']>>;

/**
 * The text of a body as it comes; `within` may bound the wait for each chunk. Throws ConnectionError for a body that
 * breaks off.
 */
export async function* textsOf(
  body: ReadableStream<Uint8Array> | null,
  within: (next: Promise<Reading>) => Promise<Reading> = (next) => next,
): AsyncGenerator<string> {
  if (body === null) return;
  const reader = body.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await within(reader.read());
      if (done) break;
      yield decoder.decode(value, { stream: true });
    }
    yield decoder.decode();
  } catch (error) {
    throw error instanceof LastroError ? error : new ConnectionError({ detail: 'the answer broke off', cause: error });
  } finally {
    // Nothing more is wanted of it, and nobody is told how letting go of it went.
    reader.cancel().catch(() => {});
  }
}
