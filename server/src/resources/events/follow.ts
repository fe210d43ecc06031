import type { Context } from '../../access/context.ts';
import { system, tenant } from '../../access/transactions.ts';
import { type Following as Follow, follow } from '../../api/follow.ts';
import { openNews } from '../../api/news.ts';
import { openPages, type Pages } from '../../api/pages.ts';
import { openPlaces } from '../../api/places.ts';
import type { Answer, Exchange } from '../../lib/http/server.ts';
import type { App } from '../app.ts';
import { asMessage, type EventFilter, type EventRow, passes } from './event.ts';
import { selectEvents, selectStandings } from './sql.ts';

/** What the streams of a process share. */
export type Following = Follow & {
  readonly pages: Pages<Pick<Context, 'organizationId' | 'workspaceId'>, EventRow>;
};

export const followLimits = { heartbeatMs: 15_000, slowMs: 30_000 };
export const placeLimits = { perKey: 20, perWorkspace: 500 };

export function openFollowing({ db, log }: Pick<App, 'db' | 'log'>): Following {
  return {
    news: openNews(async (workspaces) => {
      const rows = await system(db, 'follow events', (tx) => selectStandings(tx, workspaces));
      return new Map(rows.map(({ id, ...standing }) => [id, standing]));
    }, log),
    pages: openPages(
      ({ workspaceId }) => workspaceId,
      (workspace, after, most) => tenant(db, workspace, (tx) => selectEvents(tx, after, most)),
    ),
    places: openPlaces('streams', placeLimits),
    limits: followLimits,
  };
}

/** Sends the events after a position that pass the filter, then new ones as they arrive. Throws as `follow` does. */
export function followEvents(
  following: Following,
  ctx: Context,
  { filter, after }: { readonly filter: EventFilter; readonly after: number },
  exchange: Pick<Exchange, 'onClose'>,
): Answer {
  const followed = {
    ...{ key: ctx.workspaceId, after, greeting: 'the events that come follow' },
    page: (position: number) => following.pages.after(ctx, position),
    message: (row: EventRow) => (passes(filter, row) ? asMessage(row) : null),
  };
  return follow(following, ctx, followed, exchange);
}
