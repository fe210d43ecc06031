import { Readable } from 'node:stream';
import type { Context } from '../access/context.ts';
import { isWithinLease } from '../access/lease.ts';
import type { Answer, Exchange } from '../lib/http/server.ts';
import type { News, Standing } from './news.ts';
import type { Places } from './places.ts';

export type StreamLimits = {
  /** After this long without a message, the stream sends a comment to show that it is alive. */
  readonly heartbeatMs: number;
  /** A reader that has not read what was sent for this long is disconnected; it may resume. */
  readonly slowMs: number;
};

/** What all streams of one kind share. */
export type Following<S extends Standing = Standing> = {
  readonly news: News<S>;
  readonly places: Places;
  readonly limits: StreamLimits;
};

/** What one stream tells. */
export type Followed<R extends { readonly position: number }, S extends Standing = Standing> = {
  /** What is watched, as `News` knows it. */
  readonly key: string;
  /** The stream tells the rows after this position. */
  readonly after: number;
  /** The comment with which the stream begins. */
  readonly greeting: string;
  /** The first rows after a position. */
  readonly page: (position: number) => Promise<readonly R[]>;
  /** A row as a message; null for one that is not told. */
  readonly message: (row: R) => string | null;
  /** What a standing tells besides rows, as a message; null when nothing has changed since it was told last. */
  readonly aside?: (standing: S) => string | null;
};

/** How many bytes of a stream wait in memory for its reader, besides the connection's own buffers. */
const bufferBytesMax = 16 * 1024;

/**
 * Sends the rows after a position, then new ones as they arrive, as server-sent events. The stream ends when the server
 * closes and when the permissions in the workspace change; a caller who still has permission reconnects and resumes
 * after the last id. Each row is sent only while the permissions are known within a lease. Throws Failure
 * 'rate_limited' for a caller with too many streams.
 */
export function follow<R extends { readonly position: number }, S extends Standing>(
  { news, places, limits }: Following<S>,
  ctx: Context,
  { key, after, greeting, page, message, aside }: Followed<R, S>,
  exchange: Pick<Exchange, 'onClose'>,
): Answer {
  const leave = places.take(ctx);
  let position = after;
  let spokeAt = performance.now();
  /** When the reader was given data that it has not read yet; null when it has read everything. */
  let givenAt: number | null = null;
  let standing: S | null = null;
  /** What is to be told besides rows. */
  let beside: string | null = null;
  let isOver = false;
  let told = Promise.withResolvers<void>();

  const end = (): void => {
    isOver = true;
    told.resolve();
    // A stream whose reader is up to date ends in order. What a slow reader has not read is dropped.
    if (givenAt !== null) body.destroy();
  };
  const unwatch = news.watch({
    key,
    tell(latest) {
      standing = latest;
      const now = performance.now();
      if (!holds(ctx, latest) || (givenAt !== null && now - givenAt > limits.slowMs)) end();
      else {
        beside = aside?.(latest) ?? beside;
        if (latest.position > position || beside !== null || now - spokeAt > limits.heartbeatMs) told.resolve();
      }
    },
  });

  /** Waits until the permissions are known to hold. Returns false once the stream is over. */
  async function mayTell(): Promise<boolean> {
    while (!isOver && !(standing && isWithinLease(standing.askedAt) && holds(ctx, standing))) await nextTold();
    return !isOver;
  }
  async function nextTold(): Promise<void> {
    if (isOver) return;
    told = Promise.withResolvers();
    await told.promise;
  }
  async function* tellAll(): AsyncGenerator<string> {
    yield `: ${greeting}\n\n`;
    for (;;) {
      await nextTold();
      while (!isOver && standing && standing.position > position) {
        const rows = await page(position);
        if (rows.length === 0) break;
        for (const row of rows) {
          const text = message(row);
          if (text !== null) {
            if (!(await mayTell())) return;
            yield text;
          }
          position = row.position;
        }
      }
      if (beside !== null) {
        if (!(await mayTell())) return;
        const text = beside;
        beside = null;
        yield text;
      }
      if (isOver) return;
      if (performance.now() - spokeAt > limits.heartbeatMs) yield ': still here\n\n';
    }
  }
  async function* given(texts: AsyncGenerator<string>): AsyncGenerator<string> {
    for await (const text of texts) {
      givenAt = spokeAt = performance.now();
      yield text;
      givenAt = null;
    }
  }

  const body = Readable.from(given(tellAll()), { objectMode: false, highWaterMark: bufferBytesMax });
  body.once('close', () => {
    isOver = true;
    told.resolve();
    unwatch();
    leave();
  });
  exchange.onClose(end);
  return {
    status: 200,
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      // Without this header, proxies such as nginx would buffer events.
      'x-accel-buffering': 'no',
    },
    body,
  };
}

/** Whether the permissions found when the stream began still hold. */
function holds({ authEpoch, expiresAt }: Context, standing: Standing): boolean {
  return standing.authEpoch === authEpoch && (expiresAt === null || expiresAt > Date.now());
}
