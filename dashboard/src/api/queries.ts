import { QueryClient } from '@tanstack/react-query';

/**
 * What was fetched, by keys that begin with the id of the workspace. The client of the API tries again by itself, so
 * that nothing is tried again here.
 */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      retry: false,
      staleTime: 5_000,
      refetchOnWindowFocus: true,
      throwOnError: false,
    },
  },
});
