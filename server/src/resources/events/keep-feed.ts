import type { EventReader, PlacedEvent } from '../../trail/outbox/hand-on.ts';
import { insertFeed } from './sql.ts';

/**
 * Adds the events of each workspace to its feed, which can be listed and followed. Events of an organization as a whole
 * are in no feed.
 */
export const keepFeed: EventReader = {
  name: 'feed',
  async read(tx, events) {
    const rows = events
      .filter(isOfWorkspace)
      .map(({ id, organization_id, workspace_id, position, type, resource_type, resource_id, created_at }) => ({
        ...{ event_id: id, organization_id, workspace_id, position, type, resource_type, resource_id, created_at },
      }));
    if (rows.length > 0) await insertFeed(tx, rows);
  },
};

function isOfWorkspace(event: PlacedEvent): event is PlacedEvent & { readonly workspace_id: string } {
  return event.workspace_id !== null;
}
