import { join } from 'node:path';
import type { Tx } from '../../access/transactions.ts';
import { tenant } from '../../access/transactions.ts';
import { placeVersion } from '../../serving/place-version.ts';
import { placeGfm } from '../gfm-versions/place.ts';
import { leaves, waitingPhase } from '../job.ts';
import { addRfmVersion, storeRfm } from '../rfm-versions/add.ts';
import type { FineTuneEncoderTask, fineTuneEncoder } from '../rfm-versions/compute.ts';
import { newestOf } from '../rfm-versions/require.ts';
import type { readEntity } from '../tasks/parsing.ts';
import type { Learn } from './learn.ts';
import type { RunRow } from './run.ts';

/** The outcome of fine-tuning: metrics for the run, and a function that adds the version, or null without a version. */
type FineTuned = {
  readonly metrics: Readonly<Record<string, unknown>>;
  readonly add: ((tx: Tx, run: RunRow) => Promise<string>) | null;
};

/**
 * Fine-tunes a copy of the newest encoder of the task's table on a run's closed labels. Stores it if it was accepted,
 * that is, if no other head became worse than tolerated.
 */
export async function fineTune(
  { app, ctx, row, folder, signal, tell }: Parameters<Learn>[0],
  read: Omit<FineTuneEncoderTask, 'encoder' | 'graphModel' | 'out'>,
): Promise<FineTuned> {
  const entity = await app.parsing.run<typeof readEntity>(
    { name: 'readEntity', input: { name: read.name, definition: read.definition } },
    ctx.workspaceId,
  );
  const parent = await tenant(app.db, ctx, (tx) => newestOf(tx, entity));
  const encoder = await placeVersion(app.storage, folder, parent.id, {
    prefix: parent.storage_prefix,
    files: parent.files,
  });
  const { contract, frozen, identifiers, definition, name, labels, now } = read;
  const { gfm_version_id: gfm } = parent;
  const graphModel = gfm === null ? null : await placeGfm(app, ctx, folder, gfm);
  const input = {
    graphModel,
    contract,
    frozen,
    identifiers,
    definition,
    name,
    labels,
    now,
    encoder,
    out: join(folder, 'fine-tuned'),
  };
  const { why, report, files } = await app.compute!.run<typeof fineTuneEncoder>(
    { name: 'fineTuneEncoder', input },
    {
      signal,
      group: ctx.workspaceId,
      leaves: leaves.training,
      folder,
      about: { workspace: ctx.workspaceId, run: row.id },
      onWait: () => tell({ phase: waitingPhase, fraction: 0 }),
      onProgress: tell,
    },
  );
  if (why !== null) return { metrics: { parent_id: parent.id, accepted: false, why }, add: null };
  const metrics = { parent_id: parent.id, ...report };
  if (!report.accepted) return { metrics, add: null };
  const stored = await storeRfm(app, ctx, files);
  return {
    metrics,
    add: (tx, run) =>
      addRfmVersion(tx, ctx, { ...run, entity }, stored, { report, parent: parent.id, gfmVersionId: gfm }),
  };
}
