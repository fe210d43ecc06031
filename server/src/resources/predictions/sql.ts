import type { Tx } from '../../access/transactions.ts';
import type { PredictionRow } from './prediction.ts';

export function selectPrediction(tx: Tx, id: string): Promise<PredictionRow | undefined> {
  return tx.selectFrom('predictions').selectAll().where('id', '=', id).executeTakeFirst();
}

export function selectPredictions(
  tx: Tx,
  filters: { model_id: string | undefined; version_id: string | undefined },
  before: string | null,
  most: number,
): Promise<PredictionRow[]> {
  let query = tx.selectFrom('predictions').selectAll().orderBy('id', 'desc').limit(most);
  if (filters.model_id !== undefined) query = query.where('model_id', '=', filters.model_id);
  if (filters.version_id !== undefined) query = query.where('version_id', '=', filters.version_id);
  if (before !== null) query = query.where('id', '<', before);
  return query.execute();
}
