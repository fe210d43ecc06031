import { sql } from 'kysely';
import { type Database, system, type Tx } from '../../access/transactions.ts';

const numberedMost = 1_000;
/** How far the last position is ahead of readers at most, and how many events get one at once when it is further. */
const aheadMost = 1_000;
const behindMost = 100;

/** Holds while there are committed events without a position. */
export const isAnyUnnumbered = 'exists (select from events where position is null)';

/**
 * Gives committed events without a position the next positions. Workspaces take turns, so that many events of one do
 * not hold up those of another; in a workspace, one that was committed when an earlier round looked comes before one
 * that was not, and events of one resource keep the order of their sequence. While one of `readers` is far behind, few
 * are given, since what has a position waits for all before it. One process numbers at a time: a process that finds
 * another at it leaves the work to the other. Stops soon after `signal` aborts. Returns how many events it numbered.
 *
 * Each round looks for all events without a position. Outboxes that read below `pg_snapshot_xmin` go on after the last
 * transaction id instead. That would keep no order within a resource: a transaction may have its id before it waits for
 * another one that changes the same resource.
 */
export async function numberEvents(
  db: Database,
  signal?: AbortSignal,
  { most = numberedMost, readers = [] }: { readonly most?: number; readonly readers?: readonly string[] } = {},
): Promise<number> {
  for (let numbered = 0; ; ) {
    const round = await system(db, 'number events', async (tx) => {
      const lock = await sql<{ isOurs: boolean }>`
        select pg_try_advisory_xact_lock(hashtext('lastro event positions')) as "isOurs"`.execute(tx);
      if (!lock.rows[0].isOurs) return 0;
      // Separate statements, whose snapshots are taken once the lock is held: they see the positions of the last round.
      const room = aheadMost - (await lagOf(tx, readers));
      return numberSome(tx, Math.min(most, Math.max(room, behindMost)));
    });
    numbered += round;
    if (round < most || signal?.aborted) return numbered;
  }
}

/** How many positions the slowest of the readers has not read yet. */
async function lagOf(tx: Tx, readers: readonly string[]): Promise<number> {
  const { rows } = await sql<{ lag: number }>`
    select coalesce((select max(position) from events) - min(coalesce(r.position, 0)), 0)::float8 as lag
    from unnest(${[...readers]}::text[]) as given (name) left join event_readers r using (name)`.execute(tx);
  return rows[0].lag;
}

async function numberSome(tx: Tx, most: number): Promise<number> {
  const place = sql`coalesce(e.workspace_id, e.organization_id)`;
  const { numAffectedRows } = await sql`
    with recursive places (place) as (
      (select ${place} from events e where position is null order by ${place} limit 1)
      union all
      select (select ${place} from events e where position is null and ${place} > places.place order by ${place} limit 1)
      from places where places.place is not null
    ), fresh as (
      select own.id, own.ordinal, own.turn from places cross join lateral (
        select id, ordinal, row_number() over (order by ordinal) as turn
        from (select id, ordinal from events e where position is null and ${place} = places.place
          order by ordinal limit ${most}) as oldest) as own
      order by own.turn, own.ordinal limit ${most}
    )
    update events set position = given.position
    from (select id, row_number() over (order by turn, ordinal)
        + greatest((select max(position) from events), (select max(position) from event_readers), 0) as position
      from fresh) as given
    where events.id = given.id`.execute(tx);
  return Number(numAffectedRows);
}
