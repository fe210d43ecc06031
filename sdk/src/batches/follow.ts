import { openEnding } from '../http/ending.ts';
import { failuresMax } from '../http/retry.ts';
import { sleep } from '../http/sleep.ts';
import type { Nouns } from '../nouns.ts';
import type { Settings } from '../settings.ts';
import type { RequestOptions, Schemas } from '../signatures.ts';
import { watch } from '../streams/watch.ts';
import { hasEnded } from '../wait.ts';

type Batch = Schemas['Batch'];

const firstPauseMs = 500;
const pauseMsMax = 5_000;

/**
 * A batch, again and again until it has ended. Its events say when it changes; in between it is asked for every half a
 * second at first, every five in the end, since no event tells of rows; also where events cannot be had.
 */
export async function* followBatch(
  settings: Settings,
  { get }: Pick<Nouns['batches'], 'get'>,
  id: string,
  options: RequestOptions,
): AsyncGenerator<Batch> {
  const ending = openEnding(options.signal);
  const bell = openBell(
    watch(settings, {
      path: '/v1/api/events/stream',
      query: { type: 'batch-lifecycle', resource_id: id },
      options: { ...options, signal: ending.signal },
    }),
  );
  try {
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMsMax, pauseMs * 1.5)) {
      const batch = await get(id, {}, { maxRetries: failuresMax, ...options });
      yield batch;
      if (hasEnded(batch)) return;
      await bell.rung(pauseMs, options.signal);
    }
  } finally {
    ending.release();
    ending.end();
  }
}

/** Tells that something came, for whoever waits now or next. */
function openBell(news: AsyncIterable<unknown>) {
  let isRung = false;
  let wake = () => {};
  const ring = () => {
    isRung = true;
    wake();
  };
  const listen = async (): Promise<void> => {
    for await (const _ of news) ring();
  };
  // Without events the batch is followed all the same.
  listen().catch(() => {});
  return {
    async rung(withinMs: number, signal?: AbortSignal): Promise<void> {
      const pause = openEnding(signal);
      wake = () => pause.end();
      if (!isRung) await sleep(withinMs, pause.signal).catch(() => signal?.throwIfAborted());
      pause.release();
      isRung = false;
    },
  };
}
