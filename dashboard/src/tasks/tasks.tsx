import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useClient } from '../api/session.tsx';
import { useList } from '../api/use-data.ts';
import { CodeBlock, CodeButton } from '../kit/code.tsx';
import { ExportButton, ListTable } from '../kit/list.tsx';
import { Moment } from '../kit/moment.tsx';
import { Page } from '../kit/page.tsx';
import { Empty } from '../kit/states.tsx';
import type { Column } from '../kit/table.tsx';
import { kindWords, nameOfKind } from '../models/metric-names.ts';
import { pageNames } from '../shell/pages.ts';
import { common } from '../words/common.ts';
import { useLanguage } from '../words/language.ts';
import { useWords } from '../words/words.ts';
import { NewTaskLink } from './new-task-link.tsx';
import type { Task } from './task.ts';
import { taskWords } from './words.ts';

const pageSize = 100;

export function Tasks() {
  const w = useWords(taskWords);
  const { tasks: title } = useWords(pageNames);
  const client = useClient();
  const navigate = useNavigate();
  const list = useList(['tasks', 'list'], (cursor, signal) =>
    client.tasks.list({ limit: pageSize, ...(cursor ? { cursor } : {}) }, { signal }),
  );
  const columns = useColumns();
  const shown = useMemo(() => columns.filter(({ key }) => key !== 'question'), [columns]);
  const newTask = <NewTaskLink label={w.newTask} />;
  return (
    <Page
      isWide
      title={title}
      description={w.description}
      actions={
        <>
          <CodeButton request={{ method: 'GET', path: '/v1/api/tasks', typescript: 'lastro.tasks.list()' }} />
          <ExportButton name="tasks.csv" list={list} columns={columns} />
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
        onOpen={({ id }) => navigate({ to: '/tasks/$task_id', params: { task_id: id } })}
        empty={
          <Empty title={w.first} action={newTask}>
            <p className="mb-3">{w.firstBody}</p>
            <div className="text-left">
              <CodeBlock code="PREDICT exists(orders) WITHIN 30d FOR customers" />
            </div>
          </Empty>
        }
      />
    </Page>
  );
}

function useColumns(): readonly Column<Task>[] {
  const w = useWords(taskWords);
  const c = useWords(common);
  const { names } = useWords(kindWords);
  const language = useLanguage();
  return useMemo(
    (): readonly Column<Task>[] => [
      {
        key: 'name',
        head: w.task,
        width: 'minmax(200px, 4fr)',
        cell: ({ name }) => <span className="font-medium">{name}</span>,
        below: ({ query, question, definition, labels }) =>
          question ? (
            <span title={`${question[language].sentence}\n${query ?? ''}`.trim()}>{question[language].sentence}</span>
          ) : (
            <code className="font-mono" title={query ?? definition}>
              {query ?? (labels.train ? w.labelsIn : definition.split('\n').find((line) => !/^\s*(#|$)/.test(line)))}
            </code>
          ),
        text: ({ name }) => name,
      },
      {
        key: 'kind',
        head: w.kind,
        width: '140px',
        isMinor: true,
        cell: ({ kind }) => nameOfKind(names, kind),
        text: ({ kind }) => kind,
      },
      {
        key: 'question',
        head: w.question,
        // Stands below the name; of its own in files.
        width: '0px',
        cell: () => null,
        text: ({ query, definition }) => query ?? definition,
      },
      {
        key: 'created_at',
        head: c.created,
        width: '128px',
        isMinor: true,
        cell: ({ created_at: at }) => <Moment at={at} />,
        text: ({ created_at: at }) => at,
      },
    ],
    [w, c, names, language],
  );
}
