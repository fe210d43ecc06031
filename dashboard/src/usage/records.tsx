import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { saveResponse } from '../api/save-response.ts';
import { useSession } from '../api/session.tsx';
import { useChange, useList } from '../api/use-data.ts';
import { useNouns } from '../api/use-nouns.ts';
import { auditWords } from '../audit/words.ts';
import { Button } from '../kit/button.tsx';
import { CodeButton } from '../kit/code.tsx';
import { Select } from '../kit/field.tsx';
import { Moment } from '../kit/moment.tsx';
import { Empty, Failed, NothingFound, Skeleton } from '../kit/states.tsx';
import { type Column, Table } from '../kit/table.tsx';
import { useModelNames } from '../models/use-models.ts';
import { common } from '../words/common.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { type Meter, meters, type UsageRecord } from './meter.ts';
import type { UsageSearch } from './search.ts';
import { usageWords } from './words.ts';

const pageSize = 200;

/** The log behind the sums: each record is an entry of the audit log of its workspace, and leads there. */
export function Records({
  search: { meter, model, actor_id: actor },
  span,
  isOfOrganization,
  onSearch,
}: {
  readonly search: UsageSearch;
  readonly span: { readonly from: string; readonly to: string };
  readonly isOfOrganization: boolean;
  onSearch(change: Partial<UsageSearch>): void;
}) {
  const w = useWords(usageWords);
  const c = useWords(common);
  const { can, canInOrganization } = useSession();
  const navigate = useNavigate();
  const { usageRecords, folder, noun } = useNouns(isOfOrganization);
  const filter = {
    ...span,
    ...(meter ? { meter } : {}),
    ...(model ? { model_id: model } : {}),
    ...(actor ? { actor_id: actor } : {}),
  };
  const list = useList(['usage-records', isOfOrganization, filter], (cursor, signal) =>
    usageRecords.list({ ...filter, limit: pageSize, ...(cursor ? { cursor } : {}) }, { signal }),
  );
  const names = useModelNames();
  const columns = useColumns(names);
  const save = useChange(async () => saveResponse(await usageRecords.export(filter), 'usage-records.csv'));
  const mayReadTrail = (isOfOrganization ? canInOrganization : can)('view_activity_logs');
  const isFiltered = Boolean(meter || model || actor);
  const clear = () => onSearch({ meter: undefined, model: undefined, actor_id: undefined });
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <Select
          data-filter
          aria-label={w.meter}
          className="!w-56"
          value={meter ?? ''}
          options={[{ value: '', label: w.allMeters }, ...meters.map((value) => ({ value, label: w.meters[value] }))]}
          onValue={(value) => onSearch({ meter: value === '' ? undefined : (value as Meter) })}
        />
        {names.size > 0 && (
          <Select
            aria-label={w.model}
            className="!w-48"
            value={model ?? ''}
            options={[{ value: '', label: w.model }, ...[...names].map(([value, label]) => ({ value, label }))]}
            onValue={(value) => onSearch({ model: value || undefined })}
          />
        )}
        {actor && (
          <Button size="small" onClick={() => onSearch({ actor_id: undefined })}>
            …{actor.slice(-6)} ×
          </Button>
        )}
        {isFiltered && (
          <Button kind="quiet" onClick={clear}>
            {c.clearFilters}
          </Button>
        )}
        <span className="flex-1" />
        <CodeButton
          request={{
            method: 'GET',
            path: `${folder}/usage-records?${new URLSearchParams(filter)}`,
            typescript: `${noun}.usageRecords.list(${JSON.stringify(filter)})`,
          }}
        />
        <Button isBusy={save.isPending} disabled={list.rows.length === 0} onClick={() => save.mutate(undefined)}>
          {w.exportAll}
        </Button>
      </div>
      {list.isError ? (
        <Failed error={list.error} onRetry={() => list.refetch()} />
      ) : list.isPending ? (
        <Skeleton rows={12} />
      ) : list.rows.length > 0 ? (
        <Table
          label={w.records}
          columns={columns}
          rows={list.rows}
          keyOf={({ id, meter: of }) => `${id} ${of}`}
          onOpen={
            mayReadTrail
              ? ({ id, workspace_id: workspace }) => navigate({ to: '/audit', search: { workspace, open: id } })
              : undefined
          }
          onEnd={list.fetchMore}
          height="max-h-[calc(100dvh-300px)]"
        />
      ) : isFiltered ? (
        <NothingFound onClear={clear} />
      ) : (
        <Empty title={w.nothing}>{w.nothingBody}</Empty>
      )}
    </>
  );
}

function useColumns(names: ReadonlyMap<string, string>): readonly Column<UsageRecord>[] {
  const w = useWords(usageWords);
  const { channels, actorTypes } = useWords(auditWords);
  const format = useFormat();
  return useMemo(
    () => [
      { key: 'recorded_at', head: w.when, width: '124px', cell: ({ recorded_at: at }) => <Moment at={at} /> },
      { key: 'meter', head: w.meter, width: 'minmax(120px, 1fr)', cell: ({ meter }) => w.meters[meter] },
      {
        key: 'quantity',
        head: w.quantity,
        width: '96px',
        isRight: true,
        cell: ({ quantity }) => <b className="font-semibold">{format.integer(quantity)}</b>,
      },
      {
        key: 'model',
        head: w.model,
        width: 'minmax(110px, 1fr)',
        isMinor: true,
        cell: ({ model_id: id }) => (id === null ? '' : <bdi>{names.get(id) ?? id}</bdi>),
      },
      {
        key: 'actor',
        head: w.who,
        width: 'minmax(110px, 1fr)',
        isMinor: true,
        cell: ({ actor: { type, id, label } }) => <bdi>{label ?? id ?? said(actorTypes, type)}</bdi>,
      },
      {
        key: 'channel',
        head: w.channel,
        width: '104px',
        isMinor: true,
        cell: ({ channel }) => said(channels, channel),
      },
      {
        key: 'target',
        head: w.target,
        width: 'minmax(110px, 1fr)',
        isMinor: true,
        cell: ({ target }) => (
          <span className="font-mono text-meta" title={target.id ?? ''}>
            {target.id === null ? target.type : `${target.id.split('_', 1)[0]}_…${target.id.slice(-6)}`}
          </span>
        ),
      },
    ],
    [w, channels, actorTypes, format, names],
  );
}

/** The word of something that may get more kinds. */
const said = (words: Readonly<Record<string, string>>, kind: string): string => words[kind] ?? kind;
