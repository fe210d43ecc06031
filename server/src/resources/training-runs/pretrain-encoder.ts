import { join } from 'node:path';
import { tenant } from '../../access/transactions.ts';
import { gfmFolderOf, storedGfm } from '../../serving/graph-models.ts';
import { requireGfmVersion } from '../gfm-versions/require.ts';
import { leaves, waitingPhase } from '../job.ts';
import { addRfmVersion, storeRfm } from '../rfm-versions/add.ts';
import type { pretrain } from '../rfm-versions/compute.ts';
import type { Learn } from './learn.ts';
import { pinnedData } from './pinned-data.ts';

/** Pre-trains the encoder of the run's table, and adds it as an RFM version. */
export const pretrainEncoder: Learn = async ({ app, ctx, row, folder, signal, tell }) => {
  const { gfm_version_id: gfmId } = row;
  const gfm = gfmId === null ? null : await tenant(app.db, ctx, (tx) => requireGfmVersion(tx, gfmId));
  const graphModel = gfm && (await gfmFolderOf(app.storage, folder, storedGfm(gfm)));
  const input = { ...(await pinnedData(app, ctx, row)), entity: row.entity!, graphModel, out: join(folder, 'encoder') };
  const { report, files, graph, warnings } = await app.compute!.run<typeof pretrain>(
    { name: 'pretrain', input },
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
  const stored = await storeRfm(app, ctx, files);
  return async (tx, current) => ({
    rfm_version_id: await addRfmVersion(tx, ctx, { ...current, entity: current.entity! }, stored, {
      ...{ report, parent: null, gfmVersionId: graph?.is_read ? gfmId : null },
    }),
    metrics: JSON.stringify({
      ...{ relative_loss: report.relative_loss, heads: report.heads },
      ...(gfm && {
        gfm: {
          gfm_version_id: gfmId,
          model_snapshot: gfm.model_snapshot,
          ...graph,
          inputs: report.graph_model?.inputs,
        },
      }),
    }),
    warnings: JSON.stringify(warnings.map((message) => ({ code: 'data', message }))),
  });
};
