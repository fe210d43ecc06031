import { Readable } from 'node:stream';
import type { Admission } from '../access/admit.ts';
import { isWithinLease } from '../access/lease.ts';

/** How often the right of a reader who takes no bytes is asked for again. */
const askEveryMs = 1_000;

/**
 * Passes on the bytes of an answer while the caller has the right to it: each chunk leaves only within a lease of the
 * right, and a reader who takes none is asked for too. When the right has ended, the stream breaks off with the
 * refusal, and its connection with it. What lies in the buffers of the connection by then may still arrive.
 */
export function whileAllowed(body: Readable, ensure: Admission['ensure']): Readable {
  let askedAt = performance.now();
  const ask = async (): Promise<void> => {
    if (isWithinLease(askedAt)) return;
    const begun = performance.now();
    await ensure({ askedAt, already: false });
    askedAt = begun;
  };
  const allowed = Readable.from(passOn(body, ask), { objectMode: false });
  const timer = setInterval(() => void ask().catch((error) => allowed.destroy(error)), askEveryMs);
  allowed.once('close', () => {
    clearInterval(timer);
    body.destroy();
  });
  return allowed;
}

async function* passOn(body: Readable, ask: () => Promise<void>): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    await ask();
    yield chunk;
  }
}
