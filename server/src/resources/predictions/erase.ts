import { sql } from 'kysely';
import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';

/** Empties the questions and answers of predictions that name an identifier; returns how many there were. */
export async function erasePredictions(tx: Tx, ctx: Context, identifier: string): Promise<number> {
  const done = await tx
    .updateTable('predictions')
    .set({ inputs: '{}', outputs: '{}', erased_at: new Date() })
    .where('workspace_id', '=', ctx.workspaceId)
    .where('erased_at', 'is', null)
    .where(sql<boolean>`exists (select from jsonb_each_text(inputs) as input where input.value = ${identifier})`)
    .executeTakeFirst();
  return Number(done.numUpdatedRows);
}
