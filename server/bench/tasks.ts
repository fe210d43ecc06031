// The tasks of a folder of data sets.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folders with `tables/` and `tasks/<name>/`, as `eval` reads them. */
const data = process.env.LASTRO_BENCH_DATA ?? fileURLToPath(new URL('../../../shared/data', import.meta.url));

export type AskedTask = { readonly folder: string; readonly set: string; readonly task: string };

export function listTasks(): AskedTask[] {
  return readdirSync(data)
    .sort()
    .flatMap((set) => {
      const tasks = join(data, set, 'tasks');
      return existsSync(tasks)
        ? readdirSync(tasks)
            .sort()
            .map((task) => ({ folder: join(data, set), set, task }))
        : [];
    });
}
