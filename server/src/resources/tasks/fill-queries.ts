import { system, tenant } from '../../access/transactions.ts';
import { Failure } from '../../lib/failure.ts';
import type { App } from '../app.ts';
import { selectActiveContract } from '../contracts/active.ts';
import type { readTold, Told } from './parsing.ts';
import { keepTold, selectWithoutQuery } from './sql.ts';

const tasksAtOnce = 50;

/**
 * Writes down the queries, and the questions in words, of tasks that were defined before these were kept. `signal`
 * stops it soon.
 */
export async function fillQueries(app: App, signal?: AbortSignal): Promise<void> {
  for (;;) {
    const tasks = await system(app.db, 'sweep', (tx) => selectWithoutQuery(tx, tasksAtOnce));
    for (const { id, organization_id, workspace_id, name, definition } of tasks) {
      if (signal?.aborted) return;
      const scope = { organizationId: organization_id, workspaceId: workspace_id };
      const active = await tenant(app.db, scope, selectActiveContract);
      const contract = active?.document ?? null;
      const told = await app.parsing
        .run<typeof readTold>({ name: 'readTold', input: { name, definition, contract } }, workspace_id)
        .catch(untold);
      await system(app.db, 'sweep', (tx) => keepTold(tx, id, told));
    }
    if (tasks.length < tasksAtOnce) return;
  }
}

/** A definition that takes too much to be read has no query. */
function untold(error: unknown): Told {
  if (error instanceof Failure && error.reason === 'budget_exceeded') return { query: null, question: null };
  throw error;
}
