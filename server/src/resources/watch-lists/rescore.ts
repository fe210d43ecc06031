import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '../../access/context.ts';
import { tenant } from '../../access/transactions.ts';
import { workspaceContext } from '../../access/workspace-context.ts';
import { localSnapshot } from '../../serving/snapshot-files.ts';
import type { App } from '../app.ts';
import { placeTargets } from '../batches/place-targets.ts';
import { type JobFailure, leaves } from '../job.ts';
import { type Begun, begin } from './begin.ts';
import type { scoreWatched, Watched } from './compute.ts';
import type { RescoringJob } from './queue.ts';
import { settle } from './settle.ts';
import { updateList } from './sql.ts';

/** After a failure nothing is tried for so long. */
const failedRestMs = 60 * 60_000;

/**
 * Scores the entries of a list by the version that its alias points at, over the newest data and as of now, and tells
 * who has moved. What it finds comes true in one transaction, and only of the run that was begun last: so a run that is
 * interrupted, or that two workers have, tells no move twice. With neither version, data nor day otherwise, only new
 * entries are scored.
 */
export async function rescore(app: App, job: RescoringJob, stop: AbortSignal): Promise<void> {
  const ctx = await workspaceContext(app.db, job.workspace_id);
  const begun = await tenant(app.db, ctx, (tx) => begin(tx, ctx, job.id));
  if (!begun) return;
  const watched = begun.keys.length === 0 ? null : await score(app, ctx, begun, stop);
  stop.throwIfAborted();
  await tenant(app.db, ctx, (tx) => settle(tx, ctx, begun, watched));
}

/** Says why a list was not rescored, after which it rests. */
export async function failRescoring(app: App, { id, workspace_id }: RescoringJob, failure: JobFailure): Promise<void> {
  const ctx = await workspaceContext(app.db, workspace_id);
  const rest = { failure: JSON.stringify(failure), rest_until: new Date(Date.now() + failedRestMs) };
  await tenant(app.db, ctx, (tx) => updateList(tx, id, rest));
}

async function score(app: App, ctx: Context, begun: Begun, signal: AbortSignal): Promise<Watched> {
  const { list, asOf, snapshot, names, versions, graphModels, keys } = begun;
  const folder = await mkdtemp(join(app.workFolder, 'watch-list-'));
  try {
    const local = await localSnapshot(app.storage, snapshot, names);
    const input = {
      data: { id: `${snapshot.id} ${names}`, frozen: local.frozen, identifiers: local.names },
      targets: await placeTargets(app, folder, versions, graphModels),
      keys: keys.map(({ key }) => key),
      ...{ timeZone: ctx.timeZone, asOf: asOf.getTime() },
    };
    return await app.compute!.run<typeof scoreWatched>(
      { name: 'scoreWatched', input },
      {
        ...{ signal, group: ctx.workspaceId, leaves: leaves.evaluation, folder },
        about: { workspace: ctx.workspaceId, watch_list: list.id },
      },
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
