import { useQuery } from '@tanstack/react-query';
import { useClient } from '../api/session.tsx';
import { useKey } from '../api/use-data.ts';
import { importPart } from '../shell/new-build.ts';
import { nextName } from './next-name.ts';
import type { Remedies } from './remedies.ts';
import type { Task } from './task.ts';

/** A task to be created in place of another: `of` is the name of that one. */
export type Anew = Pick<Task, 'name' | 'definition' | 'labels'> & { readonly of: string };

/** The task `from` with what is to be done about its columns, under a name that is free. The task itself never changes. */
export function useAnew(from: string | undefined, mend: Remedies | undefined) {
  const client = useClient();
  return useQuery({
    queryKey: useKey(['tasks', 'anew', from, mend]),
    queryFn: async ({ signal }): Promise<Anew> => {
      const [task, others, { readRemedies, withRemedies }] = await Promise.all([
        client.tasks.get(from!, { signal }),
        client.tasks.list({ limit: 200 }, { signal }),
        importPart(() => import('./remedies.ts')),
      ]);
      const taken = new Set(others.data.map(({ name }) => name));
      const definition = withRemedies(task.definition, readRemedies(mend));
      return { of: task.name, name: nextName(task.name, taken), definition, labels: task.labels };
    },
    enabled: from !== undefined,
    // What is written in the form meanwhile stays.
    staleTime: Number.POSITIVE_INFINITY,
  });
}
