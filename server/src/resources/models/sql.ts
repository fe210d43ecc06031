import { sql } from 'kysely';
import type { Tx } from '../../access/transactions.ts';
import type { AliasRow, ModelRow, VersionRow } from './model.ts';

export function selectModel(tx: Tx, id: string): Promise<ModelRow | undefined> {
  return tx.selectFrom('models').selectAll().where('id', '=', id).executeTakeFirst();
}

export function selectModels(tx: Tx, before: string | null, most: number): Promise<ModelRow[]> {
  let query = tx.selectFrom('models').selectAll().orderBy('id', 'desc').limit(most);
  if (before !== null) query = query.where('id', '<', before);
  return query.execute();
}

export function selectVersion(tx: Tx, modelId: string, id: string): Promise<VersionRow | undefined> {
  return tx
    .selectFrom('model_versions')
    .selectAll()
    .where('model_id', '=', modelId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** As `selectVersion`, and holds the row until the transaction ends. */
export function lockVersion(tx: Tx, modelId: string, id: string): Promise<VersionRow | undefined> {
  return tx
    .selectFrom('model_versions')
    .selectAll()
    .where('model_id', '=', modelId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

export function selectVersions(tx: Tx, modelId: string, before: string | null, most: number): Promise<VersionRow[]> {
  let query = tx
    .selectFrom('model_versions')
    .selectAll()
    .where('model_id', '=', modelId)
    .orderBy('id', 'desc')
    .limit(most);
  if (before !== null) query = query.where('id', '<', before);
  return query.execute();
}

export function selectAliases(tx: Tx, modelIds: readonly string[]): Promise<AliasRow[]> {
  if (modelIds.length === 0) return Promise.resolve([]);
  return tx.selectFrom('aliases').selectAll().where('model_id', 'in', modelIds).orderBy('alias').execute();
}

/** The alias, held until the transaction ends, also where there is none yet. */
export async function lockAlias(tx: Tx, modelId: string, alias: string): Promise<AliasRow | undefined> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`alias ${modelId} ${alias}`}, 0))`.execute(tx);
  return tx
    .selectFrom('aliases')
    .selectAll()
    .where('model_id', '=', modelId)
    .where('alias', '=', alias)
    .forUpdate()
    .executeTakeFirst();
}
