import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '../../access/context.ts';
import { system, tenant } from '../../access/transactions.ts';
import { workspaceContext } from '../../access/workspace-context.ts';
import { idsFrom, newId } from '../../lib/crypto/ids.ts';
import { putFile } from '../../lib/storage/put-file.ts';
import type { App } from '../app.ts';
import { leaves } from '../job.ts';
import { keptSince } from '../kept-since.ts';
import type { writeColumns } from './compute.ts';
import { daysWithin, type LogDay } from './days.ts';
import { dropColumns } from './drop.ts';
import { writeLog } from './log-files.ts';
import {
  finishObject,
  hasDay,
  insertDay,
  lockColumns,
  selectDaysWithout,
  selectModels,
  selectWorkspacesWithin,
} from './sql.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** Days that are put in columns, counted back from now. Older ones stay as they are, or are read from the log. */
const daysBack = 400;
/** How long after its end a day is whole: until then a prediction of it may still be about to commit. */
const settledMs = 10 * 60 * 1000;
/** Whoever has not finished a day by then has died. */
const unfinishedMs = 60 * 60 * 1000;

type Means = Pick<App, 'db' | 'log' | 'storage' | 'compute' | 'workFolder' | 'retentionDays'>;

/**
 * Puts the days of all logs that have ended into columns, the oldest first. A day is begun in one transaction, so that
 * an erasure that comes meanwhile drops it; whoever finds its day dropped removes what it has stored. An error in one
 * workspace is logged, and the others go on. `signal` stops it soon. Returns how many days there were.
 */
export async function buildColumns(app: Means, signal?: AbortSignal, nowMs = Date.now()): Promise<number> {
  if (app.compute === null) return 0;
  const keptFrom = keptSince(app.retentionDays.predictions, nowMs)?.getTime() ?? 0;
  const from = Math.max(nowMs - daysBack * dayMs, keptFrom);
  const until = Math.floor((nowMs - settledMs) / dayMs) * dayMs;
  const days = daysWithin(from, until);
  if (days.length === 0) return 0;
  let built = 0;
  const ids = [idsFrom('prd', from), idsFrom('prd', until)] as const;
  for (const id of await system(app.db, 'prediction columns', (tx) => selectWorkspacesWithin(tx, ...ids))) {
    try {
      const ctx = await workspaceContext(app.db, id);
      const unfinishedSince = new Date(nowMs - unfinishedMs);
      const missing = await tenant(app.db, ctx, async (tx) => {
        await dropColumns(tx, ctx, app.storage, { unfinishedSince });
        return new Set(await selectDaysWithout(tx, ctx, days));
      });
      for (const day of days) {
        if (signal?.aborted) return built;
        if (missing.has(day.day) && (await buildDay(app, ctx, day, signal))) built++;
      }
    } catch (error) {
      if (signal?.aborted) return built;
      app.log.warn({ err: error, workspace: id }, 'predictions not put in columns');
    }
  }
  return built;
}

async function buildDay(app: Means, ctx: Context, day: LogDay, signal?: AbortSignal): Promise<boolean> {
  const objects = await tenant(app.db, ctx, async (tx) => {
    // An erasure that is under way has its predictions empty when this goes on, and one that comes finds the day.
    await lockColumns(tx, ctx);
    if (await hasDay(tx, ctx, day.day)) return [];
    const models = await selectModels(tx, ctx, day.first, day.until);
    const made = models.map((model_id) => ({ model_id, storage_key: columnsKey(ctx, day.day) }));
    if (made.length > 0) await insertDay(tx, ctx, day.day, made);
    return made;
  });
  const folder = await mkdtemp(join(app.workFolder, 'columns-'));
  try {
    for (const { model_id: modelId, storage_key: key } of objects) {
      const [path, out] = ['log', 'columns.parquet'].map((name) => join(folder, name));
      await writeLog(app.db, ctx, { modelId, first: day.first, until: day.until }, () => path);
      const rows = await app.compute!.run<typeof writeColumns>(
        { name: 'writeColumns', input: { path, out } },
        {
          ...(signal && { signal }),
          ...{ group: ctx.workspaceId, leaves: leaves.evaluation, folder },
          about: { workspace: ctx.workspaceId, day: day.day },
        },
      );
      const { sha256 } = await putFile(app.storage, key, out);
      const isOurs = await tenant(app.db, ctx, (tx) => finishObject(tx, key, { sha256, rows }));
      if (!isOurs) {
        await app.storage.delete(key);
        return false;
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return objects.length > 0;
}

/** A key of its own for each writing: what two write at once has no bytes of both. */
function columnsKey({ organizationId, workspaceId }: Context, day: string): string {
  return `${organizationId}/${workspaceId}/prediction-columns/${day}/${newId('pcl')}.parquet`;
}
