import { operator } from '../access/actor.ts';
import { workspaceContext } from '../access/workspace-context.ts';
import { startService } from '../app.ts';
import { readConfig } from '../config.ts';
import { Failure } from '../lib/failure.ts';
import { adminWeighUsage } from './admin-usage.ts';
import { readArguments } from './arguments.ts';

const [weightMin, weightMax] = [0.01, 100];

/** Gives a workspace a share of the workers' time, for the operator of the host. */
export async function adminWeighCommand(
  args: readonly string[],
  out: { write(text: string): unknown },
): Promise<number> {
  const { values } = readArguments(args, adminWeighUsage);
  const weight = Number(values.weight);
  if (!(weight >= weightMin && weight <= weightMax))
    throw new Failure('invalid', `--weight must be a number from ${weightMin} to ${weightMax}, not ${values.weight}`);
  const service = await startService({ ...readConfig(), demo: false }, 'none');
  try {
    const { workspaceId } = await workspaceContext(service.app.db, values.workspace!, operator);
    await service.app.queue.weigh(workspaceId, weight);
    out.write(`${JSON.stringify({ workspace_id: workspaceId, weight }, null, 2)}\n`);
    return 0;
  } finally {
    await service.close();
  }
}
