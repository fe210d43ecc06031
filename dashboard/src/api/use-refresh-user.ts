import { useQueryClient } from '@tanstack/react-query';

/** Has who is signed in, and what they may do, asked for again: after what changes their name, roles or places. */
export function useRefreshUser(): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: ['user'] });
}
