import { LastroError } from '../errors.ts';
import { addressOf } from '../http/address.ts';
import { send } from '../http/send.ts';
import type { Settings } from '../settings.ts';
import type { RequestOptions } from '../signatures.ts';
import { follow } from './follow.ts';

/** How a stream of the service is followed. */
export type StreamOptions = Pick<RequestOptions, 'signal' | 'headers' | 'timeoutMs'>;

type Watched = {
  readonly path: string;
  readonly places?: readonly string[];
  readonly query?: Readonly<Record<string, unknown>>;
  /** The id of the last message that is known already. */
  readonly after?: string | undefined;
  readonly options: StreamOptions;
};

/** A message of the service, whose data is JSON. */
export type News<T> = { readonly event: string; readonly data: T };

/** The messages of a stream of the service, which is followed until the caller's loop or signal ends. */
export async function* watch<T>(
  settings: Settings,
  { path, places = [], query = {}, after, options }: Watched,
): AsyncGenerator<News<T>> {
  const address = addressOf(path, places, query);
  const connect = async (lastId: string | null, signal: AbortSignal) => {
    const { response } = await send(settings, {
      method: 'GET',
      address,
      headers: { accept: 'text/event-stream', ...(lastId === null ? {} : { 'last-event-id': lastId }) },
      isRepeatable: true,
      wants: 'bytes',
      // `follow` tries again by itself.
      options: { ...options, signal, maxRetries: 0 },
    });
    return response;
  };
  for await (const { event, data } of follow({ connect, after: after ?? null, signal: options.signal }))
    yield { event, data: readJson<T>(data) };
}

/** What the service sends is what the document of its API says: hence the cast. */
function readJson<T>(text: string): T {
  try {
    return JSON.parse(text) as T;
  } catch (cause) {
    throw new LastroError({ detail: 'a message of the stream is no JSON', cause });
  }
}
