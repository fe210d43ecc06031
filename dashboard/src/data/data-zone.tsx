import { useClient, useSession } from '../api/session.tsx';
import { useData } from '../api/use-data.ts';
import { Hint } from '../kit/button.tsx';
import { useFormat } from '../words/format.ts';
import { useTimeZone } from '../words/time-zone.ts';
import { useWords } from '../words/words.ts';
import { dataZoneWords } from './data-zone-words.ts';
import { useActiveContract, useContractDocument } from './use-contracts.ts';

/**
 * The zone on whose clocks times of the data with an offset are read, where it is another than the workspace's; null
 * where both are one, the data have no times, or it is not known. `contractId`: the contract of the data; the active one by default.
 */
export function useDataZone(contractId?: string): string | null {
  const client = useClient();
  const { can } = useSession();
  const own = useTimeZone();
  const mayRead = can('view_models');
  const active = useActiveContract(mayRead && contractId === undefined);
  const named = useData(['contracts', 'one', contractId], (signal) => client.contracts.get(contractId!, { signal }), {
    isOn: mayRead && contractId !== undefined,
  });
  const { data } = useContractDocument((contractId === undefined ? active : named).data?.document);
  // Days of the calendar are the same on all clocks.
  const hasTimes = data?.tables.some(({ columns }) => columns.some(({ type }) => type === 'timestamp')) ?? false;
  if (!data || !hasTimes) return null;
  const zone = data.timeZone ?? 'UTC';
  return zone === own ? null : zone;
}

/** A day of the data, with the zone whose clocks it is on where that is not the page's. */
export function DataDay({ of: day, zone }: { readonly of: string; readonly zone: string | null }) {
  const w = useWords(dataZoneWords);
  const format = useFormat();
  const own = useTimeZone();
  return (
    <>
      {format.day(day)}
      {zone !== null && (
        <>
          {' '}
          <Hint text={w.hint(zone, own ?? '')}>
            <span className="whitespace-nowrap rounded-[3px] bg-sunken px-1 text-ink2 text-micro">{zone}</span>
          </Hint>
        </>
      )}
    </>
  );
}
