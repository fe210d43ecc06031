import type { Schemas } from '@lastro/sdk';
import { Link } from '@tanstack/react-router';
import { useClient, useSession } from '../api/session.tsx';
import { useList } from '../api/use-data.ts';
import { Dialog } from '../kit/dialog.tsx';
import { MoreButton } from '../kit/list.tsx';
import { Facts } from '../kit/page.tsx';
import { Failed, Skeleton } from '../kit/states.tsx';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { fileReadersWords } from './file-readers-words.ts';

/** What read a file: states of the data, versions that learned from it, and what was answered. */
export function FileReaders({ id, path, onClose }: { readonly id: string; readonly path: string; onClose(): void }) {
  const w = useWords(fileReadersWords);
  const client = useClient();
  const list = useList(['files', 'lineage', id], (cursor, signal) =>
    client.files.getLineage(id, cursor === undefined ? {} : { cursor }, { signal }),
  );
  return (
    <Dialog title={w.title(path)} isOpen onClose={onClose} width="max-w-2xl">
      {list.isError ? (
        <Failed error={list.error} onRetry={() => list.refetch()} />
      ) : list.isPending ? (
        <Skeleton />
      ) : (
        <>
          {/* Pages have all of the answer, of which a list knows the rows. */}
          <Counts of={list.data.pages[0] as Schemas['FileLineage']} />
          <h3 className="mt-5 mb-1 font-semibold text-section">{w.versions}</h3>
          {list.rows.length === 0 ? (
            <p className="text-ink2">{w.noVersions}</p>
          ) : (
            <ul className="divide-y divide-line">
              {list.rows.map((version) => (
                <Version key={version.version_id} of={version} />
              ))}
            </ul>
          )}
          <MoreButton list={list} />
        </>
      )}
    </Dialog>
  );
}

function useCount() {
  const w = useWords(fileReadersWords);
  const format = useFormat();
  return ({ count, is_whole: isWhole }: Schemas['ReaderCount']) =>
    isWhole ? format.integer(count) : w.atLeast(format.integer(count));
}

function Counts({ of }: { readonly of: Schemas['FileLineage'] }) {
  const w = useWords(fileReadersWords);
  const format = useFormat();
  const say = useCount();
  const { can } = useSession();
  const { snapshots, predictions, batches, scored_in: scored, evaluated_in: evaluated, tasks } = of;
  const isNewest = snapshots.is_current ? w.isCurrent : w.isPast;
  const answered =
    predictions.count === 0 || !can('invoke_predictions') ? (
      say(predictions)
    ) : (
      <Link to="/predictions" search={{ file: of.file_id }} className="text-accent underline underline-offset-2">
        {say(predictions)}
      </Link>
    );
  return (
    <Facts
      columns={2}
      of={[
        [w.snapshots, snapshots.count === 0 ? '0' : `${format.integer(snapshots.count)}; ${isNewest}`],
        [w.predictions, answered],
        [w.batches, say(batches)],
        scored.count > 0 && [w.scoredIn, say(scored)],
        evaluated.count > 0 && [w.evaluatedIn, say(evaluated)],
        tasks.length > 0 && [w.tasks, format.list([...new Set(tasks.map(({ name }) => name))])],
      ]}
    />
  );
}

function Version({ of }: { readonly of: Schemas['FileVersion'] }) {
  const w = useWords(fileReadersWords);
  const format = useFormat();
  const say = useCount();
  const { model_id, model_name: name, version_id, number, read_as: as, predictions } = of;
  const read = as.map((how) => (how === 'labels' ? w.labels : w.tables));
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-4 py-1.5">
      <Link
        to="/models/$model_id/versions/$version_id"
        params={{ model_id, version_id }}
        search={{}}
        className="text-accent underline underline-offset-2"
      >
        {name}, {w.version(String(number))}
      </Link>
      <span className="text-ink3 text-meta">
        {format.list(read)} · {w.answered(say(predictions))}
      </span>
    </li>
  );
}
