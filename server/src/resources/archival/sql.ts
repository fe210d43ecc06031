import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';

export type OpenWork = {
  readonly kind:
    | 'backtest'
    | 'batch'
    | 'erasure'
    | 'evaluation'
    | 'ingestion'
    | 'replay'
    | 'training_run'
    | 'validation';
  readonly id: string;
};

const tables = [
  ['backtest', 'backtests'],
  ['batch', 'batches'],
  ['erasure', 'erasures'],
  ['evaluation', 'evaluations'],
  ['ingestion', 'ingestions'],
  ['replay', 'replays'],
  ['training_run', 'training_runs'],
  ['validation', 'validations'],
] as const;

/** What is queued or runs in the workspace. */
export async function selectOpenWork(tx: Tx, { workspaceId }: Context): Promise<OpenWork[]> {
  const found: OpenWork[] = [];
  for (const [kind, table] of tables) {
    const rows = await tx
      .selectFrom(table)
      .select('id')
      .where('workspace_id', '=', workspaceId)
      .where('status', 'in', ['queued', 'running'])
      .orderBy('id')
      .execute();
    found.push(...rows.map(({ id }) => ({ kind, id })));
  }
  return found;
}
