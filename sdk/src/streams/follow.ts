import { ConnectionError } from '../errors.ts';
import { openEnding } from '../http/ending.ts';
import { delayAfter } from '../http/retry.ts';
import { sleep } from '../http/sleep.ts';
import { textsOf } from '../http/texts.ts';
import { type Message, readMessages } from './messages.ts';

/** The service says something every 15 seconds; a stream that is silent for longer than this is connected anew. */
const silenceMs = 45_000;

export type Followed = {
  /** Connects, after the last message that arrived; throws LastroError. */
  readonly connect: (lastId: string | null, signal: AbortSignal) => Promise<Response>;
  /** The message after which the stream begins; null for what happens from now on. */
  readonly after: string | null;
  readonly signal?: AbortSignal | undefined;
};

/**
 * The messages of a stream, which is connected again wherever it ends or breaks off, and goes on after the last
 * message. It ends with the caller's loop or signal, whose reason it throws; throws LastroError where the service
 * refuses it for good, or nothing came of twenty attempts in a row.
 */
export async function* follow({ connect, after, signal }: Followed): AsyncGenerator<Message> {
  const ending = openEnding(signal);
  let lastId = after;
  try {
    for (let failures = 0; ; ) {
      try {
        const response = await connect(lastId, ending.signal);
        let heard = 0;
        for await (const message of readMessages(textsOf(response.body, withinSilence))) {
          // Every stream begins with a comment, which alone is no sign that it works.
          if (++heard > 1 || message !== null) failures = 0;
          if (message === null) continue;
          lastId = message.id ?? lastId;
          yield message;
        }
        // The service stops, or rights have changed.
        throw new ConnectionError({ detail: 'the stream ended' });
      } catch (error) {
        ending.signal.throwIfAborted();
        const delayMs = delayAfter(error, failures++);
        if (delayMs === null) throw error;
        await sleep(delayMs, ending.signal);
      }
    }
  } finally {
    ending.release();
    ending.end();
  }
}

/** Throws ConnectionError for what takes too long. */
async function withinSilence<T>(next: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silent = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ConnectionError({ detail: 'the stream fell silent' })), silenceMs);
  });
  try {
    return await Promise.race([next, silent]);
  } finally {
    clearTimeout(timer);
  }
}
