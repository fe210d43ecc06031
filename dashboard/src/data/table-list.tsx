import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useSession } from '../api/session.tsx';
import { dayIn } from '../kit/day.ts';
import { Empty, Failed, Skeleton } from '../kit/states.tsx';
import { type Column, Table } from '../kit/table.tsx';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import type { ContractTable } from './contract.ts';
import { kindWords } from './kind-words.ts';
import { MonthBars } from './month-bars.tsx';
import { reportOf, type TableReport } from './report.ts';
import { SendLink } from './send-link.tsx';
import { useActiveContract, useContractDocument } from './use-contracts.ts';
import { useNewestIngestion } from './use-newest-ingestion.ts';
import { dataWords } from './words.ts';

type Row = { readonly table: ContractTable; readonly report: TableReport | undefined };

/** What is in the data: the tables of the active contract, with what the newest ingestion found in them. */
export function TableList() {
  const w = useWords(dataWords);
  const k = useWords(kindWords);
  const format = useFormat();
  const { has } = useSession();
  const navigate = useNavigate();
  const contract = useActiveContract();
  const document = useContractDocument(contract.data?.document);
  const newest = useNewestIngestion();
  const rows = useMemo((): readonly Row[] => {
    const reports = new Map((newest.data ? reportOf(newest.data).tables : [])?.map((one) => [one.table, one]));
    return document.data?.tables.map((table) => ({ table, report: reports.get(table.name) })) ?? [];
  }, [document.data, newest.data]);
  const columns = useColumns();
  if (contract.isError) return <Failed error={contract.error} onRetry={contract.refetch} />;
  if (newest.isError) return <Failed error={newest.error} onRetry={newest.refetch} />;
  if (document.isError) return <Failed error={document.error} />;
  if (contract.data === null)
    return (
      <Empty title={w.first} action={<SendLink />}>
        {w.firstBody}
      </Empty>
    );
  if (!document.data || newest.isPending) return <Skeleton rows={10} />;
  return (
    <>
      <Table
        label={w.tabs.tables}
        columns={columns}
        rows={rows}
        keyOf={({ table }) => table.name}
        onOpen={({ table: { name } }) =>
          has('download_files')
            ? navigate({ to: '/data/tables/$table', params: { table: name } })
            : navigate({
                to: '/data/contracts/$contract_id',
                params: { contract_id: contract.data!.id },
                search: { table: name },
              })
        }
        height="max-h-[calc(100dvh-260px)]"
      />
      <p className="mt-2 max-w-4xl text-ink3 text-meta">{k.about}</p>
      {newest.data?.finished_at && (
        <p className="mt-2 text-ink3 text-meta">{w.reportOf(format.dateTime(newest.data.finished_at))}</p>
      )}
    </>
  );
}

/** Rows have days, not moments: one that is still to come is wrong, or of a date that is planned. */
function Newest({ day }: { readonly day: string }) {
  const w = useWords(dataWords);
  const format = useFormat();
  const { workspace } = useSession();
  const isAhead = workspace !== null && day > dayIn(workspace.time_zone, new Date().toISOString());
  return (
    <span className={isAhead ? 'text-warn' : ''} title={isAhead ? w.aheadHint : undefined}>
      {format.day(day)}
      {isAhead && ` · ${w.ahead}`}
    </span>
  );
}

function useColumns(): readonly Column<Row>[] {
  const w = useWords(dataWords);
  const format = useFormat();
  return useMemo(
    () => [
      {
        key: 'table',
        head: w.table,
        width: 'minmax(140px, 1.6fr)',
        cell: ({ table }) => (
          <span title={table.description ?? undefined}>
            <span className="font-mono text-meta">{table.name}</span>
            {table.businessName && <bdi className="ml-2 text-ink3">{table.businessName}</bdi>}
          </span>
        ),
      },
      {
        key: 'kind',
        head: w.kind,
        width: '110px',
        isMinor: true,
        cell: ({ table: { entityKind } }) =>
          entityKind && ((w.kinds as Readonly<Record<string, string>>)[entityKind] ?? entityKind),
      },
      {
        key: 'rows',
        head: w.rows,
        width: '96px',
        isRight: true,
        cell: ({ report }) => (report ? format.integer(report.rows) : <span className="text-ink3">{w.untold}</span>),
      },
      {
        key: 'months',
        head: w.months,
        width: '150px',
        isMinor: true,
        cell: ({ report }) => report && report.months.length > 1 && <MonthBars months={report.months} />,
      },
      {
        key: 'from',
        head: w.fromUntil,
        width: 'minmax(190px, 1.2fr)',
        isMinor: true,
        cell: ({ report }) =>
          report &&
          (report.from && report.until ? (
            <span
              title={`${format.day(report.from.slice(0, 10))} – ${format.day(report.until.slice(0, 10))}`}
            >{`${format.month(`${report.from.slice(0, 7)}-01`)} – ${format.month(`${report.until.slice(0, 7)}-01`)}`}</span>
          ) : (
            <span className="text-ink3">{w.undated}</span>
          )),
      },
      {
        key: 'newest',
        head: w.newest,
        width: 'minmax(120px, 0.8fr)',
        cell: ({ report }) => report?.until && <Newest day={report.until.slice(0, 10)} />,
      },
      {
        key: 'refers',
        head: w.refersTo,
        width: 'minmax(120px, 1.2fr)',
        isMinor: true,
        cell: ({ table }) => {
          const targets = [...new Set(table.columns.flatMap(({ references }) => references.map((one) => one.table)))];
          return <span className="font-mono text-ink2 text-meta">{targets.join(', ')}</span>;
        },
      },
    ],
    [w, format],
  );
}
