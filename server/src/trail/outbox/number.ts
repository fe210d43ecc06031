import { sql } from 'kysely';
import { type Database, system } from '../../access/transactions.ts';

const numberedMost = 1_000;

/**
 * Gives each committed event without a position the next position. An event that was committed when an earlier round
 * looked comes before one that was not, and events of one resource keep the order of their sequence. One process
 * numbers at a time: a process that finds another at it leaves the work to the other. Stops soon after `signal` aborts.
 * Returns how many events it numbered.
 *
 * Each round looks for all events without a position. Outboxes that read below `pg_snapshot_xmin` go on after the last
 * transaction id instead. That would keep no order within a resource: a transaction may have its id before it waits for
 * another one that changes the same resource.
 */
export async function numberEvents(db: Database, signal?: AbortSignal, most = numberedMost): Promise<number> {
  for (let numbered = 0; ; ) {
    const round = await system(db, 'number events', async (tx) => {
      const lock = await sql<{ isOurs: boolean }>`
        select pg_try_advisory_xact_lock(hashtext('lastro event positions')) as "isOurs"`.execute(tx);
      if (!lock.rows[0].isOurs) return 0;
      // A separate statement, whose snapshot is taken once the lock is held: it sees the positions of the last round.
      const { numAffectedRows } = await sql`
        update events set position = given.position
        from (select id, row_number() over (order by ordinal)
            + greatest((select max(position) from events), (select max(position) from event_readers), 0) as position
          from (select id, ordinal from events where position is null order by ordinal limit ${most}) as fresh) as given
        where events.id = given.id`.execute(tx);
      return Number(numAffectedRows);
    });
    numbered += round;
    if (round < most || signal?.aborted) return numbered;
  }
}
