import type { Context } from '../../access/context.ts';
import { tenant } from '../../access/transactions.ts';
import type { App } from '../app.ts';
import { selectActiveContract } from '../contracts/active.ts';
import type { checkSegments } from './parsing.ts';
import { requireTask } from './require.ts';

/**
 * Holds columns that rows of a task's table are told apart by against the active contract, in a child process. Throws
 * Failure 'invalid' of `/segments` for those that the table does not have, and for those that name people or things.
 */
export async function holdSegments(app: App, ctx: Context, taskId: string, segments: readonly string[]): Promise<void> {
  if (segments.length === 0) return;
  const { task, contract } = await tenant(app.db, ctx, async (tx) => ({
    task: await requireTask(tx, taskId),
    contract: await selectActiveContract(tx),
  }));
  if (!contract) return;
  const { name, definition } = task;
  await app.parsing.run<typeof checkSegments>(
    { name: 'checkSegments', input: { name, definition, contract: contract.document, segments } },
    ctx.workspaceId,
  );
}
