import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '../../access/context.ts';
import { system, tenant } from '../../access/transactions.ts';
import { workspaceContext } from '../../access/workspace-context.ts';
import { idsFrom } from '../../lib/crypto/ids.ts';
import { Failure } from '../../lib/failure.ts';
import { selectStoredGfms } from '../../serving/graph-models.ts';
import { currentIdentifiers, requireSnapshot } from '../../serving/snapshot.ts';
import { localSnapshot } from '../../serving/snapshot-files.ts';
import type { App } from '../app.ts';
import { placeTargets } from '../batches/place-targets.ts';
import { leaves } from '../job.ts';
import type { Shadowed, scoreShadow } from './compute.ts';
import type { ShadowRow } from './shadow.ts';
import {
  claimShadows,
  keepAnswers,
  type ShadowLine,
  selectNewest,
  selectStoredVersion,
  selectUnanswered,
} from './sql.ts';

/** How long a worker has a shadow before others may take it over. */
const leaseSeconds = 120;
const claimedAtOnce = 8;
/** Predictions answered at a time, which are held in memory. */
const rowsAtOnce = 2_000;
/** How long after the moment in its id a prediction may still commit. */
const lateMs = 30_000;

/**
 * Has shadows answer what was predicted since they last did, in child processes, after those who asked have their
 * answers. Each prediction is answered once: a worker that dies leaves the rest to the next. An error in one shadow is
 * logged, and the others go on. Returns how many predictions were answered.
 */
export async function answerShadows(app: App, signal?: AbortSignal): Promise<number> {
  if (app.compute === null) return 0;
  let answered = 0;
  for (const shadow of await system(app.db, 'shadows', (tx) => claimShadows(tx, leaseSeconds, claimedAtOnce))) {
    if (signal?.aborted) break;
    try {
      answered += await answerOne(app, shadow, signal);
    } catch (error) {
      if (signal?.aborted) break;
      const { workspace_id: workspace, version_id: version } = shadow;
      app.log.warn({ err: error, workspace, version }, 'shadow not answered');
    }
  }
  return answered;
}

async function answerOne(app: App, shadow: ShadowRow, signal?: AbortSignal): Promise<number> {
  const ctx = await workspaceContext(app.db, shadow.workspace_id);
  const settled = idsFrom('prd', Date.now() - lateMs);
  const { newest, lines } = await tenant(app.db, ctx, async (tx) => ({
    newest: await selectNewest(tx, ctx.workspaceId),
    lines: await selectUnanswered(tx, shadow, rowsAtOnce),
  }));
  const done: Shadowed[] = [];
  for (const [snapshotId, own] of Map.groupBy(lines, (line) => line.snapshot_id))
    done.push(await answerOver(app, ctx, shadow, snapshotId, own, signal));
  // What is read no further than to its last prediction goes on from there.
  const last = lines.length === rowsAtOnce ? lines.at(-1)!.id : (newest ?? shadow.seen);
  const rows = done.flatMap((part) => part.rows);
  const told = done.find(({ answers }) => answers !== null)?.answers ?? null;
  await tenant(app.db, ctx, (tx) =>
    keepAnswers(tx, shadow, rows, { position: last < settled ? last : settled, seen: last, answers: told }),
  );
  return rows.length;
}

async function answerOver(
  app: App,
  ctx: Context,
  shadow: ShadowRow,
  snapshotId: string,
  lines: readonly ShadowLine[],
  signal?: AbortSignal,
): Promise<Shadowed> {
  const folder = await mkdtemp(join(app.workFolder, 'shadow-'));
  try {
    const path = join(folder, 'log');
    await writeFile(path, lines.map(({ line }) => `${line}\n`).join(''));
    const { snapshot, names, versions, graphModels } = await tenant(app.db, ctx, async (tx) => {
      const versions = await selectStoredVersion(tx, shadow.version_id);
      return {
        snapshot: await requireSnapshot(tx, snapshotId),
        names: await currentIdentifiers(tx, ctx),
        versions,
        graphModels: await selectStoredGfms(tx, versions),
      };
    });
    const local = await localSnapshot(app.storage, snapshot, names);
    const input = {
      data: { id: `${snapshot.id} ${names}`, frozen: local.frozen, identifiers: local.names },
      targets: await placeTargets(app, folder, versions, graphModels),
      ...{ path, folder, timeZone: ctx.timeZone, now: Date.now() },
    };
    return await app.compute!.run<typeof scoreShadow>(
      { name: 'scoreShadow', input },
      {
        ...(signal && { signal }),
        ...{ group: ctx.workspaceId, leaves: leaves.scoring, folder },
        about: { workspace: ctx.workspaceId, version: shadow.version_id },
      },
    );
  } catch (error) {
    // The data that these were answered from are gone: there is nothing to compare.
    if (error instanceof Failure && error.reason === 'entity_erased')
      return { answers: shadow.answers as Shadowed['answers'], rows: lines.map(({ id }) => nothing(id)) };
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const nothing = (id: string) => ({ id, before: null, after: null });
