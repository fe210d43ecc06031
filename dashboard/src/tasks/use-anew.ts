import { useQuery } from '@tanstack/react-query';
import { useClient } from '../api/session.tsx';
import { useKey } from '../api/use-data.ts';
import { importPart } from '../shell/new-build.ts';
import { isQuery } from './name-in-query.ts';
import type { NewTaskSearch } from './new-task-search.ts';
import { nextName } from './next-name.ts';
import type { Task } from './task.ts';

/** A task to be created in place of another: `of` is the name of that one. */
export type Anew = Pick<Task, 'name' | 'definition' | 'labels'> & {
  readonly of: string;
  /** How it is written. */
  readonly form: 'query' | 'yaml';
};

/**
 * The task `from` with what is to be done about its columns, or how far ahead it is to ask at most, under a name that is
 * free. The task itself never changes.
 */
export function useAnew({ from, mend, days }: Pick<NewTaskSearch, 'from' | 'mend' | 'days'>) {
  const client = useClient();
  return useQuery({
    queryKey: useKey(['tasks', 'anew', from, mend, days]),
    queryFn: async ({ signal }): Promise<Anew> => {
      const [task, others, { askAtMost, readRemedies, withRemedies }] = await Promise.all([
        client.tasks.get(from!, { signal }),
        client.tasks.list({ limit: 200 }, { signal }),
        importPart(() => import('./remedies.ts')),
      ]);
      const taken = new Set(others.data.map(({ name }) => name));
      const mended = mend === undefined ? task.definition : withRemedies(task.definition, readRemedies(mend));
      const definition = days === undefined ? mended : askAtMost(mended, days);
      const form = isQuery(definition) ? 'query' : 'yaml';
      return { of: task.name, form, name: nextName(task.name, taken), definition, labels: task.labels };
    },
    enabled: from !== undefined,
    // What is written in the form meanwhile stays.
    staleTime: Number.POSITIVE_INFINITY,
  });
}
