import type { Context } from '../../access/context.ts';
import { type Database, tenant } from '../../access/transactions.ts';
import type { EventRow } from './event.ts';
import { selectEvents } from './sql.ts';

/** The maximum number of events read at once for a stream. */
const pageMost = 100;

export type Pages = {
  /** Returns the first events of a workspace after a position. */
  after(workspace: Pick<Context, 'organizationId' | 'workspaceId'>, position: number): Promise<readonly EventRow[]>;
};

/** Reads pages of feeds. Streams that ask for the same page at the same time, as most do, share one read. */
export function openPages(db: Database): Pages {
  const reading = new Map<string, Promise<readonly EventRow[]>>();
  return {
    after(workspace, position) {
      const key = `${workspace.workspaceId} ${position}`;
      let page = reading.get(key);
      if (!page) {
        page = tenant(db, workspace, (tx) => selectEvents(tx, position, pageMost)).finally(() => reading.delete(key));
        reading.set(key, page);
      }
      return page;
    },
  };
}
