import { sql } from 'kysely';
import type { Context } from '../../access/context.ts';
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

/** Clears the inputs and outputs of predictions whose inputs contain an identifier. Returns how many there were. */
export async function clearNaming(tx: Tx, { workspaceId }: Context, identifier: string): Promise<number> {
  const done = await tx
    .updateTable('predictions')
    .set({ inputs: '{}', outputs: '{}', erased_at: new Date() })
    .where('workspace_id', '=', workspaceId)
    .where('erased_at', 'is', null)
    .where(sql<boolean>`exists (select from jsonb_each_text(inputs) as input where input.value = ${identifier})`)
    .executeTakeFirst();
  return Number(done.numUpdatedRows);
}
