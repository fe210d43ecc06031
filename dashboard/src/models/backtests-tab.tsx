import type { Schemas } from '@lastro/sdk';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useClient, useSession } from '../api/session.tsx';
import { useChange } from '../api/use-data.ts';
import { Button } from '../kit/button.tsx';
import { Confirm } from '../kit/dialog.tsx';
import { JobFailure } from '../kit/job-failure.tsx';
import { Ledger } from '../kit/ledger.tsx';
import { MoreButton } from '../kit/list.tsx';
import { Moment } from '../kit/moment.tsx';
import { Facts, Panel, Section } from '../kit/page.tsx';
import { Empty, Failed, Skeleton } from '../kit/states.tsx';
import { Status } from '../kit/status.tsx';
import { common } from '../words/common.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { backtestWords } from './backtest-words.ts';
import { Compared } from './compared.tsx';
import { comparedWords } from './compared-words.ts';
import { sayCutoff, scaleOf } from './cutoff-field.tsx';
import { sayMetric } from './figures.ts';
import { isUnderWay, JobButton, JobProgress, useJobs } from './jobs-of-version.tsx';
import { metricWords, nameOfMetric } from './metric-names.ts';
import { NewBacktest } from './new-backtest.tsx';
import type { Model, Version } from './use-models.ts';
import type { VersionSearch } from './version-search.ts';

type Backtest = Schemas['Backtest'];
type Result = NonNullable<Backtest['result']>;

/** What a version would have answered to what was asked: one backtest, a list of all, and a way to start another. */
export function BacktestsTab({
  model,
  version,
  chosen,
  onSearch,
}: {
  readonly model: Model;
  readonly version: Version;
  /** The id of the one that is shown; the newest without it. */
  readonly chosen: string | undefined;
  onSearch(change: Partial<VersionSearch>): void;
}) {
  const w = useWords(backtestWords);
  const client = useClient();
  const { can } = useSession();
  const [isAsked, setAsked] = useState(false);
  const { list, shown, isLoading } = useJobs(
    ['models', model.id, 'backtests', version.id],
    chosen,
    (asked, options) => client.models.versions.listBacktests(model.id, version.id, asked, options),
    async (id, options) => {
      const one = await client.backtests.get(id, {}, options);
      return one.model.version_id === version.id ? one : null;
    },
  );
  if (list.error) return <Failed error={list.error} onRetry={() => list.refetch()} />;
  if (isLoading) return <Skeleton />;
  const newOne = can('create_batches') && (
    <Button kind="primary" onClick={() => setAsked(true)}>
      {w.newOne}
    </Button>
  );
  return (
    <>
      {shown ? (
        <>
          <One key={shown.id} model={model} version={version} backtest={shown} newOne={newOne} onSearch={onSearch} />
          <Section title={w.earlier}>
            <All model={model} rows={list.rows} chosen={shown.id} onSearch={onSearch} />
            <MoreButton list={list} />
          </Section>
        </>
      ) : (
        <Empty title={w.none} action={newOne}>
          {w.noneBody}
        </Empty>
      )}
      {isAsked && (
        <NewBacktest
          model={model}
          version={version}
          onClose={() => setAsked(false)}
          onStarted={(id) => onSearch({ backtest: id })}
        />
      )}
    </>
  );
}

type OneProps = {
  readonly model: Model;
  readonly version: Version;
  readonly backtest: Backtest;
  readonly newOne: React.ReactNode;
  onSearch(change: Partial<VersionSearch>): void;
};

function One({ model, version, backtest, newOne, onSearch }: OneProps) {
  const w = useWords(backtestWords);
  const a = useWords(comparedWords);
  const format = useFormat();
  const { can } = useSession();
  const { status, result, failure, cutoff, fraction } = backtest;
  const before = useSayBefore()(backtest);
  return (
    <>
      <Section
        title={w.title}
        className="!mt-0"
        actions={
          <>
            {can('cancel_batches') && (
              <End modelId={model.id} backtest={backtest} onDeleted={() => onSearch({ backtest: undefined })} />
            )}
            {newOne}
          </>
        }
      >
        <Panel className="p-4">
          <Facts
            columns={4}
            of={[
              [w.status, <Status key="status" of={status} />],
              [w.span, <Span key="span" of={backtest} />],
              [w.against, before],
              cutoff && [w.cutoff, sayCutoff(cutoff, model, a, format)],
              result && [w.logged, format.integer(result.rows.logged)],
              [w.asked, <Moment key="asked" at={backtest.created_at} />],
            ]}
          />
          {isUnderWay(backtest) && (
            <div className="mt-4">
              <JobProgress fraction={fraction} label={w.progress} />
            </div>
          )}
          {failure && (
            <div className="mt-4">
              <JobFailure title={w.failure} of={failure} />
            </div>
          )}
        </Panel>
      </Section>
      {result && <Told model={model} result={result} cutoff={cutoff} names={[before, `v${version.number}`]} />}
    </>
  );
}

function Span({ of: { from, until } }: { readonly of: Pick<Backtest, 'from' | 'until'> }) {
  const w = useWords(backtestWords);
  const format = useFormat();
  // The end is the first moment that is not of it.
  return w.between(format.day(from), format.day(new Date(Date.parse(until) - 1)));
}

/** Says what answers of a backtest are held against. */
function useSayBefore(): (backtest: Backtest) => string {
  const w = useWords(backtestWords);
  return ({ compare_with: other }) =>
    other === null ? w.answered : other.alias === null ? `v${other.number}` : `${other.alias} (v${other.number})`;
}

function Told({
  model,
  result,
  cutoff,
  names,
}: {
  readonly model: Model;
  readonly result: Result;
  readonly cutoff: Backtest['cutoff'];
  readonly names: readonly [string, string];
}) {
  const w = useWords(backtestWords);
  const { rows } = result;
  if (rows.compared === 0)
    return (
      <div className="mt-6">
        <Empty title={rows.logged === 0 ? w.nothing : w.noneCompared}>{rows.logged === 0 && w.nothingBody}</Empty>
        <Refused refused={rows.refused} />
      </div>
    );
  return (
    <>
      <Compared
        model={model}
        rows={rows.compared}
        answers={result}
        cutoff={cutoff}
        months={result.by_month}
        names={names}
      />
      <Outcomes labelled={result.labelled} names={names} />
      <Movers model={model} movers={result.moved_most} names={names} />
      <Refused refused={rows.refused} />
    </>
  );
}

/** What both answers were worth, where it is known by now what came true. */
function Outcomes({
  labelled,
  names,
}: {
  readonly labelled: Result['labelled'];
  readonly names: readonly [string, string];
}) {
  const a = useWords(comparedWords);
  const m = useWords(metricWords);
  const format = useFormat();
  const metrics = Object.entries(labelled.metrics).flatMap(([name, pair]) => (pair ? [{ name, ...pair }] : []));
  if (metrics.length === 0) return null;
  return (
    <Section title={a.outcomes} description={a.outcomesBody(format.integer(labelled.rows))}>
      <Ledger
        label={a.outcomes}
        rows={metrics}
        keyOf={({ name }) => name}
        columns={[
          { key: 'metric', head: a.metric, cell: ({ name }) => nameOfMetric(m.names, name) },
          { key: 'before', head: names[0], isRight: true, cell: ({ before }) => sayMetric(before, format) },
          { key: 'after', head: names[1], isRight: true, cell: ({ after }) => sayMetric(after, format) },
        ]}
      />
    </Section>
  );
}

function Movers({
  model,
  movers,
  names,
}: {
  readonly model: Model;
  readonly movers: Result['moved_most'];
  readonly names: readonly [string, string];
}) {
  const w = useWords(backtestWords);
  const format = useFormat();
  const { can } = useSession();
  const scale = scaleOf(model);
  // Classes are told by their numbers, which say nothing to people.
  if (movers.length === 0 || scale === null) return null;
  const say = scale === 'number' ? format.number : format.percent;
  return (
    <Section title={w.movers} description={can('invoke_predictions') ? w.moversBody : undefined}>
      <Ledger
        label={w.movers}
        rows={movers}
        keyOf={({ prediction_id: id }) => id}
        columns={[
          {
            key: 'prediction',
            head: w.prediction,
            cell: ({ prediction_id: id }) =>
              can('invoke_predictions') ? (
                <Link
                  to="/predictions"
                  search={{ open: id }}
                  className="break-all font-mono text-meta text-accent underline underline-offset-2"
                >
                  {id}
                </Link>
              ) : (
                <span className="break-all font-mono text-meta">{id}</span>
              ),
          },
          { key: 'before', head: names[0], isRight: true, cell: ({ before }) => say(before) },
          { key: 'after', head: names[1], isRight: true, cell: ({ after }) => say(after) },
        ]}
      />
    </Section>
  );
}

function Refused({ refused }: { readonly refused: Result['rows']['refused'] }) {
  const w = useWords(backtestWords);
  const format = useFormat();
  if (refused.length === 0) return null;
  return (
    <Section title={w.refused}>
      <Ledger
        label={w.refused}
        rows={refused}
        keyOf={({ code, column }) => `${code} ${column}`}
        columns={[
          { key: 'reason', head: w.reason, cell: ({ code }) => <code className="font-mono text-meta">{code}</code> },
          { key: 'column', head: w.column, cell: ({ column }) => <bdi>{column ?? '—'}</bdi> },
          { key: 'rows', head: w.rows, isRight: true, cell: ({ rows }) => format.integer(rows) },
        ]}
      />
    </Section>
  );
}

function All({
  model,
  rows,
  chosen,
  onSearch,
}: {
  readonly model: Model;
  readonly rows: readonly Backtest[];
  readonly chosen: string;
  onSearch(change: Partial<VersionSearch>): void;
}) {
  const w = useWords(backtestWords);
  const a = useWords(comparedWords);
  const format = useFormat();
  const sayBefore = useSayBefore();
  return (
    <Ledger
      label={w.earlier}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          key: 'span',
          head: w.span,
          cell: (one) => (
            <JobButton isShown={one.id === chosen} onClick={() => onSearch({ backtest: one.id })}>
              <Span of={one} />
            </JobButton>
          ),
          below: sayBefore,
        },
        { key: 'against', head: w.against, isMinor: true, cell: sayBefore },
        {
          key: 'cutoff',
          head: w.cutoff,
          isMinor: true,
          cell: ({ cutoff }) => (cutoff ? sayCutoff(cutoff, model, a, format) : '—'),
        },
        { key: 'status', head: w.status, cell: ({ status }) => <Status of={status} /> },
        {
          key: 'moved',
          head: w.moved,
          isRight: true,
          isMinor: true,
          cell: ({ result }) => (result && result.rows.compared > 0 ? format.percent(result.migration.moved) : '—'),
        },
        {
          key: 'flipped',
          head: w.flipped,
          isRight: true,
          cell: ({ result }) =>
            result?.decisions
              ? format.integer(result.decisions.swapped_in.rows + result.decisions.swapped_out.rows)
              : '—',
        },
        { key: 'asked', head: w.asked, isMinor: true, cell: ({ created_at: at }) => <Moment at={at} /> },
      ]}
    />
  );
}

/** Stops a backtest that is under way, and deletes one that is not. */
function End({
  modelId,
  backtest,
  onDeleted,
}: {
  readonly modelId: string;
  readonly backtest: Backtest;
  onDeleted(): void;
}) {
  const w = useWords(backtestWords);
  const c = useWords(common);
  const client = useClient();
  const [isAsked, setAsked] = useState(false);
  const isOpen = isUnderWay(backtest);
  const end = useChange<void, unknown>(
    async () => {
      if (isOpen) return client.backtests.interrupt(backtest.id);
      await client.backtests.delete(backtest.id);
      onDeleted();
    },
    { changes: [['models', modelId, 'backtests']], isQuiet: true },
  );
  return (
    <>
      <Button kind="danger" onClick={() => setAsked(true)}>
        {isOpen ? w.interrupt : c.delete}
      </Button>
      <Confirm
        title={isOpen ? w.interruptTitle : w.deleteTitle}
        body={isOpen ? w.interruptBody : w.deleteBody}
        action={isOpen ? w.interrupt : c.delete}
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        onConfirm={() => end.mutateAsync()}
      />
    </>
  );
}
