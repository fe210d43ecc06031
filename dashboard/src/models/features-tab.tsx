import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { csvOf } from '../kit/csv.ts';
import { CsvButton } from '../kit/csv-button.tsx';
import { Checkbox, Input, Select } from '../kit/field.tsx';
import { saveAs } from '../kit/save-file.ts';
import { Empty, Failed, NothingFound, Skeleton } from '../kit/states.tsx';
import { Tag } from '../kit/status.tsx';
import { type Column, Table } from '../kit/table.tsx';
import { common } from '../words/common.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { type Feature, keyOfFeature, type Model, useFeatures, type Version } from './use-models.ts';
import type { VersionSearch } from './version-search.ts';
import { versionWords } from './version-words.ts';

const route = getRouteApi('/_app/models/$model_id/versions/$version_id');

export function FeaturesTab({
  model,
  version,
  onSearch,
}: {
  readonly model: Model;
  readonly version: Version;
  onSearch(change: Partial<VersionSearch>): void;
}) {
  const w = useWords(versionWords);
  const c = useWords(common);
  const { find = '', table = '', protected: isProtected = false } = route.useSearch();
  const { data, error, refetch } = useFeatures(model.id, version.id);
  const columns = useColumns(data?.[0]?.importance || 1);
  const tables = useMemo(() => [...new Set(data?.flatMap(({ table: of }) => of ?? []))].sort(), [data]);
  if (error) return <Failed error={error} onRetry={refetch} />;
  if (!data) return <Skeleton rows={10} />;
  if (data.length === 0) return <Empty title={w.noFeatures} />;
  const shown = data.filter(
    (feature) =>
      (table === '' || feature.table === table) && (!isProtected || feature.protected) && holds(feature, find),
  );
  const clear = () => onSearch({ find: undefined, table: undefined, protected: undefined });
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <Input
          data-filter
          type="search"
          aria-label={w.findFeature}
          placeholder={w.findFeature}
          className="!w-72"
          value={find}
          onChange={(event) => onSearch({ find: event.target.value || undefined })}
        />
        <Select
          aria-label={w.allTables}
          className="!w-48"
          value={table}
          options={[{ value: '', label: w.allTables }, ...tables.map((name) => ({ value: name, label: name }))]}
          onValue={(value) => onSearch({ table: value || undefined })}
        />
        <Checkbox
          label={w.onlyProtected}
          checked={isProtected}
          onChange={(event) => onSearch({ protected: event.target.checked || undefined })}
        />
        <CsvButton
          className="ml-auto"
          label={c.export}
          onSave={(dialect) => saveAs('features.csv', csvOf([...columns, code], shown, dialect, undefined))}
        />
      </div>
      {shown.length === 0 ? (
        <NothingFound onClear={clear} />
      ) : (
        <Table
          label={w.tabs.features}
          columns={columns}
          rows={shown}
          keyOf={keyOfFeature}
          height="max-h-[calc(100dvh-280px)]"
        />
      )}
    </>
  );
}

/** Whether a feature is about what is looked for. */
function holds({ code, description, columns, path, table }: Feature, find: string): boolean {
  const wanted = find.trim().toLowerCase();
  return [code, description, table, ...columns, ...path].some((text) => text?.toLowerCase().includes(wanted));
}

/** How programs call a feature: of files, and of what is shown on hover. */
const code: Column<Feature> = {
  key: 'code',
  head: null,
  width: '0',
  cell: () => null,
  text: (feature) => feature.code,
};

/** `most`: the importance of the first, whose bar is a whole one. */
function useColumns(most: number): readonly Column<Feature>[] {
  const w = useWords(versionWords);
  const format = useFormat();
  const aggregates: Readonly<Record<string, string>> = w.aggregates;
  return useMemo(
    (): readonly Column<Feature>[] => [
      {
        key: 'importance',
        head: w.importance,
        width: 'clamp(96px, 11vw, 150px)',
        cell: ({ importance }) => (
          <span className="grid grid-cols-[52px_1fr] items-center gap-2">
            <span className="text-right">{format.percent(importance)}</span>
            <span className="h-1.5 rounded-[2px] bg-sunken max-sm:hidden" aria-hidden="true">
              <span
                className="block h-1.5 rounded-[2px] bg-accent"
                style={{ width: `${Math.min(100, (100 * importance) / most)}%` }}
              />
            </span>
          </span>
        ),
        text: ({ importance }) => importance,
      },
      {
        key: 'description',
        head: w.feature,
        width: 'minmax(max(160px, 32%), 2fr)',
        cell: ({ description, code, language, protected: isProtected }) => (
          <span title={[description, code].filter(Boolean).join('\n')}>
            {isProtected && <Tag tone="warn">{w.protected}</Tag>} <span lang={language}>{description ?? code}</span>
          </span>
        ),
        text: ({ description }) => description,
      },
      {
        key: 'lineage',
        head: w.lineage,
        width: 'minmax(160px, 1.6fr)',
        isMinor: true,
        cell: ({ columns, table, path, aggregate, span }) => {
          const of = columns.length > 0 ? columns.join(', ') : table === '@labels' ? w.labels : (table ?? w.ownRow);
          const way = path.length > 0 ? ` ${w.through(path.join(' → '))}` : '';
          const said = `${aggregates[aggregate] ?? aggregate} · ${of}${span ? ` · ${saySpan(span, w)}` : ''}${way}`;
          return (
            <span className="text-ink2" title={said}>
              {said}
            </span>
          );
        },
        text: ({ columns, table }) => (columns.length > 0 ? columns.join(' ') : table),
      },
      {
        key: 'coverage',
        head: w.coverage,
        width: '116px',
        isRight: true,
        isMinor: true,
        cell: ({ coverage }) => format.percent(coverage),
        text: ({ coverage }) => coverage,
      },
    ],
    [w, format, most, aggregates],
  );
}

/** Over which time values are read, in words: see `span` of features. */
function saySpan(span: string, w: (typeof versionWords)['en']): string {
  const [, last, days, ago] = /^(?:last (\d+)|(\d+)d(?:, (\d+)d before)?)$/.exec(span) ?? [];
  if (last) return w.lastOnes(last);
  if (days) return ago ? w.lastDaysBefore(days, ago) : w.lastDays(days);
  return span === 'all' ? w.ever : span;
}
