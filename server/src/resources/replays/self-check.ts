import { system, tenant } from '../../access/transactions.ts';
import { workspaceContext } from '../../access/workspace-context.ts';
import type { App } from '../app.ts';
import { pairsMax, startReplay } from './create.ts';
import { selectSample, selectUnchecked } from './sql.ts';

/** When it is night, on the clocks of a workspace. */
const nightHours = [2, 5] as const;
/** A workspace is checked once a night, though hours of nights move by one in spring and autumn. */
const checkedWithinMs = 20 * 60 * 60 * 1000;

/**
 * Begins to replay a sample of the newest predictions of each workspace in which it is night, once a night; of one
 * without predictions nothing. `replaySample`: how many; 0 for none. An error in one workspace is logged, and the
 * others go on. Returns how many replays it began.
 */
export async function startSelfChecks(app: App, now = new Date(), signal?: AbortSignal): Promise<number> {
  if (app.replaySample === 0) return 0;
  const since = new Date(now.getTime() - checkedWithinMs);
  const due = { now, since, hours: nightHours };
  let begun = 0;
  for (const id of await system(app.db, 'replay samples', (tx) => selectUnchecked(tx, due))) {
    if (signal?.aborted) break;
    try {
      const ctx = await workspaceContext(app.db, id);
      await tenant(app.db, ctx, async (tx) => {
        const ids = await selectSample(tx, app.replaySample, pairsMax, now.toISOString());
        await startReplay(app, tx, ctx, { ids }, 'self_check');
      });
      begun++;
    } catch (error) {
      app.log.warn({ err: error, workspace: id }, 'replay of a sample not begun');
    }
  }
  return begun;
}
