import type { Context } from '../../access/context.ts';
import { type Database, tenant } from '../../access/transactions.ts';
import { newId } from '../../lib/crypto/ids.ts';
import { record } from '../../trail/record.ts';
import type { OutcomeValue } from './outcome.ts';
import { upsertOutcomes } from './sql.ts';

/** What the tables tell of a prediction whose window has closed. */
export type ToldOutcome = {
  readonly prediction_id: string;
  readonly model_id: string;
  readonly version_id: string;
  readonly output: string;
  readonly value: OutcomeValue;
  readonly closes: Date | null;
};

const writtenAtOnce = 2_000;

/** Keeps what the tables tell. What somebody has said themselves stays as it is. */
export async function recordTold(
  { db }: { readonly db: Database },
  ctx: Context,
  outcomes: readonly ToldOutcome[],
): Promise<void> {
  const now = new Date().toISOString();
  for (let at = 0; at < outcomes.length; at += writtenAtOnce)
    await tenant(db, ctx, async (tx) => {
      const rows = outcomes.slice(at, at + writtenAtOnce).map(({ closes, ...one }) => ({
        ...{ ...one, id: newId('out'), is_decided: true },
        ...{ observed_at: closes?.toISOString() ?? now, closes_at: closes?.toISOString() ?? null },
      }));
      const changed = await upsertOutcomes(tx, ctx, 'tables', rows);
      const created = changed.filter(({ is_new }) => is_new).length;
      if (changed.length > 0)
        await record(
          tx,
          ctx,
          'outcome-receipt',
          { type: 'workspace', id: ctx.workspaceId },
          { created, corrected: changed.length - created },
        );
    });
}
