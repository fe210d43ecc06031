/** A stream of server-sent events as a script reads it; test support. */
export type Message = {
  readonly id: string;
  readonly event: string;
  readonly data: { readonly [name: string]: unknown };
};

export type EventStream = {
  readonly status: number;
  readonly headers: Headers;
  /** The next event; null once the stream has ended, in order or not. */
  next(): Promise<Message | null>;
  /** Resolves with the text of the next comment. */
  comment(): Promise<string | null>;
  close(): Promise<void>;
};

export async function openEventStream(
  url: string,
  key: string,
  {
    query = '',
    lastId,
    path = '/v1/api/events/stream',
  }: { query?: string; lastId?: string | undefined; path?: string } = {},
): Promise<EventStream> {
  const hangUp = new AbortController();
  const answer = await fetch(`${url}${path}${query}`, {
    headers: { authorization: `Bearer ${key}`, ...(lastId === undefined ? {} : { 'last-event-id': lastId }) },
    signal: hangUp.signal,
  });
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const block = async (): Promise<string | null> => {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end >= 0) {
        const found = text.slice(0, end);
        text = text.slice(end + 2);
        return found;
      }
      const part = await reader.read().catch(() => null);
      if (part === null || part.done) return null;
      text += part.value;
    }
  };
  const nextThat = async (fits: (block: string) => boolean): Promise<string | null> => {
    for (;;) {
      const found = await block();
      if (found === null || fits(found)) return found;
    }
  };
  return {
    status: answer.status,
    headers: answer.headers,
    async next() {
      const found = await nextThat((block) => !block.startsWith(':'));
      if (found === null) return null;
      const fields = new Map(found.split('\n').map((line) => line.split(/: (.*)/s) as [string, string]));
      return { id: fields.get('id')!, event: fields.get('event')!, data: JSON.parse(fields.get('data')!) };
    },
    comment: () => nextThat((block) => block.startsWith(':')),
    async close() {
      hangUp.abort();
      await reader.cancel().catch(() => {});
    },
  };
}
