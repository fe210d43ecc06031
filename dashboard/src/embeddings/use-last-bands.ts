import { useMemo } from 'react';
import { useClient } from '../api/session.tsx';
import { useData } from '../api/use-data.ts';

const pageSize = 200;
const pagesMost = 5;

/** The band of the newest answer about each entity of a table, as far as the newest thousand answers tell. */
export function useLastBands(table: string, isOn: boolean): ReadonlyMap<string, string> {
  const client = useClient();
  const { data } = useData(
    ['predictions', 'last-bands', table],
    async (signal) => {
      const bands: [string, string][] = [];
      let cursor: string | undefined;
      for (let page = 0; page < pagesMost; page += 1) {
        const found = await client.predictions.list({ limit: pageSize, ...(cursor ? { cursor } : {}) }, { signal });
        for (const { entity, band } of found.data) if (entity?.table === table && band) bands.push([entity.key, band]);
        cursor = found.next_cursor ?? undefined;
        if (!cursor) break;
      }
      return bands;
    },
    { isOn },
  );
  // The newest comes first, and the last one written into a map holds.
  return useMemo(() => new Map(isOn ? data?.toReversed() : []), [data, isOn]);
}
