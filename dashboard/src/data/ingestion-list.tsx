import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useClient, useSession } from '../api/session.tsx';
import { useList } from '../api/use-data.ts';
import { Moment } from '../kit/moment.tsx';
import { Empty, Failed, Skeleton } from '../kit/states.tsx';
import { Status } from '../kit/status.tsx';
import { type Column, Table } from '../kit/table.tsx';
import { common } from '../words/common.ts';
import { useFormat } from '../words/format.ts';
import { meaningOf, refusalWords } from '../words/refusals.ts';
import { sayWait, waitWords } from '../words/waits.ts';
import { useWords } from '../words/words.ts';
import { ingestionWords } from './ingestion-words.ts';
import { type Ingestion, isOpen, phaseOf, reportOf } from './report.ts';
import { SendLink } from './send-link.tsx';
import { useActiveContract } from './use-contracts.ts';
import { dataWords } from './words.ts';

const openEveryMs = 2_000;

/** What has come in, the newest first, live while something is under way. */
export function IngestionList() {
  const w = useWords(dataWords);
  const own = useWords(ingestionWords);
  const client = useClient();
  const navigate = useNavigate();
  const list = useList(
    ['ingestions', 'list'],
    (cursor, signal) => client.ingestions.list({ limit: 50, ...(cursor ? { cursor } : {}) }, { signal }),
    { everyMs: (rows) => (rows.some(isOpen) ? openEveryMs : false) },
  );
  const columns = useColumns();
  if (list.isError) return <Failed error={list.error} onRetry={() => list.refetch()} />;
  if (list.isPending) return <Skeleton rows={6} />;
  if (list.rows.length === 0)
    return (
      <Empty title={own.noIngestion} action={<SendLink />}>
        {w.firstBody}
      </Empty>
    );
  return (
    <Table
      label={w.tabs.ingestions}
      columns={columns}
      rows={list.rows}
      keyOf={({ id }) => id}
      onOpen={({ id }) => navigate({ to: '/data/ingestions/$ingestion_id', params: { ingestion_id: id }, search: {} })}
      onEnd={list.fetchMore}
      height="max-h-[calc(100dvh-260px)]"
    />
  );
}

/** Files that wait for their contract to be accepted were refused for it: that is no fault. */
export function IngestionStatus({ of: ingestion }: { readonly of: Ingestion }) {
  const w = useWords(ingestionWords);
  const { status, proposed_contract_id: proposed } = ingestion;
  const { can } = useSession();
  const { data: active } = useActiveContract(can('view_models'));
  const isPast = hasAsked(ingestion, active);
  return status === 'refused' && proposed !== null ? (
    <Status of={isPast ? 'superseded' : 'proposed'} label={isPast ? w.askedContract : w.asksContract} />
  ) : (
    <Status of={status} />
  );
}

/** Whether an ingestion asked for a contract at a time when another one was active than now: nobody waits for it. */
function hasAsked(
  { proposed_contract_id: proposed, contract_id: under }: Ingestion,
  active: { readonly id: string } | null | undefined,
): boolean {
  return proposed !== null && active !== undefined && under !== (active?.id ?? null);
}

/** The tables of an ingestion in a few words. */
export function useTablesOf(): (ingestion: Ingestion) => string {
  const w = useWords(dataWords);
  const own = useWords(ingestionWords);
  return ({ kind, files }) => {
    const tables = [...new Set(files.map(({ table }) => table))];
    const shown = tables.slice(0, 3).join(', ');
    const named = tables.length > 3 ? `${shown} ${w.more(tables.length - 3)}` : shown;
    return kind === 'reread' ? `${own.reread}${named ? `: ${named}` : ''}` : named;
  };
}

function useColumns(): readonly Column<Ingestion>[] {
  const waiting = useWords(waitWords);
  const w = useWords(dataWords);
  const own = useWords(ingestionWords);
  const c = useWords(common);
  const format = useFormat();
  const tablesOf = useTablesOf();
  const refusals = useWords(refusalWords);
  // What the service says of it in English.
  const { can } = useSession();
  const { data: active } = useActiveContract(can('view_models'));
  const outcomeOf = (ingestion: Ingestion) => {
    const { status, failure, proposed_contract_id: proposed, contract_id: under } = ingestion;
    if (failure) return meaningOf(refusals, failure.code);
    if (status !== 'refused') return undefined;
    if (hasAsked(ingestion, active)) return own.askedBefore;
    return proposed === null ? own.dataError : under === null ? own.asksFirst : own.newVersion;
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: these functions change with the words alone
  return useMemo(
    () => [
      {
        key: 'status',
        head: c.status,
        width: '158px',
        isMinor: true,
        cell: (ingestion) => <IngestionStatus of={ingestion} />,
      },
      {
        key: 'tables',
        head: w.tabs.tables,
        width: 'minmax(140px, 1.6fr)',
        cell: (ingestion) => <bdi>{tablesOf(ingestion)}</bdi>,
        below: (ingestion) => <IngestionStatus of={ingestion} />,
      },
      {
        key: 'result',
        head: own.result,
        width: 'minmax(160px, 2fr)',
        isMinor: true,
        cell: (ingestion) => {
          const waits = sayWait(waiting, 'ingestions', ingestion.waits_for, ingestion.ingestions_before);
          if (isOpen(ingestion))
            return <span className="text-ink2">{waits ?? phaseOf(ingestion, format) ?? own.begins}</span>;
          const told = ingestion.message ?? ingestion.failure?.detail;
          if (told) return <span title={told}>{format.language === 'en' ? told : (outcomeOf(ingestion) ?? told)}</span>;
          if (ingestion.changed === false) return <span className="text-ink3">{own.unchanged}</span>;
          const added = reportOf(ingestion).files?.reduce((sum, one) => sum + one.added, 0) ?? 0;
          return added > 0 && `${own.newRows}: ${format.integer(added)}`;
        },
      },
      {
        key: 'took',
        head: own.took,
        width: '90px',
        isRight: true,
        isMinor: true,
        cell: ({ started_at: from, finished_at: until }) =>
          from && until && format.duration(Date.parse(until) - Date.parse(from)),
      },
      {
        key: 'created',
        head: c.created,
        width: '130px',
        isRight: true,
        cell: ({ created_at: at }) => <Moment at={at} />,
      },
    ],
    [w, c, format, waiting, active],
  );
}
