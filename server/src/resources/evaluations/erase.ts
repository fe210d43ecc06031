import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import { record } from '../../trail/record.ts';
import { finishedStatuses } from './evaluation.ts';
import { clearResult, lockNaming, updateEvaluation } from './sql.ts';

const failure = JSON.stringify({
  code: 'entity_erased',
  detail: 'what was evaluated named somebody who has been erased since: send a file without them and evaluate again',
});

/**
 * Clears the results of evaluations over these files, and of those that tell the erased identifier as the value of a
 * segment; ends those over these files that have not ended. Returns the ids of all of them.
 */
export async function eraseEvaluations(
  tx: Tx,
  ctx: Context,
  naming: { readonly fileIds: readonly string[]; readonly identifier: string },
): Promise<string[]> {
  const rows = await lockNaming(tx, naming);
  for (const { id, status } of rows) {
    if (finishedStatuses.includes(status)) {
      await clearResult(tx, id, failure);
      continue;
    }
    await updateEvaluation(tx, id, { status: 'failed', failure, finished_at: new Date() });
    await record(tx, ctx, 'evaluation-lifecycle', { type: 'evaluation', id }, { status: 'failed' });
  }
  return rows.map(({ id }) => id);
}
