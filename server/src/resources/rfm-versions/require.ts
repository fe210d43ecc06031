import type { Tx } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import type { RfmVersionRow } from './rfm-version.ts';
import { selectEntities, selectRfmVersion, selectRfmVersions } from './sql.ts';

/** Returns an RFM version. Throws Failure 'not_found'. */
export async function requireRfmVersion(tx: Tx, id: string): Promise<RfmVersionRow> {
  const row = await selectRfmVersion(tx, id);
  if (!row) throw refuse('not_found', `there is no RFM version ${id}`);
  return row;
}

/**
 * Returns the newest encoder of a table. `entity` may be omitted when only one table has encoders. Throws Failure
 * 'no_encoder'.
 */
export async function newestOf(tx: Tx, entity: string | undefined): Promise<RfmVersionRow> {
  const entities = await selectEntities(tx);
  if (entities.length === 0)
    throw refuse('no_encoder', 'nothing has been pre-trained yet: POST /v1/api/training-runs {"entity": "<table>"}');
  const chosen = entity ?? (entities.length === 1 ? entities[0] : undefined);
  if (chosen === undefined)
    throw refuse('no_encoder', `say which table's entities: entity is one of ${entities.join(', ')}`);
  const {
    rows: [row],
  } = await selectRfmVersions(tx, chosen, null, 1);
  if (!row) throw refuse('no_encoder', `${chosen} has no encoder; those that have: ${entities.join(', ')}`);
  return row;
}

export async function hasEncoder(tx: Tx, entity: string): Promise<boolean> {
  return (await selectEntities(tx)).includes(entity);
}
