import { sql } from 'kysely';
import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import { pageBytesMax } from '../../api/list.ts';
import { type RowPage, selectPage } from '../../lib/db/page.ts';
import type { PredictionRow } from './prediction.ts';

export function selectPrediction(tx: Tx, id: string): Promise<PredictionRow | undefined> {
  return tx.selectFrom('predictions').selectAll().where('id', '=', id).executeTakeFirst();
}

export function selectPredictions(
  tx: Tx,
  filters: { model_id: string | undefined; version_id: string | undefined },
  before: string | null,
  most: number,
): Promise<RowPage<PredictionRow>> {
  return selectPage(tx, { table: 'predictions', filters: filters, before, most, bytesMax: pageBytesMax });
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
