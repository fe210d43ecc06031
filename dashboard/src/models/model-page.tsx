import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useClient } from '../api/session.tsx';
import { useChange } from '../api/use-data.ts';
import { Allowed } from '../kit/allowed.tsx';
import { Button, buttonClass } from '../kit/button.tsx';
import { CodeButton } from '../kit/code.tsx';
import { Id } from '../kit/copy.tsx';
import { Confirm } from '../kit/dialog.tsx';
import { Ledger } from '../kit/ledger.tsx';
import { Moment } from '../kit/moment.tsx';
import { Facts, Page, Panel, Section } from '../kit/page.tsx';
import { Failed, Skeleton } from '../kit/states.tsx';
import { AliasTag } from '../kit/status.tsx';
import { say } from '../kit/toast.tsx';
import { pageNames } from '../shell/pages.ts';
import { Question } from '../tasks/question.tsx';
import { common } from '../words/common.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { AliasLine } from './alias-line.tsx';
import { comparison } from './comparison.ts';
import { kindWords, nameOfKind } from './metric-names.ts';
import {
  type Model,
  useActivity,
  useModel,
  useTraffic,
  useVersion,
  useVersions,
  type VersionEventType,
  type VersionSummary,
} from './use-models.ts';
import { ModelVerdict } from './verdict.tsx';
import { verdictWords } from './verdict-words.ts';
import { VersionList } from './version-list.tsx';
import { modelWords } from './words.ts';

const route = getRouteApi('/_app/models/$model_id/');

export function ModelPage() {
  const { model_id: id } = route.useParams();
  const { models } = useWords(pageNames);
  const { data, error, refetch } = useModel(id);
  if (data) return <Loaded model={data} />;
  return (
    <Page title="…" back={{ label: models, to: '/models' }}>
      {error ? <Failed error={error} onRetry={refetch} /> : <Skeleton />}
    </Page>
  );
}

function Loaded({ model }: { readonly model: Model }) {
  const w = useWords(modelWords);
  const c = useWords(common);
  const { models } = useWords(pageNames);
  const { names } = useWords(kindWords);
  const format = useFormat();
  const client = useClient();
  const navigate = useNavigate();
  const traffic = useTraffic();
  const versions = useVersions(model.id);
  const activity = useActivity(model.id);
  const [isDeleting, setDeleting] = useState(false);
  const remove = useChange<void, unknown>(() => client.models.delete(model.id), {
    changes: [['models']],
    isQuiet: true,
  });
  const rows = versions.data ?? [];
  return (
    <Page
      isWide
      title={<bdi>{model.name}</bdi>}
      tab={model.name}
      back={{ label: models, to: '/models' }}
      description={<Question taskId={model.task_id} />}
      actions={
        <>
          <CodeButton
            request={{
              method: 'GET',
              path: `/v1/api/models/${model.id}/versions`,
              typescript: `lastro.models.versions.list('${model.id}')`,
            }}
          />
          {rows.length > 1 && (
            <Link
              to="/models/$model_id/compare"
              params={{ model_id: model.id }}
              search={comparison(model, rows)}
              className={buttonClass()}
            >
              {w.compare}
            </Link>
          )}
          <Allowed permission="manage_aliases" label={w.trainAgain}>
            <Button kind="danger" onClick={() => setDeleting(true)}>
              {c.delete}
            </Button>
            <Link to="/training-runs" search={{ start: model.task_id }} className={buttonClass('primary')}>
              {w.trainAgain}
            </Link>
          </Allowed>
        </>
      }
    >
      <Facts
        columns={4}
        of={[
          [w.kind, nameOfKind(names, model.kind)],
          [
            w.task,
            <Link
              key="task"
              to="/tasks/$task_id"
              params={{ task_id: model.task_id }}
              className="text-accent underline underline-offset-2"
            >
              {model.name}
            </Link>,
          ],
          traffic !== undefined && [w.traffic, format.integer(traffic.get(model.id) ?? 0)],
          ['id', <Id key="id" id={model.id} />],
        ]}
      />
      <InUse model={model} versions={rows} />
      <Section title={w.aliases}>
        {model.aliases.length === 0 ? (
          <p className="text-ink2">{w.noAliases}</p>
        ) : (
          <Panel className="px-3">
            <ul className="divide-y divide-line">
              {model.aliases.map(({ alias, version_id }) => (
                <AliasLine
                  key={alias}
                  modelId={model.id}
                  alias={alias}
                  versionId={version_id}
                  versions={rows}
                  events={activity.data ?? []}
                />
              ))}
            </ul>
          </Panel>
        )}
      </Section>
      <Section title={w.versions}>
        {versions.error ? (
          <Failed error={versions.error} onRetry={() => versions.refetch()} />
        ) : versions.data ? (
          <VersionList model={model} rows={rows} />
        ) : (
          <Skeleton />
        )}
      </Section>
      <Section title={w.activity}>
        <Activity modelId={model.id} versions={rows} />
      </Section>
      <Confirm
        title={w.deleteTitle(model.name)}
        body={w.deleteBody}
        action={w.deleteModel}
        typed={model.name}
        isOpen={isDeleting}
        onClose={() => setDeleting(false)}
        onConfirm={async () => {
          await remove.mutateAsync();
          say(c.deleted);
          await navigate({ to: '/models' });
        }}
      />
    </Page>
  );
}

/** How good the version is that callers are answered by; without one, the newest. */
function InUse({ model, versions }: { readonly model: Model; readonly versions: readonly VersionSummary[] }) {
  const w = useWords(verdictWords);
  const used = model.aliases.find(({ alias }) => alias === 'production') ?? model.aliases[0];
  const shown = versions.find(({ id }) => id === used?.version_id) ?? versions[0];
  const { data } = useVersion(model.id, shown?.id);
  if (!shown || !data) return null;
  const label = used ? w.inUse(used.alias, shown.number) : w.version(shown.number);
  return <ModelVerdict model={model} version={data} label={label} />;
}

function Activity({ modelId, versions }: { readonly modelId: string; readonly versions: readonly VersionSummary[] }) {
  const w = useWords(modelWords);
  const { data, error, refetch } = useActivity(modelId);
  if (error) return <Failed error={error} onRetry={refetch} />;
  if (!data) return <Skeleton rows={3} />;
  if (data.length === 0) return <p className="text-ink2">{w.noActivity}</p>;
  const numberOf = (id: string) => versions.find((version) => version.id === id)?.number;
  return (
    <Ledger
      label={w.activity}
      rows={data.slice(0, 100)}
      keyOf={({ id }) => id}
      columns={[
        { key: 'when', head: w.when, cell: ({ created_at: at }) => <Moment at={at} /> },
        {
          key: 'version',
          head: w.version,
          cell: ({ resource_id: id }) => (numberOf(id) === undefined ? <Id id={id} /> : `v${numberOf(id)}`),
        },
        {
          key: 'what',
          head: w.what,
          cell: ({ type, data: told }) => (
            <span className="inline-flex flex-wrap items-center gap-2">
              {w.event[type as VersionEventType]}
              {typeof told.alias === 'string' && <AliasTag alias={told.alias} />}
            </span>
          ),
        },
      ]}
    />
  );
}
