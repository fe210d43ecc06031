import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '../../access/context.ts';
import { type Tx, tenant } from '../../access/transactions.ts';
import { workspaceContext } from '../../access/workspace-context.ts';
import { idsFrom } from '../../lib/crypto/ids.ts';
import { instantOf, wallClock } from '../../lib/time-zone.ts';
import type { Cutoff } from '../../ml/evaluation/compare-answers.ts';
import { selectStoredGfms } from '../../serving/graph-models.ts';
import { currentIdentifiers, requireSnapshot } from '../../serving/snapshot.ts';
import { localSnapshot } from '../../serving/snapshot-files.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { placeTargets } from '../batches/place-targets.ts';
import { type JobFailure, leaves, waitingPhase } from '../job.ts';
import { type LogPiece, placeLog } from '../prediction-columns/place.ts';
import { tellInTurn } from '../tell-in-turn.ts';
import { watchOpen } from '../watch-open.ts';
import { type BacktestedModel, type BacktestRow, finishedStatuses } from './backtest.ts';
import {
  type judgeBacktest,
  mostMoved,
  type Refused,
  type Replayed,
  type ReplayTask,
  type replayPieces,
} from './compute.ts';
import type { BacktestJob } from './queue.ts';
import { lockBacktest, selectBacktest, selectStoredVersions, updateBacktest } from './sql.ts';
import { writeTold } from './write-told.ts';

/** Processes that answer pieces of one log at once. */
const processesMax = 2;
/** The part of the progress that is left for reading the log, and for judging the answers. */
const [readShare, judgeShare] = [0.1, 0.05];

/**
 * Runs a queued backtest to its end. Idempotent: it may run again after a crash, and does nothing once the backtest has
 * ended.
 */
export async function runBacktest(app: App, job: BacktestJob, stop: AbortSignal): Promise<void> {
  const ctx = await workspaceContext(app.db, job.workspace_id);
  const row = await tenant(app.db, ctx, (tx) => begin(tx, ctx, job.id));
  if (!row) return;
  const folder = join(app.workFolder, `${job.id}-${row.attempt}`);
  const watched = watchOpen(app.log, async () => {
    const now = await tenant(app.db, ctx, (tx) => selectBacktest(tx, job.id));
    return now !== undefined && !finishedStatuses.includes(now.status);
  });
  try {
    await mkdir(folder, { recursive: true });
    const result = await replay(app, ctx, row, folder, AbortSignal.any([stop, watched.signal]));
    const done = { result: JSON.stringify(result), fraction: 1, phase: null };
    await tenant(app.db, ctx, (tx) => end(tx, ctx, row.id, 'succeeded', done));
  } catch (error) {
    if (!watched.signal.aborted) throw error;
  } finally {
    watched.end();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Ends a backtest as failed, unless it has already ended. */
export async function failBacktest(app: App, { id, workspace_id }: BacktestJob, failure: JobFailure): Promise<void> {
  const ctx = await workspaceContext(app.db, workspace_id);
  await tenant(app.db, ctx, (tx) => end(tx, ctx, id, 'failed', { failure: JSON.stringify(failure) }));
}

async function begin(tx: Tx, ctx: Context, id: string): Promise<BacktestRow | null> {
  const row = await lockBacktest(tx, id);
  if (!row || finishedStatuses.includes(row.status)) return null;
  if (row.status === 'queued')
    await record(tx, ctx, 'backtest-lifecycle', { type: 'backtest', id }, { status: 'running' });
  await updateBacktest(tx, id, {
    status: 'running',
    attempt: row.attempt + 1,
    started_at: row.started_at ?? new Date(),
    phase: 'reading the log',
  });
  return (await selectBacktest(tx, id))!;
}

async function end(
  tx: Tx,
  ctx: Context,
  id: string,
  status: 'succeeded' | 'failed',
  change: Parameters<typeof updateBacktest>[2],
): Promise<void> {
  if (!(await updateBacktest(tx, id, { ...change, status, finished_at: new Date() }))) return;
  const { model_id, version_id } = (await selectBacktest(tx, id))!.model as BacktestedModel;
  await record(tx, ctx, 'backtest-lifecycle', { type: 'backtest', id }, { status, model_id, version_id });
}

async function replay(app: App, ctx: Context, row: BacktestRow, folder: string, signal: AbortSignal) {
  const tell = tellInTurn<{ phase: string; fraction: number }>(app.log.child({ backtest: row.id }), (told) =>
    tenant(app.db, ctx, (tx) => updateBacktest(tx, row.id, told)),
  );
  const { model_id: modelId } = row.model as BacktestedModel;
  const span = { fromMs: row.from_at.getTime(), untilMs: row.until_at.getTime() };
  const pieces = await placeLog(app, ctx, { modelId, ...span }, folder);
  signal.throwIfAborted();
  const task = await makeTask(app, ctx, row, folder);
  const common = {
    ...{ signal, group: ctx.workspaceId, leaves: leaves.evaluation, folder },
    about: { workspace: ctx.workspaceId, backtest: row.id },
    onWait: () => tell({ phase: waitingPhase, fraction: readShare }),
  };
  const all = pieces.reduce((sum, { range }) => sum + range.count, 0);
  const shares = shareOut(pieces);
  const rows = shares.map(() => 0);
  const parts = await Promise.all(
    shares.map((own, share) =>
      app.compute!.run<typeof replayPieces>(
        { name: 'replayPieces', input: { ...task, pieces: own } },
        {
          ...common,
          onProgress: ({ rows: done }) => {
            rows[share] = done;
            const sum = rows.reduce((a, b) => a + b, 0);
            const fraction = readShare + ((1 - readShare - judgeShare) * sum) / Math.max(1, all);
            tell({ phase: 'answering', fraction: Math.min(fraction, 1 - judgeShare) });
          },
        },
      ),
    ),
  );
  tell({ phase: 'comparing', fraction: 1 - judgeShare });
  const { field, ...answers } = parts[0].answers;
  const judged = await app.compute!.run<typeof judgeBacktest>(
    {
      name: 'judgeBacktest',
      input: {
        ...{ answers, pieces: parts.flatMap((part) => part.pieces), folder, cutoff: row.cutoff as Cutoff | null },
        months: task.months.map(({ name }) => name),
      },
    },
    common,
  );
  const { rows: compared, labelled, ...told } = judged;
  return {
    rows: { logged: parts.reduce((sum, part) => sum + part.rows, 0), compared, refused: joinRefused(parts) },
    versions: joinVersions(parts),
    ...{ field, ...told, labelled },
    moved_most: mostMoved(parts.flatMap(({ movers }) => movers)),
  };
}

/** Pieces in turns for each process, so that all have of early and late days; one process at least. */
function shareOut(pieces: readonly LogPiece[]): ReplayTask['pieces'][] {
  const numbered = pieces.map((piece, number) => ({ ...piece, number }));
  const processes = Math.max(1, Math.min(processesMax, pieces.length));
  return Array.from({ length: processes }, (_, own) => numbered.filter(({ number }) => number % processes === own));
}

const reasonsMax = 20;

function joinRefused(parts: readonly Replayed[]): Refused[] {
  const joined = new Map<string, Refused>();
  for (const one of parts.flatMap(({ refused }) => refused)) {
    const key = `${one.code} ${one.column}`;
    joined.set(key, { ...one, rows: one.rows + (joined.get(key)?.rows ?? 0) });
  }
  const order = ([a, one]: [string, Refused], [b, other]: [string, Refused]) =>
    other.rows - one.rows || (a < b ? -1 : 1);
  return [...joined]
    .sort(order)
    .slice(0, reasonsMax)
    .map(([, one]) => one);
}

function joinVersions(parts: readonly Replayed[]) {
  const rows = new Map<string, number>();
  for (const [id, count] of parts.flatMap(({ versions }) => Object.entries(versions)))
    rows.set(id, (rows.get(id) ?? 0) + count);
  return [...rows]
    .sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
    .map(([version_id, count]) => ({ version_id, rows: count }));
}

/** Fetches everything beside the log that the backtest reads into local files. */
async function makeTask(app: App, ctx: Context, row: BacktestRow, folder: string): Promise<Omit<ReplayTask, 'pieces'>> {
  const ids = [row.model, row.compare_with].flatMap((one) => (one === null ? [] : (one as BacktestedModel).version_id));
  const { snapshot, names, versions, graphModels } = await tenant(app.db, ctx, async (tx) => {
    const versions = await selectStoredVersions(tx, ids);
    return {
      snapshot: await requireSnapshot(tx, row.snapshot_id),
      names: await currentIdentifiers(tx, ctx),
      versions,
      graphModels: await selectStoredGfms(tx, versions),
    };
  });
  const local = await localSnapshot(app.storage, snapshot, names);
  const span = { first: idsFrom('prd', row.from_at.getTime()), until: idsFrom('prd', row.until_at.getTime()) };
  const told = join(folder, 'told');
  await writeTold(app.db, ctx, { modelId: (row.model as BacktestedModel).model_id, ...span }, told);
  const [model, compareWith] = ids.map((id) => versions.findIndex((version) => version.id === id));
  return {
    data: { id: `${snapshot.id} ${names}`, frozen: local.frozen, identifiers: local.names },
    targets: await placeTargets(app, folder, versions, graphModels),
    ...{ model, compareWith: compareWith ?? null, folder, told, ...span },
    months: monthsOf(row),
    ...{ timeZone: row.time_zone, now: row.created_at.getTime() },
  };
}

/** The months of a span on the clocks of its workspace, and the first id that a prediction of each may have. */
function monthsOf({ from_at, until_at, time_zone }: BacktestRow): ReplayTask['months'] {
  const [first, last] = [from_at, until_at].map((at) => new Date(wallClock(time_zone, at.getTime())));
  const count = 12 * (last.getUTCFullYear() - first.getUTCFullYear()) + last.getUTCMonth() - first.getUTCMonth() + 1;
  return Array.from({ length: count }, (_, at) => {
    const start = Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + at);
    const name = new Date(start).toISOString().slice(0, 'yyyy-mm'.length);
    // The first month holds all that the span begins with.
    return { name, first: idsFrom('prd', Math.max(from_at.getTime(), instantOf(time_zone, start))) };
  });
}
