import { useClient } from '../api/session.tsx';
import { useData } from '../api/use-data.ts';
import { reportOf } from '../data/report.ts';
import { dayIn, endOfDay } from '../kit/day.ts';
import { Warnings } from '../predictions/knowledge.tsx';
import { useFormat } from '../words/format.ts';
import { useTimeZone } from '../words/time-zone.ts';
import { useWords } from '../words/words.ts';
import { oldDataWords } from './old-data-words.ts';

/** The ingestions among which the newest that has come in is looked for. */
const looked = { limit: 10 } as const;
const dayMs = 24 * 60 * 60_000;

/**
 * Warns, in the words and by the rule of answers, of data that are old as of a day, and offers their newest day. `day`:
 * '' for now.
 */
export function OldData({ day, onDay }: { readonly day: string; onDay(day: string): void }) {
  const w = useWords(oldDataWords);
  const format = useFormat();
  const client = useClient();
  const timeZone = useTimeZone();
  const { data } = useData(['ingestions', 'newest-days'], async (signal) => {
    const { data: newest } = await client.ingestions.list(looked, { signal });
    const one = newest.find(({ status }) => status === 'succeeded');
    return one ? (reportOf(one).event_days ?? null) : null;
  });
  if (!data?.newest) return null;
  const { newest, silence_max: silence } = data;
  const today = dayIn(timeZone, Date.now());
  const ageOf = (asked: string) => (Date.parse(asked) - Date.parse(newest)) / dayMs;
  const isOld = (asked: string) => silence > 0 && ageOf(asked) > silence;
  const asked = day || today;
  if (!isOld(asked))
    return day === newest && isOld(today) ? (
      <p role="status" className="mt-4 text-ink2">
        {w.asOfNewest(format.day(newest))}
      </p>
    ) : null;
  const warned = {
    warnings: [{ code: 'stale_data', input: null, message: '' }],
    data_age: ageOf(asked),
    // Days are answered as of their end.
    as_of: new Date(Date.parse(endOfDay(asked, timeZone)) - 1).toISOString(),
  };
  return (
    <div className="mt-4">
      <Warnings outputs={warned} onAsOf={onDay} />
    </div>
  );
}
