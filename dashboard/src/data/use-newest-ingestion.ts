import { useClient } from '../api/session.tsx';
import { useData } from '../api/use-data.ts';

/** Ingestions that are looked through for the newest that has come in. */
const lookedThrough = 50;

/** The newest ingestion that has come in, whose report says what is in the tables; null where there is none. */
export function useNewestIngestion() {
  const client = useClient();
  return useData(['ingestions', 'newest'], async (signal) => {
    const { data } = await client.ingestions.list({ limit: lookedThrough }, { signal });
    return data.find(({ status }) => status === 'succeeded') ?? null;
  });
}
