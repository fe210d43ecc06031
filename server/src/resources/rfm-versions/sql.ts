import type { Tx } from '../../access/transactions.ts';
import type { RfmVersionRow } from './rfm-version.ts';

export function selectRfmVersion(tx: Tx, id: string): Promise<RfmVersionRow | undefined> {
  return tx.selectFrom('rfm_versions').selectAll().where('id', '=', id).executeTakeFirst();
}

export function selectRfmVersions(
  tx: Tx,
  entity: string | undefined,
  before: string | null,
  most: number,
): Promise<RfmVersionRow[]> {
  let query = tx.selectFrom('rfm_versions').selectAll().orderBy('id', 'desc').limit(most);
  if (entity !== undefined) query = query.where('entity', '=', entity);
  if (before !== null) query = query.where('id', '<', before);
  return query.execute();
}

/** The tables that have an encoder. */
export async function selectEntities(tx: Tx): Promise<string[]> {
  const rows = await tx.selectFrom('rfm_versions').select('entity').distinct().orderBy('entity').execute();
  return rows.map(({ entity }) => entity);
}
