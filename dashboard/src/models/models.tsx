import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useClient } from '../api/session.tsx';
import { useList } from '../api/use-data.ts';
import { CodeBlock, CodeButton } from '../kit/code.tsx';
import { ExportButton, ListTable } from '../kit/list.tsx';
import { Moment } from '../kit/moment.tsx';
import { Page } from '../kit/page.tsx';
import { Empty } from '../kit/states.tsx';
import { AliasTag } from '../kit/status.tsx';
import type { Column } from '../kit/table.tsx';
import { pageNames } from '../shell/pages.ts';
import { NewTaskLink } from '../tasks/new-task-link.tsx';
import { useTasks } from '../tasks/use-question.ts';
import { common } from '../words/common.ts';
import { useFormat } from '../words/format.ts';
import { useLanguage } from '../words/language.ts';
import { useWords } from '../words/words.ts';
import { kindWords, nameOfKind } from './metric-names.ts';
import { type Model, useTraffic } from './use-models.ts';
import { ModelMetric, ModelWarnings, NewestNumber, VersionNumber } from './version-metric.tsx';
import { modelWords } from './words.ts';

const pageSize = 100;

export function Models() {
  const w = useWords(modelWords);
  const { models: title } = useWords(pageNames);
  const client = useClient();
  const navigate = useNavigate();
  const list = useList(['models', 'list'], (cursor, signal) =>
    client.models.list({ limit: pageSize, ...(cursor ? { cursor } : {}) }, { signal }),
  );
  const columns = useColumns();
  const shown = useMemo(() => columns.filter(({ key }) => key !== 'aliases'), [columns]);
  const newTask = <NewTaskLink label={w.newTask} />;
  return (
    <Page
      isWide
      title={title}
      description={w.description}
      actions={
        <>
          <CodeButton request={{ method: 'GET', path: '/v1/api/models', typescript: 'lastro.models.list()' }} />
          <ExportButton name="models.csv" list={list} columns={columns} />
          {newTask}
        </>
      }
    >
      <ListTable
        list={list}
        label={title}
        isTall
        columns={shown}
        keyOf={({ id }) => id}
        onOpen={({ id }) => navigate({ to: '/models/$model_id', params: { model_id: id } })}
        empty={
          <Empty title={w.first} action={newTask}>
            <p className="mb-3">{w.firstBody}</p>
            <div className="text-left">
              <CodeBlock
                code={`curl -s '${location.origin}/v1/api/training-runs' \\\n  -H "Authorization: Bearer $LASTRO_API_KEY" \\\n  -H "Content-Type: application/json" -d '{"task_id": "<task>", "alias": "production"}'`}
              />
            </div>
          </Empty>
        }
      />
    </Page>
  );
}

function useColumns(): readonly Column<Model>[] {
  const w = useWords(modelWords);
  const c = useWords(common);
  const { names } = useWords(kindWords);
  const format = useFormat();
  const traffic = useTraffic();
  const tasks = useTasks();
  const language = useLanguage();
  return useMemo(
    (): readonly Column<Model>[] => [
      {
        key: 'name',
        head: w.model,
        width: 'minmax(150px, 3fr)',
        cell: ({ id: modelId, name, aliases }) => (
          <>
            <span className="font-medium">{name}</span>
            {aliases.map(({ alias, version_id: id }) => (
              <span key={alias} className="ml-2 whitespace-nowrap">
                <AliasTag alias={alias} />{' '}
                <span className="text-ink3 text-meta">
                  <VersionNumber modelId={modelId} versionId={id} />
                </span>
              </span>
            ))}
          </>
        ),
        below: ({ task_id: id }) => {
          const said = tasks.get(id)?.question?.[language].sentence;
          return said && <span title={said}>{said}</span>;
        },
        text: ({ name }) => name,
      },
      {
        key: 'aliases',
        head: w.aliases,
        // They stand beside the name; of their own in files.
        width: '0px',
        cell: () => null,
        text: ({ aliases }) => aliases.map(({ alias }) => alias).join(' '),
      },
      {
        key: 'kind',
        head: w.kind,
        width: '132px',
        isMinor: true,
        cell: ({ kind }) => nameOfKind(names, kind),
        text: ({ kind }) => kind,
      },
      {
        key: 'newest',
        head: w.newest,
        width: '84px',
        isMinor: true,
        cell: ({ id }) => <NewestNumber modelId={id} />,
      },
      {
        key: 'metric',
        head: w.metric,
        width: '196px',
        cell: (model) => <ModelMetric model={model} />,
      },
      {
        key: 'warnings',
        head: w.warnings,
        width: '168px',
        isMinor: true,
        cell: (model) => <ModelWarnings model={model} />,
      },
      ...(traffic
        ? [
            {
              key: 'predictions',
              head: w.traffic,
              width: '172px',
              isRight: true,
              isMinor: true,
              cell: ({ id }: Model) => format.integer(traffic.get(id) ?? 0),
              text: ({ id }: Model) => traffic.get(id) ?? 0,
            },
          ]
        : []),
      {
        key: 'created_at',
        head: c.created,
        width: '124px',
        isMinor: true,
        cell: ({ created_at: at }) => <Moment at={at} />,
        text: ({ created_at: at }) => at,
      },
    ],
    [w, c, names, format, traffic, tasks, language],
  );
}
