import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useMemo, useState } from 'react';
import { useClient, useSession } from '../api/session.tsx';
import { useList } from '../api/use-data.ts';
import { Button } from '../kit/button.tsx';
import { CodeButton } from '../kit/code.tsx';
import { Split } from '../kit/drawer.tsx';
import { ListTable } from '../kit/list.tsx';
import { Moment } from '../kit/moment.tsx';
import { Page } from '../kit/page.tsx';
import { Empty, NoPermission } from '../kit/states.tsx';
import { Dot, Progress, Status } from '../kit/status.tsx';
import type { Column } from '../kit/table.tsx';
import { importPart } from '../shell/new-build.ts';
import { pageNames } from '../shell/pages.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { ReplayDrawer } from './replay-drawer.tsx';
import { goneOf, isUnderWay, type Replay, useSayAsked, useSayBy } from './replay-of-many.ts';
import { replaysWords } from './replays-words.ts';

/** Loaded where somebody asks for it. */
const NewReplay = lazy(async () => ({ default: (await importPart(() => import('./new-replay.tsx'))).NewReplay }));

const route = getRouteApi('/_app/predictions_/replays');
const pageSize = 100;
const watchedEveryMs = 1_500;

/** Replays of many predictions or of batches, those that the service does by itself each night among them. */
export function Replays() {
  const w = useWords(replaysWords);
  const { predictions } = useWords(pageNames);
  const client = useClient();
  const { can, has } = useSession();
  const isAllowed = has('invoke_predictions');
  const { open } = route.useSearch();
  const navigate = useNavigate({ from: '/predictions/replays' });
  const show = (id: string | undefined) => navigate({ search: id === undefined ? {} : { open: id }, replace: true });
  const [isAsked, setAsked] = useState(false);
  const list = useList(
    ['replays', 'list'],
    (cursor, signal) => client.replays.list({ limit: pageSize, ...(cursor ? { cursor } : {}) }, { signal }),
    { isOn: isAllowed, everyMs: (rows) => (rows.some(isUnderWay) ? watchedEveryMs : false) },
  );
  const columns = useColumns();
  const shown = useMemo(() => (open ? columns.filter(({ key }) => key !== 'by') : columns), [columns, open]);
  const newOne = can('invoke_predictions') && (
    <Button kind="primary" onClick={() => setAsked(true)}>
      {w.newOne}
    </Button>
  );
  return (
    <Split drawer={isAllowed && open && <ReplayDrawer key={open} id={open} onClose={() => show(undefined)} />}>
      <Page
        isWide
        title={w.title}
        back={{ label: predictions, to: '/predictions' }}
        description={w.description}
        actions={
          <>
            <CodeButton request={{ method: 'GET', path: '/v1/api/replays', typescript: 'lastro.replays.list()' }} />
            {newOne}
          </>
        }
      >
        {isAllowed ? (
          <ListTable
            list={list}
            label={w.title}
            columns={shown}
            keyOf={({ id }) => id}
            {...(open && { chosen: open })}
            onOpen={({ id }) => show(id)}
            empty={
              <Empty title={w.none} action={newOne}>
                {w.noneBody}
              </Empty>
            }
          />
        ) : (
          <NoPermission permission="invoke_predictions" />
        )}
        {isAsked && (
          <Suspense>
            <NewReplay onClose={() => setAsked(false)} onStarted={show} />
          </Suspense>
        )}
      </Page>
    </Split>
  );
}

function useColumns(): readonly Column<Replay>[] {
  const w = useWords(replaysWords);
  const sayAsked = useSayAsked();
  const sayBy = useSayBy();
  return useMemo(
    () => [
      {
        key: 'what',
        head: w.what,
        width: 'minmax(140px, 1.4fr)',
        cell: (one) => <span className="font-medium">{sayAsked(one)}</span>,
        below: (one) => (
          <>
            <Moment at={one.created_at} /> · {sayBy(one)}
          </>
        ),
      },
      { key: 'result', head: w.result, width: 'minmax(156px, 1fr)', cell: (one) => <Result of={one} /> },
      { key: 'by', head: w.by, width: 'minmax(120px, 1fr)', isMinor: true, cell: sayBy },
      {
        key: 'asked',
        head: w.asked,
        width: '132px',
        isMinor: true,
        cell: ({ created_at: at }) => <Moment at={at} />,
      },
    ],
    [w, sayAsked, sayBy],
  );
}

/** Whether all are the same; how many are not, or cannot be answered again. */
function Result({ of }: { readonly of: Replay }) {
  const w = useWords(replaysWords);
  const format = useFormat();
  const { status, fraction, different, identical, total } = of;
  if (isUnderWay(of)) return <Progress share={fraction} label={w.progress} />;
  const all = format.integer(total ?? 0);
  if (different > 0) return <Dot tone="bad">{w.different(format.integer(different), all)}</Dot>;
  if (status !== 'succeeded') return <Status of={status} />;
  if (goneOf(of) > 0) return <Dot tone="warn">{w.gone(format.integer(goneOf(of)), all)}</Dot>;
  return total === 0 ? <Dot tone="quiet">{w.nothing}</Dot> : <Dot tone="good">{w.same(format.integer(identical))}</Dot>;
}
