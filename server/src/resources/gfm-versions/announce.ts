import { system, tenant } from '../../access/transactions.ts';
import { workspaceContext } from '../../access/workspace-context.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { markAnnounced, selectActiveWorkspaces, selectUnannounced } from './sql.ts';

/**
 * Tells every workspace of versions that were released since the last time. A workspace may be told twice after a
 * crash.
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
