import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useMemo } from 'react';
import { useClient, useSession } from '../api/session.tsx';
import { useList } from '../api/use-data.ts';
import { Allowed } from '../kit/allowed.tsx';
import { buttonClass } from '../kit/button.tsx';
import { CodeBlock, CodeButton } from '../kit/code.tsx';
import { Select } from '../kit/field.tsx';
import { ExportButton, ListTable } from '../kit/list.tsx';
import { Moment } from '../kit/moment.tsx';
import { Page } from '../kit/page.tsx';
import { Empty, NothingFound } from '../kit/states.tsx';
import { AliasTag, Progress, Status } from '../kit/status.tsx';
import type { Column } from '../kit/table.tsx';
import { useModelNames } from '../models/use-models.ts';
import { pageNames } from '../shell/pages.ts';
import { common } from '../words/common.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { type Batch, fileName, isOpen, statusOf } from './batch.ts';
import { ShortCorrections } from './corrections.tsx';
import { batchWords } from './words.ts';

const route = getRouteApi('/_app/batches/');
const pageSize = 100;
const openEveryMs = 2_000;

export function Batches() {
  const w = useWords(batchWords);
  const c = useWords(common);
  const { batches: title } = useWords(pageNames);
  const client = useClient();
  const { can } = useSession();
  const { status } = route.useSearch();
  const navigate = useNavigate({ from: '/batches/' });
  const setStatus = (next: typeof status) =>
    navigate({ search: (before) => ({ ...before, status: next }), replace: true });
  const list = useList(
    ['batches', 'list', status ?? ''],
    (cursor, signal) =>
      client.batches.list(
        { limit: pageSize, ...(status ? { status } : {}), ...(cursor ? { cursor } : {}) },
        { signal },
      ),
    { everyMs: (rows) => (rows.some(isOpen) ? openEveryMs : false) },
  );
  const names = useModelNames();
  const columns = useColumns(names);
  // It takes both: a batch begins with its file.
  const create = (
    <Allowed permission={can('create_batches') ? 'upload_files' : 'create_batches'} label={w.create}>
      <Link to="/batches/new" className={buttonClass('primary')}>
        <Plus size={14} aria-hidden="true" />
        {w.create}
      </Link>
    </Allowed>
  );
  const query = status ? `?status=${status}` : '';
  return (
    <Page
      isWide
      title={title}
      description={w.description}
      actions={
        <>
          <CodeButton
            request={{
              method: 'GET',
              path: `/v2/api/batches${query}`,
              typescript: `lastro.batches.list(${status ? JSON.stringify({ status }) : ''})`,
            }}
          />
          <ExportButton name="batches.csv" list={list} columns={columns} />
          {create}
        </>
      }
    >
      <div className="mb-3 flex flex-wrap gap-2">
        <Select
          data-filter
          aria-label={c.status}
          className="!w-52"
          value={status ?? ''}
          options={[
            { value: '', label: w.allStatuses },
            ...(['queued', 'running', 'succeeded', 'failed'] as const).map((value) => ({
              value,
              label: c.statuses[value],
            })),
          ]}
          onValue={(value) => setStatus(value === '' ? undefined : value)}
        />
      </div>
      <ListTable
        list={list}
        label={title}
        columns={columns}
        keyOf={({ id }) => id}
        onOpen={({ id }) => navigate({ to: '/batches/$batch_id', params: { batch_id: id }, search: {} })}
        empty={
          status ? (
            <NothingFound onClear={() => setStatus(undefined)} />
          ) : (
            <Empty title={w.first} action={create}>
              <p className="mb-3">{w.firstBody}</p>
              <div className="text-left">
                <CodeBlock code={firstCode} />
              </div>
            </Empty>
          )
        }
      />
    </Page>
  );
}

const firstCode = `import { Lastro } from '@lastro/sdk';
import { localFile, toFile } from '@lastro/sdk/node';

const done = await new Lastro().batches.run({ model: '<model>/production', files: [localFile('customers.csv')] });
await done.download(toFile('scores.csv'));`;

function useColumns(names: ReadonlyMap<string, string>): readonly Column<Batch>[] {
  const w = useWords(batchWords);
  const c = useWords(common);
  const format = useFormat();
  return useMemo(
    () => [
      {
        key: 'status',
        head: c.status,
        width: '124px',
        isMinor: true,
        cell: (batch) => <BatchStatus of={batch} />,
        text: (batch) => statusOf(batch),
      },
      {
        key: 'files',
        head: w.files,
        width: 'minmax(140px, 2fr)',
        cell: (batch) => (
          <span title={batch.files.map(({ path }) => path).join('\n')}>
            <bdi>{fileName(batch.files[0]?.path ?? '')}</bdi>
            {batch.files.length > 1 && <span className="text-ink3"> {w.moreFiles(batch.files.length - 1)}</span>}
          </span>
        ),
        below: (batch) => (
          <span className="inline-flex gap-2">
            <BatchStatus of={batch} />
            <Moment at={batch.created_at} />
            <ShortCorrections of={batch} isLinked={false} />
          </span>
        ),
        text: ({ files }) => files.map(({ path }) => path).join(' '),
      },
      {
        key: 'model',
        head: w.model,
        width: 'minmax(150px, 1.2fr)',
        isMinor: true,
        cell: ({ model }) =>
          model ? (
            <span className="flex items-center gap-2">
              <bdi className="truncate">{names.get(model.model_id) ?? model.model_id}</bdi>
              {model.alias && <AliasTag alias={model.alias} />}
            </span>
          ) : (
            <span className="text-ink3">{w.perRow}</span>
          ),
        text: ({ model }) => model && (names.get(model.model_id) ?? model.model_id),
      },
      {
        key: 'progress',
        head: w.progress,
        width: 'minmax(120px, 0.9fr)',
        isMinor: true,
        cell: (batch) =>
          batch.status === 'running' ? (
            <span className="flex h-5 items-center">
              <Progress label={w.progress} share={batch.progress.fraction} />
            </span>
          ) : (
            <ShortCorrections of={batch} isLinked />
          ),
      },
      {
        key: 'rows',
        head: w.rows,
        width: '96px',
        isRight: true,
        cell: ({ progress: { rows } }) => (rows.total === null ? '' : format.integer(rows.total)),
        text: ({ progress: { rows } }) => rows.total,
      },
      {
        key: 'failed',
        head: w.leftOut,
        width: '92px',
        isRight: true,
        isMinor: true,
        cell: ({ progress: { rows } }) =>
          rows.failed > 0 ? (
            <span className="text-bad">{format.integer(rows.failed)}</span>
          ) : (
            <span className="text-ink3">0</span>
          ),
        text: ({ progress: { rows } }) => rows.failed,
      },
      {
        key: 'took',
        head: w.took,
        width: '96px',
        isRight: true,
        isMinor: true,
        cell: ({ started_at: from, finished_at: until }) =>
          from && until && format.duration(Date.parse(until) - Date.parse(from)),
      },
      {
        key: 'created_at',
        head: c.created,
        width: '132px',
        isRight: true,
        isMinor: true,
        cell: ({ created_at: at }) => <Moment at={at} />,
        text: ({ created_at: at }) => at,
      },
    ],
    [names, format, w, c],
  );
}

export function BatchStatus({ of }: { readonly of: Batch }) {
  const w = useWords(batchWords);
  const status = statusOf(of);
  return status === 'stopping' ? <Status of="stopping" label={w.stopping} /> : <Status of={status} />;
}
