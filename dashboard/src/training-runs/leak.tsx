import { Link } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { useSession } from '../api/session.tsx';
import { buttonClass } from '../kit/button.tsx';
import { Section } from '../kit/page.tsx';
import { Why } from '../kit/states.tsx';
import { Tag } from '../kit/status.tsx';
import { entityOf, type Remedies, type Remedy, remedies, remediesFor } from '../tasks/remedies.ts';
import type { Task } from '../tasks/task.ts';
import { useTask } from '../tasks/use-question.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { leakWords } from './leak-words.ts';
import type { Run } from './use-runs.ts';

export type LeakFailure = NonNullable<Run['failure']> & {
  readonly because: {
    readonly names: readonly string[];
    readonly more: number;
    /** Which of them each remedy can mend; refusals of before do not say it. */
    readonly remedies?: Remedies;
  };
};

/** Says what gave the answer away, and leads to the same question with that mended. */
export function Leak({ run, failure }: { readonly run: Run; readonly failure: LeakFailure }) {
  const w = useWords(leakWords);
  const format = useFormat();
  const { can } = useSession();
  const { data: task } = useTask(run.task_id ?? undefined);
  const { names, more } = failure.because;
  const said = more > 0 ? w.andMore(names.join(', '), format.integer(more)) : format.list(names);
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
      {task && can('manage_aliases') && (
        <Section title={w.title} description={w.body}>
          <Choice task={task} run={run} because={failure.because} />
          {more > 0 && <p className="mt-2 text-ink2">{w.others}</p>}
        </Section>
      )}
    </>
  );
}

/** What is to be done about each column, the usual first. */
function Choice({
  task,
  run,
  because: { names, remedies: told },
}: {
  readonly task: Task;
  readonly run: Run;
  readonly because: LeakFailure['because'];
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
          params={{ contract_id: run.contract_id }}
          search={{ part: 'tables', table: names[0].replace(/\.[^.]*$/, '') }}
          className="text-accent text-meta underline underline-offset-2"
        >
          {w.contract}
        </Link>
      </div>
    </div>
  );
}
