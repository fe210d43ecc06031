import { sql } from 'kysely';
import type { Tx } from '../../access/transactions.ts';

/**
 * How much work of its kind comes before queued work in its workspace, whether others have such under way, and how many
 * seconds one of the workspace usually takes.
 */
export type Turn = {
  readonly before: number;
  readonly isBusyElsewhere: boolean;
  readonly usualSeconds: number | null;
};
/** How many that have ended tell how long one usually takes. */
const recentMost = 20;

/**
 * The places of queued work in its workspace, where work begins in the order in which it was asked for. A batch has
 * begun when its files have been looked at. `usualSeconds`: the median of how long the latest took; null before any.
 */
export async function selectTurns(
  tx: Tx,
  kind: 'batches' | 'ingestions' | 'training_runs',
  ids: readonly string[],
): Promise<readonly (Turn & { readonly id: string })[]> {
  const begun = kind === 'batches' ? sql`and planned_at is null` : sql``;
  const passed = kind === 'batches' ? sql`planned_at` : sql`finished_at`;
  const { rows } = await sql<Turn & { id: string }>`
    select id, before, is_busy_elsewhere(${kind}) as "isBusyElsewhere", (
        select percentile_cont(0.5) within group (order by seconds) from (
          select extract(epoch from ${passed} - started_at)::float8 as seconds from ${sql.table(kind)}
          where started_at is not null and ${passed} is not null order by id desc limit ${recentMost}) as recent
      ) as "usualSeconds" from (
      select id, (row_number() over (order by status = 'queued', created_at, id) - 1)::int as before
      from ${sql.table(kind)} where status in ('queued', 'running') ${begun}) as open
    where id = any(${ids})`.execute(tx);
  return rows;
}
