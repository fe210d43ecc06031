import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useClient } from '../api/session.tsx';
import { CodeButton } from '../kit/code.tsx';
import { Copy } from '../kit/copy.tsx';
import { DocumentText } from '../kit/document.tsx';
import { documentKind } from '../kit/documents.ts';
import { Page } from '../kit/page.tsx';
import { Skeleton } from '../kit/states.tsx';
import { Tabs } from '../kit/tabs.tsx';
import { importPart } from '../shell/new-build.ts';
import { pageNames } from '../shell/pages.ts';
import { useWords } from '../words/words.ts';
import { type EntityProps, type EntitySearch, type EntityTab, entityTabs } from './entity-search.ts';
import { EntityFacts } from './facts.tsx';
import { useKeepRecent } from './recent.ts';
import { shownKey } from './shown-key.ts';
import { entityWords } from './words.ts';

const route = getRouteApi('/_app/entities/$table/$key');

/** Tabs that are loaded when they are first opened. */
const EntityNetwork = lazy(async () => ({ default: (await importPart(() => import('./network.tsx'))).EntityNetwork }));
const EntityScores = lazy(async () => ({ default: (await importPart(() => import('./scores.tsx'))).EntityScores }));
const SimilarEntities = lazy(async () => ({
  default: (await importPart(() => import('./similar.tsx'))).SimilarEntities,
}));

const tabs: Readonly<Record<EntityTab, (props: EntityProps) => React.ReactNode>> = {
  facts: EntityFacts,
  scores: EntityScores,
  network: EntityNetwork,
  similar: SimilarEntities,
};

/** One entity: its facts, what was answered about it, whom it is tied to, who is like it. */
export function Entity({ table, entityKey }: { readonly table: string; readonly entityKey: string }) {
  const w = useWords(entityWords);
  const { entities } = useWords(pageNames);
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/entities/$table/$key' });
  const client = useClient();
  const isCpf = documentKind(entityKey) === 'cpf';
  useKeepRecent({ table, key: entityKey });
  const set: EntityProps['set'] = (change, isStep = false) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: !isStep });
  const { tab = 'facts' } = search;
  const Tab = tabs[tab];
  return (
    <Page
      isWide={tab === 'network'}
      title={<bdi className="break-all font-mono text-section">{shownKey(entityKey)}</bdi>}
      tab={shownKey(entityKey).slice(0, 60)}
      back={{ label: entities, to: '/entities' }}
      description={
        isCpf ? (
          <span className="flex flex-wrap items-center gap-x-2">
            {table} <DocumentText of={entityKey} onReveal={() => client.entities.reveal(table, entityKey)} />
          </span>
        ) : (
          <Copy text={`${table}/${entityKey}`} />
        )
      }
      actions={<CodeButton request={requestOf(table, isCpf ? 'CPF' : entityKey, search)} />}
    >
      <Tabs
        label={shownKey(entityKey)}
        tabs={entityTabs.map((value) => ({ value, label: w[value] }))}
        value={tab}
        onValue={(value) => set({ tab: value === 'facts' ? undefined : value }, true)}
      >
        <Suspense fallback={<Skeleton />}>
          <Tab table={table} entityKey={entityKey} search={search} set={set} />
        </Suspense>
      </Tabs>
    </Page>
  );
}

/** The request behind the tab that is open. */
function requestOf(table: string, key: string, { tab, hops, as_of: asOf, source }: EntitySearch) {
  const path = `/v1/api/entities/${encodeURIComponent(table)}/${encodeURIComponent(key)}`;
  const dated: Record<string, string> = asOf ? { reference_date: asOf } : {};
  const queryOf = (query: Record<string, string>) =>
    Object.keys(query).length > 0 ? `?${new URLSearchParams(query)}` : '';
  const named = `'${table}', '${key.replaceAll("'", "\\'")}'`;
  if (tab === 'scores')
    return {
      method: 'GET' as const,
      path: `/v1/api/predictions${queryOf({ entity: table, key })}`,
      typescript: `lastro.predictions.list(${JSON.stringify({ entity: table, key })})`,
    };
  if (tab === 'network')
    return {
      method: 'GET' as const,
      path: `${path}/network${queryOf({ hops: String(hops ?? 1), ...dated })}`,
      typescript: `lastro.entities.getNetwork(${named}, ${JSON.stringify({ hops: hops ?? 1, ...dated })})`,
    };
  if (tab === 'similar') {
    const body = source === 'gfm' ? { source, kind: 'company', key } : { entity: table, key, ...dated };
    return {
      method: 'POST' as const,
      path: '/v1/api/embeddings/neighbors',
      body,
      typescript: `lastro.embeddings.findNeighbors(${JSON.stringify(body)})`,
    };
  }
  return {
    method: 'GET' as const,
    path: `${path}${queryOf(dated)}`,
    typescript: `lastro.entities.get(${named}${asOf ? `, ${JSON.stringify(dated)}` : ''})`,
  };
}
