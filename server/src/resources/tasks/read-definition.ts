import type { Context } from '../../access/context.ts';
import { tenant } from '../../access/transactions.ts';
import type { App } from '../app.ts';
import { selectActiveContract } from '../contracts/active.ts';
import type { Definition, readDefinition } from './parsing.ts';

/** Reads a definition under the active contract, in a child process. Throws Failure 'invalid_task'. */
export async function readUnderContract(
  app: App,
  ctx: Context,
  { name, definition }: { readonly name: string; readonly definition: string },
): Promise<Definition> {
  const contract = await tenant(app.db, ctx, selectActiveContract);
  return app.parsing.run<typeof readDefinition>(
    { name: 'readDefinition', input: { name, definition, contract: contract?.document ?? null } },
    ctx.workspaceId,
  );
}
