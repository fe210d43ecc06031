import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useClient } from '../api/session.tsx';
import { useList } from '../api/use-data.ts';
import { Allowed } from '../kit/allowed.tsx';
import { buttonClass } from '../kit/button.tsx';
import { Moment } from '../kit/moment.tsx';
import { Empty, Failed, Skeleton } from '../kit/states.tsx';
import { Status } from '../kit/status.tsx';
import { type Column, Table } from '../kit/table.tsx';
import { common } from '../words/common.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import type { Contract } from './contract.ts';
import { changesOf } from './report.ts';
import { useIsOvertaken } from './use-contracts.ts';
import { dataWords } from './words.ts';

/** The versions of the contract, the newest first. */
export function ContractList() {
  const w = useWords(dataWords);
  const client = useClient();
  const navigate = useNavigate();
  const list = useList(['contracts', 'list'], (cursor, signal) =>
    client.contracts.list({ limit: 50, ...(cursor ? { cursor } : {}) }, { signal }),
  );
  const columns = useColumns();
  const write = (
    <Allowed permission="upload_files" label={w.writeOne} kind="secondary">
      <Link to="/data/send" search={{ tab: 'contract' }} className={buttonClass()}>
        {w.writeOne}
      </Link>
    </Allowed>
  );
  if (list.isError) return <Failed error={list.error} onRetry={() => list.refetch()} />;
  if (list.isPending) return <Skeleton rows={6} />;
  if (list.rows.length === 0)
    return (
      <Empty title={w.noContract} action={write}>
        {w.noContractBody}
      </Empty>
    );
  return (
    <>
      <Table
        label={w.tabs.contracts}
        columns={columns}
        rows={list.rows}
        keyOf={({ id }) => id}
        onOpen={({ id }) => navigate({ to: '/data/contracts/$contract_id', params: { contract_id: id }, search: {} })}
        onEnd={list.fetchMore}
        height="max-h-[calc(100dvh-280px)]"
      />
      {write && <div className="mt-3">{write}</div>}
    </>
  );
}

/** One that was proposed to change a contract which is active no more can no longer be accepted. */
function ContractStatus({ of: contract }: { readonly of: Contract }) {
  const w = useWords(dataWords);
  const isOvertaken = useIsOvertaken(contract);
  return isOvertaken ? <Status of="superseded" label={w.overtaken} /> : <Status of={contract.status} />;
}

function useColumns(): readonly Column<Contract>[] {
  const w = useWords(dataWords);
  const c = useWords(common);
  const format = useFormat();
  return useMemo(
    () => [
      {
        key: 'number',
        head: w.number,
        width: 'minmax(120px, 1fr)',
        cell: ({ number }) => <b className="font-medium">{w.contract(String(number))}</b>,
        below: (contract) => <ContractStatus of={contract} />,
      },
      {
        key: 'status',
        head: c.status,
        width: '130px',
        isMinor: true,
        cell: (contract) => <ContractStatus of={contract} />,
      },
      {
        key: 'changes',
        head: w.changes,
        width: 'minmax(130px, 1fr)',
        isMinor: true,
        cell: ({ changes, status }) => {
          const found = changesOf(changes);
          const breaking = found.filter((one) => one.breaking).length;
          return (
            found.length > 0 && (
              <>
                {w.changeCount(format.integer(found.length))}
                {breaking > 0 && (
                  <span className={status === 'proposed' ? 'text-warn' : ''}>
                    {' · '}
                    {format.integer(breaking)} {w.breaking}
                  </span>
                )}
              </>
            )
          );
        },
      },
      {
        key: 'accepted',
        head: w.accepted,
        width: '150px',
        isMinor: true,
        cell: ({ accepted_at: at }) => at && <Moment at={at} />,
      },
      {
        key: 'created',
        head: c.created,
        width: '150px',
        isRight: true,
        cell: ({ created_at: at }) => <Moment at={at} />,
      },
    ],
    [w, c, format],
  );
}
