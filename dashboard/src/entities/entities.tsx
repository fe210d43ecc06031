import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { type FormEvent, useMemo, useState } from 'react';
import { useClient } from '../api/session.tsx';
import { useData } from '../api/use-data.ts';
import type { ContractTable } from '../data/contract.ts';
import { useContractTables } from '../data/use-contracts.ts';
import { Button } from '../kit/button.tsx';
import { CodeButton } from '../kit/code.tsx';
import { documentKind } from '../kit/documents.ts';
import { Field, Input, Select } from '../kit/field.tsx';
import { Page, Section } from '../kit/page.tsx';
import { Empty, Skeleton } from '../kit/states.tsx';
import { type Column, Table } from '../kit/table.tsx';
import { pageNames } from '../shell/pages.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { askedAbout } from './asked-about.ts';
import { entityTables, firstSearched, hasPersonalKey } from './entity-tables.ts';
import { NoEntity } from './no-entity.tsx';
import { type RecentEntity, useRecentEntities } from './recent.ts';
import { shownKey } from './shown-key.ts';
import { WhoMarks } from './some-hidden.tsx';
import { entityWords } from './words.ts';

const route = getRouteApi('/_app/entities/');
const foundMost = 100;
const latelyMost = 8;

/** Finds entities by the beginning of their keys. */
export function Entities() {
  const w = useWords(entityWords);
  const { entities: title } = useWords(pageNames);
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/entities/' });
  const client = useClient();
  const format = useFormat();
  const { table, query } = search;
  const contract = useContractTables();
  const tables = useMemo(() => contract && entityTables(contract), [contract]);
  const unlisted = useMemo(
    () => (contract ?? []).filter((one) => tables?.includes(one.name) && hasPersonalKey(one)).map(({ name }) => name),
    [contract, tables],
  );
  // An address may name what is no table: the service is not asked about it.
  const isNoTable = table !== undefined && tables !== undefined && tables.length > 0 && !tables.includes(table);
  const isAsked = query !== undefined || table !== undefined;
  const asked = { ...(table ? { table } : {}), ...(query ? { query } : {}), limit: foundMost };
  const found = useData(['entities', 'found', asked], (signal) => client.entities.find(asked, { signal }), {
    isOn: isAsked && tables !== undefined && !isNoTable,
  });
  const open = ({ table, key }: RecentEntity) => navigate({ to: '/entities/$table/$key', params: { table, key } });
  return (
    <Page
      title={title}
      description={w.description}
      actions={
        <CodeButton
          request={{
            method: 'GET',
            path: `/v1/api/entities?${new URLSearchParams({ ...asked, limit: String(foundMost) })}`,
            typescript: `lastro.entities.find(${JSON.stringify(asked)})`,
          }}
        />
      }
    >
      <SearchForm key={`${table} ${query}`} asked={search} tables={tables ?? []} unlisted={unlisted} />
      {!isAsked ? (
        <>
          <p className="text-body text-ink2">{w.startBody}</p>
          {unlisted.length > 0 && (
            <p className="text-body text-ink2">
              {w.unlisted(format.list(unlisted))} <WhoMarks table={unlisted[0]} />
            </p>
          )}
          <Lately onOpen={open} />
        </>
      ) : isNoTable ? (
        <Empty title={w.noTable(table)}>{w.noTableBody}</Empty>
      ) : found.isError ? (
        <NoEntity error={found.error} onRetry={() => found.refetch()} />
      ) : found.isPending ? (
        <Skeleton rows={8} />
      ) : found.data.data.length === 0 ? (
        <>
          <NoneFound query={query ?? ''} table={contract?.find(({ name }) => name === table)} />
          <Lately table={table} onOpen={open} />
        </>
      ) : (
        <>
          <Found label={w.find} rows={found.data.data} onOpen={open} />
          <p className="mt-2 text-ink3 text-meta" role="status">
            {!found.data.is_complete ? w.notAll : found.data.has_more ? w.moreFound : ''}
          </p>
        </>
      )}
    </Page>
  );
}

function SearchForm({
  asked: { table, query },
  tables,
  unlisted,
}: {
  readonly asked: { readonly table?: string; readonly query?: string };
  readonly tables: readonly string[];
  /** Those of whose keys none is told to who does not know it. */
  readonly unlisted: readonly string[];
}) {
  const w = useWords(entityWords);
  const navigate = useNavigate({ from: '/entities/' });
  const [last] = useRecentEntities();
  const [picked, setPicked] = useState<string | null>(null);
  const [typed, setTyped] = useState(query ?? '');
  const usual = query !== undefined ? '' : (firstSearched(tables, unlisted, last?.table) ?? '');
  const wanted = picked ?? table ?? usual;
  const chosen = tables.includes(wanted) ? wanted : '';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void navigate({ search: { ...(chosen && { table: chosen }), ...(typed && { query: typed }) } });
  };
  return (
    <form onSubmit={submit} role="search" className="mb-4 flex flex-wrap items-end gap-2">
      <Field label={w.keyStarts} className="min-w-52 flex-1">
        <Input
          data-filter
          value={typed}
          autoComplete="off"
          spellCheck={false}
          maxLength={1000}
          className="font-mono"
          onChange={(event) => setTyped(event.target.value)}
        />
      </Field>
      {tables.length > 0 && (
        <Field label={w.table} className="w-48">
          <Select
            className="w-full"
            options={[...tables.map((name) => ({ value: name, label: name })), { value: '', label: w.anyTable }]}
            value={chosen}
            onValue={setPicked}
          />
        </Field>
      )}
      <Button submits kind="primary" icon={<Search size={14} />}>
        {w.find}
      </Button>
    </form>
  );
}

function Found({
  label,
  rows,
  onOpen,
}: {
  readonly label: string;
  readonly rows: readonly RecentEntity[];
  onOpen(entity: RecentEntity): void;
}) {
  const w = useWords(entityWords);
  const columns: readonly Column<RecentEntity>[] = [
    {
      key: 'key',
      head: w.key,
      width: 'minmax(160px, 2fr)',
      cell: ({ key }) => <code className="font-mono">{shownKey(key)}</code>,
    },
    { key: 'table', head: w.table, width: 'minmax(120px, 1fr)', cell: ({ table }) => table },
  ];
  return (
    <Table label={label} columns={columns} rows={rows} keyOf={({ table, key }) => `${table}/${key}`} onOpen={onOpen} />
  );
}

function NoneFound({ query, table }: { readonly query: string; readonly table: ContractTable | undefined }) {
  const w = useWords(entityWords);
  // A whole document is no beginning of a key.
  if (documentKind(query)) return <Empty title={w.noneWhole(shownKey(query))}>{w.noneWholeBody}</Empty>;
  if (!table || !hasPersonalKey(table)) return <Empty title={w.none(query)}>{w.noneBody}</Empty>;
  return (
    <Empty title={w.notListed(table.name)}>
      {query === '' ? w.notListedBody : w.noneIs(query)} <WhoMarks table={table.name} />
    </Empty>
  );
}

/** Entities that lead on where no key is at hand: those opened in this tab, and those that answers are about. */
function Lately({ table, onOpen }: { readonly table?: string | undefined; onOpen(entity: RecentEntity): void }) {
  const w = useWords(entityWords);
  const client = useClient();
  const ofTable = (one: RecentEntity) => table === undefined || one.table === table;
  const opened = useRecentEntities().filter(ofTable);
  const newest = useData(['predictions', 'newest'], (signal) => client.predictions.list({ limit: 100 }, { signal }));
  const asked = askedAbout(newest.data?.data ?? [], opened).filter(ofTable);
  return (
    <>
      {opened.length > 0 && (
        <Section title={w.recent}>
          <Found label={w.recent} rows={opened} onOpen={onOpen} />
        </Section>
      )}
      {asked.length > 0 && (
        <Section title={w.askedLately}>
          <Found label={w.askedLately} rows={asked.slice(0, latelyMost)} onOpen={onOpen} />
        </Section>
      )}
    </>
  );
}

/** An entity by its key, as a link in a sentence or a list. */
export function EntityLink({ table, entityKey }: { readonly table: string; readonly entityKey: string }) {
  return (
    <Link
      to="/entities/$table/$key"
      params={{ table, key: entityKey }}
      className="break-all rounded font-mono text-accent text-meta underline underline-offset-2"
    >
      <bdi>{shownKey(entityKey)}</bdi>
    </Link>
  );
}
