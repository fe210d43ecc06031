import { type Insertable, sql } from 'kysely';
import type { Tx } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import type { EventFeed } from '../../schema/tables.ts';
import type { EventType } from '../../trail/catalog.ts';
import type { EventFilter, EventRow } from './event.ts';

const selectFeed = (tx: Tx) =>
  tx
    .selectFrom('event_feed as f')
    .innerJoin('events as e', 'e.id', 'f.event_id')
    .select(['f.position', 'e.id', 'e.type', 'e.resource_type', 'e.resource_id', 'e.sequence', 'e.payload'])
    .select('e.created_at')
    .$castTo<EventRow>();

/** Returns up to `most` events of the workspace after a position, in order. */
export function selectEvents(tx: Tx, after: number, most: number, filter: ListFilter = {}): Promise<EventRow[]> {
  return selectFiltered(tx, filter).where('f.position', '>', after).orderBy('f.position').limit(most).execute();
}

/** As `selectEvents`, the newest first; those before the position `before`, if it is given. */
export function selectNewestEvents(
  tx: Tx,
  after: number,
  before: number | null,
  most: number,
  filter: ListFilter,
): Promise<EventRow[]> {
  const query = selectFiltered(tx, filter).where('f.position', '>', after).orderBy('f.position', 'desc').limit(most);
  return (before === null ? query : query.where('f.position', '<', before)).execute();
}

type ListFilter = Partial<EventFilter> & { readonly since?: Date | undefined };

function selectFiltered(tx: Tx, { types, resource_type, resource_id, since }: ListFilter) {
  let query = selectFeed(tx);
  if (types) query = query.where(isOneOf(types));
  if (resource_type !== undefined) query = query.where('f.resource_type', '=', resource_type);
  if (resource_id !== undefined) query = query.where('f.resource_id', '=', resource_id);
  if (since) query = query.where('f.created_at', '>=', since);
  return query;
}

export function selectEvent(tx: Tx, id: string, types: readonly EventType[]): Promise<EventRow | undefined> {
  return selectFeed(tx).where('f.event_id', '=', id).where(isOneOf(types)).executeTakeFirst();
}

const isOneOf = (types: readonly EventType[]) => sql<boolean>`f.type = any(${types})`;

/** Returns the position of an event in the feed. Throws Failure 'not_found' when the workspace has no such event. */
export async function positionOf(tx: Tx, id: string): Promise<number> {
  const row = await tx.selectFrom('event_feed').select('position').where('event_id', '=', id).executeTakeFirst();
  if (!row) throw refuse('not_found', `there is no event ${id}`);
  return row.position;
}

/** Returns the position of the newest event; 0 before the first. */
export async function newestPosition(tx: Tx): Promise<number> {
  const row = await tx
    .selectFrom('event_feed')
    .select('position')
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.position ?? 0;
}

/** Returns for each workspace the position of its newest event and its auth epoch. */
export async function selectStandings(
  tx: Tx,
  workspaces: readonly string[],
): Promise<readonly { readonly id: string; readonly position: number; readonly authEpoch: number }[]> {
  const { rows } = await sql<{ id: string; position: number; authEpoch: number }>`
    select id, auth_epoch as "authEpoch",
      coalesce((select max(position) from event_feed where workspace_id = workspaces.id), 0) as position
    from workspaces where id = any(${workspaces})`.execute(tx);
  return rows;
}

/** Inserts events into the feeds of their workspaces. */
export async function insertFeed(tx: Tx, rows: readonly Insertable<EventFeed>[]): Promise<void> {
  await tx.insertInto('event_feed').values(rows).execute();
}

/** Deletes the places of events in the feeds of their workspaces. */
export async function deleteFeed(tx: Tx, eventIds: readonly string[]): Promise<void> {
  if (eventIds.length === 0) return;
  await sql`delete from event_feed where event_id = any(${eventIds})`.execute(tx);
}
