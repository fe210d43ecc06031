import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useMemo } from 'react';
import { useClient, useSession } from '../api/session.tsx';
import { useData } from '../api/use-data.ts';
import { useTrailFact } from '../audit/trail-fact.tsx';
import { Hint } from '../kit/button.tsx';
import { CodeButton } from '../kit/code.tsx';
import { Id } from '../kit/copy.tsx';
import { Moment } from '../kit/moment.tsx';
import { Facts, Page } from '../kit/page.tsx';
import { Failed, Refusal, Skeleton } from '../kit/states.tsx';
import { Status } from '../kit/status.tsx';
import { Tabs } from '../kit/tabs.tsx';
import { importPart } from '../shell/new-build.ts';
import { pageNames } from '../shell/pages.ts';
import { common } from '../words/common.ts';
import { useWords } from '../words/words.ts';
import { AcceptContract } from './accept-contract.tsx';
import type { Contract } from './contract.ts';
import { correctionWords } from './correction-words.ts';
import { correctionsId } from './corrections.ts';
import { FilesUnder, useFilesUnder } from './files-under.tsx';
import { IngestionLink } from './ingestion-link.tsx';
import { RejectContract } from './reject-contract.tsx';
import { changesOf, guessesOf } from './report.ts';
import { useActiveContract, useContractDocument, useIsOvertaken } from './use-contracts.ts';
import { useCorrections } from './use-corrections.ts';
import { dataWords } from './words.ts';

/** Tabs that are loaded when they are first opened. */
const ContractTables = lazy(async () => ({
  default: (await importPart(() => import('./contract-tables.tsx'))).ContractTables,
}));
const ContractGraph = lazy(async () => ({
  default: (await importPart(() => import('./contract-graph.tsx'))).ContractGraph,
}));
const ContractChanges = lazy(async () => ({
  default: (await importPart(() => import('./contract-changes.tsx'))).ContractChanges,
}));
const ContractText = lazy(async () => ({
  default: (await importPart(() => import('./contract-text.tsx'))).ContractText,
}));
/** Loaded with the first correction. */
const CorrectionBar = lazy(async () => ({
  default: (await importPart(() => import('./correction-bar.tsx'))).CorrectionBar,
}));

const route = getRouteApi('/_app/data/contracts/$contract_id');

export function ContractPage() {
  const { contract_id: id } = route.useParams();
  const { data: list } = useWords(pageNames);
  const client = useClient();
  const contract = useData(['contracts', 'one', id], (signal) => client.contracts.get(id, { signal }));
  const back = { label: list, to: '/data' as const };
  if (contract.data) return <Detail key={id} contract={contract.data} back={back} />;
  return (
    <Page title={list} back={back}>
      {contract.error ? <Failed error={contract.error} onRetry={contract.refetch} /> : <Skeleton />}
    </Page>
  );
}

function Detail({
  contract,
  back,
}: {
  readonly contract: Contract;
  readonly back: { readonly label: string; readonly to: '/data' };
}) {
  const w = useWords(dataWords);
  const c = useWords(common);
  const { part = contract.status === 'proposed' ? 'changes' : 'tables', table, late } = route.useSearch();
  const navigate = useNavigate({ from: '/data/contracts/$contract_id' });
  const document = useContractDocument(contract.document);
  const { can } = useSession();
  const trail = useTrailFact(contract.id);
  const isOvertaken = useIsOvertaken(contract);
  const active = useActiveContract(contract.status === 'proposed');
  const under = useFilesUnder(contract);
  // All at once, so that nothing that comes later moves what can be clicked under a pointer.
  const isKnown =
    (isOvertaken !== undefined || active.isError) &&
    !document.isLoading &&
    (contract.status !== 'active' || under.isFetched || under.isError);
  const canCorrect =
    can('upload_files') && (contract.status === 'active' || (contract.status === 'proposed' && isOvertaken === false));
  const corrections = useCorrections(contract, document.data?.tables);
  const { tables = [] } = corrections;
  const correcting = canCorrect && document.data ? { ...corrections, before: document.data.tables } : null;
  const guesses = useMemo(
    () => (contract.status === 'proposed' ? guessesOf(contract.changes) : []),
    [contract.status, contract.changes],
  );
  const seeTable = (name: string) => navigate({ search: (before) => ({ ...before, part: 'tables', table: name }) });
  return (
    <Page
      isWide
      title={w.contract(String(contract.number))}
      back={back}
      description={w.contractBody}
      actions={<Actions contract={contract} isCorrected={corrections.count > 0} />}
    >
      <Facts
        columns={4}
        of={[
          [c.status, <Status key="status" of={contract.status} />],
          contract.base_id !== null && [
            w.basedOn,
            <Link
              key="base"
              to="/data/contracts/$contract_id"
              params={{ contract_id: contract.base_id }}
              search={{}}
              className="text-accent underline underline-offset-2"
            >
              …{contract.base_id.slice(-6)}
            </Link>,
          ],
          contract.ingestion_id !== null && [w.askedBy, <IngestionLink key="ingestion" id={contract.ingestion_id} />],
          [
            w.clocks,
            <Hint key="clocks" text={w.clocksHint}>
              <span>{document.data ? (document.data.timeZone ?? 'UTC') : '…'}</span>
            </Hint>,
          ],
          [c.created, <Moment key="created" at={contract.created_at} isExact />],
          contract.accepted_at !== null && [w.accepted, <Moment key="accepted" at={contract.accepted_at} isExact />],
          trail,
          ['id', <Id key="id" id={contract.id} />],
        ]}
      />
      {isKnown ? (
        <Once>
          <FilesUnder files={under.data} />
          <div className="mt-5">
            <Tabs
              label={w.partsLabel}
              tabs={[
                { value: 'tables', label: w.parts.tables, count: document.data?.tables.length ?? null },
                { value: 'graph', label: w.parts.graph },
                { value: 'changes', label: w.parts.changes, count: changesOf(contract.changes).length || null },
                { value: 'yaml', label: w.parts.yaml },
              ]}
              value={part}
              onValue={(next) => navigate({ search: (before) => ({ ...before, part: next }) })}
            >
              <Suspense fallback={<Skeleton />}>
                {part === 'yaml' ? (
                  <ContractText contract={contract} />
                ) : part === 'changes' ? (
                  <ContractChanges contract={contract} tables={tables} correcting={correcting} />
                ) : document.error ? (
                  <Refusal error={document.error} />
                ) : !document.data ? (
                  <Skeleton />
                ) : part === 'graph' ? (
                  <ContractGraph
                    tables={tables}
                    chosen={table}
                    onChoose={(name) => navigate({ search: (before) => ({ ...before, table: name }), replace: true })}
                    onSee={seeTable}
                  />
                ) : (
                  <ContractTables
                    tables={tables}
                    chosen={table}
                    late={late}
                    guesses={guesses}
                    correcting={correcting}
                    onSee={seeTable}
                  />
                )}
              </Suspense>
            </Tabs>
            {corrections.count > 0 && (
              <Suspense>
                <CorrectionBar corrections={corrections} tables={tables} />
              </Suspense>
            )}
          </div>
        </Once>
      ) : (
        <Skeleton />
      )}
    </Page>
  );
}

/**
 * Takes a double click for one: the second of its clicks would answer a question that has just come, or moved, to where
 * the first one was.
 */
function Once({ children }: { readonly children: ReactNode }) {
  return (
    <div
      onClickCapture={(event) => {
        const isButton = (event.target as Element).closest('button') !== null;
        if (isButton && event.detail > 1) event.stopPropagation();
      }}
    >
      {children}
    </div>
  );
}

function Actions({ contract, isCorrected }: { readonly contract: Contract; readonly isCorrected: boolean }) {
  const w = useWords(dataWords);
  const correction = useWords(correctionWords);
  const { can } = useSession();
  const isOvertaken = useIsOvertaken(contract);
  return (
    <>
      <CodeButton
        request={{
          method: contract.status === 'proposed' ? 'POST' : 'GET',
          path: `/v1/api/contracts/${contract.id}${contract.status === 'proposed' ? '/acceptance' : ''}`,
          typescript: `lastro.contracts.${contract.status === 'proposed' ? 'accept' : 'get'}('${contract.id}')`,
        }}
      />
      {contract.status === 'proposed' && can('upload_files') && (
        <>
          <RejectContract id={contract.id} />
          {isCorrected && (
            <p className="max-w-48 text-ink2 text-meta sm:text-right">
              {correction.correctedHint}{' '}
              <button
                type="button"
                onClick={() => window.document.getElementById(correctionsId)?.focus()}
                className="text-accent underline underline-offset-2"
              >
                {correction.toCorrections}
              </button>
            </p>
          )}
          {/* It has its place before it is known whether it can be done. */}
          {isOvertaken !== true && (
            <AcceptContract contract={contract} label={w.accept} isBlocked={isCorrected || isOvertaken === undefined} />
          )}
        </>
      )}
    </>
  );
}
