import { Link } from '@tanstack/react-router';
import { ArrowDown, ArrowUpRight, Lock } from 'lucide-react';
import { useMemo } from 'react';
import { Segmented } from '../kit/field.tsx';
import { type Column, Table } from '../kit/table.tsx';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import type { EntityProps, EntitySearch } from './entity-search.ts';
import { type Listed, listed } from './listed.ts';
import { type Network, type NetworkEdge, nodeName } from './network-marks.ts';
import { shownKey } from './shown-key.ts';
import { SomeHidden } from './some-hidden.tsx';
import { entityWords } from './words.ts';

type Sort = NonNullable<EntitySearch['sort']>;

/** The network as a list: what the drawing shows, for those who read rather than look. */
export function NetworkList({
  network,
  search,
  set,
}: {
  readonly network: Network;
  readonly search: EntitySearch;
  readonly set: EntityProps['set'];
}) {
  const w = useWords(entityWords);
  return (
    <div className="flex flex-col gap-2">
      <div>
        <Segmented
          label={w.network}
          options={[
            { value: 'nodes', label: w.nodesTab },
            { value: 'ties', label: w.edgesTab },
          ]}
          value={search.list ?? 'nodes'}
          onValue={(value) => set({ list: value === 'ties' ? 'ties' : undefined })}
        />
      </div>
      {search.list === 'ties' ? (
        <Ties network={network} search={search} set={set} />
      ) : (
        <Nodes network={network} search={search} set={set} />
      )}
      {network.nodes.some(({ key }) => key === null) && <SomeHidden tables={[network.nodes[0].table]} />}
    </div>
  );
}

type Props = Parameters<typeof NetworkList>[0];

function Nodes({ network, search, set }: Props) {
  const w = useWords(entityWords);
  const format = useFormat();
  const rows = useMemo(() => sorted(listed(network), search.sort), [network, search.sort]);
  const columns: readonly Column<Listed>[] = [
    {
      key: 'key',
      head: <SortBy label={w.key} by="key" search={search} set={set} />,
      width: 'minmax(154px, 1.3fr)',
      cell: (node) =>
        node.key === null ? (
          <span className="text-ink2">{nodeName(node)}</span>
        ) : (
          <code className="font-mono text-meta">{shownKey(node.key)}</code>
        ),
    },
    // Within one hop it says nothing.
    ...(search.hops === undefined
      ? []
      : [{ key: 'hops', head: w.hops, width: '64px', isRight: true, cell: ({ hops }: Listed) => hops }]),
    {
      key: 'relations',
      head: w.tiedBy,
      width: 'minmax(88px, 1fr)',
      cell: ({ relations }) => <span title={relations}>{relations}</span>,
    },
    {
      key: 'times',
      head: <SortBy label={w.times} by="times" search={search} set={set} />,
      width: '72px',
      isRight: true,
      cell: ({ times, hops }) => (hops === 0 ? '' : format.integer(times)),
    },
    {
      key: 'since',
      head: <SortBy label={w.since} by="since" search={search} set={set} />,
      width: '140px',
      isRight: true,
      isMinor: true,
      cell: ({ since }) => since && format.day(since),
    },
    {
      key: 'open',
      head: <span className="sr-only">{w.openIt}</span>,
      width: '44px',
      cell: ({ table, key, hops }) =>
        key === null ? (
          <span role="img" aria-label={w.hiddenBody} title={w.hiddenBody}>
            <Lock size={13} className="inline text-ink3" aria-hidden="true" />
          </span>
        ) : (
          hops > 0 && (
            <Link
              to="/entities/$table/$key"
              params={{ table, key }}
              search={{ tab: 'network' }}
              aria-label={`${w.openIt} ${shownKey(key)}`}
              className="inline-flex min-h-6 items-center rounded text-accent"
            >
              <ArrowUpRight size={15} aria-hidden="true" />
            </Link>
          )
        ),
    },
  ];
  return (
    <Table
      label={w.nodesTab}
      columns={columns}
      rows={rows}
      keyOf={({ id }) => String(id)}
      chosen={String(search.node)}
      onOpen={({ id }) => set({ node: id }, true)}
      height="max-h-[420px]"
    />
  );
}

function Ties({ network, search, set }: Props) {
  const w = useWords(entityWords);
  const format = useFormat();
  const names = useMemo(() => new Map(network.nodes.map((node) => [node.id, nodeName(node)])), [network]);
  const said = (id: number) => names.get(id) ?? '';
  const rows = useMemo(
    () =>
      [...network.edges].sort((one, other) =>
        search.sort === 'times'
          ? other.count - one.count
          : search.sort === 'since'
            ? (one.since ?? '9').localeCompare(other.since ?? '9')
            : 0,
      ),
    [network, search.sort],
  );
  const columns: readonly Column<NetworkEdge>[] = [
    {
      key: 'between',
      head: w.between,
      width: 'minmax(140px, 1.6fr)',
      cell: ({ from, to }) => (
        <code className="line-clamp-2 whitespace-normal font-mono text-meta leading-4">
          <bdi>{said(from)}</bdi> – <bdi>{said(to)}</bdi>
        </code>
      ),
    },
    { key: 'relation', head: w.tiedBy, width: 'minmax(88px, 1fr)', cell: ({ relation }) => relation },
    {
      key: 'count',
      head: <SortBy label={w.times} by="times" search={search} set={set} />,
      width: '72px',
      isRight: true,
      cell: ({ count }) => format.integer(count),
    },
    {
      key: 'since',
      head: <SortBy label={w.since} by="since" search={search} set={set} />,
      width: '140px',
      isRight: true,
      isMinor: true,
      cell: ({ since }) => (since ? format.day(since) : w.undated),
    },
  ];
  return (
    <Table
      label={w.edgesTab}
      columns={columns}
      rows={rows}
      keyOf={({ from, to, relation }) => `${from} ${to} ${relation}`}
      height="max-h-[420px]"
    />
  );
}

function SortBy({
  label,
  by,
  search,
  set,
}: {
  readonly label: string;
  readonly by: Sort;
  readonly search: EntitySearch;
  readonly set: EntityProps['set'];
}) {
  const isOn = search.sort === by;
  return (
    <button
      type="button"
      aria-pressed={isOn}
      className="inline-flex min-h-6 items-center gap-0.5 rounded hover:text-ink"
      onClick={() => set({ sort: isOn ? undefined : by })}
    >
      {label}
      {isOn && <ArrowDown size={11} aria-hidden="true" />}
    </button>
  );
}

function sorted(rows: readonly Listed[], sort: Sort | undefined): readonly Listed[] {
  if (sort === undefined) return rows;
  return [...rows].sort((one, other) => {
    if (sort === 'times') return other.times - one.times;
    if (sort === 'key') return (one.key ?? '\uffff').localeCompare(other.key ?? '\uffff');
    return (one.since ?? '9').localeCompare(other.since ?? '9');
  });
}
