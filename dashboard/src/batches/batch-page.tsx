import { getRouteApi, Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useClient, useSession } from '../api/session.tsx';
import { useChange, useData } from '../api/use-data.ts';
import { CodeButton } from '../kit/code.tsx';
import { Id } from '../kit/copy.tsx';
import { Interrupt } from '../kit/interrupt.tsx';
import { Moment } from '../kit/moment.tsx';
import { Facts, Page, Section } from '../kit/page.tsx';
import { Failed, Skeleton } from '../kit/states.tsx';
import { AliasTag } from '../kit/status.tsx';
import { useVersion } from '../models/use-models.ts';
import { VersionDoubts } from '../models/version-doubts.tsx';
import { importPart } from '../shell/new-build.ts';
import { pageNames } from '../shell/pages.ts';
import { common } from '../words/common.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { type Batch, fileName, isOpen, statusOf } from './batch.ts';
import { BatchProgress } from './batch-progress.tsx';
import { BatchResult } from './batch-result.tsx';
import { BatchStatus } from './batches.tsx';
import { Corrections } from './corrections.tsx';
import { mistypedRows } from './failed-rows.ts';
import { sayMapping } from './mapping.ts';
import { nameOfLanguage } from './result-language.tsx';
import { batchWords } from './words.ts';

/** Loaded where there is something to say. */
const BatchWarnings = lazy(async () => ({
  default: (await importPart(() => import('./batch-warnings.tsx'))).BatchWarnings,
}));
/** Loaded where a row was left out, or has a mistyped document. */
const RowFaults = lazy(async () => ({ default: (await importPart(() => import('./row-faults.tsx'))).RowFaults }));

const route = getRouteApi('/_app/batches/$batch_id');
const openEveryMs = 1_000;

export function BatchPage() {
  const { batch_id: id } = route.useParams();
  const w = useWords(batchWords);
  const { batches: list } = useWords(pageNames);
  const client = useClient();
  const { data, error, refetch, dataUpdatedAt } = useData(
    ['batches', 'one', id],
    (signal) => client.batches.get(id, {}, { signal }),
    { everyMs: (batch) => (batch && isOpen(batch) ? openEveryMs : false) },
  );
  const back = { label: list, to: '/batches' as const };
  if (error)
    return (
      <Page title={list} back={back}>
        <Failed error={error} onRetry={refetch} />
      </Page>
    );
  if (!data)
    return (
      <Page title={list} back={back}>
        <Skeleton />
      </Page>
    );
  const name = fileName(data.files[0]?.path ?? id);
  const title = w.title(data.files.length > 1 ? `${name} ${w.moreFiles(data.files.length - 1)}` : name);
  return (
    <Page
      title={title}
      back={back}
      description={<BatchStatus of={data} />}
      progress={isOpen(data) ? data.progress.fraction : null}
      actions={<Actions batch={data} />}
    >
      <BatchProgress batch={data} toldAt={dataUpdatedAt} />
      <Corrections batch={data} />
      {data.model && <ModelDoubts of={data.model} />}
      {data.warnings.length > 0 && (
        <Suspense>
          <BatchWarnings batch={data} />
        </Suspense>
      )}
      {!isOpen(data) && <BatchResult batch={data} />}
      {(data.progress.rows.failed > 0 || data.files.some(({ failure }) => failure) || mistypedRows(data) > 0) && (
        <Suspense fallback={<Skeleton />}>
          <RowFaults batch={data} />
        </Suspense>
      )}
      <About batch={data} />
    </Page>
  );
}

function ModelDoubts({ of: { model_id, version_id } }: { readonly of: NonNullable<Batch['model']> }) {
  const { can } = useSession();
  const version = useVersion(can('view_models') ? model_id : undefined, version_id);
  return version.data ? <VersionDoubts version={version.data} /> : null;
}

function Actions({ batch }: { readonly batch: Batch }) {
  const w = useWords(batchWords);
  const client = useClient();
  const { can } = useSession();
  const interrupt = useChange(() => client.batches.interrupt(batch.id), { changes: [['batches']], isQuiet: true });
  return (
    <>
      <CodeButton
        request={{
          method: 'GET',
          path: `/v2/api/batches/${batch.id}?wait=30`,
          typescript: `lastro.batches.wait('${batch.id}')`,
        }}
      />
      {isOpen(batch) && can('cancel_batches') && (
        <Interrupt
          words={w}
          isStopping={statusOf(batch) === 'stopping'}
          onInterrupt={() => interrupt.mutateAsync(undefined)}
        />
      )}
    </>
  );
}

function About({ batch }: { readonly batch: Batch }) {
  const w = useWords(batchWords);
  const c = useWords(common);
  const format = useFormat();
  const client = useClient();
  const { model } = batch;
  const named = useData(
    ['models', 'one', model?.model_id],
    (signal) => client.models.get(model!.model_id, { signal }),
    { isOn: model !== null },
  );
  const mapping = sayMapping(batch.column_mapping);
  return (
    <Section title={w.about}>
      <Facts
        columns={3}
        of={[
          [
            w.model,
            model ? (
              <span key="model" className="inline-flex items-center gap-2">
                <Link
                  to="/models/$model_id"
                  params={{ model_id: model.model_id }}
                  className="text-accent underline underline-offset-2"
                >
                  <bdi>{named.data?.name ?? model.model_id}</bdi>
                </Link>
                {model.alias && <AliasTag alias={model.alias} />}
              </span>
            ) : (
              w.perRow
            ),
          ],
          model && [w.version, <Id key="version" id={model.version_id} />],
          [w.asOf, <Moment key="as-of" at={batch.as_of} isExact />],
          batch.reference_column !== null && [w.referenceColumn, batch.reference_column],
          mapping !== '' && [w.columnMapping, mapping],
          [w.format, batch.csv_dialect === 'standard' ? (batch.output_format ?? w.sameFormat) : c.csvForExcel],
          [w.language, nameOfLanguage(batch.language)],
          [w.priority, format.number(batch.priority)],
          [w.snapshot, <Id key="snapshot" id={batch.snapshot_id} />],
          [c.created, <Moment key="created" at={batch.created_at} isExact />],
          ['id', <Id key="id" id={batch.id} />],
        ]}
      />
    </Section>
  );
}
