import type { Context } from '../../access/context.ts';
import { tenant } from '../../access/transactions.ts';
import type { App } from '../app.ts';
import { selectActiveContract } from '../contracts/active.ts';
import type { checkSegments } from '../tasks/parsing.ts';
import { requireTask } from '../tasks/require.ts';
import { requireModel } from './require.ts';

/**
 * Holds columns that rows of a model's table are told apart by against the active contract, in a child process. Throws
 * Failure 'not_found', and 'invalid' of `/segments` for those that the table does not have, and for those that name
 * people or things.
 */
export async function requireSegmentColumns(
  app: App,
  ctx: Context,
  model: string,
  segments: readonly string[],
): Promise<void> {
  if (segments.length === 0) return;
  const { task, contract } = await tenant(app.db, ctx, async (tx) => ({
    task: await requireTask(tx, (await requireModel(tx, model)).task_id),
    contract: await selectActiveContract(tx),
  }));
  if (!contract) return;
  const { name, definition } = task;
  await app.parsing.run<typeof checkSegments>(
    { name: 'checkSegments', input: { name, definition, contract: contract.document, segments } },
    ctx.workspaceId,
  );
}
