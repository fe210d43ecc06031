import type { Schemas } from '@lastro/sdk';
import { useClient } from '../api/session.tsx';
import { useData } from '../api/use-data.ts';
import { DataDay, useDataZone } from '../data/data-zone.tsx';
import { Id } from '../kit/copy.tsx';
import { Moment } from '../kit/moment.tsx';
import { Facts, Panel, Section } from '../kit/page.tsx';
import { Skeleton } from '../kit/states.tsx';
import { type Column, Table } from '../kit/table.tsx';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { DaySlider } from './day-slider.tsx';
import type { EntityProps } from './entity-search.ts';
import { kindOf } from './kind-of.ts';
import { NoEntity } from './no-entity.tsx';
import { NodeLink } from './node-link.tsx';
import { SomeHidden } from './some-hidden.tsx';
import { entityWords } from './words.ts';

type Referring = Schemas['Entity']['tables'][number];
type Reference = Schemas['Entity']['references'][number];

/** One entity as it was known on a day. */
export function useEntity(table: string, key: string, asOf?: string) {
  const client = useClient();
  const dated = asOf ? { reference_date: asOf } : {};
  return useData(['entities', 'one', table, key, dated], (signal) =>
    client.entities.get(table, key, dated, { signal }),
  );
}

/** Since when an entity is known, whom it refers to, and which rows refer to it. */
export function EntityFacts({ table, entityKey, search, set }: EntityProps) {
  const w = useWords(entityWords);
  const format = useFormat();
  const now = useEntity(table, entityKey);
  const entity = useEntity(table, entityKey, search.as_of);
  const zone = useDataZone();
  const day = (value: string | null) => (value ? format.day(value) : <span className="text-ink3">{w.undated}</span>);
  const dataDay = (value: string | null) => (value ? <DataDay key="day" of={value} zone={zone} /> : day(null));
  const kinds: Readonly<Record<string, string>> = w.kinds;
  const kind = kindOf(entityKey, entity.data?.entity_kind ?? null);
  const columns: readonly Column<Referring>[] = [
    {
      key: 'table',
      head: w.table,
      width: 'minmax(110px, 1.2fr)',
      cell: ({ table }) => table,
      text: ({ table }) => table,
    },
    {
      key: 'reference',
      head: w.column,
      width: 'minmax(90px, 1fr)',
      isMinor: true,
      cell: ({ reference }) => <code className="font-mono text-meta">{reference}</code>,
    },
    { key: 'rows', head: w.rows, width: '90px', isRight: true, cell: ({ rows }) => format.integer(rows) },
    { key: 'first', head: w.first, width: '130px', isRight: true, isMinor: true, cell: ({ first }) => day(first) },
    { key: 'last', head: w.last, width: '130px', isRight: true, cell: ({ last }) => day(last) },
  ];
  const first = now.data?.since ?? now.data?.first;
  return (
    <>
      <div className="mb-4 flex">
        <DaySlider first={first} value={search.as_of} onValue={(as_of) => set({ as_of })} />
      </div>
      {entity.isError ? (
        <NoEntity error={entity.error} onRetry={() => entity.refetch()} />
      ) : !entity.data ? (
        <Skeleton />
      ) : (
        <>
          <Panel className="p-4">
            <Facts
              of={[
                [w.known, dataDay(entity.data.since)],
                [w.first, dataDay(entity.data.first)],
                [w.last, dataDay(entity.data.last)],
                kind !== null && [w.kind, kinds[kind] ?? kind],
                [w.asOf, <Moment key="as-of" at={entity.data.as_of} isExact />],
                [w.dataOf, <Id key="data" id={entity.data.snapshot_id} />],
              ]}
            />
          </Panel>
          {entity.data.references.length > 0 && <References of={entity.data.references} />}
          <Section title={w.refers} description={w.refersBody}>
            {entity.data.tables.length === 0 ? (
              <p className="text-body text-ink2">{w.noRows}</p>
            ) : (
              <Table
                label={w.refers}
                columns={columns}
                rows={entity.data.tables}
                keyOf={({ table, reference }) => `${table}.${reference}`}
              />
            )}
          </Section>
        </>
      )}
    </>
  );
}

/** Whom the row of an entity refers to, each with the way to its page. */
function References({ of }: { readonly of: readonly Reference[] }) {
  const w = useWords(entityWords);
  const columns: readonly Column<Reference>[] = [
    { key: 'table', head: w.table, width: 'minmax(110px, 1.2fr)', cell: ({ table }) => table },
    {
      key: 'reference',
      head: w.column,
      width: 'minmax(90px, 1fr)',
      cell: ({ reference }) => <code className="font-mono text-meta">{reference}</code>,
    },
    { key: 'key', head: w.key, width: 'minmax(120px, 1.4fr)', cell: (one) => <NodeLink node={one} /> },
  ];
  const hidden = [...new Set(of.flatMap(({ key, table }) => (key === null ? table : [])))];
  return (
    <Section title={w.references} description={w.referencesBody}>
      <Table label={w.references} columns={columns} rows={of} keyOf={({ reference }) => reference} />
      {hidden.length > 0 && <SomeHidden tables={hidden} />}
    </Section>
  );
}
