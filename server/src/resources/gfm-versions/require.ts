import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import type { GfmVersionRow } from './gfm-version.ts';
import { adoptedVersion, selectGfmVersion } from './sql.ts';

/** Returns a released version. Throws Failure 'not_found'. */
export async function requireGfmVersion(tx: Tx, id: string): Promise<GfmVersionRow> {
  const row = await selectGfmVersion(tx, id);
  if (!row) throw refuse('not_found', `there is no GFM version ${id}`);
  return row;
}

/** Returns the version that the workspace has adopted. Throws Failure 'no_encoder' when it has adopted none. */
export async function requireAdopted(tx: Tx, ctx: Context): Promise<GfmVersionRow> {
  const version = await findAdopted(tx, ctx);
  if (version === null)
    throw refuse(
      'no_encoder',
      'the workspace reads no GFM version yet: GET /v1/api/gfm-versions lists them, POST /v1/api/gfm-versions/{id}/adoption chooses one',
    );
  return version;
}

/** Returns the version that the workspace has adopted, or null when it has adopted none. */
export async function findAdopted(tx: Tx, ctx: Context): Promise<GfmVersionRow | null> {
  const id = await adoptedVersion(tx, ctx);
  return id === null ? null : requireGfmVersion(tx, id);
}
