import type { EventReader, PlacedEvent } from '../../trail/outbox/hand-on.ts';
import { insertFeed } from './sql.ts';

/**
 * Keeps the feed of each workspace: what can be listed and followed there. Events of an organization as a whole are in
 * none.
 */
export const keepFeed: EventReader = {
  name: 'feed',
  async read(tx, events) {
    const rows = events.filter(isOfWorkspace).map(({ id, sequence: _, payload: __, ...event }) => ({
      event_id: id,
      ...event,
    }));
    if (rows.length > 0) await insertFeed(tx, rows);
  },
};

function isOfWorkspace(event: PlacedEvent): event is PlacedEvent & { readonly workspace_id: string } {
  return event.workspace_id !== null;
}
