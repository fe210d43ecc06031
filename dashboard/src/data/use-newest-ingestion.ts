import { useClient } from '../api/session.tsx';
import { useData } from '../api/use-data.ts';
import { newestIngestion } from './newest-ingestion.ts';

export function useNewestIngestion() {
  const client = useClient();
  return useData(['ingestions', 'newest'], (signal) => newestIngestion(client, { signal }));
}
