import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useClient, useSession } from '../api/session.tsx';
import { useList } from '../api/use-data.ts';
import { Button } from '../kit/button.tsx';
import { CodeButton } from '../kit/code.tsx';
import { ListTable } from '../kit/list.tsx';
import { Moment } from '../kit/moment.tsx';
import { Page } from '../kit/page.tsx';
import { Empty, NoPermission } from '../kit/states.tsx';
import { AliasTag } from '../kit/status.tsx';
import type { Column } from '../kit/table.tsx';
import { useModelNames } from '../models/use-models.ts';
import { pageNames } from '../shell/pages.ts';
import { common } from '../words/common.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { NewWatchList } from './new-watch-list.tsx';
import type { WatchList } from './scores.tsx';
import { ListState } from './state.tsx';
import { watchListWords } from './words.ts';

const pageSize = 100;
const watchedEveryMs = 2_000;

/** Every watch list of the workspace. */
export function WatchLists() {
  const w = useWords(watchListWords);
  const { predictions } = useWords(pageNames);
  const { title } = w;
  const client = useClient();
  const { can, has } = useSession();
  const isAllowed = has('invoke_predictions');
  const navigate = useNavigate();
  const [isAsked, setAsked] = useState(false);
  const open = (id: string) => navigate({ to: '/watch-lists/$list_id', params: { list_id: id } });
  const list = useList(
    ['watch-lists', 'list'],
    (cursor, signal) => client.watchLists.list({ limit: pageSize, ...(cursor ? { cursor } : {}) }, { signal }),
    { isOn: isAllowed, everyMs: (rows) => (rows.some(({ is_due: isDue }) => isDue) ? watchedEveryMs : false) },
  );
  const columns = useColumns();
  const newOne = can('invoke_predictions') && (
    <Button kind="primary" onClick={() => setAsked(true)}>
      {w.newOne}
    </Button>
  );
  return (
    <Page
      isWide
      title={title}
      back={{ label: predictions, to: '/predictions' }}
      description={w.description}
      actions={
        <>
          <CodeButton
            request={{ method: 'GET', path: '/v1/api/watch-lists', typescript: 'lastro.watchLists.list()' }}
          />
          {newOne}
        </>
      }
    >
      {isAllowed ? (
        <ListTable
          list={list}
          label={title}
          columns={columns}
          keyOf={({ id }) => id}
          onOpen={({ id }) => open(id)}
          empty={
            <Empty title={w.none} action={newOne}>
              {w.noneBody}
            </Empty>
          }
        />
      ) : (
        <NoPermission permission="invoke_predictions" />
      )}
      {isAsked && <NewWatchList onClose={() => setAsked(false)} onMade={open} />}
    </Page>
  );
}

function useColumns(): readonly Column<WatchList>[] {
  const w = useWords(watchListWords);
  const c = useWords(common);
  const format = useFormat();
  const names = useModelNames();
  return useMemo(() => {
    const countOf = ({ entries: { scored, total } }: WatchList) =>
      w.ofEntries(format.integer(scored), format.integer(total));
    return [
      {
        key: 'name',
        head: c.name,
        width: 'minmax(140px, 1.4fr)',
        cell: ({ name }) => <span className="font-medium">{name}</span>,
        below: countOf,
      },
      {
        key: 'model',
        head: w.model,
        width: 'minmax(160px, 1.2fr)',
        isMinor: true,
        cell: ({ model_id: id, alias }) => (
          <span className="inline-flex items-center gap-2">
            {names.get(id) ?? id} <AliasTag alias={alias} />
          </span>
        ),
      },
      { key: 'entries', head: w.entries, width: 'minmax(140px, 1fr)', isMinor: true, cell: countOf },
      { key: 'moves', head: w.moves, width: '96px', isRight: true, cell: ({ moves }) => format.integer(moves) },
      {
        key: 'last_moved_at',
        head: w.lastMove,
        width: '132px',
        isMinor: true,
        cell: ({ last_moved_at: at }) => <Moment at={at} />,
      },
      {
        key: 'state',
        head: w.state,
        width: 'minmax(170px, 1fr)',
        isMinor: true,
        cell: (one) => <ListState of={one} />,
      },
    ];
  }, [w, c, format, names]);
}
