import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { ArrowLeftRight } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { useSession } from '../api/session.tsx';
import { useMayEvaluate } from '../evaluations/use-evaluations.ts';
import { buttonClass, IconButton } from '../kit/button.tsx';
import { CodeButton } from '../kit/code.tsx';
import { Field, Select } from '../kit/field.tsx';
import { Page, Section } from '../kit/page.tsx';
import { Empty, Failed, Skeleton } from '../kit/states.tsx';
import { importPart } from '../shell/new-build.ts';
import { useSayVersion } from '../training-runs/say-version.ts';
import { useWords } from '../words/words.ts';
import { CompareFeatures } from './compare-features.tsx';
import { answerSame, CompareMetrics } from './compare-metrics.tsx';
import type { CompareSearch } from './compare-search.ts';
import { compareWords } from './compare-words.ts';
import { comparison } from './comparison.ts';
import { InputDifference } from './schema-tab.tsx';
import { type Model, useModel, useVersion, useVersions, type VersionSummary } from './use-models.ts';
import { WarningTags } from './warning-tags.tsx';
import { modelWords } from './words.ts';

/** Loaded while the figures above them are looked at. */
const CompareCurves = lazy(async () => ({
  default: (await importPart(() => import('./compare-curves.tsx'))).CompareCurves,
}));

const MoveAlias = lazy(async () => ({ default: (await importPart(() => import('./move-alias.tsx'))).MoveAlias }));

const route = getRouteApi('/_app/models/$model_id/compare');

export function ComparePage() {
  const w = useWords(compareWords);
  const m = useWords(modelWords);
  const { model_id: modelId } = route.useParams();
  const model = useModel(modelId);
  const versions = useVersions(modelId);
  const error = model.error ?? versions.error;
  if (model.data && versions.data && versions.data.length > 1)
    return <Loaded model={model.data} versions={versions.data} />;
  return (
    <Page
      title={w.title}
      back={{ label: model.data?.name ?? '…', to: '/models/$model_id', params: { model_id: modelId } }}
    >
      {error ? (
        <Failed error={error} onRetry={() => Promise.all([model.refetch(), versions.refetch()])} />
      ) : model.data && versions.data ? (
        <Empty
          title={w.choose}
          action={
            <Link to="/training-runs" search={{ start: model.data.task_id }} className={buttonClass('primary')}>
              {m.trainAgain}
            </Link>
          }
        >
          {w.chooseBody}
        </Empty>
      ) : (
        <Skeleton />
      )}
    </Page>
  );
}

function Loaded({ model, versions }: { readonly model: Model; readonly versions: readonly VersionSummary[] }) {
  const w = useWords(compareWords);
  const { can } = useSession();
  const mayEvaluate = useMayEvaluate();
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/models/$model_id/compare' });
  const set = (change: Partial<CompareSearch>) =>
    navigate({ search: (before) => ({ ...before, ...change }), replace: true });
  const { baseId, candidateId } = chosenOf(model, versions, search);
  const base = useVersion(model.id, baseId);
  const candidate = useVersion(model.id, candidateId);
  const error = base.error ?? candidate.error;
  const sayVersion = useSayVersion();
  const options = versions.map((one) => ({ value: one.id, label: sayVersion(one) }));
  return (
    <Page
      isWide
      title={w.title}
      back={{ label: model.name, to: '/models/$model_id', params: { model_id: model.id } }}
      description={w.description}
      actions={
        <CodeButton
          request={{
            method: 'GET',
            path: `/v1/api/models/${model.id}/versions/${candidateId}/metrics`,
            typescript: `Promise.all(['${baseId}', '${candidateId}'].map((id) => lastro.models.versions.getMetrics('${model.id}', id)))`,
          }}
        />
      }
    >
      <div className="mb-2 flex flex-wrap items-end gap-2">
        <div className="w-96 max-w-full">
          <Field label={w.base}>
            <Select options={options} value={baseId} onValue={(id) => set({ base: id, candidate: candidateId })} />
          </Field>
        </div>
        <IconButton
          label={w.swap}
          icon={<ArrowLeftRight size={15} />}
          onClick={() => set({ base: candidateId, candidate: baseId })}
        />
        <div className="w-96 max-w-full">
          <Field label={w.candidate}>
            <Select options={options} value={candidateId} onValue={(id) => set({ candidate: id, base: baseId })} />
          </Field>
        </div>
      </div>
      {baseId === candidateId ? (
        <Empty title={w.same} />
      ) : error ? (
        <Failed error={error} onRetry={() => Promise.all([base.refetch(), candidate.refetch()])} />
      ) : base.data && candidate.data ? (
        <>
          <WarningTags version={base.data} />
          <WarningTags version={candidate.data} />
          <CompareMetrics base={base.data} candidate={candidate.data} />
          {!answerSame(base.data, candidate.data) && (
            <p className="mt-2 flex flex-wrap items-center gap-3 text-ink2">
              {w.evaluateHint}
              {mayEvaluate && (
                <Link
                  to="/evaluations/new"
                  search={{ model: model.id, version: candidateId, against: baseId }}
                  className="text-accent underline underline-offset-2"
                >
                  {w.evaluate}
                </Link>
              )}
            </p>
          )}
          {can('manage_aliases') && (
            <Suspense fallback={<Skeleton rows={3} />}>
              <MoveAlias key={candidateId} model={model} version={candidate.data} versions={versions} />
            </Suspense>
          )}
          <Suspense fallback={<Skeleton />}>
            <CompareCurves
              modelId={model.id}
              base={base.data}
              candidate={candidate.data}
              output={search.output}
              onOutput={(output) => set({ output })}
            />
          </Suspense>
          <Section title={w.inputs}>
            <InputDifference before={base.data} after={candidate.data} />
          </Section>
          <CompareFeatures modelId={model.id} base={base.data} candidate={candidate.data} />
        </>
      ) : (
        <Skeleton rows={10} />
      )}
    </Page>
  );
}

/** The two versions that the address names, completed where it names one or none. */
function chosenOf(model: Model, versions: readonly VersionSummary[], { base, candidate }: CompareSearch) {
  const isKnown = (id: string | undefined): id is string => versions.some((one) => one.id === id);
  const usual = comparison(model, versions);
  const candidateId = isKnown(candidate) ? candidate : usual.candidate;
  if (isKnown(base)) return { baseId: base, candidateId };
  if (usual.base !== candidateId) return { baseId: usual.base, candidateId };
  return { baseId: versions.find(({ id }) => id !== candidateId)!.id, candidateId };
}
