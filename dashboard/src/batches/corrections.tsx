import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useClient } from '../api/session.tsx';
import { useData } from '../api/use-data.ts';
import { Status } from '../kit/status.tsx';
import { importPart } from '../shell/new-build.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import type { Batch } from './batch.ts';
import { BatchLink } from './batch-link.tsx';
import { batchWords } from './words.ts';

/** Loaded where rows were corrected. */
const JoinedDownload = lazy(async () => ({
  default: (await importPart(() => import('./joined-download.tsx'))).JoinedDownload,
}));

/** Leads from a batch to the one whose rows it corrects, and to those that correct its own. */
export function Corrections({ batch }: { readonly batch: Batch }) {
  const w = useWords(batchWords);
  const format = useFormat();
  const { corrects, corrected_by: corrections, progress } = batch;
  if (corrects === null && corrections.length === 0) return null;
  const count = (rows: number | null): string | null => (rows === null ? null : format.integer(rows));
  return (
    <ul className="mt-3 flex flex-col gap-1 rounded-[6px] bg-sunken px-3 py-2">
      {corrects !== null && (
        <li>
          <BatchLink id={corrects} say={(name) => w.corrects(count(progress.rows.total), name)} />
        </li>
      )}
      {corrections.map(({ id, status, rows }) => (
        <li key={id} className="flex flex-wrap items-baseline gap-x-3">
          <Link
            to="/batches/$batch_id"
            params={{ batch_id: id }}
            search={{}}
            className="text-accent underline underline-offset-2"
          >
            {w.correctedIn(count(status === 'succeeded' ? rows.succeeded : rows.total), `…${id.slice(-6)}`)}
          </Link>
          <Status of={status} />
        </li>
      ))}
      {(corrects !== null || corrections.length > 0) && (
        <li>
          <Joined of={batch} />
        </li>
      )}
    </ul>
  );
}

/** The joined result of the batch that was sent first, from whichever of its corrections it is looked at. */
function Joined({ of: batch }: { readonly of: Batch }) {
  const { corrects } = batch;
  const client = useClient();
  const { data: first } = useData(
    ['batches', 'first', batch.id, batch.status],
    async (signal) => {
      let one: Batch | null = null;
      for (let id = corrects; id !== null; id = one.corrects) one = await client.batches.get(id, {}, { signal });
      return one;
    },
    { isOn: corrects !== null },
  );
  const shown = corrects === null ? batch : first;
  return (
    shown && (
      <Suspense>
        <JoinedDownload batch={shown} isFirst={corrects === null} />
      </Suspense>
    )
  );
}

/** The same of a row of the list, in few words: the newest of those that correct it is led to. */
export function ShortCorrections({
  of: { corrects, corrected_by: corrections },
  isLinked,
}: {
  readonly of: Batch;
  /** Not within what is a button itself. */
  readonly isLinked: boolean;
}) {
  const w = useWords(batchWords);
  const format = useFormat();
  const rows = corrections.reduce((sum, { rows: { succeeded } }) => sum + succeeded, 0);
  const told = [
    ...(corrects === null ? [] : [{ id: corrects, said: w.correctsShort(`…${corrects.slice(-6)}`) }]),
    ...corrections.slice(0, 1).map(({ id }) => ({ id, said: w.correctedShort(format.integer(rows)) })),
  ];
  if (!isLinked) return told.map(({ id, said }) => <span key={id}>{said}</span>);
  return told.map(({ id, said }) => (
    <Link
      key={id}
      to="/batches/$batch_id"
      params={{ batch_id: id }}
      search={{}}
      className="mr-2 text-ink2 text-meta underline underline-offset-2"
    >
      {said}
    </Link>
  ));
}
