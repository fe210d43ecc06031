import { operator } from '../access/actor.ts';
import { workspaceContext } from '../access/workspace-context.ts';
import { Failure } from '../lib/failure.ts';
import { weightMax, weightMin } from '../resources/price-plans/price-plan.ts';
import { adminWeighUsage } from './admin-usage.ts';
import { readArguments } from './arguments.ts';
import { besideService, type Told } from './beside.ts';

/** Gives a workspace a share of the workers' time, for the operator of the host. */
export async function adminWeighCommand(args: readonly string[], out: Told): Promise<number> {
  const { values } = readArguments(args, adminWeighUsage);
  const weight = Number(values.weight);
  if (!(weight >= weightMin && weight <= weightMax))
    throw new Failure('invalid', `--weight must be a number from ${weightMin} to ${weightMax}, not ${values.weight}`);
  return besideService(out, async ({ app: { db, queue } }) => {
    const { workspaceId } = await workspaceContext(db, values.workspace!, operator);
    await queue.weigh(workspaceId, weight);
    return { workspace_id: workspaceId, weight };
  });
}
