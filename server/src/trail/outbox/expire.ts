import { sql } from 'kysely';
import type { Tx } from '../../access/transactions.ts';

export type Expiring = {
  /** The names of all readers. */
  readonly readers: readonly string[];
  readonly before: Date;
  readonly most: number;
};

/**
 * Deletes events that were written before a moment and that all readers have read, the first ones, at most `most`;
 * those that another process is deleting are left to it. The last number of each resource stays, so that its next event
 * goes on from it. Returns their ids.
 *
 * Only the first `most` are looked at: positions and times of writing differ by how long transactions last, and what is
 * not old enough among them goes next time.
 */
export async function deleteEvents(tx: Tx, { readers, before, most }: Expiring): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with first as materialized (
      select id, created_at from events
      where position <= (select min(coalesce(r.position, 0))
        from unnest(${[...readers]}::text[]) as given (name) left join event_readers r using (name))
      order by position limit ${most} for update skip locked),
    gone as (
      delete from events where id in (select id from first where created_at < ${before})
      returning id, organization_id, workspace_id, resource_id, sequence),
    numbers as (
      insert into event_sequences (organization_id, workspace_id, resource_id, sequence)
      select organization_id, workspace_id, resource_id, max(sequence) from gone group by 1, 2, 3
      on conflict (resource_id, workspace_id)
        do update set sequence = greatest(event_sequences.sequence, excluded.sequence))
    select id from gone`.execute(tx);
  return rows.map(({ id }) => id);
}
