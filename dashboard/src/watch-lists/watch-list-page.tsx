import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useClient, useSession } from '../api/session.tsx';
import { useChange, useData } from '../api/use-data.ts';
import { Button } from '../kit/button.tsx';
import { CodeButton } from '../kit/code.tsx';
import { Confirm } from '../kit/dialog.tsx';
import { JobFailure } from '../kit/job-failure.tsx';
import { Facts, Page, Panel } from '../kit/page.tsx';
import { Failed, NoPermission, Skeleton } from '../kit/states.tsx';
import { AliasTag } from '../kit/status.tsx';
import { Tabs } from '../kit/tabs.tsx';
import { say } from '../kit/toast.tsx';
import { useModelNames } from '../models/use-models.ts';
import { common } from '../words/common.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { ChangeEntries } from './change-entries.tsx';
import { Entries } from './entries.tsx';
import { Moves, VersionLink } from './moves.tsx';
import type { WatchList } from './scores.tsx';
import { ListState } from './state.tsx';
import { watchListWords } from './words.ts';

const route = getRouteApi('/_app/watch-lists/$list_id');
const watchedEveryMs = 2_000;

/** One watch list: who is on it, and who has moved. */
export function WatchListPage() {
  const { list_id: id } = route.useParams();
  const w = useWords(watchListWords);
  const client = useClient();
  const { has } = useSession();
  const isAllowed = has('invoke_predictions');
  const list = useData(['watch-lists', id], (signal) => client.watchLists.get(id, { signal }), {
    isOn: isAllowed,
    everyMs: (found) => (found?.is_due ? watchedEveryMs : false),
  });
  if (list.data) return <Shown list={list.data} />;
  return (
    <Page title={w.title} back={{ label: w.title, to: '/watch-lists' }}>
      {!isAllowed ? (
        <NoPermission permission="invoke_predictions" />
      ) : list.error ? (
        <Failed error={list.error} onRetry={() => list.refetch()} />
      ) : (
        <Skeleton rows={10} />
      )}
    </Page>
  );
}

function Shown({ list }: { readonly list: WatchList }) {
  const w = useWords(watchListWords);
  const c = useWords(common);
  const format = useFormat();
  const client = useClient();
  const { can } = useSession();
  const { tab = 'entries' } = route.useSearch();
  const navigate = useNavigate({ from: '/watch-lists/$list_id' });
  const leave = useNavigate();
  const [asked, setAsked] = useState<'entries' | 'deletion' | null>(null);
  // Of this list itself nothing is asked again: it is gone.
  const remove = useChange(() => client.watchLists.delete(list.id), {
    changes: [['watch-lists', 'list']],
    isQuiet: true,
  });
  const { id, model_id: modelId, alias, entries } = list;
  const rule = useRule(list);
  const name = useModelNames().get(modelId) ?? modelId;
  return (
    <Page
      isWide
      title={list.name}
      back={{ label: w.title, to: '/watch-lists' }}
      actions={
        <>
          <CodeButton
            request={{
              ...{ method: 'GET', path: `/v1/api/watch-lists/${id}/${tab}` },
              typescript: `lastro.watchLists.list${tab === 'moves' ? 'Moves' : 'Entries'}('${id}')`,
            }}
          />
          {can('invoke_predictions') && (
            <>
              <Button onClick={() => setAsked('deletion')}>{c.delete}</Button>
              <Button kind="primary" onClick={() => setAsked('entries')}>
                {w.change}
              </Button>
            </>
          )}
        </>
      }
    >
      <Panel className="mb-5 p-4">
        <Facts
          columns={4}
          of={[
            [
              w.model,
              <span key="model" className="inline-flex flex-wrap items-center gap-2">
                <Link to="/models/$model_id" params={{ model_id: modelId }} className="text-accent underline">
                  {name}
                </Link>
                <AliasTag alias={alias} />
              </span>,
            ],
            [w.rule, rule],
            [w.state, <ListState key="state" of={list} />],
            list.version_id !== null && [
              w.scoredBy,
              <VersionLink key="version" modelId={modelId} id={list.version_id} />,
            ],
            [w.entries, w.ofEntries(format.integer(entries.scored), format.integer(entries.total))],
            entries.unknown > 0 && [w.unknownCount, format.integer(entries.unknown)],
          ]}
        />
        {list.failure && (
          <div className="mt-4">
            <JobFailure title={w.failure} of={list.failure} />
          </div>
        )}
      </Panel>
      <Tabs
        label={w.tabs}
        tabs={[
          { value: 'entries', label: w.entries, count: entries.total },
          { value: 'moves', label: w.moves, count: list.moves },
        ]}
        value={tab}
        onValue={(value) => navigate({ search: value === 'entries' ? {} : { tab: value }, replace: true })}
      >
        {tab === 'entries' ? <Entries key={`${list.as_of} ${entries.waiting}`} list={list} /> : <Moves list={list} />}
      </Tabs>
      {asked === 'entries' && <ChangeEntries id={id} onClose={() => setAsked(null)} />}
      <Confirm
        title={w.deleteTitle}
        body={w.deleteBody}
        action={c.delete}
        isOpen={asked === 'deletion'}
        onClose={() => setAsked(null)}
        onConfirm={async () => {
          await remove.mutateAsync(undefined);
          say(c.deleted);
          await leave({ to: '/watch-lists' });
        }}
      />
    </Page>
  );
}

function useRule({ threshold }: WatchList): string {
  const w = useWords(watchListWords);
  const format = useFormat();
  if (threshold === null) return w.ruleBand;
  return 'share' in threshold
    ? w.ruleShare(format.percent(threshold.share))
    : w.ruleDifference(format.number(threshold.difference));
}
