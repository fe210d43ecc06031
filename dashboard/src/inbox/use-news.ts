import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useClient } from '../api/session.tsx';
import { useKey } from '../api/use-data.ts';

/** Follows the inbox while the page is open: counts at once, and the lists anew when something comes. */
export function useNews(): void {
  const client = useClient();
  const queries = useQueryClient();
  const [scope] = useKey([]);
  useEffect(() => {
    const end = new AbortController();
    const follow = async () => {
      for await (const news of client.notifications.stream({}, { signal: end.signal })) {
        if (news.event === 'counts')
          queries.setQueryData([scope, 'notifications', 'counts'], (before: object | undefined) => ({
            mail_suppression: null,
            ...before,
            ...news.data,
          }));
        // Counts come first on each connection: what came while there was none is in the lists then.
        void queries.invalidateQueries({ queryKey: [scope, 'notifications', 'list'] });
      }
    };
    // The stream tries again by itself; what ends it for good, such as a lost right, the lists show.
    follow().catch(() => {});
    return () => end.abort();
  }, [client, queries, scope]);
}
