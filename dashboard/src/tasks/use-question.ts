import type { Schemas } from '@lastro/sdk';
import { useMemo } from 'react';
import { useClient, useSession } from '../api/session.tsx';
import { useData } from '../api/use-data.ts';
import { useLanguage } from '../words/language.ts';

/** A task; none for those who may not see it. */
export function useTask(id: string | undefined) {
  const client = useClient();
  const { can } = useSession();
  return useData(['tasks', id], (signal) => client.tasks.get(id!, { signal }), {
    isOn: id !== undefined && can('view_models'),
  });
}

/** The tasks of the workspace, newest first, to choose from. */
export function useTaskList(isOn = true) {
  const client = useClient();
  return useData(['tasks', 'names'], (signal) => client.tasks.list({ limit: 200 }, { signal }), { isOn });
}

/** Tasks by id, to say their names and what they ask. */
export function useTasks() {
  const { data } = useTaskList();
  return useMemo(() => new Map(data?.data.map((task) => [task.id, task])), [data]);
}

/** What a task asks in words of the page's language; null until it is known. */
export function useQuestion(taskId: string | undefined): Schemas['SaidQuestion'] | null {
  const language = useLanguage();
  const { data } = useTask(taskId);
  return data?.question?.[language] ?? null;
}
