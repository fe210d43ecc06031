import { system } from '../../access/transactions.ts';
import { Failure } from '../../lib/failure.ts';
import type { App } from '../app.ts';
import type { readQuery } from './parsing.ts';
import { keepQuery, selectWithoutQuery } from './sql.ts';

const tasksAtOnce = 50;

/** Writes down the queries of tasks that were defined before queries were kept. `signal` stops it soon. */
export async function fillQueries(app: App, signal?: AbortSignal): Promise<void> {
  for (;;) {
    const tasks = await system(app.db, 'sweep', (tx) => selectWithoutQuery(tx, tasksAtOnce));
    for (const { id, workspace_id, name, definition } of tasks) {
      if (signal?.aborted) return;
      const query = await app.parsing
        .run<typeof readQuery>({ name: 'readQuery', input: { name, definition } }, workspace_id)
        .catch(withoutQuery);
      await system(app.db, 'sweep', (tx) => keepQuery(tx, id, query));
    }
    if (tasks.length < tasksAtOnce) return;
  }
}

/** A definition that takes too much to be read has no query. */
function withoutQuery(error: unknown): null {
  if (error instanceof Failure && error.reason === 'budget_exceeded') return null;
  throw error;
}
