import type { Context } from '../../access/context.ts';
import { system, tenant } from '../../access/transactions.ts';
import { type Following as Follow, follow, type StreamLimits } from '../../api/follow.ts';
import { openNews, type Standing } from '../../api/news.ts';
import { pageMost } from '../../api/pages.ts';
import { openPlaces } from '../../api/places.ts';
import { refuse } from '../../errors.ts';
import type { Answer, Exchange } from '../../lib/http/server.ts';
import type { App } from '../app.ts';
import { openInbox } from './inbox.ts';
import { countsMessage, notificationMessage } from './notification.ts';
import {
  type Counts,
  type Inbox,
  type NotificationRow,
  newestPosition,
  selectAfter,
  selectNotification,
  selectStandings,
} from './sql.ts';

export const followLimits: StreamLimits = { heartbeatMs: 15_000, slowMs: 30_000 };
export const placeLimits = { perKey: 20, perWorkspace: 1_000 };

/** What the streams of a process share. */
export type Following = Follow<Standing & Counts>;

export function openFollowing({ db, log }: Pick<App, 'db' | 'log'>): Following {
  return {
    news: openNews(async (keys) => {
      const inboxes = keys.map((key) => JSON.parse(key) as Inbox);
      const rows = await system(db, 'follow notifications', (tx) => selectStandings(tx, inboxes));
      return new Map(rows.map(({ at, ...standing }) => [keys[at], standing]));
    }, log),
    places: openPlaces('streams of notifications', placeLimits),
    limits: followLimits,
  };
}

/**
 * Sends the notifications of whoever asks that came after the one called `last`, or from now on, and then new ones as
 * they arrive, each time with what the inbox counts. Throws Failure 'not_found', and as `follow` does.
 */
export async function followNotifications(
  app: Pick<App, 'db'>,
  following: Following,
  ctx: Context,
  last: string | null,
  exchange: Pick<Exchange, 'onClose'>,
): Promise<Answer> {
  const { inbox, after } = await tenant(app.db, ctx, async (tx) => {
    const inbox = await openInbox(tx, ctx);
    return { inbox, after: last === null ? await newestPosition(tx, inbox) : await positionOf(tx, inbox, last) };
  });
  const [types, wholeTypes] = [new Set<string>(inbox.types), new Set<string>(inbox.wholeTypes)];
  let counted = '';
  const followed = {
    ...{ key: JSON.stringify(inbox), after, greeting: 'the notifications that come follow' },
    page: (position: number) => tenant(app.db, ctx, (tx) => selectAfter(tx, inbox, position, pageMost)),
    message: (row: NotificationRow) =>
      (row.workspace_id === null ? wholeTypes : types).has(row.type) ? notificationMessage(row) : null,
    aside({ unseen, unread }: Counts) {
      const text = countsMessage({ unseen, unread });
      if (text === counted) return null;
      counted = text;
      return text;
    },
  };
  return follow(following, ctx, followed, exchange);
}

async function positionOf(tx: Parameters<typeof selectNotification>[0], inbox: Inbox, id: string): Promise<number> {
  const row = await selectNotification(tx, inbox, id);
  if (!row) throw refuse('not_found', `there is no notification ${id}`);
  return row.position;
}
