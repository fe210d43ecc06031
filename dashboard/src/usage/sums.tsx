import { useMemo } from 'react';
import { useSession } from '../api/session.tsx';
import { useData } from '../api/use-data.ts';
import { useNouns } from '../api/use-nouns.ts';
import { CodeButton } from '../kit/code.tsx';
import { type CsvDialect, csvText } from '../kit/csv.ts';
import { CsvButton } from '../kit/csv-button.tsx';
import { Segmented } from '../kit/field.tsx';
import { Panel } from '../kit/page.tsx';
import { saveAs } from '../kit/save-file.ts';
import { Empty, Failed, Skeleton } from '../kit/states.tsx';
import { useModelNames } from '../models/use-models.ts';
import { common } from '../words/common.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { type Meter, meters, type Usage } from './meter.ts';
import type { UsageSearch } from './search.ts';
import { Shares } from './shares.tsx';
import { UsageChart } from './usage-chart.tsx';
import { usageWords } from './words.ts';

type Span = { readonly from: string; readonly to: string };

const pageSize = 200;
const pagesMost = 20;

/** How much of each meter, and of the chosen one when and by what. */
export function Sums({
  search,
  span,
  today,
  isOfOrganization,
  onSearch,
}: {
  readonly search: UsageSearch;
  readonly span: Span;
  readonly today: Date;
  readonly isOfOrganization: boolean;
  onSearch(change: Partial<UsageSearch>): void;
}) {
  const w = useWords(usageWords);
  const c = useWords(common);
  const { usage, folder, noun } = useNouns(isOfOrganization);
  const by = search.by === 'workspace' && !isOfOrganization ? 'day' : (search.by ?? 'day');
  const key = ['usage', isOfOrganization, span];
  const totals = useData([...key, 'total'], (signal) => usage.list({ ...span, group_by: 'total' }, { signal }));
  const grouped = useData([...key, by], async () => {
    const rows: Usage[] = [];
    for await (const row of usage.list({ ...span, group_by: by, limit: pageSize }))
      if (rows.push(row) >= pageSize * pagesMost) break;
    return rows;
  });
  const total = useMemo(
    () => new Map(totals.data?.data.map(({ meter, quantity }) => [meter, quantity])),
    [totals.data],
  );
  const error = totals.error ?? grouped.error;
  if (error) return <Failed error={error} onRetry={() => Promise.all([totals.refetch(), grouped.refetch()])} />;
  if (!totals.data || !grouped.data) return <Skeleton />;
  const used = meters.filter((meter) => total.has(meter));
  const meter = used.find((one) => one === search.meter) ?? used[0];
  const rows = grouped.data.filter((row) => row.meter === meter);
  const groupings = isOfOrganization
    ? (['day', 'month', 'model', 'version', 'workspace'] as const)
    : (['day', 'month', 'model', 'version'] as const);
  if (!meter) return <Empty title={w.nothing}>{w.nothingBody}</Empty>;
  return (
    <div className="grid gap-6 lg:grid-cols-[280px_minmax(0,1fr)]">
      <MeterList used={used} total={total} chosen={meter} onChoose={(one) => onSearch({ meter: one })} />
      <div className="min-w-0">
        <div className="mb-3 flex flex-wrap items-center gap-2">
          <Segmented
            label={w.by}
            options={groupings.map((value) => ({ value, label: value === 'workspace' ? w.byWorkspace : w[value] }))}
            value={by}
            onValue={(value) => onSearch({ by: value === 'day' ? undefined : value })}
          />
          <span className="flex-1" />
          <CodeButton
            request={{
              method: 'GET',
              path: `${folder}/usage?${new URLSearchParams({ ...span, group_by: by })}`,
              typescript: `${noun}.usage.list(${JSON.stringify({ ...span, group_by: by })})`,
            }}
          />
          <CsvButton label={c.export} onSave={(dialect) => saveAs('usage.csv', csvOfUsage(grouped.data, dialect))} />
        </div>
        {by === 'day' || by === 'month' ? (
          <UsageChart meter={meter} rows={rows} by={by} span={span} today={today} />
        ) : (
          <NamedShares rows={rows} by={by} />
        )}
      </div>
    </div>
  );
}

function MeterList({
  used,
  total,
  chosen,
  onChoose,
}: {
  readonly used: readonly Meter[];
  readonly total: ReadonlyMap<Meter, number>;
  readonly chosen: Meter;
  onChoose(meter: Meter): void;
}) {
  const w = useWords(usageWords);
  const format = useFormat();
  return (
    <Panel className="self-start">
      <ul className="divide-y divide-line" aria-label={w.meter}>
        {used.map((meter) => (
          <li key={meter}>
            <button
              type="button"
              aria-pressed={meter === chosen}
              onClick={() => onChoose(meter)}
              className={`flex w-full items-baseline justify-between gap-3 px-3 py-2 text-left hover:bg-sunken ${meter === chosen ? 'bg-sunken' : ''}`}
            >
              <span className="min-w-0">
                <span className={meter === chosen ? 'font-medium' : ''}>{w.meters[meter]}</span>
                <span className="block text-ink3 text-meta">{w.meterHints[meter]}</span>
              </span>
              <span className="font-semibold text-section">{format.integer(total.get(meter) ?? 0)}</span>
            </button>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function NamedShares({
  rows,
  by,
}: {
  readonly rows: readonly Usage[];
  readonly by: 'model' | 'version' | 'workspace';
}) {
  const w = useWords(usageWords);
  const { user } = useSession();
  const names = useModelNames();
  const nameOf = ({ model_id: model, version_id: version, workspace_id: workspace }: Usage): string => {
    if (by === 'workspace') return user.workspaces.find(({ id }) => id === workspace)?.name ?? workspace ?? '—';
    if (by === 'model') return model === null ? w.withoutModel : (names.get(model) ?? model);
    return version === null ? w.withoutModel : `${names.get(model ?? '') ?? ''} …${version.slice(-6)}`.trim();
  };
  return <Shares of={rows.map((row) => ({ name: nameOf(row), quantity: row.quantity }))} />;
}

function csvOfUsage(rows: readonly Usage[], dialect: CsvDialect): string {
  const columns = ['meter', 'quantity', 'day', 'month', 'workspace_id', 'model_id', 'version_id'] as const;
  return csvText(
    columns,
    rows.map((row) => columns.map((column) => row[column])),
    dialect,
  );
}
