import { Link, useNavigate } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { useClient, useSession } from '../api/session.tsx';
import { useChange, useData } from '../api/use-data.ts';
import { isOpen } from '../data/report.ts';
import { Button, buttonClass } from '../kit/button.tsx';
import { Panel, Section } from '../kit/page.tsx';
import { Why } from '../kit/states.tsx';
import { Tag } from '../kit/status.tsx';
import { useModelNames } from '../models/use-models.ts';
import { entityOf, type Remedies, type Remedy, remedies, remediesFor } from '../tasks/remedies.ts';
import type { Task } from '../tasks/task.ts';
import { useTask } from '../tasks/use-question.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { leakWords } from './leak-words.ts';
import { useFollowed } from './use-followed.ts';
import type { Run } from './use-runs.ts';

const comingEveryMs = 2_000;

export type LeakFailure = NonNullable<Run['failure']> & {
  readonly because: {
    readonly names: readonly string[];
    readonly more: number;
    /** Which of them each remedy can mend; refusals of before do not say it. */
    readonly remedies?: Remedies;
  };
};

/**
 * Says what gave the answer away, and leads to the same question with that mended; of what the contract in force has
 * mended since, to training again.
 */
export function Leak({ run, failure }: { readonly run: Run; readonly failure: LeakFailure }) {
  const w = useWords(leakWords);
  const format = useFormat();
  const { can } = useSession();
  const { data: task } = useTask(run.task_id ?? undefined);
  const { names, more } = failure.because;
  const { active, followed, isKnown } = useFollowed(run, names);
  const said = more > 0 ? w.andMore(names.join(', '), format.integer(more)) : format.list(names);
  const left = names.filter((at) => !followed.includes(at));
  return (
    <>
      <div role="alert" className="rounded-[6px] border border-bad/30 bg-bad-soft px-3 py-2">
        <p className="break-words">{w.found(said, names.length === 1 && more === 0)}</p>
        <details className="mt-1 text-meta">
          <summary className="text-ink2">{w.inTerms}</summary>
          <Why code={failure.code} because={failure.because as never}>
            {failure.detail}
          </Why>
        </details>
      </div>
      {followed.length > 0 && (
        <Panel className="mt-3 flex flex-wrap items-center gap-3 border-good/40 p-3">
          <p className="min-w-0 flex-1 break-words">
            {w.followed(format.list(followed), followed.length, String(active?.number))}{' '}
            {left.length > 0 && w.left(format.list(left))}
          </p>
          {left.length === 0 && task && can('manage_aliases') && <Again run={run} task={task} />}
        </Panel>
      )}
      {isKnown && left.length > 0 && task && can('manage_aliases') && (
        <Section title={w.title} description={w.body}>
          <Choice task={task} names={left} told={failure.because.remedies} contract={active?.id ?? run.contract_id} />
          {more > 0 && <p className="mt-2 text-ink2">{w.others}</p>}
        </Section>
      )}
    </>
  );
}

/** Trains the same task again, as this run was asked to. */
function Again({ run, task }: { readonly run: Run; readonly task: Task }) {
  const w = useWords(leakWords);
  const client = useClient();
  const navigate = useNavigate();
  const model = useModelNames().get(run.model_id ?? '');
  const start = useChange<void, Run>(
    () =>
      client.trainingRuns.create({
        task_id: task.id,
        ...(model !== undefined && model !== task.name && { model }),
        ...(run.alias !== null && { alias: run.alias, hold_back_worse: run.hold_back_worse }),
        ...(run.accept_input_changes && { accept_input_changes: true }),
        ...(run.pretrain && { pretrain: true }),
        ...(run.feedback && { feedback: true }),
      }),
    { changes: [['training-runs'], ['models']] },
  );
  // Nothing is learned from data that are still under the contract of before.
  const { data: isComing = true } = useData(
    ['ingestions', 'coming'],
    async (signal) => (await client.ingestions.list({ limit: 5 }, { signal })).data.some(isOpen),
    { everyMs: (coming) => (coming ? comingEveryMs : false) },
  );
  return (
    <>
      {isComing && (
        <p className="text-ink2" aria-live="polite">
          {w.coming}
        </p>
      )}
      <Button
        kind="primary"
        isBusy={start.isPending}
        disabled={isComing}
        onClick={() =>
          start.mutate(undefined, {
            onSuccess: ({ id }) => navigate({ to: '/training-runs/$run_id', params: { run_id: id } }),
          })
        }
      >
        {run.alias === null ? w.again : w.againTo(run.alias)}
      </Button>
    </>
  );
}

/** What is to be done about each column, the usual first. */
function Choice({
  task,
  names,
  told,
  contract,
}: {
  readonly task: Task;
  readonly names: readonly string[];
  readonly told: Remedies | undefined;
  /** The id of the one in which a column can be said to be known only later. */
  readonly contract: string;
}) {
  const w = useWords(leakWords);
  const [entity] = useState(() => entityOf(task.definition));
  const [chosen, setChosen] = useState<Readonly<Record<string, Remedy>>>({});
  const group = useId();
  const offered = (at: string) => remediesFor(at, entity, told);
  const of = (at: string): Remedy => chosen[at] ?? offered(at)[0];
  const mend = Object.fromEntries(
    remedies.flatMap((remedy) => {
      const columns = names.filter((at) => of(at) === remedy);
      return columns.length > 0 ? [[remedy, columns]] : [];
    }),
  ) satisfies Remedies;
  return (
    <div className="flex flex-col gap-3">
      {names.map((at) => (
        <fieldset key={at} className="min-w-0 rounded-[6px] border border-line bg-panel px-3 pb-2">
          <legend className="break-all px-1 font-medium font-mono text-meta">{at}</legend>
          {offered(at).map((remedy, place) => (
            <label key={remedy} className="flex items-start gap-2 py-1">
              <input
                type="radio"
                name={`${group} ${at}`}
                checked={of(at) === remedy}
                onChange={() => setChosen((before) => ({ ...before, [at]: remedy }))}
                className="mt-0.5 size-4 shrink-0 accent-ink"
              />
              <span className="min-w-0">
                {w.remedies[remedy]} {place === 0 && remedy !== 'trust' && <Tag>{w.usual}</Tag>}
                <span className="block text-ink3 text-meta">{w.hints[remedy]}</span>
              </span>
            </label>
          ))}
        </fieldset>
      ))}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Link to="/tasks/new" search={{ from: task.id, mend }} className={buttonClass('primary')}>
          {w.go}
        </Link>
        <Link
          to="/data/contracts/$contract_id"
          params={{ contract_id: contract }}
          search={{ part: 'tables', table: names[0].replace(/\.[^.]*$/, ''), late: names }}
          className="text-accent text-meta underline underline-offset-2"
        >
          {w.contract}
        </Link>
      </div>
    </div>
  );
}
