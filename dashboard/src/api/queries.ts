import { AuthenticationError, LastroError } from '@lastro/sdk';
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

export const isSignedOut = (error: unknown): boolean => error instanceof AuthenticationError;

/** Whether an object changed between reading and writing it. */
export const isConflict = (error: unknown): boolean =>
  error instanceof LastroError && (error.status === 409 || error.status === 412);
