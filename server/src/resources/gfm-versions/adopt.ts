import type { Context } from '../../access/context.ts';
import { tenant } from '../../access/transactions.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { setGfmVersion } from '../workspaces/change.ts';
import { presentGfmVersion } from './gfm-version.ts';
import { requireGfmVersion } from './require.ts';

/** Sets the GFM version that the workspace uses. Throws Failure 'not_found'. */
export function adoptGfmVersion(app: App, ctx: Context, id: string) {
  return tenant(app.db, ctx, async (tx) => {
    const row = await requireGfmVersion(tx, id);
    await setGfmVersion(tx, ctx, id);
    await record(tx, ctx, 'gfm-version-adoption', { type: 'gfm_version', id }, { name: row.name });
    return presentGfmVersion(row, id);
  });
}
