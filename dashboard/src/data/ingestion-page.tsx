import { getRouteApi, Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useClient, useSession } from '../api/session.tsx';
import { useChange, useData } from '../api/use-data.ts';
import { useTrailFact } from '../audit/trail-fact.tsx';
import { Button, buttonClass } from '../kit/button.tsx';
import { CodeButton } from '../kit/code.tsx';
import { Id } from '../kit/copy.tsx';
import { Interrupt } from '../kit/interrupt.tsx';
import { Moment } from '../kit/moment.tsx';
import { Facts, Page, Panel, Section } from '../kit/page.tsx';
import { Failed, Refusal, Skeleton } from '../kit/states.tsx';
import { Progress, Status } from '../kit/status.tsx';
import { importPart } from '../shell/new-build.ts';
import { pageNames } from '../shell/pages.ts';
import { common } from '../words/common.ts';
import { useFormat } from '../words/format.ts';
import { sayWait, waitWords } from '../words/waits.ts';
import { useWords } from '../words/words.ts';
import { IngestionLink } from './ingestion-link.tsx';
import { IngestionStatus, useTablesOf } from './ingestion-list.tsx';
import { IngestionReport } from './ingestion-report.tsx';
import { ingestionWords } from './ingestion-words.ts';
import { NextStep } from './next-step.tsx';
import { RejectContract } from './reject-contract.tsx';
import { type Ingestion, isOpen, phaseOf, reportOf } from './report.ts';
import { useTakingAgain } from './use-acceptance.ts';
import { useIsOvertaken } from './use-contracts.ts';
import { dataWords } from './words.ts';

/** Loaded where files were refused. */
const Deviations = lazy(async () => ({
  default: (await importPart(() => import('./deviations.tsx'))).Deviations,
}));

/** Loaded where files wait for a contract. */
const AcceptContract = lazy(async () => ({
  default: (await importPart(() => import('./accept-contract.tsx'))).AcceptContract,
}));

const route = getRouteApi('/_app/data/ingestions/$ingestion_id');
const openEveryMs = 1_000;

export function IngestionPage() {
  const { ingestion_id: id } = route.useParams();
  const w = useWords(ingestionWords);
  const { data: list } = useWords(pageNames);
  const client = useClient();
  const tablesOf = useTablesOf();
  const { data, error, refetch } = useData(
    ['ingestions', 'one', id],
    (signal) => client.ingestions.get(id, {}, { signal }),
    { everyMs: (ingestion) => (ingestion && isOpen(ingestion) ? openEveryMs : false) },
  );
  const back = { label: list, to: '/data' as const };
  if (!data)
    return (
      <Page title={list} back={back}>
        {error ? <Failed error={error} onRetry={refetch} /> : <Skeleton />}
      </Page>
    );
  return (
    <Page
      title={data.kind === 'reread' ? tablesOf(data) : w.ingestionTitle(tablesOf(data))}
      back={back}
      description={<IngestionStatus of={data} />}
      actions={<Actions ingestion={data} />}
    >
      <State ingestion={data} />
      <Proposal ingestion={data} />
      {data.status === 'refused' && (
        <Suspense fallback={<Skeleton />}>
          <Deviations ingestion={data} />
        </Suspense>
      )}
      <IngestionReport report={reportOf(data)} />
      <About ingestion={data} />
    </Page>
  );
}

function Actions({ ingestion }: { readonly ingestion: Ingestion }) {
  const w = useWords(ingestionWords);
  const client = useClient();
  const { can } = useSession();
  const interrupt = useChange(() => client.ingestions.interrupt(ingestion.id), {
    ...{ changes: [['ingestions']], isQuiet: true },
  });
  return (
    <>
      <CodeButton
        request={{
          method: 'GET',
          path: `/v1/api/ingestions/${ingestion.id}?wait=30`,
          typescript: `lastro.ingestions.wait('${ingestion.id}')`,
        }}
      />
      {isOpen(ingestion) && can('upload_files') && (
        <Interrupt words={w} onInterrupt={() => interrupt.mutateAsync(undefined)} />
      )}
    </>
  );
}

function State({ ingestion }: { readonly ingestion: Ingestion }) {
  const w = useWords(ingestionWords);
  const { can } = useSession();
  const waiting = useWords(waitWords);
  const format = useFormat();
  const { failure, message, kind, start_eta } = ingestion;
  const begins = start_eta && format.relative(start_eta);
  return (
    <div className="flex flex-col gap-3">
      {kind === 'reread' && <p className="text-ink2">{w.rereadBody}</p>}
      {isOpen(ingestion) && (
        <Panel className="p-4">
          <p className="mb-2 break-words" aria-live="polite">
            {sayWait(waiting, 'ingestions', ingestion.waits_for, ingestion.ingestions_before, begins) ??
              phaseOf(ingestion, format) ??
              w.begins}
          </p>
          <Progress label={w.phase} share={null} />
        </Panel>
      )}
      {failure && <Refusal error={failure.detail} code={failure.code} />}
      {/* Who sees the deviations reads there what is wrong. */}
      {message && ingestion.proposed_contract_id === null && !can('upload_files') && (
        <Refusal error={format.language === 'en' ? message : w.dataError} />
      )}
      {ingestion.changed === false && <p className="text-ink2">{w.unchanged}</p>}
      {ingestion.status === 'succeeded' && <NextStep isChanged={ingestion.changed !== false} />}
    </div>
  );
}

/** The contract that the files ask for, which is accepted here by one click. */
function Proposal({ ingestion }: { readonly ingestion: Ingestion }) {
  const w = useWords(dataWords);
  const own = useWords(ingestionWords);
  const client = useClient();
  const { can } = useSession();
  const { proposed_contract_id: id, contract_id: under } = ingestion;
  // The first one, or the newest of those that were corrected since and ask for the same files.
  const proposed = useData(
    ['contracts', 'of-ingestion', ingestion.id],
    async (signal) => {
      for await (const contract of client.contracts.list({ limit: 50 }, { signal }))
        if (contract.ingestion_id === ingestion.id || contract.id === id) return contract;
      return null;
    },
    { isOn: id !== null && ingestion.status === 'refused' },
  );
  const isOvertaken = useIsOvertaken(proposed.data ?? undefined);
  const again = useTakingAgain();
  // What comes below it can be clicked, and is not to move.
  if (proposed.isLoading || (proposed.data && isOvertaken === undefined))
    return (
      <div className="min-h-32">
        <Skeleton rows={3} />
      </div>
    );
  if (!proposed.data) return null;
  const { id: offered, number, status } = proposed.data;
  const isWaiting = status === 'proposed' && !isOvertaken;
  return (
    <section
      className={`rounded-[8px] border px-4 py-3 ${isWaiting ? 'border-warn/40 bg-warn-soft' : 'border-line bg-panel'}`}
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="font-semibold text-section">{w.contract(String(number))}</h2>
        <Status of={status} />
      </div>
      <p className="mt-0.5 max-w-3xl">
        {isOvertaken
          ? own.overtaken
          : status === 'active' || status === 'superseded'
            ? own.acceptedSince
            : under === null
              ? own.firstVersion
              : own.newVersion}
      </p>
      <div className="mt-3 flex flex-wrap gap-2">
        {isOvertaken && can('upload_files') && (
          <Button kind="primary" isBusy={again.isPending} onClick={() => again.mutate(ingestion.files)}>
            {own.takeAgain}
          </Button>
        )}
        {isWaiting && can('upload_files') && (
          <Suspense>
            <AcceptContract contract={proposed.data} label={own.acceptProposal} />
          </Suspense>
        )}
        <Link to="/data/contracts/$contract_id" params={{ contract_id: offered }} search={{}} className={buttonClass()}>
          {own.seeProposal}
        </Link>
        {status === 'proposed' && can('upload_files') && <RejectContract id={offered} />}
      </div>
    </section>
  );
}

function About({ ingestion }: { readonly ingestion: Ingestion }) {
  const w = useWords(ingestionWords);
  const c = useWords(common);
  const format = useFormat();
  const { contract_id: contract, snapshot_id: snapshot, started_at: from, finished_at: until } = ingestion;
  const reread = reportOf(ingestion).reread_ingestion_id;
  const trail = useTrailFact(ingestion.id);
  return (
    <Section title={w.about}>
      <Facts
        columns={3}
        of={[
          contract !== null && [
            w.underContract,
            <Link
              key="contract"
              to="/data/contracts/$contract_id"
              params={{ contract_id: contract }}
              search={{}}
              className="text-accent underline underline-offset-2"
            >
              …{contract.slice(-6)}
            </Link>,
          ],
          reread !== undefined && [w.rereadBy, <IngestionLink key="reread" id={reread} />],
          snapshot !== null && [w.snapshot, <Id key="snapshot" id={snapshot} />],
          [c.created, <Moment key="created" at={ingestion.created_at} isExact />],
          from !== null && until !== null && [w.took, format.duration(Date.parse(until) - Date.parse(from))],
          trail,
          ['id', <Id key="id" id={ingestion.id} />],
        ]}
      />
    </Section>
  );
}
