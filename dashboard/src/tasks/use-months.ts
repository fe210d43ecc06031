import { useMemo } from 'react';
import { reportOf } from '../data/report.ts';
import { useNewestIngestion } from '../data/use-newest-ingestion.ts';
import type { Months } from './starters.ts';

/**
 * In how many months each dated table has rows, none of them ahead of today: a stray date of long ago counts as the one
 * month that it is. Undefined until it is known; of a workspace of which nobody can tell, of no table.
 */
export function useMonths(): Months | undefined {
  const { data, isPending } = useNewestIngestion();
  return useMemo(() => {
    if (isPending) return undefined;
    const now = new Date().toISOString().slice(0, 7);
    const tables = (data && reportOf(data).tables) || [];
    return new Map(
      tables
        .filter(({ from }) => from !== null)
        .map(({ table, months }) => [table, months.filter(({ month }) => month <= now).length]),
    );
  }, [data, isPending]);
}
