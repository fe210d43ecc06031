import { Readable } from 'node:stream';
import type { Context } from '../../access/context.ts';
import { isWithinLease } from '../../access/lease.ts';
import type { Places } from '../../api/places.ts';
import type { Answer, Exchange } from '../../lib/http/server.ts';
import { type EventFilter, type EventRow, passes, presentEvent } from './event.ts';
import type { News, Standing } from './news.ts';
import type { Pages } from './pages.ts';

export type Following = {
  readonly news: News;
  readonly pages: Pages;
  readonly places: Places;
  readonly limits: {
    /** After this long without an event, the stream sends a comment to show that it is alive. */
    readonly heartbeatMs: number;
    /** A reader that has not read what was sent for this long is disconnected; it may resume. */
    readonly slowMs: number;
  };
};

/** How many bytes of a stream wait in memory for its reader, besides the connection's own buffers. */
const bufferBytesMax = 16 * 1024;

/**
 * Sends the events after a position that pass the filter, then new events as they arrive, as server-sent events. The
 * stream ends when the server closes and when the permissions in the workspace change; a caller who still has
 * permission reconnects and resumes after the last id. Each event is sent only while the permissions are known within a
 * lease. Throws Failure 'rate_limited' for a caller with too many streams.
 */
export function followEvents(
  { news, pages, places, limits }: Following,
  ctx: Context,
  { filter, after }: { readonly filter: EventFilter; readonly after: number },
  exchange: Pick<Exchange, 'onClose'>,
): Answer {
  const leave = places.take(ctx);
  let position = after;
  let spokeAt = performance.now();
  /** When the reader was given data that it has not read yet; null when it has read everything. */
  let givenAt: number | null = null;
  let standing: Standing | null = null;
  let isOver = false;
  let told = Promise.withResolvers<void>();

  const end = (): void => {
    isOver = true;
    told.resolve();
    // A stream whose reader is up to date ends in order. What a slow reader has not read is dropped.
    if (givenAt !== null) body.destroy();
  };
  const unwatch = news.watch({
    workspaceId: ctx.workspaceId,
    tell(latest) {
      standing = latest;
      const now = performance.now();
      if (!holds(ctx, latest) || (givenAt !== null && now - givenAt > limits.slowMs)) end();
      else if (latest.position > position || now - spokeAt > limits.heartbeatMs) told.resolve();
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
    yield ': the events that come follow\n\n';
    for (;;) {
      await nextTold();
      while (!isOver && standing && standing.position > position) {
        const page = await pages.after(ctx, position);
        if (page.length === 0) break;
        for (const row of page) {
          if (passes(filter, row)) {
            if (!(await mayTell())) return;
            yield asMessage(row);
          }
          position = row.position;
        }
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

function asMessage(row: EventRow): string {
  return `id: ${row.id}\nevent: ${row.type}\ndata: ${JSON.stringify(presentEvent(row))}\n\n`;
}
