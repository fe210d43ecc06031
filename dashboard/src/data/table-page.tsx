import { Link } from '@tanstack/react-router';
import { useSession } from '../api/session.tsx';
import { buttonClass } from '../kit/button.tsx';
import { CodeButton } from '../kit/code.tsx';
import { Facts, Page } from '../kit/page.tsx';
import { NoPermission } from '../kit/states.tsx';
import { pageNames } from '../shell/pages.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { reportOf } from './report.ts';
import { rowWords } from './row-words.ts';
import { TableRows } from './table-rows.tsx';
import { useActiveContract, useContractDocument } from './use-contracts.ts';
import { useNewestIngestion } from './use-newest-ingestion.ts';
import { dataWords } from './words.ts';

/** One table of the data: what it is, and its rows. */
export function TablePage({ name }: { readonly name: string }) {
  const r = useWords(rowWords);
  const { data: list } = useWords(pageNames);
  const { has } = useSession();
  const contract = useActiveContract();
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
              path: `/v1/api/tables/${encodeURIComponent(name)}/rows`,
              typescript: `lastro.tables.listRows(${JSON.stringify(name)})`,
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
      <About name={name} document={contract.data?.document} />
      {has('download_files') ? <TableRows name={name} /> : <NoPermission permission="download_files" />}
    </Page>
  );
}

/** What the contract and the newest ingestion say of a table. */
function About({ name, document }: { readonly name: string; readonly document: string | undefined }) {
  const w = useWords(dataWords);
  const format = useFormat();
  const read = useContractDocument(document);
  const newest = useNewestIngestion();
  const table = read.data?.tables.find((one) => one.name === name);
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
          !!table?.entityKind && [w.kind, kinds[table.entityKind] ?? table.entityKind],
          !!report?.from && !!report.until && [w.fromUntil, `${day(report.from)} – ${day(report.until)}`],
        ]}
      />
    </>
  );
}
