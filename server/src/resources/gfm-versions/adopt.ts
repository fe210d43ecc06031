import { record } from '../../tenancy/audit.ts';
import type { Context } from '../../tenancy/context.ts';
import { tenant } from '../../tenancy/doors.ts';
import type { App } from '../app.ts';
import { presentGfmVersion } from './gfm-version.ts';
import { requireGfmVersion } from './require.ts';

/** Has the workspace read a version from now on. Throws Failure 'not_found'. */
export function adoptGfmVersion(app: App, ctx: Context, id: string) {
  return tenant(app.db, ctx, async (tx) => {
    const row = await requireGfmVersion(tx, id);
    await tx.updateTable('workspaces').set({ gfm_version_id: id }).where('id', '=', ctx.workspaceId).execute();
    await record(tx, ctx, 'gfm-version-adoption', { type: 'gfm_version', id }, { name: row.name });
    return presentGfmVersion(row, id);
  });
}
