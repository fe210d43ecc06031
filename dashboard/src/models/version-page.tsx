import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useSession } from '../api/session.tsx';
import { useMayEvaluate } from '../evaluations/use-evaluations.ts';
import { buttonClass } from '../kit/button.tsx';
import { CodeButton } from '../kit/code.tsx';
import { Page } from '../kit/page.tsx';
import { Failed, Skeleton } from '../kit/states.tsx';
import { AliasTag, Status } from '../kit/status.tsx';
import { Tabs } from '../kit/tabs.tsx';
import { importPart } from '../shell/new-build.ts';
import { Question } from '../tasks/question.tsx';
import { useWords } from '../words/words.ts';
import { Activation } from './activation.tsx';
import { DocumentButton } from './document-button.tsx';
import { OverviewTab } from './overview-tab.tsx';
import { type Model, useModel, useVersion, type Version } from './use-models.ts';
import type { VersionSearch } from './version-search.ts';
import { versionTabs } from './version-tabs.ts';
import { versionWords } from './version-words.ts';

/** Tabs that are loaded when they are first opened. */
const SchemaTab = lazy(async () => ({ default: (await importPart(() => import('./schema-tab.tsx'))).SchemaTab }));
const MetricsTab = lazy(async () => ({ default: (await importPart(() => import('./metrics-tab.tsx'))).MetricsTab }));
const ValidationTab = lazy(async () => ({
  default: (await importPart(() => import('./validation-tab.tsx'))).ValidationTab,
}));
const BacktestsTab = lazy(async () => ({
  default: (await importPart(() => import('./backtests-tab.tsx'))).BacktestsTab,
}));
const ShadowTab = lazy(async () => ({ default: (await importPart(() => import('./shadow-tab.tsx'))).ShadowTab }));
const FeaturesTab = lazy(async () => ({ default: (await importPart(() => import('./features-tab.tsx'))).FeaturesTab }));
const UsageTab = lazy(async () => ({ default: (await importPart(() => import('./usage-tab.tsx'))).UsageTab }));
const MonitoringTab = lazy(async () => ({
  default: (await importPart(() => import('./monitoring-tab.tsx'))).MonitoringTab,
}));

const route = getRouteApi('/_app/models/$model_id/versions/$version_id');

export function VersionPage() {
  const { model_id: modelId, version_id: versionId } = route.useParams();
  const model = useModel(modelId);
  const version = useVersion(modelId, versionId);
  if (model.data && version.data) return <Loaded model={model.data} version={version.data} />;
  const error = model.error ?? version.error;
  return (
    <Page title="…" back={{ label: model.data?.name ?? '…', to: '/models/$model_id', params: { model_id: modelId } }}>
      {error ? (
        <Failed
          error={error}
          onRetry={() => {
            void model.refetch();
            void version.refetch();
          }}
        />
      ) : (
        <Skeleton />
      )}
    </Page>
  );
}

function Loaded({ model, version }: { readonly model: Model; readonly version: Version }) {
  const w = useWords(versionWords);
  const { can } = useSession();
  const mayEvaluate = useMayEvaluate();
  const { tab = 'overview', backtest, validation } = route.useSearch();
  const navigate = useNavigate({ from: '/models/$model_id/versions/$version_id' });
  const set = (change: Partial<VersionSearch>, isNew = false) =>
    navigate({ search: (before) => ({ ...before, ...change }), replace: !isNew });
  const title = w.title(model.name, version.number);
  const search = { model: model.id, version: version.id };
  // By its alias, as callers do, where it has one.
  const [alias] = version.aliases.toSorted((a, b) => Number(b === 'production') - Number(a === 'production'));
  const asked = { model: model.id, version: alias ?? version.id };
  return (
    <Page
      isWide
      title={<bdi>{title}</bdi>}
      tab={title}
      back={{ label: model.name, to: '/models/$model_id', params: { model_id: model.id } }}
      description={
        <>
          <span className="inline-flex flex-wrap items-center gap-3 pt-1">
            <Status of={version.status} />
            {version.aliases.map((alias) => (
              <AliasTag key={alias} alias={alias} />
            ))}
          </span>
          <Question taskId={model.task_id} className="mt-1" />
        </>
      }
      actions={
        <>
          <CodeButton request={requestOf(tab, model.id, version.id)} />
          <DocumentButton model={model} version={version} />
          {mayEvaluate && (
            <Link to="/evaluations/new" search={search} className={buttonClass()}>
              {w.evaluate}
            </Link>
          )}
          <Link
            to="/models/$model_id/compare"
            params={{ model_id: model.id }}
            search={{ candidate: version.id }}
            className={buttonClass()}
          >
            {w.compare}
          </Link>
          {can('manage_aliases') && <Activation modelId={model.id} version={version} />}
          {can('invoke_predictions') && version.status === 'active' && (
            <Link to="/playground" search={asked} className={buttonClass('primary')}>
              {w.tryIt}
            </Link>
          )}
        </>
      }
    >
      <Tabs
        label={w.tabsLabel}
        tabs={versionTabs.map((value) => ({ value, label: w.tabs[value] }))}
        value={tab}
        onValue={(value) => set({ tab: value === 'overview' ? undefined : value }, true)}
      >
        <Suspense fallback={<Skeleton />}>
          {tab === 'overview' && <OverviewTab model={model} version={version} />}
          {tab === 'schema' && <SchemaTab model={model} version={version} />}
          {tab === 'metrics' && <MetricsTab model={model} version={version} onSearch={set} />}
          {tab === 'validation' && <ValidationTab model={model} version={version} chosen={validation} onSearch={set} />}
          {tab === 'backtests' && <BacktestsTab model={model} version={version} chosen={backtest} onSearch={set} />}
          {tab === 'shadow' && <ShadowTab model={model} version={version} />}
          {tab === 'features' && <FeaturesTab model={model} version={version} onSearch={set} />}
          {tab === 'usage' && <UsageTab model={model} version={version} />}
          {tab === 'monitoring' && <MonitoringTab model={model} version={version} />}
        </Suspense>
      </Tabs>
    </Page>
  );
}

/** What asks the API for what a tab shows. */
function requestOf(tab: (typeof versionTabs)[number], model: string, version: string) {
  const path = `/v1/api/models/${model}/versions/${version}`;
  const given = `'${model}', '${version}'`;
  if (tab === 'metrics')
    return {
      method: 'GET',
      path: `${path}/metrics`,
      typescript: `lastro.models.versions.getMetrics(${given})`,
    } as const;
  if (tab === 'validation')
    return {
      method: 'GET',
      path: `${path}/validations`,
      typescript: `lastro.models.validations.list(${given})`,
    } as const;
  if (tab === 'backtests')
    return {
      method: 'GET',
      path: `${path}/backtests`,
      typescript: `lastro.models.versions.listBacktests(${given})`,
    } as const;
  if (tab === 'shadow')
    return {
      method: 'GET',
      path: `/v1/api/models/${model}/shadows/${version}`,
      typescript: `lastro.shadows.get(${given})`,
    } as const;
  if (tab === 'features')
    return {
      method: 'GET',
      path: `${path}/features`,
      typescript: `lastro.models.versions.listFeatures(${given})`,
    } as const;
  if (tab === 'monitoring')
    return {
      method: 'GET',
      path: `/v1/api/models/${model}/monitoring?version=${version}`,
      typescript: `lastro.models.getMonitoring('${model}', { version: '${version}' })`,
    } as const;
  if (tab === 'usage')
    return {
      method: 'GET',
      path: `/v1/api/predictions/statistics?bucket=day&version_id=${version}`,
      typescript: `lastro.predictions.getStatistics({ bucket: 'day', version_id: '${version}' })`,
    } as const;
  return { method: 'GET', path, typescript: `lastro.models.versions.get(${given})` } as const;
}
