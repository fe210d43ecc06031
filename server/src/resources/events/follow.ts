import { Readable } from 'node:stream';
import type { Context } from '../../access/context.ts';
import { isWithinLease } from '../../access/lease.ts';
import type { Answer, Exchange } from '../../lib/http/server.ts';
import { type EventFilter, type EventRow, passes, presentEvent } from './event.ts';
import type { News, Standing } from './news.ts';
import type { Pages } from './pages.ts';
import type { Places } from './places.ts';

export type Following = {
  readonly news: News;
  readonly pages: Pages;
  readonly places: Places;
  readonly limits: {
    /** After so long without an event, a comment says that the stream lives. */
    readonly heartbeatMs: number;
    /** Whoever has not taken for so long what was sent is cut off, and may resume. */
    readonly slowMs: number;
  };
};

/** What of a stream waits in memory for its reader, beside what the system keeps for the connection. */
const bufferBytesMax = 16 * 1024;

/**
 * The events after a position that pass, as server-sent events, then those that come. The stream ends when the server
 * closes, and when rights in the workspace change: whoever still may then connects again and resumes after the last id.
 * Each event leaves while the rights are known within a lease. Throws Failure 'rate_limited' for who has too many
 * streams.
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
  /** When the reader was given what it has not taken yet. */
  let givenAt: number | null = null;
  let standing: Standing | null = null;
  let isOver = false;
  let told = Promise.withResolvers<void>();

  const end = (): void => {
    isOver = true;
    told.resolve();
    // One that waits ends in order; what a slow reader has not taken is dropped.
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

  /** Waits until the rights are known to hold; false once the stream is over. */
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
      // Proxies of the nginx kind would keep events back until they have many.
      'x-accel-buffering': 'no',
    },
    body,
  };
}

/** Whether the rights that were found when the stream began are still the same. */
function holds({ authEpoch, expiresAt }: Context, standing: Standing): boolean {
  return standing.authEpoch === authEpoch && (expiresAt === null || expiresAt > Date.now());
}

function asMessage(row: EventRow): string {
  return `id: ${row.id}\nevent: ${row.type}\ndata: ${JSON.stringify(presentEvent(row))}\n\n`;
}
