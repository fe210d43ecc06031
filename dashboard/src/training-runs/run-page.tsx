import { getRouteApi, Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useClient, useSession } from '../api/session.tsx';
import { useChange } from '../api/use-data.ts';
import { useTrailFact } from '../audit/trail-fact.tsx';
import { DataDay, useDataZone } from '../data/data-zone.tsx';
import { buttonClass } from '../kit/button.tsx';
import { CodeButton } from '../kit/code.tsx';
import { Id } from '../kit/copy.tsx';
import { Interrupt } from '../kit/interrupt.tsx';
import { Ledger } from '../kit/ledger.tsx';
import { Moment } from '../kit/moment.tsx';
import { Facts, Page, Panel, Section } from '../kit/page.tsx';
import { Failed, Skeleton, Why } from '../kit/states.tsx';
import { Progress, Status } from '../kit/status.tsx';
import { say } from '../kit/toast.tsx';
import { bestNaive, figuresOf, intervalOf, sayMetric } from '../models/figures.ts';
import { foundOf } from '../models/judge.ts';
import { MetricNotes } from '../models/metric-name.tsx';
import { metricWords, nameOfMetric } from '../models/metric-names.ts';
import { versionWords } from '../models/version-words.ts';
import { Warnings } from '../models/warnings.tsx';
import { importPart } from '../shell/new-build.ts';
import { pageNames } from '../shell/pages.ts';
import { useTasks } from '../tasks/use-question.ts';
import { useFormat } from '../words/format.ts';
import { noSooner } from '../words/no-sooner.ts';
import { sayWait, waitWords } from '../words/waits.ts';
import { useWords } from '../words/words.ts';
import { labelRatesOf } from './every-month.ts';
import { LabelChart, labelOutputOf } from './label-chart.tsx';
import type { LeakFailure } from './leak.tsx';
import { Creator, Origin, useSayCreator } from './origin.tsx';
import { originWords } from './origin-words.ts';
import { RunAlias } from './run-outcome.tsx';
import { Timeline } from './timeline.tsx';
import { isUnderWay, leaksOf, type Run, tookMs, useNow, useRun, useSeenPhases } from './use-runs.ts';
import { runWords } from './words.ts';

const route = getRouteApi('/_app/training-runs/$run_id');

/** Loaded where it is needed: it reads the definition of the task. */
const Leak = lazy(async () => ({ default: (await importPart(() => import('./leak.tsx'))).Leak }));

export function RunPage() {
  const { run_id: id } = route.useParams();
  const { runs } = useWords(pageNames);
  const { data, error, refetch } = useRun(id);
  if (data) return <Loaded run={data} />;
  return (
    <Page title="…" back={{ label: runs, to: '/training-runs' }}>
      {error ? <Failed error={error} onRetry={refetch} /> : <Skeleton />}
    </Page>
  );
}

function Loaded({ run }: { readonly run: Run }) {
  const w = useWords(runWords);
  const v = useWords(versionWords);
  const { runs } = useWords(pageNames);
  const { can } = useSession();
  const tasks = useTasks();
  const seen = useSeenPhases(run);
  const task = run.task_id === null ? null : (tasks.get(run.task_id)?.name ?? run.task_id);
  const title = task ?? w.encoderOf(run.entity ?? '');
  const rates = labelRatesOf(run.metrics);
  const client = useClient();
  const interrupt = useChange(() => client.trainingRuns.interrupt(run.id), {
    changes: [['training-runs']],
    isQuiet: true,
  });
  return (
    <Page
      isWide
      title={<bdi>{title}</bdi>}
      tab={title}
      progress={run.status === 'running' ? run.fraction : null}
      back={{ label: runs, to: '/training-runs' }}
      description={
        <span className="inline-flex flex-wrap items-center gap-3 pt-1">
          <Status of={run.status} />
          <RunAlias of={run} />
          <span className="text-ink2">
            <Moment at={run.created_at} isExact /> <Creator of={run.created_by} /> ·{' '}
            <Origin of={run} before={undefined} />
          </span>
        </span>
      }
      actions={
        <>
          <CodeButton
            request={{
              method: 'GET',
              path: `/v1/api/training-runs/${run.id}`,
              typescript: `lastro.trainingRuns.get('${run.id}')`,
            }}
          />
          {can('manage_aliases') && isUnderWay(run) && (
            <Interrupt
              words={w}
              onInterrupt={async () => {
                await interrupt.mutateAsync(undefined);
                say(w.interrupted);
              }}
            />
          )}
          {can('manage_aliases') && run.task_id !== null && !isUnderWay(run) && (
            <Link
              to="/training-runs"
              search={{ start: run.task_id, ...(run.alias !== null && { alias: run.alias }) }}
              className={buttonClass()}
            >
              {w.again}
            </Link>
          )}
          {run.model_id && run.version_id && (
            <Link
              to="/models/$model_id/versions/$version_id"
              params={{ model_id: run.model_id, version_id: run.version_id }}
              className={buttonClass('primary')}
            >
              {w.seeVersion}
            </Link>
          )}
          {run.rfm_version_id && !run.version_id && (
            <Link to="/foundation" className={buttonClass('primary')}>
              {w.seeEncoder}
            </Link>
          )}
        </>
      }
    >
      {isUnderWay(run) && <UnderWay run={run} />}
      {run.failure && (
        <Section title={w.failure} className="!mt-0">
          {isLeak(run.failure) ? (
            <Suspense fallback={<Skeleton rows={3} />}>
              <Leak run={run} failure={run.failure} />
            </Suspense>
          ) : (
            <div role="alert" className="rounded-[6px] border border-bad/30 bg-bad-soft px-3 py-2">
              <Why code={run.failure.code} because={run.failure.because}>
                {run.failure.detail}
              </Why>
              <p className="mt-1 text-ink2 text-meta">
                <code className="font-mono">{run.failure.code}</code>
              </p>
            </div>
          )}
        </Section>
      )}
      {(seen.length > 0 || isUnderWay(run)) && (
        <Section title={w.steps} description={isUnderWay(run) && w.stepsHint}>
          <Timeline run={run} seen={seen} />
        </Section>
      )}
      <Known run={run} />
      {foundOf(run).length > 0 && (
        <Section title={v.warnings}>
          <Warnings warnings={run.warnings} metrics={run.metrics} taskId={run.task_id} />
        </Section>
      )}
      {rates.length > 0 && (
        <Section title={w.labels}>
          <LabelChart rates={rates} output={labelOutputOf(run.metrics)} />
        </Section>
      )}
      <Section title={w.run}>
        <About run={run} task={task} />
      </Section>
    </Page>
  );
}

/** Whether it was refused for columns that give the answer away, and names them. */
const isLeak = (failure: NonNullable<Run['failure']>): failure is LeakFailure => leaksOf({ failure }).length > 0;

/** How far it is, how long it may take, or how many are before it. */
function UnderWay({ run }: { readonly run: Run }) {
  const w = useWords(runWords);
  const format = useFormat();
  const now = useNow(true);
  const waiting = useWords(waitWords);
  const begins = run.start_eta && format.relative(run.start_eta, now);
  const waits = sayWait(waiting, 'runs', run.waits_for, run.runs_before, begins);
  if (waits !== null)
    return (
      <Panel className="p-4">
        <p aria-live="polite" className="font-semibold text-title">
          {waits}
        </p>
      </Panel>
    );
  return (
    <Panel className="p-4">
      <div className="mb-2 flex flex-wrap items-baseline gap-x-4 gap-y-1">
        <span aria-live="polite" className="font-semibold text-hero tracking-[-0.045em]">
          {format.percent(Math.floor(100 * run.fraction) / 100)}
        </span>
        <span className="text-ink2">
          {run.eta ? w.eta(format.relative(noSooner(run.eta, now), now)) : w.etaUnknown}
        </span>
        {run.started_at && (
          <span className="ml-auto text-ink3 text-meta">
            {w.since(format.duration(Math.max(0, now - Date.parse(run.started_at))))}
          </span>
        )}
      </div>
      <Progress share={run.fraction} label={w.progress} />
    </Panel>
  );
}

/** How good what it learns is, as far as that is known. */
function Known({ run }: { readonly run: Run }) {
  const w = useWords(runWords);
  const v = useWords(versionWords);
  const m = useWords(metricWords);
  const format = useFormat();
  const rows = figuresOf(run.metrics);
  if (rows.length === 0) return null;
  return (
    <Section title={isUnderWay(run) ? w.known : w.result}>
      <Ledger
        label={w.result}
        rows={rows}
        keyOf={({ name }) => name}
        columns={[
          { key: 'output', head: v.output, cell: ({ name }) => <code className="font-mono text-meta">{name}</code> },
          { key: 'metric', head: v.metric, isMinor: true, cell: ({ metric }) => nameOfMetric(m.names, metric) },
          {
            key: 'value',
            head: v.value,
            isRight: true,
            cell: ({ value }) => <span className="font-semibold text-section">{sayMetric(value, format)}</span>,
          },
          {
            key: 'interval',
            head: v.interval,
            isMinor: true,
            cell: ({ value, standardError }) => {
              const interval = intervalOf(value, standardError);
              return interval ? interval.map((end) => sayMetric(end, format)).join(' – ') : '—';
            },
          },
          {
            key: 'naive',
            head: v.naive,
            isMinor: true,
            cell: ({ naive, metric }) => {
              const best = bestNaive(naive, metric);
              return best ? `${sayMetric(best.value, format)} · ${m.naive[best.kind]}` : '—';
            },
          },
          {
            key: 'rows',
            head: v.rows,
            isRight: true,
            cell: ({ rows }) => (rows === null ? '—' : format.integer(rows)),
          },
        ]}
      />
      <MetricNotes of={rows.map(({ metric }) => metric)} />
    </Section>
  );
}

function About({ run, task }: { readonly run: Run; readonly task: string | null }) {
  const w = useWords(runWords);
  const format = useFormat();
  const took = tookMs(run);
  const o = useWords(originWords);
  const zone = useDataZone(run.contract_id);
  const who = useSayCreator()(run.created_by);
  const trail = useTrailFact(run.id);
  const options = [run.pretrain && w.optionPretrain, run.feedback && w.optionFeedback].filter((one) => one !== false);
  return (
    <Facts
      columns={4}
      of={[
        run.task_id !== null && [
          w.task,
          <Link
            key="task"
            to="/tasks/$task_id"
            params={{ task_id: run.task_id }}
            className="text-accent underline underline-offset-2"
          >
            {task}
          </Link>,
        ],
        run.version_number !== null && [w.made, `v${run.version_number}`],
        [w.requested, <Moment key="requested" at={run.created_at} isExact />],
        who !== null && [o.asked, who],
        run.started_at !== null && [w.started, <Moment key="started" at={run.started_at} isExact />],
        run.finished_at !== null && [w.finished, <Moment key="finished" at={run.finished_at} isExact />],
        took !== null && [w.took, format.duration(took)],
        [
          w.contract,
          <Link
            key="contract"
            to="/data/contracts/$contract_id"
            params={{ contract_id: run.contract_id }}
            className="text-accent underline underline-offset-2"
          >
            {w.contractNumber(run.contract_number)}
          </Link>,
        ],
        run.data_until !== null && [w.dataUntil, <DataDay key="until" of={run.data_until} zone={zone} />],
        [w.dataTaken, <Moment key="taken" at={run.snapshot_created_at} isExact />],
        [w.data, <Id key="data" id={run.snapshot_id} />],
        run.gfm_version_id !== null && [w.gfm, <Id key="gfm" id={run.gfm_version_id} />],
        options.length > 0 && [w.options, format.list(options)],
        trail,
        ['id', <Id key="id" id={run.id} />],
      ]}
    />
  );
}
