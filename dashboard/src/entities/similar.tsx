import { LastroError, type Schemas } from '@lastro/sdk';
import { Link, useNavigate } from '@tanstack/react-router';
import { useClient, useSession } from '../api/session.tsx';
import { useData } from '../api/use-data.ts';
import { buttonClass } from '../kit/button.tsx';
import { CodeBlock } from '../kit/code.tsx';
import { Moment } from '../kit/moment.tsx';
import { Section } from '../kit/page.tsx';
import { Empty, Failed, Skeleton } from '../kit/states.tsx';
import { type Column, Table } from '../kit/table.tsx';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { DaySlider } from './day-slider.tsx';
import type { EntityProps } from './entity-search.ts';
import { useEntity } from './facts.tsx';
import { shownKey } from './shown-key.ts';
import { entityWords } from './words.ts';

type Neighbor = Schemas['Neighbor'];
const neighborsMost = 50;

/** Who is most like an entity by its embedding. */
export function SimilarEntities({ table, entityKey, search, set }: EntityProps) {
  const w = useWords(entityWords);
  const entity = useEntity(table, entityKey);
  return (
    <Section
      title={w.neighbors}
      description={w.neighborsBody}
      className="!mt-0"
      actions={
        <Link to="/embeddings" search={{ entity: table, key: entityKey }} className={buttonClass()}>
          {w.onMap}
        </Link>
      }
    >
      <div className="mb-3 flex">
        <DaySlider
          first={entity.data?.since ?? entity.data?.first}
          value={search.as_of}
          onValue={(as_of) => set({ as_of }, true)}
        />
      </div>
      <Neighbors table={table} entityKey={entityKey} asOf={search.as_of} />
    </Section>
  );
}

type Asked = { readonly table: string; readonly entityKey: string | undefined; readonly asOf?: string | undefined };

/** Whether anything makes embeddings of a table: those who may not see that may ask for them all the same. */
export function useHasEncoder(table: string): boolean | undefined {
  const client = useClient();
  const { can } = useSession();
  const isOn = can('view_models');
  const versions = useData(
    ['rfm-versions', 'of', table],
    (signal) => client.rfmVersions.list({ entity: table, limit: 1 }, { signal }),
    { isOn },
  );
  return !isOn || versions.isError || (versions.data && versions.data.data.length > 0);
}

/** The nearest of an entity by embedding; nothing is asked without a key, nor of a table without embeddings. */
export function useNeighbors({ table, entityKey, asOf }: Asked) {
  const client = useClient();
  const body = {
    entity: table,
    key: entityKey ?? '',
    limit: neighborsMost,
    ...(asOf ? { reference_date: asOf } : {}),
  };
  const hasEncoder = useHasEncoder(table);
  return useData(['embeddings', 'neighbors', body], (signal) => client.embeddings.findNeighbors(body, { signal }), {
    isOn: entityKey !== undefined && hasEncoder === true,
  });
}

/** The nearest of an entity, each with its similarity; one is opened by click or Enter. */
export function Neighbors({
  onOpen,
  ...asked
}: Asked & {
  /** What opening one does instead of leading to its page. */
  onOpen?(key: string): void;
}) {
  const w = useWords(entityWords);
  const format = useFormat();
  const navigate = useNavigate();
  const { table } = asked;
  const hasEncoder = useHasEncoder(table);
  const found = useNeighbors(asked);
  if (hasEncoder === false) return <NoEncoder table={table} />;
  if (found.isError)
    return isMissing(found.error) ? (
      <NoEncoder table={table} />
    ) : (
      <Failed error={found.error} onRetry={() => found.refetch()} />
    );
  if (!found.data) return <Skeleton rows={8} />;
  if (found.data.data.length === 0) return <p className="text-body text-ink2">{w.noNeighbors}</p>;
  const columns: readonly Column<Neighbor>[] = [
    {
      key: 'key',
      head: w.key,
      width: 'minmax(120px, 1.4fr)',
      cell: ({ key }) => <code className="font-mono text-meta">{shownKey(String(key))}</code>,
    },
    {
      key: 'bar',
      head: <span className="sr-only">{w.similarity}</span>,
      width: 'minmax(60px, 1fr)',
      cell: ({ similarity }) => (
        <span className="block h-1.5 rounded-full bg-sunken" aria-hidden="true">
          <span
            className="block h-full rounded-full bg-accent"
            style={{ width: `${100 * Math.max(0, similarity)}%` }}
          />
        </span>
      ),
    },
    {
      key: 'similarity',
      head: w.similarity,
      width: '104px',
      isRight: true,
      cell: ({ similarity }) => format.number(similarity),
    },
  ];
  return (
    <>
      <Table
        label={w.neighbors}
        columns={columns}
        rows={found.data.data}
        keyOf={({ key }) => String(key)}
        onOpen={({ key }) =>
          onOpen
            ? onOpen(String(key))
            : navigate({ to: '/entities/$table/$key', params: { table, key: String(key) }, search: { tab: 'similar' } })
        }
        height="max-h-[60vh]"
      />
      <p className="mt-2 text-ink3 text-meta">
        {w.asOf} <Moment at={found.data.as_of} isExact />
      </p>
    </>
  );
}

/** Whether embeddings are refused because nothing makes them yet. */
export const isMissing = (error: unknown): boolean => error instanceof LastroError && error.code === 'no_encoder';

export function NoEncoder({ table }: { readonly table: string | undefined }) {
  const w = useWords(entityWords);
  return (
    <Empty title={w.noEncoder}>
      <p className="mb-3">{w.noEncoderBody}</p>
      <Link to="/foundation" className={`${buttonClass('primary')} mb-6`}>
        {w.toFoundation}
      </Link>
      <p className="mb-2">{w.orByApi}</p>
      <div className="text-left">
        <CodeBlock
          label={w.noEncoder}
          code={`curl -s '${location.origin}/v1/api/training-runs' \\\n  -H "Authorization: Bearer $LASTRO_API_KEY" \\\n  -H "Content-Type: application/json" -d '{"entity": "${table ?? '<table>'}"}'`}
        />
      </div>
    </Empty>
  );
}
