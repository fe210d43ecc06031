/** Everything that runs by itself: the jobs of the queues, and the work repeated at intervals. */
import type { Repeated } from './lib/repeat.ts';
import { accountJobs } from './resources/account/jobs.ts';
import { resetQueue, signUpQueue } from './resources/account/queue.ts';
import type { App } from './resources/app.ts';
import { batchJobs } from './resources/batches/jobs.ts';
import { batchQueue, unitQueue } from './resources/batches/queue.ts';
import { reviveBatches } from './resources/batches/work/revive.ts';
import { forgetEveryMs, openForgetting } from './resources/erasures/forget.ts';
import { erasureJobs } from './resources/erasures/jobs.ts';
import { erasureQueue } from './resources/erasures/queue.ts';
import { keepFeed } from './resources/events/keep-feed.ts';
import { announceGfmVersions } from './resources/gfm-versions/announce.ts';
import { ingestionJobs } from './resources/ingestions/jobs.ts';
import { ingestionQueue } from './resources/ingestions/queue.ts';
import type { Job } from './resources/job.ts';
import { mailJobs } from './resources/mails/jobs.ts';
import { mailQueue } from './resources/mails/queue.ts';
import { sweep } from './resources/maintenance/sweep.ts';
import { fillQueries } from './resources/tasks/fill-queries.ts';
import { trainingJobs } from './resources/training-runs/jobs.ts';
import { trainingQueue } from './resources/training-runs/queue.ts';
import { type EventReader, handOn } from './trail/outbox/hand-on.ts';
import { numberEvents } from './trail/outbox/number.ts';

/** The names of all queues. */
export const queueNames = [
  ...[batchQueue, unitQueue, erasureQueue, ingestionQueue, trainingQueue],
  ...[mailQueue, resetQueue, signUpQueue],
];

/** The jobs of all queues. Workers run them. */
export const allJobs = (app: App): Job[] => [
  ...batchJobs(app),
  ...erasureJobs(app),
  ...ingestionJobs(app),
  ...trainingJobs(app),
  ...mailJobs(app),
  ...accountJobs(app),
];

/**
 * The readers that get every event once. The position of a reader is stored under its name, so a name is never reused
 * for another reader.
 */
const eventReaders: readonly EventReader[] = [keepFeed];

const minuteMs = 60_000;
const upkeepEveryMs = 15 * minuteMs;
/**
 * Interval of numbering events and of handing them on. An event reaches its readers after two intervals at most, and
 * after one on average.
 */
const relayEveryMs = 100;

type Scheduled = Repeated & {
  /**
   * 'workers': work shared by all processes, which only workers do. 'every process': work that each process does for
   * itself.
   */
  readonly by: 'workers' | 'every process';
};

/** All work that is repeated at intervals. */
export const schedule = (app: App): Scheduled[] => [
  {
    name: 'number events',
    everyMs: relayEveryMs,
    failingMaxMs: minuteMs,
    by: 'workers',
    run: (signal) => numberEvents(app.db, signal),
  },
  ...eventReaders.map(
    (reader): Scheduled => ({
      name: `hand events to ${reader.name}`,
      everyMs: relayEveryMs,
      failingMaxMs: minuteMs,
      by: 'workers',
      run: (signal) => handOn(app.db, reader, signal),
    }),
  ),
  { name: 'sweep', everyMs: upkeepEveryMs, by: 'workers', run: (signal) => sweep(app, undefined, signal) },
  { name: 'fill in queries', everyMs: upkeepEveryMs, by: 'workers', run: (signal) => fillQueries(app, signal) },
  { name: 'revive batches', everyMs: upkeepEveryMs, by: 'workers', run: () => reviveBatches(app) },
  { name: 'announce GFM versions', everyMs: upkeepEveryMs, by: 'workers', run: () => announceGfmVersions(app) },
  ...(app.storage.forget
    ? [
        {
          name: 'forget copies of what was erased',
          everyMs: forgetEveryMs,
          by: 'every process',
          run: openForgetting(app.db, app.storage.forget),
        } as const,
      ]
    : []),
];
