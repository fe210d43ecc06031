import { reportOf, type TableReport } from '../data/report.ts';
import { useNewestIngestion } from '../data/use-newest-ingestion.ts';
import { dayIn, endOfDay } from '../kit/day.ts';
import { Warnings } from '../predictions/knowledge.tsx';
import { useFormat } from '../words/format.ts';
import { useTimeZone } from '../words/time-zone.ts';
import { useWords } from '../words/words.ts';
import { oldDataWords } from './old-data-words.ts';

const dayMs = 24 * 60 * 60_000;

/** The first day with an event in any table; null where none has a time. */
function oldestOf(tables: readonly TableReport[]): string | null {
  const days = tables.flatMap(({ from }) => from?.slice(0, 10) ?? []);
  return days.length === 0 ? null : days.reduce((one, other) => (other < one ? other : one));
}

function Odd({ children }: { readonly children: string }) {
  return (
    <p role="status" className="mt-4 max-w-4xl rounded-[6px] bg-warn-soft px-2.5 py-1.5">
      {children}
    </p>
  );
}

/**
 * Warns, in the words and by the rule of answers, of data that are old as of a day, and offers their newest day; and of a
 * day before all data, or ahead. `day`: '' for now.
 */
export function OldData({ day, onDay }: { readonly day: string; onDay(day: string): void }) {
  const w = useWords(oldDataWords);
  const format = useFormat();
  const timeZone = useTimeZone();
  const { data: ingestion } = useNewestIngestion();
  const report = ingestion && reportOf(ingestion);
  const data = report?.event_days;
  if (!data?.newest) return null;
  const { newest, silence_max: silence } = data;
  const today = dayIn(timeZone, Date.now());
  const ageOf = (asked: string) => (Date.parse(asked) - Date.parse(newest)) / dayMs;
  const isOld = (asked: string) => silence > 0 && ageOf(asked) > silence;
  const asked = day || today;
  if (asked > today) return <Odd>{w.ahead(format.day(asked), format.day(today))}</Odd>;
  const oldest = oldestOf(report?.tables ?? []);
  if (oldest !== null && asked < oldest) return <Odd>{w.beforeAll(format.day(asked), format.day(oldest))}</Odd>;
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
