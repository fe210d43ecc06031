import { Link, useSearch } from '@tanstack/react-router';
import { useSession } from '../api/session.tsx';
import { buttonClass, Hint } from '../kit/button.tsx';
import { CodeButton } from '../kit/code.tsx';
import { Facts, Page } from '../kit/page.tsx';
import { NoPermission } from '../kit/states.tsx';
import { pageNames } from '../shell/pages.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import type { ContractTable } from './contract.ts';
import { kindWords } from './kind-words.ts';
import { reportOf } from './report.ts';
import { rowWords } from './row-words.ts';
import { TableRows } from './table-rows.tsx';
import { useActiveContract, useContractDocument } from './use-contracts.ts';
import { useNewestIngestion } from './use-newest-ingestion.ts';
import { askedOf } from './use-table-rows.ts';
import { dataWords } from './words.ts';

/** One table of the data: what it is, and its rows. */
export function TablePage({ name }: { readonly name: string }) {
  const r = useWords(rowWords);
  const { data: list } = useWords(pageNames);
  const { has } = useSession();
  const contract = useActiveContract();
  const { data: document } = useContractDocument(contract.data?.document);
  const table = document?.tables.find((one) => one.name === name);
  // A date that a clock completes stands before it; one of another table is none of its own.
  const dateColumn = table?.columns.find(({ name: own }) => own === table.eventTime?.split(' + ')[0])?.name ?? null;
  const search = useSearch({ from: '/_app/data/tables/$table' });
  const asked = askedOf(search);
  return (
    <Page
      isWide
      title={<span className="font-mono">{name}</span>}
      tab={name}
      back={{ label: list, to: '/data' }}
      description={r.description}
      actions={
        <>
          <CodeButton
            request={{
              method: 'GET',
              path: `/v1/api/tables/${encodeURIComponent(name)}/rows${Object.keys(asked).length > 0 ? `?${new URLSearchParams(asked)}` : ''}`,
              typescript: `lastro.tables.listRows(${JSON.stringify(name)}${Object.keys(asked).length > 0 ? `, ${JSON.stringify(asked)}` : ''})`,
            }}
          />
          {contract.data && (
            <Link
              to="/data/contracts/$contract_id"
              params={{ contract_id: contract.data.id }}
              search={{ table: name }}
              className={buttonClass()}
            >
              {r.inContract}
            </Link>
          )}
        </>
      }
    >
      <About name={name} table={table} />
      {has('download_files') ? (
        <TableRows name={name} dateColumn={dateColumn} />
      ) : (
        <NoPermission permission="download_files" />
      )}
    </Page>
  );
}

/** What the contract and the newest ingestion say of a table. */
function About({ name, table }: { readonly name: string; readonly table: ContractTable | undefined }) {
  const w = useWords(dataWords);
  const k = useWords(kindWords);
  const format = useFormat();
  const newest = useNewestIngestion();
  const report = newest.data ? reportOf(newest.data).tables?.find((one) => one.table === name) : undefined;
  const day = (moment: string) => format.day(moment.slice(0, 10));
  const kinds: Readonly<Record<string, string>> = w.kinds;
  const said = [table?.businessName, table?.description].filter(Boolean).join(': ');
  return (
    <>
      {said && <p className="mb-3 max-w-3xl break-words text-ink2">{said}</p>}
      <Facts
        columns={4}
        of={[
          report !== undefined && [w.rows, format.integer(report.rows)],
          !!table?.entityKind && [
            w.kind,
            <Hint key="kind" text={k.about}>
              <span>{kinds[table.entityKind] ?? table.entityKind}</span>
            </Hint>,
          ],
          !!report?.from && !!report.until && [w.fromUntil, `${day(report.from)} – ${day(report.until)}`],
        ]}
      />
    </>
  );
}
