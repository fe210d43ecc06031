import { system, tenant } from '../../access/transactions.ts';
import { workspaceContext } from '../../access/workspace-context.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { markAnnounced, selectActiveWorkspaces, selectUnannounced } from './sql.ts';

/**
 * Records an event in every active workspace for each GFM version released since the last call. After a crash, a
 * workspace may get the event twice.
 */
export async function announceGfmVersions(app: App): Promise<void> {
  const released = await system(app.db, 'announce GFM versions', selectUnannounced);
  if (released.length === 0) return;
  const workspaces = await system(app.db, 'announce GFM versions', selectActiveWorkspaces);
  for (const { id: version, name, model_snapshot } of released) {
    for (const id of workspaces) {
      const ctx = await workspaceContext(app.db, id);
      await tenant(app.db, ctx, (tx) =>
        record(tx, ctx, 'gfm-version-release', { type: 'gfm_version', id: version }, { name, model_snapshot }),
      );
    }
    await system(app.db, 'announce GFM versions', (tx) => markAnnounced(tx, version));
  }
}
