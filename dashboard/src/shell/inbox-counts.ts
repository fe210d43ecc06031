import { useQuery } from '@tanstack/react-query';
import { useSession } from '../api/session.tsx';
import { useKey } from '../api/use-data.ts';

const everyMs = 30_000;

/** How much of the inbox has not been seen and read; undefined until that is known. */
export function useInboxCounts() {
  const { client, workspace, can } = useSession();
  const { data } = useQuery({
    queryKey: useKey(['notifications', 'counts']),
    queryFn: () => client.notifications.getCounts(),
    refetchInterval: everyMs,
    enabled: workspace !== null && can('view_members'),
  });
  return data;
}
