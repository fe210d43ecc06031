import { Link } from '@tanstack/react-router';
import { useSession } from '../api/session.tsx';
import { reportOf } from '../data/report.ts';
import { useNewestIngestion } from '../data/use-newest-ingestion.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { overviewWords } from './words.ts';

const dayMs = 24 * 60 * 60_000;

/** Says so where the data have been silent for longer than they ever were: answers warn of it, one by one. */
export function StaleData() {
  const w = useWords(overviewWords);
  const format = useFormat();
  const { can } = useSession();
  const { data: ingestion } = useNewestIngestion();
  const data = ingestion && reportOf(ingestion).event_days;
  if (!data?.newest) return null;
  const age = Math.floor(Date.now() / dayMs) - Date.parse(data.newest) / dayMs;
  // A day more, since the day of the workspace may not have begun where the clock of the world says so.
  if (data.silence_max === 0 || age - 1 <= data.silence_max) return null;
  const [days, usual] = [format.integer(age), format.integer(data.silence_max)];
  return (
    <p role="note" className="mb-4 rounded-[6px] bg-warn-soft px-3 py-2 text-warn">
      {data.silence_max === 1
        ? w.staleDay(format.day(data.newest), days)
        : w.stale(format.day(data.newest), days, usual)}{' '}
      {can('upload_files') && (
        <Link to="/data/send" className="rounded underline underline-offset-2">
          {w.sendData}
        </Link>
      )}
    </p>
  );
}
