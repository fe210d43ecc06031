import type { Schemas } from '@lastro/sdk';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useMemo, useState } from 'react';
import { useClient } from '../api/session.tsx';
import { useData } from '../api/use-data.ts';
import { shownKey } from '../entities/shown-key.ts';
import { isMissing, Neighbors, NoEncoder, useNeighbors } from '../entities/similar.tsx';
import { bandByName } from '../kit/bands.tsx';
import { Button, buttonClass } from '../kit/button.tsx';
import { CodeButton } from '../kit/code.tsx';
import { Field, Input, Segmented, Select } from '../kit/field.tsx';
import { Page, Panel, Section } from '../kit/page.tsx';
import { Failed, Skeleton } from '../kit/states.tsx';
import { type Column, Table } from '../kit/table.tsx';
import { pageNames } from '../shell/pages.ts';
import { useTheme } from '../shell/theme.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { type MapPoint, PointMap } from './map.tsx';
import type { EmbeddingsSearch } from './search.ts';
import { useLastBands } from './use-last-bands.ts';
import { embeddingWords } from './words.ts';

const route = getRouteApi('/_app/embeddings');
const none: ReadonlySet<string> = new Set();

/** A map of the entities of a table by their vectors, and who is nearest to the one chosen. */
export function Embeddings() {
  const w = useWords(embeddingWords);
  const { embeddings: title } = useWords(pageNames);
  const search = route.useSearch();
  const client = useClient();
  const versions = useData(['rfm-versions', 'list'], (signal) => client.rfmVersions.list({ limit: 200 }, { signal }));
  const tables = useMemo(() => [...new Set(versions.data?.data.map(({ entity }) => entity))], [versions.data]);
  const entity = search.entity ?? tables[0];
  const isKnown = entity !== undefined && tables.includes(entity);
  const hasNone = versions.isSuccess && !versions.data.has_more && !isKnown;
  const asked = {
    ...(entity ? { entity } : {}),
    ...(search.as_of ? { reference_date: search.as_of } : {}),
    limit: search.limit ?? 1000,
  };
  const map = useData(['embeddings', 'map', asked], (signal) => client.embeddings.getMap(asked, { signal }), {
    // A table without an encoder has no map to ask for.
    isOn: versions.isError || (versions.isSuccess && !hasNone),
  });
  return (
    <Page
      isWide
      title={title}
      description={w.description}
      actions={
        <CodeButton
          request={{
            method: 'GET',
            path: `/v1/api/embeddings/map?${new URLSearchParams(Object.entries(asked).map(([name, value]) => [name, String(value)]))}`,
            typescript: `lastro.embeddings.getMap(${JSON.stringify(asked)})`,
          }}
        />
      }
    >
      {hasNone || isMissing(map.error) ? (
        <NoEncoder table={entity} />
      ) : (
        <>
          <Controls tables={tables} entity={entity} search={search} />
          {map.isError ? (
            <Failed error={map.error} onRetry={() => map.refetch()} />
          ) : !map.data ? (
            <Skeleton rows={12} />
          ) : (
            <Mapped map={map.data} entity={map.data.entity ?? entity ?? ''} search={search} />
          )}
        </>
      )}
    </Page>
  );
}

function useSet() {
  const navigate = useNavigate({ from: '/embeddings' });
  return (change: Partial<EmbeddingsSearch>, isStep = false) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: !isStep });
}

function Controls({
  tables,
  entity,
  search,
}: {
  readonly tables: readonly string[];
  readonly entity: string | undefined;
  readonly search: EmbeddingsSearch;
}) {
  const w = useWords(embeddingWords);
  const set = useSet();
  const shown = entity && !tables.includes(entity) ? [entity, ...tables] : tables;
  const [typed, setTyped] = useState(search.key ?? '');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    set({ key: typed.trim() || undefined }, true);
  };
  return (
    <div className="mb-3 flex flex-wrap items-end gap-2">
      <Field label={w.table} className="w-44">
        <Select
          value={entity ?? ''}
          options={shown.map((value) => ({ value, label: value }))}
          onValue={(value) => set({ entity: value, key: undefined }, true)}
        />
      </Field>
      <form onSubmit={submit} className="flex items-end gap-2" role="search">
        <Field label={w.find} className="w-48">
          <Input
            data-filter
            value={typed}
            autoComplete="off"
            spellCheck={false}
            className="font-mono"
            onChange={(event) => setTyped(event.target.value)}
          />
        </Field>
        <Button submits>{w.findButton}</Button>
      </form>
      <Field label={w.day} className="w-40">
        <Input
          type="date"
          value={search.as_of ?? ''}
          onChange={(event) => set({ as_of: event.target.value || undefined })}
        />
      </Field>
      <Field label={w.color} className="w-52">
        <Select
          value={search.color ?? ''}
          options={[
            { value: '', label: w.plain },
            { value: 'band', label: w.byBand },
          ]}
          onValue={(value) => set({ color: value === 'band' ? 'band' : undefined })}
        />
      </Field>
      <Segmented
        label={w.points}
        options={(['200', '1000', '2000'] as const).map((value) => ({ value, label: value }))}
        value={String(search.limit ?? 1000) as '200' | '1000' | '2000'}
        onValue={(value) => set({ limit: value === '200' ? 200 : value === '2000' ? 2000 : undefined })}
      />
    </div>
  );
}

function Mapped({
  map,
  entity,
  search,
}: {
  readonly map: Schemas['EmbeddingMap'];
  readonly entity: string;
  readonly search: EmbeddingsSearch;
}) {
  const w = useWords(embeddingWords);
  const format = useFormat();
  const set = useSet();
  const theme = useTheme();
  const bands = useLastBands(entity, search.color === 'band');
  // biome-ignore lint/correctness/useExhaustiveDependencies: colours are those of the theme
  const points = useMemo(
    () =>
      map.data.map(({ key, x, y }, at): MapPoint => {
        const name = key === null ? null : String(key);
        const band = name === null ? undefined : bands.get(name);
        return { at, key: name, x, y, color: band ? colorOfBand(band) : null };
      }),
    [map, bands, theme],
  );
  const chosen = search.key === undefined ? undefined : points.find(({ key }) => key === search.key);
  const neighbors = useNeighbors({ table: entity, entityKey: search.key, asOf: search.as_of });
  const near = useMemo(
    () => (neighbors.data ? new Set(neighbors.data.data.map(({ key }) => String(key))) : none),
    [neighbors.data],
  );
  const choose = ({ key }: MapPoint) => key !== null && set({ key }, true);
  const columns: readonly Column<MapPoint>[] = [
    {
      key: 'key',
      head: w.key,
      width: 'minmax(120px, 1.4fr)',
      cell: ({ key }) =>
        key === null ? (
          <span className="text-ink3">{w.hidden}</span>
        ) : (
          <code className="font-mono text-meta">{shownKey(key)}</code>
        ),
    },
    { key: 'x', head: w.across, width: '96px', isRight: true, cell: ({ x }) => format.number(x) },
    { key: 'y', head: w.up, width: '96px', isRight: true, cell: ({ y }) => format.number(y) },
  ];
  if (points.length === 0) return <p className="text-body text-ink2">{w.noData}</p>;
  const coloured = points.filter(({ color }) => color !== null).length;
  return (
    <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_420px]">
      <div className="min-w-0">
        <Panel className="overflow-hidden">
          <PointMap
            points={points}
            chosen={chosen}
            near={near}
            label={w.map(format.integer(points.length))}
            onChoose={choose}
          />
        </Panel>
        <p className="mt-2 text-ink3 text-meta">
          {w.shown(format.integer(points.length), format.integer(map.entities))}{' '}
          {w.explained(format.percent(map.explained[0] ?? 0), format.percent(map.explained[1] ?? 0))}{' '}
          {search.color === 'band' && w.bandHint(format.integer(coloured))}
        </p>
      </div>
      <div className="min-w-0">
        {search.key === undefined ? (
          <Section title={w.list} className="!mt-0">
            <Table
              label={w.list}
              columns={columns}
              rows={points}
              keyOf={({ at }) => String(at)}
              onOpen={choose}
              height="max-h-[500px]"
            />
          </Section>
        ) : (
          <Section
            title={<bdi className="break-all font-mono">{shownKey(search.key)}</bdi>}
            description={chosen ? undefined : w.notOnMap}
            className="!mt-0"
            actions={
              <>
                <Link
                  to="/entities/$table/$key"
                  params={{ table: entity, key: search.key }}
                  className={buttonClass('primary', 'small')}
                >
                  {w.openEntity}
                </Link>
                <Button size="small" onClick={() => set({ key: undefined }, true)}>
                  {w.clear}
                </Button>
              </>
            }
          >
            <Neighbors table={entity} entityKey={search.key} asOf={search.as_of} onOpen={(key) => set({ key }, true)} />
          </Section>
        )}
      </div>
    </div>
  );
}

/** The colour of a band as the page has it now: a canvas reads no variables. */
function colorOfBand(name: string): string | null {
  const band = bandByName(name);
  if (!band) return null;
  const variable = band.color.slice('var('.length, -1);
  return getComputedStyle(document.documentElement).getPropertyValue(variable).trim();
}
