import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useClient, useSession } from '../api/session.tsx';
import { useData, useList } from '../api/use-data.ts';
import { useMemberNames } from '../api/use-members.ts';
import { Button } from '../kit/button.tsx';
import { CodeBlock, CodeButton } from '../kit/code.tsx';
import { Split } from '../kit/drawer.tsx';
import { ExportButton, ListTable } from '../kit/list.tsx';
import { Moment } from '../kit/moment.tsx';
import { Page } from '../kit/page.tsx';
import { Secret } from '../kit/secret.tsx';
import { Empty, Skeleton, useBlock } from '../kit/states.tsx';
import { Dot, type Tone } from '../kit/status.tsx';
import type { Column } from '../kit/table.tsx';
import { exampleOf } from '../models/example.ts';
import { pageNames } from '../shell/pages.ts';
import { common } from '../words/common.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { type ApiKey, firstCurl, type NewApiKey, predictionCurl, stateOf } from './key.ts';
import { KeyDrawer } from './key-drawer.tsx';
import { NewKey } from './new-key.tsx';
import { keyWords } from './words.ts';

const route = getRouteApi('/_app/api-keys');
const pageSize = 200;

export function ApiKeys() {
  const w = useWords(keyWords);
  const { keys: title } = useWords(pageNames);
  const client = useClient();
  const { open } = route.useSearch();
  const navigate = useNavigate({ from: '/api-keys' });
  const [isCreating, setCreating] = useState(false);
  const [told, setTold] = useState<{ readonly key: NewApiKey; readonly isRotated: boolean } | null>(null);
  const list = useList(['api-keys'], (cursor, signal) =>
    client.apiKeys.list({ limit: pageSize, ...(cursor ? { cursor } : {}) }, { signal }),
  );
  const nameOf = useMemberNames();
  const columns = useColumns(nameOf);
  const block = useBlock('manage_api_keys');
  const opened = list.rows.find(({ id }) => id === open);
  const choose = (id: string | undefined) => navigate({ search: (before) => ({ ...before, open: id }), replace: true });
  const create = (
    <Button kind="primary" blocked={block} onClick={() => setCreating(true)}>
      {w.create}
    </Button>
  );
  return (
    <Split
      drawer={
        opened && (
          <KeyDrawer
            key={`${opened.id} ${opened.name}`}
            apiKey={opened}
            maker={nameOf(opened.user_id)}
            onClose={() => choose(undefined)}
            onRotated={(key) => setTold({ key, isRotated: true })}
          />
        )
      }
    >
      <Page
        isWide
        title={title}
        description={w.description}
        actions={
          <>
            <CodeButton request={{ method: 'GET', path: '/v1/api/api-keys', typescript: 'lastro.apiKeys.list()' }} />
            <ExportButton name="api-keys.csv" list={list} columns={columns} />
            {create}
          </>
        }
      >
        {told && (
          <Secret
            key={told.key.secret}
            title={(told.isRotated ? w.rotated : w.created)(told.key.name)}
            secret={told.key.secret}
            onDone={() => setTold(null)}
          >
            <div>
              <p className="mb-1 text-body text-ink2">{w.tryIt}</p>
              <FirstRequest apiKey={told.key} />
            </div>
          </Secret>
        )}
        <ListTable
          list={list}
          label={title}
          columns={columns}
          keyOf={({ id }) => id}
          chosen={open}
          onOpen={({ id }) => choose(id)}
          empty={
            <Empty title={w.first} action={create}>
              <p className="mb-3">{w.firstBody}</p>
              <div className="text-left">
                <CodeBlock label={w.firstCurl} code={firstCurl('lst_…', null)} />
              </div>
            </Empty>
          }
        />
        <NewKey
          isOpen={isCreating}
          onClose={() => setCreating(false)}
          onCreated={(key) => setTold({ key, isRotated: false })}
        />
      </Page>
    </Split>
  );
}

/** A first request by a new key: of a model that production names, where there is one and the key may ask it. */
function FirstRequest({ apiKey: { secret, scopes } }: { readonly apiKey: NewApiKey }) {
  const w = useWords(keyWords);
  const { client, can, workspace } = useSession();
  const mayAsk = can('view_models') && can('invoke_predictions');
  const { data, isLoading } = useData(
    ['models', 'first-request'],
    async (signal) => {
      const models = await client.models.list({ limit: 200 }, { signal });
      // The oldest: what a workspace began with is what it mostly asks.
      const model = models.data.findLast(({ aliases }) => aliases.some(({ alias }) => alias === 'production'));
      if (!model) return null;
      const version = await client.models.versions.get(model.id, 'production', { signal });
      return { model: model.name, inputs: (await exampleOf(client, version, workspace?.time_zone ?? 'UTC')).inputs };
    },
    { isOn: mayAsk && (scopes === null || scopes.includes('invoke_predictions')) },
  );
  if (isLoading) return <Skeleton rows={2} />;
  return (
    <CodeBlock
      label={w.firstCurl}
      code={data ? predictionCurl(secret, data.model, data.inputs) : firstCurl(secret, scopes)}
    />
  );
}

const tones: Readonly<Record<ReturnType<typeof stateOf>, Tone>> = { good: 'good', ended: 'quiet', changing: 'warn' };

function useColumns(nameOf: (userId: string) => string): readonly Column<ApiKey>[] {
  const w = useWords(keyWords);
  const c = useWords(common);
  const format = useFormat();
  return useMemo(() => {
    const mayOf = ({ scopes }: ApiKey) => (scopes === null ? w.all : w.some(format.integer(scopes.length)));
    return [
      {
        key: 'name',
        head: w.name,
        width: 'minmax(96px, 1.4fr)',
        cell: ({ name }) => <bdi className="font-medium">{name}</bdi>,
        text: ({ name }) => name,
      },
      {
        key: 'hint',
        head: w.key,
        width: 'minmax(120px, 1fr)',
        isMinor: true,
        cell: ({ hint }) => <code className="font-mono text-meta">{hint}</code>,
        text: ({ hint }) => hint,
      },
      {
        key: 'scopes',
        head: w.scopes,
        width: 'minmax(96px, 1fr)',
        isMinor: true,
        cell: mayOf,
        text: ({ scopes }) => scopes?.join(' ') ?? '*',
      },
      {
        key: 'made_by',
        head: w.madeBy,
        width: 'minmax(80px, 1fr)',
        isMinor: true,
        cell: ({ user_id: id }) => nameOf(id),
        text: ({ user_id: id }) => nameOf(id),
      },
      {
        key: 'last_used_at',
        head: w.lastUsed,
        width: '128px',
        cell: ({ last_used_at: at }) => <Moment at={at} />,
        text: ({ last_used_at: at }) => at,
      },
      {
        key: 'expires_at',
        head: w.expires,
        width: '92px',
        isMinor: true,
        cell: ({ expires_at: at }) => (at === null ? <span className="text-ink3">{c.never}</span> : <Moment at={at} />),
        text: ({ expires_at: at }) => at,
      },
      {
        key: 'status',
        head: w.status,
        width: '108px',
        cell: (key) => {
          const state = stateOf(key, Date.now());
          return <Dot tone={tones[state]}>{w[state]}</Dot>;
        },
        text: (key) => stateOf(key, Date.now()),
      },
    ];
  }, [nameOf, format, w, c]);
}
