import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useCallback } from 'react';

/** Goes on, once signed in, to the page that was asked for. */
export function useEnter(): () => Promise<void> {
  const queries = useQueryClient();
  const router = useRouter();
  return useCallback(async () => {
    const { return_to: returnTo } = router.state.location.search as { return_to?: string };
    queries.clear();
    router.history.replace(returnTo ?? '/');
  }, [queries, router]);
}
