import type { Schemas } from '@lastro/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useClient } from '../api/session.tsx';
import { useKey } from '../api/use-data.ts';

type Counts = Schemas['NotificationCounts'];

/** Follows the inbox while the page is open: counts at once, and the lists anew when something comes. */
export function useNews(): void {
  const client = useClient();
  const queries = useQueryClient();
  const [scope] = useKey([]);
  useEffect(() => {
    const end = new AbortController();
    const follow = async () => {
      for await (const news of client.notifications.stream({}, { signal: end.signal })) {
        const key = [scope, 'notifications', 'counts'];
        const before = queries.getQueryData<Counts>(key);
        if (news.event === 'counts') queries.setQueryData(key, { mail_suppression: null, ...before, ...news.data });
        // Counts come first on each connection: where they grew, something came meanwhile. Where they fell, something
        // was read, and what is open stays in the list.
        if (news.event === 'notification' || !before || news.data.unread.count > before.unread.count)
          void queries.invalidateQueries({ queryKey: [scope, 'notifications', 'list'] });
      }
    };
    // The stream tries again by itself; what ends it for good, such as a lost right, the lists show.
    follow().catch(() => {});
    return () => end.abort();
  }, [client, queries, scope]);
}
