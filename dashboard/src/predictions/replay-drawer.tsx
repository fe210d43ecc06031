import type { Schemas } from '@lastro/sdk';
import { Link } from '@tanstack/react-router';
import { useClient } from '../api/session.tsx';
import { useChange, useData } from '../api/use-data.ts';
import { CodeButton } from '../kit/code.tsx';
import { Id } from '../kit/copy.tsx';
import { Drawer } from '../kit/drawer.tsx';
import { Interrupt } from '../kit/interrupt.tsx';
import { JobFailure } from '../kit/job-failure.tsx';
import { Ledger } from '../kit/ledger.tsx';
import { Moment } from '../kit/moment.tsx';
import { Facts } from '../kit/page.tsx';
import { Failed, Skeleton } from '../kit/states.tsx';
import { Progress, Status } from '../kit/status.tsx';
import { common } from '../words/common.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { goneOf, isUnderWay, type Replay, useSayAsked, useSayBy } from './replay-of-many.ts';
import { replaysWords } from './replays-words.ts';

const watchedEveryMs = 1_500;

/** One replay of many: how many are the same, where the first that are not differ, and why some cannot be answered. */
export function ReplayDrawer({ id, onClose }: { readonly id: string; onClose(): void }) {
  const w = useWords(replaysWords);
  const client = useClient();
  const { data, error, refetch } = useData(['replays', 'one', id], (signal) => client.replays.get(id, {}, { signal }), {
    everyMs: (now) => (now && isUnderWay(now) ? watchedEveryMs : false),
  });
  return (
    <Drawer title={w.replay} onClose={onClose}>
      {error ? <Failed error={error} onRetry={refetch} /> : data ? <Found replay={data} /> : <Skeleton />}
    </Drawer>
  );
}

function Found({ replay }: { readonly replay: Replay }) {
  const w = useWords(replaysWords);
  const c = useWords(common);
  const format = useFormat();
  const sayAsked = useSayAsked();
  const sayBy = useSayBy();
  const client = useClient();
  const interrupt = useChange(() => client.replays.interrupt(replay.id), {
    changes: [['replays']],
    isQuiet: true,
  });
  const { id, status, total, identical, different, gone, differences, failure, fraction } = replay;
  const reasons = Object.entries(gone) as [keyof Replay['gone'], number][];
  return (
    <div className="flex min-w-0 flex-col gap-5">
      <Facts
        columns={2}
        of={[
          [c.status, <Status key="status" of={status} />],
          [w.what, replay.asked.batch_id ? <BatchLink key="what" id={replay.asked.batch_id} /> : sayAsked(replay)],
          [w.by, sayBy(replay)],
          [w.asked, <Moment key="asked" at={replay.created_at} isExact />],
          total !== null && [w.total, format.integer(total)],
          [w.identical, format.integer(identical)],
          [w.notSame, format.integer(different)],
          goneOf(replay) > 0 && [w.cannot, format.integer(goneOf(replay))],
          ['id', <Id key="id" id={id} />],
        ]}
      />
      {isUnderWay(replay) && (
        <div className="flex flex-col items-start gap-3">
          <Progress share={fraction} label={w.progress} />
          <Interrupt words={w} onInterrupt={() => interrupt.mutateAsync(undefined)} />
        </div>
      )}
      {failure && <JobFailure title={w.failure} of={failure} />}
      {differences.length > 0 && (
        <section className="flex flex-col gap-2">
          <h3 className="font-semibold text-section">{w.differs}</h3>
          <p className="text-ink3 text-meta">{w.differsBody}</p>
          <Ledger
            label={w.differs}
            rows={differences}
            keyOf={({ prediction_id: prediction, file_id: file, row }) => prediction ?? `${file} ${row}`}
            columns={[
              { key: 'which', head: w.which, cell: (one) => <Which of={one} /> },
              {
                key: 'where',
                head: w.where,
                cell: ({ paths }) =>
                  paths.length === 0 ? (
                    w.bytes
                  ) : (
                    <ul>
                      {paths.map((path) => (
                        <li key={path}>
                          {path === '' ? w.whole : <code className="break-all font-mono text-meta">{path}</code>}
                        </li>
                      ))}
                    </ul>
                  ),
              },
            ]}
          />
        </section>
      )}
      {reasons.length > 0 && (
        <section className="flex flex-col gap-2">
          <h3 className="font-semibold text-section">{w.cannot}</h3>
          <Ledger
            label={w.cannot}
            rows={reasons}
            keyOf={([reason]) => reason}
            columns={[
              { key: 'why', head: w.why, cell: ([reason]) => w.reasons[reason] },
              { key: 'count', head: w.count, isRight: true, cell: ([, count]) => format.integer(count) },
            ]}
          />
        </section>
      )}
      <div>
        <CodeButton
          request={{ method: 'GET', path: `/v1/api/replays/${id}`, typescript: `lastro.replays.get('${id}')` }}
        />
      </div>
    </div>
  );
}

const linkClass = 'break-all font-mono text-meta text-accent underline underline-offset-2';

function BatchLink({ id }: { readonly id: string }) {
  return (
    <Link to="/batches/$batch_id" params={{ batch_id: id }} className={linkClass}>
      {id}
    </Link>
  );
}

function Which({ of: { prediction_id: prediction, row } }: { readonly of: Schemas['ReplayDifference'] }) {
  const w = useWords(replaysWords);
  const format = useFormat();
  if (prediction !== undefined)
    return (
      <Link to="/predictions" search={{ open: prediction }} title={prediction} className={linkClass}>
        prd_…{prediction.slice(-6)}
      </Link>
    );
  return row === null || row === undefined ? '—' : w.row(format.integer(row));
}
