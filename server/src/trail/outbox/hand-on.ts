import { sql } from 'kysely';
import { type Database, system, type Tx } from '../../access/transactions.ts';
import { Failure } from '../../lib/failure.ts';
import type { EventType } from '../catalog.ts';

/** An event that was committed, at its place among all. */
export type PlacedEvent = {
  readonly position: number;
  readonly id: string;
  readonly organization_id: string;
  /** Null for what happened in the organization as a whole. */
  readonly workspace_id: string | null;
  readonly type: EventType;
  readonly resource_type: string;
  readonly resource_id: string;
  readonly sequence: number;
  readonly payload: unknown;
  readonly created_at: Date;
};

/**
 * Who is handed every event once, in the order of positions. What `read` writes in `tx` commits with how far it has
 * come; whatever else it does may happen twice. It throws to be given the same events again.
 */
export type EventReader = {
  readonly name: string;
  read(tx: Tx, events: readonly PlacedEvent[]): Promise<void>;
};

const handedMost = 200;

/**
 * Hands a reader the events that it has not read, some at a time, until there are none or `signal` stops it. Several
 * processes take turns; who finds another at it leaves it to that one. Where the reader throws, it is given fewer, so
 * that it comes as far as the event that it cannot take; throws what it throws at that one. Returns how many it read.
 */
export async function handOn(
  db: Database,
  reader: EventReader,
  signal?: AbortSignal,
  most = handedMost,
): Promise<number> {
  let read = 0;
  for (let size = most; !signal?.aborted; ) {
    try {
      const handed = await handSome(db, reader, size);
      read += handed;
      if (handed < size) break;
    } catch (error) {
      if (size === 1 || isAway(error)) throw error;
      size = size >> 1;
    }
  }
  return read;
}

function isAway(error: unknown): boolean {
  return error instanceof Failure && error.code === 'unavailable';
}

function handSome(db: Database, { name, read }: EventReader, most: number): Promise<number> {
  return system(db, `events for ${name}`, async (tx) => {
    const lock = await sql<{ isOurs: boolean }>`
      select pg_try_advisory_xact_lock(hashtext('lastro event reader'), hashtext(${name})) as "isOurs"`.execute(tx);
    if (!lock.rows[0].isOurs) return 0;
    // A statement of its own: its snapshot is taken once the lock is held, and shows how far the last one came.
    const events = await selectUnread(tx, name, most);
    if (events.length === 0) return 0;
    await read(tx, events);
    await tx
      .insertInto('event_readers')
      .values({ name, position: events.at(-1)!.position })
      .onConflict((conflict) =>
        conflict.column('name').doUpdateSet({ position: (row) => row.ref('excluded.position') }),
      )
      .execute();
    return events.length;
  });
}

function selectUnread(tx: Tx, name: string, most: number): Promise<PlacedEvent[]> {
  const columns = [
    ...(['id', 'organization_id', 'workspace_id', 'type', 'resource_type', 'resource_id'] as const),
    ...(['sequence', 'payload', 'created_at', 'position'] as const),
  ];
  return tx
    .selectFrom('events')
    .select(columns)
    .where('position', '>', (eb) =>
      eb.fn.coalesce(eb.selectFrom('event_readers').select('position').where('name', '=', name), sql<number>`0`),
    )
    .orderBy('position')
    .limit(most)
    .$castTo<PlacedEvent>()
    .execute();
}
