import { Link } from '@tanstack/react-router';
import { useClient } from '../api/session.tsx';
import { useData } from '../api/use-data.ts';
import { Button, buttonClass } from '../kit/button.tsx';
import { useWords } from '../words/words.ts';
import { ingestionWords } from './ingestion-words.ts';
import type { Ingestion } from './report.ts';
import { useTakingAgain } from './use-acceptance.ts';

/** The newest ingestions among which files are looked for. */
const looked = 50;

/** What is to be done about files whose rows are at fault: these are sent again, and the others taken in as they are. */
export function MendFiles({
  ingestion,
  atFault,
}: {
  readonly ingestion: Ingestion;
  /** The ids of the files at fault. */
  readonly atFault: ReadonlySet<string>;
}) {
  const w = useWords(ingestionWords);
  const client = useClient();
  const again = useTakingAgain();
  const faultless = ingestion.files.filter(({ file_id: id }) => !atFault.has(id));
  const later = useData(
    ['ingestions', 'later', ingestion.id],
    async (signal) =>
      (await client.ingestions.list({ limit: looked }, { signal })).data.filter(
        ({ created_at: at }) => at > ingestion.created_at,
      ),
    { isOn: faultless.length > 0 },
  );
  const taken = new Set(
    later.data?.flatMap(({ status, files }) =>
      status === 'refused' || status === 'failed' ? [] : files.map(({ file_id: id }) => id),
    ),
  );
  // Rows of a table without a key would be there twice.
  const left = later.data ? faultless.filter(({ file_id: id }) => !taken.has(id)) : [];
  return (
    <div className="mb-3 max-w-3xl">
      <p className="text-ink2">{faultless.length === 0 ? w.dataError : w.dataErrorSome}</p>
      {later.data && faultless.length > 0 && (
        <p className="text-ink2">
          {left.length > 0 ? w.faultlessFiles(left.length) : w.faultlessTaken(faultless.length)}
        </p>
      )}
      <div className="mt-2 flex flex-wrap gap-2">
        <Link to="/data/send" search={{ after: ingestion.id }} className={buttonClass('primary')}>
          {w.sendCorrected}
        </Link>
        {left.length > 0 && (
          <Button isBusy={again.isPending} onClick={() => again.mutate(left)}>
            {w.takeFaultless(left.length)}
          </Button>
        )}
      </div>
    </div>
  );
}
