import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useClient, useSession } from '../api/session.tsx';
import { useList } from '../api/use-data.ts';
import { Allowed } from '../kit/allowed.tsx';
import { Button } from '../kit/button.tsx';
import { CodeButton } from '../kit/code.tsx';
import { Id } from '../kit/copy.tsx';
import { Segmented } from '../kit/field.tsx';
import { ExportButton, ListTable } from '../kit/list.tsx';
import { Moment } from '../kit/moment.tsx';
import { Page } from '../kit/page.tsx';
import { Empty, NothingFound } from '../kit/states.tsx';
import { Progress, Status } from '../kit/status.tsx';
import type { Column } from '../kit/table.tsx';
import { pageNames } from '../shell/pages.ts';
import { useTasks } from '../tasks/use-question.ts';
import { common } from '../words/common.ts';
import { useFormat } from '../words/format.ts';
import { sayWait, waitWords } from '../words/waits.ts';
import { useWords } from '../words/words.ts';
import { Creator, Origin } from './origin.tsx';
import { RunAlias, RunOutcome } from './run-outcome.tsx';
import { runsBefore } from './say-origin.ts';
import type { RunsSearch } from './search.ts';
import { StartRun } from './start-run.tsx';
import { aliasOf, isUnderWay, type Run, tookMs } from './use-runs.ts';
import { runWords } from './words.ts';

const route = getRouteApi('/_app/training-runs/');
const pageSize = 100;
const watchedEveryMs = 3_000;

export function TrainingRuns() {
  const w = useWords(runWords);
  const c = useWords(common);
  const { runs: title } = useWords(pageNames);
  const client = useClient();
  const { can } = useSession();
  const { start, alias, state } = route.useSearch();
  const navigate = useNavigate({ from: '/training-runs/' });
  const set = (change: Partial<RunsSearch>) => navigate({ search: (before) => ({ ...before, ...change }) });
  const list = useList(
    ['training-runs', 'list'],
    (cursor, signal) => client.trainingRuns.list({ limit: pageSize, ...(cursor ? { cursor } : {}) }, { signal }),
    { everyMs: (rows) => (rows.some(isUnderWay) ? watchedEveryMs : false) },
  );
  const columns = useColumns(list.rows);
  const isShown = (run: Run) => state === undefined || isUnderWay(run) === (state === 'open');
  const running = list.rows.find(({ status }) => status === 'running');
  const begin = (
    <Allowed permission="manage_aliases" label={w.start}>
      <Button kind="primary" onClick={() => set({ start: '' })}>
        {w.start}
      </Button>
    </Allowed>
  );
  return (
    <Page
      isWide
      title={title}
      progress={running ? running.fraction : null}
      description={w.description}
      actions={
        <>
          <CodeButton
            request={{ method: 'GET', path: '/v1/api/training-runs', typescript: 'lastro.trainingRuns.list()' }}
          />
          <ExportButton name="training-runs.csv" list={list} columns={columns} keep={isShown} />
          {begin}
        </>
      }
    >
      {list.rows.length > 0 && (
        <div className="mb-3">
          <Segmented
            label={c.status}
            options={[
              { value: '', label: w.all },
              { value: 'open', label: w.running },
              { value: 'ended', label: w.ended },
            ]}
            value={state ?? ''}
            onValue={(value) => set({ state: value === '' ? undefined : value })}
          />
        </div>
      )}
      <ListTable
        isTall
        list={list}
        rows={list.rows.filter(isShown)}
        label={title}
        columns={columns}
        keyOf={({ id }) => id}
        onOpen={({ id }) => navigate({ to: '/training-runs/$run_id', params: { run_id: id } })}
        empty={
          list.rows.length > 0 ? (
            <NothingFound onClear={() => set({ state: undefined })} />
          ) : (
            <Empty title={w.first} action={begin}>
              {w.firstBody}
            </Empty>
          )
        }
      />
      {start !== undefined && can('manage_aliases') && (
        <StartRun task={start} alias={alias} onClose={() => set({ start: undefined, alias: undefined })} />
      )}
    </Page>
  );
}

function useColumns(runs: readonly Run[]): readonly Column<Run>[] {
  const waiting = useWords(waitWords);
  const w = useWords(runWords);
  const c = useWords(common);
  const format = useFormat();
  const tasks = useTasks();
  const before = useMemo(() => runsBefore(runs), [runs]);
  return useMemo(
    (): readonly Column<Run>[] => [
      {
        key: 'task',
        head: w.task,
        width: 'minmax(150px, 2fr)',
        cell: ({ task_id: task, entity }) => (
          <span className="font-medium">
            {task === null ? w.encoderOf(entity ?? '') : (tasks.get(task)?.name ?? task)}
          </span>
        ),
        below: (run) => (
          <>
            <span className="sm:hidden">
              <Status of={run.status} /> · {format.dateTime(run.created_at)} ·{' '}
            </span>
            <Origin of={run} before={before.get(run.id)} />
            {run.created_by && (
              <span className="sm:hidden">
                {' · '}
                <Creator of={run.created_by} />
              </span>
            )}
          </>
        ),
        text: ({ task_id: task, entity }) => (task === null ? entity : (tasks.get(task)?.name ?? task)),
      },
      {
        key: 'status',
        head: c.status,
        width: '128px',
        isMinor: true,
        cell: ({ status }) => <Status of={status} />,
        text: ({ status }) => status,
      },
      {
        key: 'progress',
        head: w.outcome,
        width: 'minmax(110px, 1.2fr)',
        cell: (run) => {
          const { status, fraction, runs_before: before, waits_for: cause } = run;
          if (status === 'running')
            return (
              <span className="grid grid-cols-[1fr_48px] items-center gap-2">
                <Progress share={fraction} label={w.progress} />
                <span className="text-right">{format.percent(Math.round(100 * fraction) / 100)}</span>
              </span>
            );
          if (status === 'queued')
            return (
              <span className="text-ink2" title={sayWait(waiting, 'runs', cause, before) ?? undefined}>
                {cause === 'turn' && before ? w.queuedAfter(format.integer(before)) : w.queuedNext}
              </span>
            );
          return <RunOutcome run={run} />;
        },
        text: ({ fraction }) => fraction,
      },
      {
        key: 'alias',
        head: w.alias,
        width: '132px',
        isMinor: true,
        cell: (run) => <RunAlias of={run} />,
        text: aliasOf,
      },
      {
        key: 'took',
        head: w.took,
        width: '96px',
        isRight: true,
        isMinor: true,
        cell: (run) => tookMs(run) !== null && format.duration(tookMs(run)!),
        text: (run) => (tookMs(run) === null ? null : tookMs(run)! / 1000),
      },
      {
        key: 'created_at',
        head: w.requested,
        width: '168px',
        isMinor: true,
        cell: ({ created_at: at }) => <Moment at={at} />,
        // Two of one afternoon were asked for as long ago.
        below: ({ created_at: at, created_by: creator }) => (
          <>
            {format.dateTime(at)} <Creator of={creator} />
          </>
        ),
        text: ({ created_at: at }) => at,
      },
      {
        key: 'id',
        head: 'id',
        width: '150px',
        isMinor: true,
        cell: ({ id }) => <Id id={id} />,
        text: ({ id }) => id,
      },
    ],
    [w, c, format, tasks, waiting, before],
  );
}
