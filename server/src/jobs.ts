/** Everything that runs by itself: the jobs of the queues, and the work repeated at intervals. */
import { whichHold } from './access/transactions.ts';
import type { Repeated } from './lib/repeat.ts';
import { accountJobs } from './resources/account/jobs.ts';
import { resetQueue, signUpQueue } from './resources/account/queue.ts';
import type { App } from './resources/app.ts';
import { expireExports } from './resources/audit-exports/expire.ts';
import { auditExportJobs } from './resources/audit-exports/jobs.ts';
import { auditExportQueue } from './resources/audit-exports/queue.ts';
import { backtestJobs } from './resources/backtests/jobs.ts';
import { backtestQueue } from './resources/backtests/queue.ts';
import { expireBatches } from './resources/batches/expire.ts';
import { batchJobs } from './resources/batches/jobs.ts';
import { batchQueue, unitQueue } from './resources/batches/queue.ts';
import { reviveBatches } from './resources/batches/work/revive.ts';
import { forgetEveryMs, openForgetting } from './resources/erasures/forget.ts';
import { erasureJobs } from './resources/erasures/jobs.ts';
import { erasureQueue } from './resources/erasures/queue.ts';
import { evaluationJobs } from './resources/evaluations/jobs.ts';
import { evaluationQueue } from './resources/evaluations/queue.ts';
import { expireEvents } from './resources/events/expire.ts';
import { keepFeed } from './resources/events/keep-feed.ts';
import { announceGfmVersions } from './resources/gfm-versions/announce.ts';
import { ingestionJobs } from './resources/ingestions/jobs.ts';
import { ingestionQueue } from './resources/ingestions/queue.ts';
import { closeMonths } from './resources/invoices/close-months.ts';
import type { Job } from './resources/job.ts';
import { mailJobs } from './resources/mails/jobs.ts';
import { mailQueue } from './resources/mails/queue.ts';
import { checkClock } from './resources/maintenance/check-clock.ts';
import { sweep } from './resources/maintenance/sweep.ts';
import { observationJobs } from './resources/monitors/jobs.ts';
import { observationQueue } from './resources/monitors/queue.ts';
import { watchModels } from './resources/monitors/watch.ts';
import { sendNotificationMails } from './resources/notification-mails/send.ts';
import { isAnyMailDue } from './resources/notification-mails/sql.ts';
import { forgetNotifications } from './resources/notifications/forget.ts';
import { tellPeople } from './resources/notifications/tell.ts';
import { expireOutcomes } from './resources/outcomes/expire.ts';
import { buildColumns } from './resources/prediction-columns/build.ts';
import { expirePredictions } from './resources/predictions/expire.ts';
import { weighByPlans } from './resources/price-plans/weigh.ts';
import { replayJobs } from './resources/replays/jobs.ts';
import { replayQueue } from './resources/replays/queue.ts';
import { startSelfChecks } from './resources/replays/self-check.ts';
import { expireSessions } from './resources/sessions/expire.ts';
import { expireSftpFiles } from './resources/sftp-files/expire.ts';
import { sftpFileJobs } from './resources/sftp-files/jobs.ts';
import { sftpFileQueue } from './resources/sftp-files/queue.ts';
import { answerShadows } from './resources/shadows/answer.ts';
import { isAnyUnseen } from './resources/shadows/sql.ts';
import { fillQueries } from './resources/tasks/fill-queries.ts';
import { trainingJobs } from './resources/training-runs/jobs.ts';
import { trainingQueue } from './resources/training-runs/queue.ts';
import { meterUsage } from './resources/usage/meter.ts';
import { sampleStorage } from './resources/usage/sample-storage.ts';
import { isAnyUnmetered } from './resources/usage/sql.ts';
import { validationJobs } from './resources/validations/jobs.ts';
import { validationQueue } from './resources/validations/queue.ts';
import { queueRescorings } from './resources/watch-lists/due.ts';
import { watchListJobs } from './resources/watch-lists/jobs.ts';
import { rescoringQueue } from './resources/watch-lists/queue.ts';
import { isAnyListDue } from './resources/watch-lists/sql.ts';
import { boundWaiting } from './resources/webhooks/delivering/bound.ts';
import { deliver } from './resources/webhooks/delivering/deliver.ts';
import { isAnyQueued, isAnyToTidy } from './resources/webhooks/delivering/sql.ts';
import { tidyDeliveries } from './resources/webhooks/delivering/take-back.ts';
import { expandToWebhooks } from './resources/webhooks/expand.ts';
import { expireDeliveries } from './resources/webhooks/expire.ts';
import { advanceRecoveries } from './resources/webhooks/recoveries/advance.ts';
import { isAnyRecovering } from './resources/webhooks/recoveries/sql.ts';
import { expireEntries } from './trail/expire-entries.ts';
import { type EventReader, handOn, isBehind } from './trail/outbox/hand-on.ts';
import { isAnyUnnumbered, numberEvents } from './trail/outbox/number.ts';
import { isAnyUnsealed, sealEntries } from './trail/seal.ts';

/** The names of all queues. */
export const queueNames = [
  ...[
    backtestQueue,
    batchQueue,
    unitQueue,
    erasureQueue,
    evaluationQueue,
    ingestionQueue,
    observationQueue,
    replayQueue,
    rescoringQueue,
    trainingQueue,
    validationQueue,
  ],
  ...[auditExportQueue, mailQueue, resetQueue, sftpFileQueue, signUpQueue],
];

/** The jobs of all queues. Workers run them. */
export const allJobs = (app: App): Job[] => [
  ...backtestJobs(app),
  ...batchJobs(app),
  ...erasureJobs(app),
  ...evaluationJobs(app),
  ...validationJobs(app),
  ...ingestionJobs(app),
  ...replayJobs(app),
  ...observationJobs(app),
  ...watchListJobs(app),
  ...trainingJobs(app),
  ...auditExportJobs(app),
  ...mailJobs(app),
  ...accountJobs(app),
  ...sftpFileJobs(app),
];

/**
 * The readers that get every event once. The position of a reader is stored under its name, so a name is never reused
 * for another reader.
 */
const eventReaders: readonly EventReader[] = [keepFeed, tellPeople, expandToWebhooks];
const readerNames = eventReaders.map(({ name }) => name);

const minuteMs = 60_000;
const upkeepEveryMs = 15 * minuteMs;
/** Interval of looking for what others wait for. */
const relayEveryMs = 100;
/** Interval of looking for what other processes left to be done: what this one leaves to itself is done at once. */
const leftEveryMs = 1_000;
/** Interval of sealing entries of the audit trail, with a checkpoint of each tree that has grown. */
export const sealEveryMs = 1_000;
const webhooksEveryMs = 1_000;
/** Interval of looking how much waits for each webhook; until then more may come to wait than its limit. */
const boundingEveryMs = 10_000;

const numbering = 'number events';
const sealing = 'seal entries';

type Scheduled = Repeated & {
  /**
   * 'workers': work shared by all processes, which only workers do. 'every process': work that each process does for
   * itself.
   */
  readonly by: 'workers' | 'every process';
  /** A condition of `whichHold`. The work is done at its interval only if it holds, and once a minute in any case. */
  readonly when?: string;
};

/**
 * All work that is repeated at intervals. The conditions of one interval are one question to the database: mostly none
 * of them holds, and an idle process should cost little.
 */
export function schedule(app: App): Scheduled[] {
  const works = allWorks(app);
  const looks = Map.groupBy(works, ({ when, everyMs }) => (when === undefined ? 0 : everyMs));
  return [
    ...works.map((work) => (work.when === undefined ? work : { ...work, everyMs: minuteMs })),
    ...[...looks].flatMap(([everyMs, looked]): Scheduled[] => {
      if (everyMs === 0) return [];
      const conditions = Object.fromEntries(looked.map(({ name, when }) => [name, when!]));
      const run = () => whichHold(app.db, 'look for work', conditions);
      return [{ name: `look for work every ${everyMs} ms`, everyMs, failingMaxMs: minuteMs, by: 'workers', run }];
    }),
  ];
}

const allWorks = (app: App): Scheduled[] => [
  {
    name: numbering,
    everyMs: relayEveryMs,
    when: isAnyUnnumbered,
    failingMaxMs: minuteMs,
    by: 'workers',
    run: (signal) => numberEvents(app.db, signal, { readers: readerNames }),
  },
  {
    name: sealing,
    everyMs: sealEveryMs,
    when: isAnyUnsealed,
    failingMaxMs: minuteMs,
    by: 'workers',
    run: (signal) => sealEntries(app.db, app.keys.audit, { signal }),
  },
  ...eventReaders.map(
    (reader): Scheduled => ({
      name: `hand events to ${reader.name}`,
      after: numbering,
      everyMs: leftEveryMs,
      when: isBehind(reader.name),
      failingMaxMs: minuteMs,
      by: 'workers',
      run: (signal) => handOn(app.db, reader, signal),
    }),
  ),
  {
    name: 'send notification mails',
    everyMs: relayEveryMs,
    when: isAnyMailDue,
    failingMaxMs: minuteMs,
    by: 'workers',
    run: (signal) => sendNotificationMails(app, signal),
  },
  {
    name: 'forget notifications',
    everyMs: upkeepEveryMs,
    by: 'workers',
    run: (signal) => forgetNotifications(app.db, signal),
  },
  {
    name: 'meter usage',
    after: sealing,
    everyMs: leftEveryMs,
    when: isAnyUnmetered,
    failingMaxMs: minuteMs,
    by: 'workers',
    run: (signal) => meterUsage(app.db, signal),
  },
  { name: 'sample storage', everyMs: upkeepEveryMs, by: 'workers', run: (signal) => sampleStorage(app, signal) },
  {
    name: 'close months',
    everyMs: upkeepEveryMs,
    by: 'workers',
    run: (signal) => closeMonths(app.db, undefined, signal),
  },
  {
    ...{ name: 'deliver webhooks', everyMs: relayEveryMs, when: isAnyQueued, failingMaxMs: minuteMs, by: 'workers' },
    run: (signal) => deliver(app, signal),
  },
  {
    ...{ name: 'take back webhook deliveries', everyMs: webhooksEveryMs, when: isAnyToTidy },
    ...{ failingMaxMs: minuteMs, by: 'workers' },
    run: (signal) => tidyDeliveries(app, signal),
  },
  {
    ...{ name: 'recover webhook deliveries', everyMs: webhooksEveryMs, when: isAnyRecovering },
    ...{ failingMaxMs: minuteMs, by: 'workers' },
    run: (signal) => advanceRecoveries(app, signal),
  },
  {
    ...{ name: 'bound what waits for webhooks', everyMs: boundingEveryMs, failingMaxMs: minuteMs, by: 'workers' },
    run: () => boundWaiting(app),
  },
  {
    ...{ name: 'expire webhook deliveries', everyMs: upkeepEveryMs, by: 'workers' },
    run: (signal) => expireDeliveries(app, signal),
  },
  {
    name: 'weigh workspaces by their plans',
    everyMs: minuteMs,
    by: 'workers',
    run: () => weighByPlans(app.db, app.queue),
  },
  { name: 'check the clock', everyMs: minuteMs, by: 'every process', run: () => checkClock(app) },
  { name: 'sweep', everyMs: upkeepEveryMs, by: 'workers', run: (signal) => sweep(app, undefined, signal) },
  {
    name: 'expire audit entries',
    everyMs: upkeepEveryMs,
    by: 'workers',
    run: () => expireEntries(app.db, app.keys.audit, app.auditRetentionDays),
  },
  { name: 'expire batches', everyMs: upkeepEveryMs, by: 'workers', run: (signal) => expireBatches(app, signal) },
  {
    name: 'expire events',
    everyMs: upkeepEveryMs,
    by: 'workers',
    run: (signal) => expireEvents(app, readerNames, signal),
  },
  {
    name: 'expire predictions',
    everyMs: upkeepEveryMs,
    by: 'workers',
    run: (signal) => expirePredictions(app, signal),
  },
  {
    name: 'watch models',
    everyMs: upkeepEveryMs,
    by: 'workers',
    run: (signal) => watchModels(app, signal),
  },
  { name: 'expire outcomes', everyMs: upkeepEveryMs, by: 'workers', run: (signal) => expireOutcomes(app, signal) },
  {
    name: 'answer in the shadow',
    everyMs: leftEveryMs,
    when: isAnyUnseen,
    failingMaxMs: minuteMs,
    by: 'workers',
    run: (signal) => answerShadows(app, signal),
  },
  {
    name: 'queue rescorings',
    everyMs: leftEveryMs,
    when: isAnyListDue,
    failingMaxMs: minuteMs,
    by: 'workers',
    run: () => queueRescorings(app),
  },
  {
    name: 'put predictions in columns',
    everyMs: upkeepEveryMs,
    by: 'workers',
    run: (signal) => buildColumns(app, signal),
  },
  { name: 'expire audit exports', everyMs: upkeepEveryMs, by: 'workers', run: () => expireExports(app) },
  { name: 'expire sessions', everyMs: upkeepEveryMs, by: 'workers', run: (signal) => expireSessions(app.db, signal) },
  { name: 'expire SFTP files', everyMs: upkeepEveryMs, by: 'workers', run: (signal) => expireSftpFiles(app, signal) },
  {
    name: 'replay samples',
    everyMs: upkeepEveryMs,
    by: 'workers',
    run: (signal) => startSelfChecks(app, undefined, signal),
  },
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
