import { sql } from 'kysely';
import type { Tx } from '../../access/transactions.ts';

/**
 * The places of queued work in its workspace, where work begins in the order in which it was asked for. A batch has
 * begun when its files have been looked at.
 */
export async function selectTurns(
  tx: Tx,
  kind: 'batches' | 'ingestions' | 'training_runs',
  ids: readonly string[],
): Promise<readonly { id: string; before: number; isBusyElsewhere: boolean }[]> {
  const begun = kind === 'batches' ? sql`and planned_at is null` : sql``;
  const { rows } = await sql<{ id: string; before: number; isBusyElsewhere: boolean }>`
    select id, before, is_busy_elsewhere(${kind}) as "isBusyElsewhere" from (
      select id, (row_number() over (order by status = 'queued', created_at, id) - 1)::int as before
      from ${sql.table(kind)} where status in ('queued', 'running') ${begun}) as open
    where id = any(${ids})`.execute(tx);
  return rows;
}
