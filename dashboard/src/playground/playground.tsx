import { getRouteApi, Link, useLocation, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useClient, useSession } from '../api/session.tsx';
import { useData } from '../api/use-data.ts';
import { buttonClass } from '../kit/button.tsx';
import { Field, Select } from '../kit/field.tsx';
import { Page } from '../kit/page.tsx';
import { Empty, Failed, Skeleton } from '../kit/states.tsx';
import { useModelList, useVersions } from '../models/use-models.ts';
import { usualModel } from '../models/usual-model.ts';
import { pageNames } from '../shell/pages.ts';
import { Question } from '../tasks/question.tsx';
import { useSayVersion } from '../training-runs/say-version.ts';
import { isUnderWay } from '../training-runs/use-runs.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { playgroundAt } from './address.ts';
import { Bench } from './bench.tsx';
import type { PlaygroundSearch } from './search.ts';
import { playgroundWords } from './words.ts';

const route = getRouteApi('/_app/playground');

/** Ask a model about one case: which model, which of its versions, and then the bench. */
export function Playground() {
  const w = useWords(playgroundWords);
  const format = useFormat();
  const kept = useLocation({ select: ({ state }) => state.inputs });
  const shared = route.useSearch();
  const search = kept ? { ...shared, inputs: kept } : shared;
  const navigate = useNavigate();
  const set = (change: Partial<PlaygroundSearch>) =>
    navigate({ ...playgroundAt({ ...search, ...change }), replace: true });
  const { workspace } = useSession();
  const models = useModelList();
  const model =
    models.data?.data.find(({ id, name }) => search.model === name || search.model === id) ??
    usualModel(models.data?.data ?? [], workspace?.id ?? '');
  const versions = useVersions(model?.id);
  const sayVersion = useSayVersion();
  if (models.error)
    return (
      <Framed>
        <Failed error={models.error} onRetry={() => models.refetch()} />
      </Framed>
    );
  if (!models.data)
    return (
      <Framed>
        <Skeleton rows={8} />
      </Framed>
    );
  if (!model)
    return (
      <Framed>
        <Empty
          title={w.noModel}
          action={
            <Link to="/data/send" className={buttonClass('primary')}>
              {w.toData}
            </Link>
          }
        >
          {w.noModelBody}
        </Empty>
      </Framed>
    );
  const able = versions.data?.filter(({ status }) => status === 'active') ?? [];
  const numberOf = (id: string) => format.integer(able.find((one) => one.id === id)?.number ?? 0);
  const targets = [
    ...model.aliases
      .filter(({ version_id: id }) => able.some((one) => one.id === id))
      .map(({ alias, version_id: id }) => ({ value: alias, id, label: w.aliasOf(alias, numberOf(id)) })),
    ...able.map((one) => ({ value: one.id, id: one.id, label: w.versionNumber(numberOf(one.id)) })),
  ];
  const target =
    targets.find(({ value }) => value === search.version) ??
    targets.find(({ value }) => value === 'production') ??
    targets[0];
  // Told apart where they are chosen; answers name them in brief.
  const options = targets.map(({ value, id, label }) => {
    const one = value === id && able.find((version) => version.id === id);
    return { value, label: one ? sayVersion(one, label) : label };
  });
  const other = targets.find(({ value }) => value === search.compare && value !== target?.value);
  return (
    <Framed>
      <div className="mb-4 grid gap-3 sm:grid-cols-3 lg:max-w-3xl">
        <Field label={w.model}>
          <Select
            value={model.name}
            options={models.data.data.map(({ name }) => ({ value: name, label: name }))}
            onValue={(name) => set({ model: name, version: undefined, compare: undefined, inputs: undefined })}
          />
        </Field>
        {target && (
          <>
            <Field label={w.answeredBy}>
              <Select value={target.value} options={options} onValue={(version) => set({ version })} />
            </Field>
            <Field label={w.compareWith}>
              <Select
                value={other?.value ?? ''}
                options={[{ value: '', label: w.nothing }, ...options.filter(({ value }) => value !== target.value)]}
                onValue={(compare) => set({ compare: compare || undefined })}
              />
            </Field>
          </>
        )}
      </div>
      <Question taskId={model.task_id} className="mb-4 text-ink2" />
      {versions.error ? (
        <Failed error={versions.error} onRetry={() => versions.refetch()} />
      ) : !versions.data ? (
        <Skeleton rows={8} />
      ) : !target ? (
        <Empty title={w.notYet(model.name)} action={<ToTraining />}>
          {w.notYetBody}
        </Empty>
      ) : (
        <Bench
          key={model.id}
          model={model}
          targets={other ? [target, other] : [target]}
          search={search}
          onSearch={set}
        />
      )}
    </Framed>
  );
}

function Framed({ children }: { readonly children: ReactNode }) {
  const w = useWords(playgroundWords);
  const { playground: title } = useWords(pageNames);
  return (
    <Page isWide title={title} description={w.description}>
      {children}
    </Page>
  );
}

/** To the run that is under way, or to all of them. */
function ToTraining() {
  const w = useWords(playgroundWords);
  const client = useClient();
  const runs = useData(['training-runs', 'newest'], (signal) => client.trainingRuns.list({ limit: 20 }, { signal }));
  const running = runs.data?.data.find(isUnderWay);
  return running ? (
    <Link to="/training-runs/$run_id" params={{ run_id: running.id }} className={buttonClass('primary')}>
      {w.toRuns}
    </Link>
  ) : (
    <Link to="/training-runs" className={buttonClass('primary')}>
      {w.toRuns}
    </Link>
  );
}
