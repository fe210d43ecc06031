import { join } from 'node:path';
import { placeGfm } from '../gfm-versions/local-folder.ts';
import { longTasksLeave, waitingPhase } from '../job.ts';
import { addRfmVersion, storeRfm } from '../rfm-versions/add.ts';
import type { Learn } from './learn.ts';
import { pinnedData } from './pinned-data.ts';

/** Pre-trains the encoder of a run's table, and makes an RFM version. */
export const pretrainEncoder: Learn = async ({ app, ctx, row, folder, signal, tell }) => {
  const { gfm_version_id: gfm } = row;
  const graphModel = gfm === null ? null : await placeGfm(app, ctx, folder, gfm);
  const input = { ...(await pinnedData(app, ctx, row)), entity: row.entity!, graphModel, out: join(folder, 'encoder') };
  const { report, files } = await app.compute!.run(
    { name: 'pretrain', input },
    {
      signal,
      leaves: longTasksLeave,
      onWait: () => tell({ phase: waitingPhase, fraction: 0 }),
      onProgress: tell,
    },
  );
  const stored = await storeRfm(app, ctx, files);
  return async (tx, current) => ({
    rfm_version_id: await addRfmVersion(tx, ctx, { ...current, entity: current.entity! }, stored, {
      ...{ report, parent: null, gfmVersionId: report.graph_model ? gfm : null },
    }),
    metrics: JSON.stringify({
      ...{ relative_loss: report.relative_loss, heads: report.heads },
      ...(report.graph_model && { gfm: { gfm_version_id: gfm, ...report.graph_model } }),
    }),
  });
};
