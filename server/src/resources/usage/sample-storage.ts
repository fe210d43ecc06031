import { system } from '../../access/transactions.ts';
import type { App } from '../app.ts';
import { insertSample, selectUnsampled } from './sql.ts';

const pageMost = 100;
const bytesPerMegabyte = 1_000_000;

/**
 * Notes how many megabytes each workspace has stored, begun ones included, once on each of its days. A day on which no
 * worker runs has none. An error in one workspace is logged, and tried again the next time.
 */
export async function sampleStorage(app: App, signal?: AbortSignal): Promise<void> {
  for (let after = ''; !signal?.aborted; ) {
    const found = await system(app.db, 'sample storage', (tx) => selectUnsampled(tx, after, pageMost));
    for (const { id, organization_id } of found) {
      if (signal?.aborted) return;
      try {
        let bytes = 0;
        for await (const { size } of app.storage.list(`${organization_id}/${id}/`)) bytes += size;
        const megabytes = Math.ceil(bytes / bytesPerMegabyte);
        if (megabytes > 0) await system(app.db, 'sample storage', (tx) => insertSample(tx, id, megabytes));
      } catch (error) {
        app.log.warn({ err: error, workspace: id }, 'storage not sampled');
      }
    }
    if (found.length < pageMost) return;
    after = found.at(-1)!.id;
  }
}
