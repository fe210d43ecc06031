import { join } from 'node:path';
import { longTasksLeave } from '../job.ts';
import { addRfmVersion, storeRfm } from '../rfm-versions/add.ts';
import type { Learn } from './learn.ts';
import { pinnedData } from './pinned-data.ts';

/** Pre-trains the encoder of a run's table, and makes an RFM version. */
export const pretrainEncoder: Learn = async ({ app, ctx, row, folder, signal, tell }) => {
  const input = { ...(await pinnedData(app, ctx, row)), entity: row.entity!, out: join(folder, 'encoder') };
  const { report, files } = await app.compute!.run(
    { name: 'pretrain', input },
    { signal, leaves: longTasksLeave, onProgress: tell },
  );
  const stored = await storeRfm(app, ctx, files);
  return async (tx, current) => ({
    rfm_version_id: await addRfmVersion(tx, ctx, { ...current, entity: current.entity! }, stored, report),
    metrics: JSON.stringify({ relative_loss: report.relative_loss, heads: report.heads }),
  });
};
