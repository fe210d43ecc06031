import { sql } from 'kysely';
import { type Database, system, type Tx } from '../../access/transactions.ts';
import { Failure } from '../../lib/failure.ts';
import type { EventType } from '../catalog.ts';

/** A committed event with its position in the order of all events. */
export type PlacedEvent = {
  readonly position: number;
  readonly id: string;
  readonly organization_id: string;
  /** Null for an event of the organization as a whole. */
  readonly workspace_id: string | null;
  readonly type: EventType;
  readonly resource_type: string;
  readonly resource_id: string;
  readonly sequence: number;
  readonly payload: unknown;
  readonly created_at: Date;
  /** Whether the same act has made an event of another organization before. */
  readonly is_repeat: boolean;
};

/**
 * A reader that gets every event once, in order of position. What `read` writes in `tx` commits together with the
 * reader's position; any other effect of `read` may happen twice. When `read` throws, it gets the same events again.
 */
export type EventReader = {
  readonly name: string;
  read(tx: Tx, events: readonly PlacedEvent[]): Promise<void>;
};

const handedMost = 200;

/** Holds while there are events that a reader of this name has not read. */
export const isBehind = (name: string): string => `coalesce((select max(position) from events), 0) >
  coalesce((select position from event_readers where name = '${name}'), 0)`;

/**
 * Hands a reader its unread events, at most `most` at a time, until none are left or `signal` aborts. One process at a
 * time hands events to a reader: a process that finds another at it returns and leaves the rest to the other.
 *
 * When the reader throws, it gets half as many events, down to one, so that it advances up to the event that it cannot
 * take; then `handOn` throws the reader's error. A database that does not answer is not retried. Returns how many
 * events were read.
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
    // A separate statement, whose snapshot is taken once the lock is held: it sees how far the last holder came.
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
    ...(['sequence', 'payload', 'created_at', 'position', 'is_repeat'] as const),
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
