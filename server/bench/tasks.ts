// The tasks of a folder of data sets.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Failure } from '../src/lib/failure.ts';

/** Folders with `tables/` and `tasks/<name>/`, as `eval` reads them. */
export const dataSets =
  process.env.LASTRO_BENCH_DATA ?? fileURLToPath(new URL('../../../shared/data', import.meta.url));

export type AskedTask = { readonly folder: string; readonly set: string; readonly task: string };

/** Throws Failure 'invalid' where there is no folder of data sets. */
export function listTasks(): AskedTask[] {
  if (!existsSync(dataSets))
    throw new Failure('invalid', `no data sets in ${dataSets}: LASTRO_BENCH_DATA names a folder of them`);
  return readdirSync(dataSets)
    .sort()
    .flatMap((set) => {
      const tasks = join(dataSets, set, 'tasks');
      return existsSync(tasks)
        ? readdirSync(tasks)
            .sort()
            .map((task) => ({ folder: join(dataSets, set), set, task }))
        : [];
    });
}
