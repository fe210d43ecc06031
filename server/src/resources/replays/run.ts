import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '../../access/context.ts';
import { type Tx, tenant } from '../../access/transactions.ts';
import { workspaceContext } from '../../access/workspace-context.ts';
import { Failure } from '../../lib/failure.ts';
import type { ReplayDifference, ReplayGone } from '../../schema/json.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { replayUnit, storedUnits } from '../batches/replay-unit.ts';
import { type JobFailure, leaves } from '../job.ts';
import { predictionsFrom } from '../predictions/filter.ts';
import { watchOpen } from '../watch-open.ts';
import type { replayPredictions } from './compute.ts';
import { loggedOf } from './logged.ts';
import { pinOf, placePins, requirePins } from './pins.ts';
import type { ReplayJob } from './queue.ts';
import { doneOf, finishedStatuses, type ReplayedRange, type ReplayRow, toldMax } from './replay.ts';
import { countRange, lockReplay, type PinnedId, selectLogged, selectRange, selectReplay, updateReplay } from './sql.ts';

/** Predictions whose ids are read together: those of one version over one snapshot are answered together. */
const windowMax = 2_000;
/** Predictions that are answered by one task, which holds them in memory. */
const blockMax = 500;

/** What a part of a replay has found. */
type Found = {
  identical: number;
  different: number;
  readonly gone: { -readonly [name in keyof ReplayGone]: number };
  readonly differences: ReplayDifference[];
};

type Running = {
  readonly app: App;
  readonly ctx: Context;
  readonly row: ReplayRow;
  readonly folder: string;
  readonly signal: AbortSignal;
};

/**
 * Runs a queued replay to its end. What was found is written down piece by piece: after a crash it goes on behind the
 * last one, and it does nothing once the replay has ended.
 */
export async function runReplay(app: App, job: ReplayJob, stop: AbortSignal): Promise<void> {
  const ctx = await workspaceContext(app.db, job.workspace_id);
  const row = await tenant(app.db, ctx, (tx) => begin(tx, ctx, job.id));
  if (!row) return;
  const watched = watchOpen(app.log, async () => {
    const now = await tenant(app.db, ctx, (tx) => selectReplay(tx, job.id));
    return now !== undefined && now.attempt === row.attempt && !finishedStatuses.includes(now.status);
  });
  const folder = join(app.workFolder, `${row.id}-${row.attempt}`);
  const running = { app, ctx, row, folder, signal: AbortSignal.any([stop, watched.signal]) };
  try {
    await mkdir(folder, { recursive: true });
    const { batch_id, ...range } = row.asked;
    await (batch_id === undefined ? replayRange(running, range) : replayBatch(running, batch_id));
    await tenant(app.db, ctx, (tx) => end(tx, ctx, row.id, { status: 'succeeded' }, row.attempt));
  } catch (error) {
    if (!watched.signal.aborted) throw error;
  } finally {
    watched.end();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Ends a replay as failed, unless it has already ended. */
export async function failReplay(app: App, { id, workspace_id }: ReplayJob, failure: JobFailure): Promise<void> {
  const ctx = await workspaceContext(app.db, workspace_id);
  const change = { status: 'failed' as const, failure: JSON.stringify(failure) };
  await tenant(app.db, ctx, (tx) => end(tx, ctx, id, change, null));
}

async function begin(tx: Tx, ctx: Context, id: string): Promise<ReplayRow | null> {
  const row = await lockReplay(tx, id);
  if (!row || finishedStatuses.includes(row.status)) return null;
  if (row.status === 'queued')
    await record(tx, ctx, 'replay-lifecycle', { type: 'replay', id }, { status: 'running', origin: row.origin });
  const started = { status: 'running', attempt: row.attempt + 1, started_at: row.started_at ?? new Date() };
  await updateReplay(tx, id, started);
  return (await selectReplay(tx, id))!;
}

async function end(
  tx: Tx,
  ctx: Context,
  id: string,
  change: { readonly status: 'succeeded' | 'failed'; readonly failure?: string },
  attempt: number | null,
): Promise<void> {
  if (!(await updateReplay(tx, id, { ...change, finished_at: new Date() }, attempt))) return;
  const row = (await selectReplay(tx, id))!;
  const { origin, identical, different } = row;
  const gone = doneOf(row) - identical - different;
  const target = { type: 'replay', id } as const;
  await record(tx, ctx, 'replay-lifecycle', target, { status: change.status, origin, identical, different, gone });
  if (different > 0) await record(tx, ctx, 'replay-difference', target, { origin, different });
}

/** Replays predictions in the order of their ids, some at a time. */
async function replayRange(running: Running, { from, to, ...asked }: ReplayedRange): Promise<void> {
  const { app, ctx, row } = running;
  const range = {
    ...asked,
    ...(from !== undefined && { from_id: predictionsFrom(Date.parse(from)) }),
    ...(to !== undefined && { until_id: predictionsFrom(Date.parse(to)) }),
  };
  // Those that are gone from the log by then are told as such.
  const total = asked.ids?.length ?? (await tenant(app.db, ctx, (tx) => countRange(tx, range)));
  await tenant(app.db, ctx, (tx) => updateReplay(tx, row.id, { total }, row.attempt));
  let { done_until: after } = row;
  for (;;) {
    const window = await tenant(app.db, ctx, (tx) => selectRange(tx, range, after, windowMax));
    if (window.length === 0) break;
    after = window.at(-1)!.id;
    await keep(running, await replayWindow(running, window), after);
  }
  await tenant(app.db, ctx, async (tx) => {
    const now = (await selectReplay(tx, row.id))!;
    const left = total - doneOf(now);
    if (left > 0)
      await updateReplay(tx, row.id, { gone: JSON.stringify(added(now.gone, { expired: left })) }, row.attempt);
  });
}

/** Opens each version over each snapshot once, and answers what is pinned to both in blocks. */
async function replayWindow(running: Running, window: readonly PinnedId[]): Promise<Found> {
  const found = nothing();
  const pairs = Map.groupBy(
    window.filter(({ is_erased }) => !is_erased),
    ({ snapshot_id, version_id }) => `${snapshot_id} ${version_id}`,
  );
  count(found, 'erased', window.filter(({ is_erased }) => is_erased).length);
  for (const [, rows] of [...pairs].sort(([a], [b]) => (a < b ? -1 : 1))) await replayPair(running, rows, found);
  return found;
}

async function replayPair({ app, ctx, folder, signal, row }: Running, rows: readonly PinnedId[], found: Found) {
  const [{ snapshot_id }] = rows;
  let task: Awaited<ReturnType<typeof placePins>>;
  try {
    task = await placePins(app, folder, await tenant(app.db, ctx, (tx) => requirePins(tx, ctx, rows[0])));
  } catch (error) {
    const pin = pinOf(error);
    if (pin === null) throw error;
    count(found, pin, rows.length);
    return;
  }
  for (let at = 0; at < rows.length; at += blockMax) {
    const ids = rows.slice(at, at + blockMax).map(({ id }) => id);
    const logged = await tenant(app.db, ctx, (tx) => selectLogged(tx, ids));
    // Removed or erased since their ids were read.
    count(found, 'expired', ids.length - logged.length);
    const predictions = logged.map((one) => loggedOf(one, ctx));
    const replayed = await app.compute!.run<typeof replayPredictions>(
      { name: 'replayPredictions', input: { ...task, snapshotId: snapshot_id, predictions, isTold: false } },
      {
        ...{ signal, group: ctx.workspaceId, leaves: leaves.evaluation, folder },
        about: { workspace: ctx.workspaceId, replay: row.id },
      },
    );
    for (const { id, isIdentical, differences } of replayed) {
      if (isIdentical) found.identical++;
      else {
        found.different++;
        tell(found, { prediction_id: id, paths: differences });
      }
    }
  }
}

/** Replays the units of a batch in order. */
async function replayBatch(running: Running, batchId: string): Promise<void> {
  const { app, ctx, row, folder, signal } = running;
  const units = await tenant(app.db, ctx, (tx) => storedUnits(tx, batchId));
  const total = units.reduce((rows, { unit }) => rows + Number(unit.succeeded), 0);
  await tenant(app.db, ctx, (tx) => updateReplay(tx, row.id, { total }, row.attempt));
  const names = units.map(({ unit }) => `${unit.position} ${unit.unit}`);
  for (let at = row.done_until === null ? 0 : names.indexOf(row.done_until) + 1; at < units.length; at++) {
    const { file, unit } = units[at];
    const rows = Number(unit.succeeded);
    const found = nothing();
    const replayed = await replayUnit(app, ctx, units[at], { folder, signal, firstMax: toldMax });
    if ('gone' in replayed) count(found, replayed.gone, rows);
    else {
      found.different += replayed.different;
      found.identical += rows - Math.min(replayed.different, rows);
      for (const { row, columns } of replayed.first) tell(found, { file_id: file.file_id, row, paths: columns });
      if (replayed.different > 0 && replayed.first.length === 0)
        tell(found, { file_id: file.file_id, row: null, paths: [] });
    }
    await keep(running, found, names[at]);
  }
}

const nothing = (): Found => ({ identical: 0, different: 0, gone: {}, differences: [] });

function count(found: Found, name: keyof ReplayGone, rows: number): void {
  if (rows > 0) found.gone[name] = (found.gone[name] ?? 0) + rows;
}

function tell({ differences }: Found, difference: ReplayDifference): void {
  if (differences.length < toldMax) differences.push(difference);
}

function added(before: ReplayGone, more: ReplayGone): ReplayGone {
  const sum = { ...before };
  for (const [name, rows] of Object.entries(more) as [keyof ReplayGone, number][]) sum[name] = (sum[name] ?? 0) + rows;
  return sum;
}

/** Adds what was found to the figures of the replay. Throws where another attempt has it, or it has ended. */
async function keep({ app, ctx, row }: Running, found: Found, doneUntil: string): Promise<void> {
  const isOurs = await tenant(app.db, ctx, async (tx) => {
    const before = (await lockReplay(tx, row.id))!;
    return updateReplay(
      tx,
      row.id,
      {
        identical: before.identical + found.identical,
        different: before.different + found.different,
        gone: JSON.stringify(added(before.gone, found.gone)),
        differences: JSON.stringify([...before.differences, ...found.differences].slice(0, toldMax)),
        done_until: doneUntil,
      },
      row.attempt,
    );
  });
  if (!isOurs) throw new Failure('conflict', 'the replay was ended, or another worker goes on with it');
}
