import type { Schemas } from '@lastro/sdk';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useClient, useSession } from '../api/session.tsx';
import { useChange, useData } from '../api/use-data.ts';
import { sayNotice } from '../data/notice-words.ts';
import { Allowed } from '../kit/allowed.tsx';
import { Button, buttonClass } from '../kit/button.tsx';
import { CodeBlock, CodeButton } from '../kit/code.tsx';
import { Id } from '../kit/copy.tsx';
import { Confirm } from '../kit/dialog.tsx';
import { Ledger } from '../kit/ledger.tsx';
import { Moment } from '../kit/moment.tsx';
import { Facts, Page, Section } from '../kit/page.tsx';
import { Failed, Skeleton } from '../kit/states.tsx';
import { AliasTag, Status } from '../kit/status.tsx';
import { say } from '../kit/toast.tsx';
import { kindWords, nameOfKind } from '../models/metric-names.ts';
import { pageNames } from '../shell/pages.ts';
import { labelRatesOf } from '../training-runs/every-month.ts';
import { LabelChart, labelOutputOf } from '../training-runs/label-chart.tsx';
import { Creator, Origin } from '../training-runs/origin.tsx';
import { RunAlias, RunOutcome } from '../training-runs/run-outcome.tsx';
import { runsBefore } from '../training-runs/say-origin.ts';
import { isUnderWay } from '../training-runs/use-runs.ts';
import { runWords } from '../training-runs/words.ts';
import { common } from '../words/common.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { Question } from './question.tsx';
import type { Task } from './task.ts';
import { useTask } from './use-question.ts';
import { taskWords } from './words.ts';

const route = getRouteApi('/_app/tasks/$task_id');
/** Of the newest runs and models, in which those of the task are looked for. */
const lookedAt = 200;
const watchedEveryMs = 3_000;
const isQuery = /^\s*(?:query\s*:.*|PREDICT\b)/im;

export function TaskPage() {
  const { task_id: id } = route.useParams();
  const { tasks } = useWords(pageNames);
  const { data, error, refetch } = useTask(id);
  if (data) return <Loaded task={data} />;
  return (
    <Page title="…" back={{ label: tasks, to: '/tasks' }}>
      {error ? <Failed error={error} onRetry={refetch} /> : <Skeleton />}
    </Page>
  );
}

function Loaded({ task }: { readonly task: Task }) {
  const w = useWords(taskWords);
  const c = useWords(common);
  const { tasks } = useWords(pageNames);
  const { names } = useWords(kindWords);
  const client = useClient();
  const navigate = useNavigate();
  const [isDeleting, setDeleting] = useState(false);
  const remove = useChange<void, unknown>(() => client.tasks.delete(task.id), { changes: [['tasks']], isQuiet: true });
  return (
    <Page
      title={<bdi>{task.name}</bdi>}
      tab={task.name}
      back={{ label: tasks, to: '/tasks' }}
      description={<Question taskId={task.id} className="text-ink" />}
      actions={
        <>
          <CodeButton
            request={{
              method: 'GET',
              path: `/v1/api/tasks/${task.id}`,
              typescript: `lastro.tasks.get('${task.id}')`,
            }}
          />
          <Allowed permission="manage_aliases" label={w.train}>
            <Button kind="danger" onClick={() => setDeleting(true)}>
              {c.delete}
            </Button>
            <Link to="/training-runs" search={{ start: task.id }} className={buttonClass('primary')}>
              {w.train}
            </Link>
          </Allowed>
        </>
      }
    >
      <Facts
        columns={4}
        of={[
          [w.kind, nameOfKind(names, task.kind)],
          [c.created, <Moment key="created" at={task.created_at} isExact />],
          task.labels.train !== undefined && [
            w.labelFiles,
            <span key="files" className="flex flex-col">
              <span>
                {w.trainFile} <Id id={task.labels.train} />
              </span>
              {task.labels.validation && (
                <span>
                  {w.validationFile} <Id id={task.labels.validation} />
                </span>
              )}
            </span>,
          ],
          ['id', <Id key="id" id={task.id} />],
        ]}
      />
      <Section title={w.definition}>
        <CodeBlock code={task.definition} label={w.definition} />
        {/* What is written as a query is not spelled a second time. */}
        {task.query !== null && !isQuery.test(task.definition) && (
          <div className="mt-3">
            <h3 className="mb-1 text-ink3 text-meta">{w.asQuery}</h3>
            <p className="break-words rounded-[6px] bg-sunken p-3 font-mono text-meta">{task.query}</p>
          </div>
        )}
      </Section>
      <Learned task={task} />
      <Confirm
        title={w.deleteTitle(task.name)}
        body={w.deleteBody}
        action={c.delete}
        typed={task.name}
        isOpen={isDeleting}
        onClose={() => setDeleting(false)}
        onConfirm={async () => {
          await remove.mutateAsync();
          say(c.deleted);
          await navigate({ to: '/tasks' });
        }}
      />
    </Page>
  );
}

/** The labels that training would learn from, with what is odd about them. */
function Counted({ counted }: { readonly counted: Schemas['CountedLabels'] }) {
  const w = useWords(taskWords);
  const format = useFormat();
  return (
    <>
      {counted.months.length > 0 ? (
        <LabelChart rates={counted.months} output={counted.output} />
      ) : (
        <p>{counted.rows === 0 ? w.noLabelAtAll : w.labelCount(format.integer(counted.rows))}</p>
      )}
      {counted.warnings.map((warning, at) => {
        const said = format.language === 'en' ? null : sayNotice(counted.warning_codes?.[at], format);
        return (
          <p
            key={warning}
            lang={said === null ? 'en' : undefined}
            className="mt-2 break-words rounded-[6px] border border-warn/40 bg-warn-soft px-3 py-2"
          >
            {said ?? warning}
          </p>
        );
      })}
    </>
  );
}

/** The labels, the runs and the models of a task. */
function Learned({ task }: { readonly task: Task }) {
  const w = useWords(taskWords);
  const r = useWords(runWords);
  const c = useWords(common);
  const format = useFormat();
  const client = useClient();
  const { can } = useSession();
  const runs = useData(
    ['training-runs', 'of-task', task.id],
    (signal) => client.trainingRuns.list({ limit: lookedAt }, { signal }),
    {
      everyMs: (data) =>
        data?.data.some((run) => run.task_id === task.id && isUnderWay(run)) ? watchedEveryMs : false,
    },
  );
  const models = useData(['models', 'of-task', task.id], (signal) =>
    client.models.list({ limit: lookedAt }, { signal }),
  );
  const own = useMemo(() => runs.data?.data.filter((run) => run.task_id === task.id) ?? [], [runs.data, task.id]);
  const before = useMemo(() => runsBefore(own), [own]);
  const read = useMemo(() => own.find(({ metrics }) => labelRatesOf(metrics).length > 0), [own]);
  const rates = useMemo(() => labelRatesOf(read?.metrics), [read]);
  // Counted by the service where no run has read them yet: that is dear, and only for who could train it.
  const isCounted = runs.isSuccess && rates.length === 0 && task.labels.train === undefined && can('manage_aliases');
  const counted = useData(['tasks', task.id, 'labels'], (signal) => client.tasks.countLabels(task.id, { signal }), {
    isOn: isCounted,
  });
  const answering = models.data?.data.filter((model) => model.task_id === task.id) ?? [];
  return (
    <>
      <Section title={w.labels} description={rates.length > 0 ? w.labelsBody : isCounted ? w.countedBody : undefined}>
        {rates.length > 0 ? (
          <LabelChart rates={rates} output={labelOutputOf(read?.metrics)} />
        ) : !isCounted ? (
          <p className="text-ink2">{w.noLabels}</p>
        ) : counted.error ? (
          <Failed error={counted.error} onRetry={() => counted.refetch()} />
        ) : counted.data ? (
          <Counted counted={counted.data} />
        ) : (
          <Skeleton rows={4} />
        )}
      </Section>
      <Section title={w.model}>
        {answering.length === 0 ? (
          <p className="text-ink2">{models.data ? w.noModels : c.loading}</p>
        ) : (
          <Ledger
            label={w.model}
            rows={answering}
            keyOf={({ id }) => id}
            columns={[
              {
                key: 'name',
                head: c.name,
                cell: ({ id, name }) => (
                  <Link
                    to="/models/$model_id"
                    params={{ model_id: id }}
                    className="font-medium text-accent underline underline-offset-2"
                  >
                    {name}
                  </Link>
                ),
              },
              {
                key: 'aliases',
                head: r.alias,
                cell: ({ aliases }) => (
                  <span className="inline-flex flex-wrap gap-1">
                    {aliases.map(({ alias }) => (
                      <AliasTag key={alias} alias={alias} />
                    ))}
                  </span>
                ),
              },
            ]}
          />
        )}
      </Section>
      <Section title={w.runs}>
        {runs.error ? (
          <Failed error={runs.error} onRetry={() => runs.refetch()} />
        ) : own.length === 0 ? (
          <p className="text-ink2">{runs.data ? w.noRuns : c.loading}</p>
        ) : (
          <Ledger
            label={w.runs}
            rows={own}
            keyOf={({ id }) => id}
            columns={[
              {
                key: 'run',
                head: r.requested,
                cell: (run) => (
                  <>
                    <Link
                      to="/training-runs/$run_id"
                      params={{ run_id: run.id }}
                      className="text-accent underline underline-offset-2"
                    >
                      <Moment at={run.created_at} isExact />
                    </Link>{' '}
                    <Creator of={run.created_by} />
                    <span className="block text-ink2 text-meta">
                      <Origin of={run} before={before.get(run.id)} />
                    </span>
                  </>
                ),
              },
              {
                key: 'status',
                head: c.status,
                cell: ({ status }) => <Status of={status} />,
                below: (run) => <RunAlias of={run} />,
              },
              {
                key: 'fraction',
                head: r.outcome,
                isRight: true,
                cell: (run) =>
                  isUnderWay(run) ? format.percent(Math.floor(100 * run.fraction) / 100) : <RunOutcome run={run} />,
              },
              { key: 'alias', head: r.alias, isMinor: true, cell: (run) => <RunAlias of={run} /> },
            ]}
          />
        )}
      </Section>
    </>
  );
}
