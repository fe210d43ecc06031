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
      refetchOnReconnect: 'always',
      throwOnError: false,
    },
    // What somebody does is tried now, and says so where it cannot be done: it is not done later unseen.
    mutations: { networkMode: 'always' },
  },
});
