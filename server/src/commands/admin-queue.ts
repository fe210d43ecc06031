import type { App } from '../resources/app.ts';
import { adminQueueUsage } from './admin-usage.ts';
import { readArguments } from './arguments.ts';
import { besideService, type Told } from './beside.ts';

/** Shows what waits and runs, for the operator of the host. */
export async function adminQueueCommand(args: readonly string[], out: Told): Promise<number> {
  readArguments(args, adminQueueUsage);
  return besideService(out, async ({ app: { queue } }: { readonly app: App }) => {
    const [all, groups] = await Promise.all([queue.backlog(), queue.groups()]);
    const queues = all.map(({ queue: name, waiting, running, oldestSeconds }) => ({
      ...{ queue: name, waiting, running, oldest_seconds: oldestSeconds },
      workspaces: groups
        .filter((one) => one.queue === name && one.group !== null)
        .map((one) => ({
          ...{ workspace_id: one.group, weight: one.weight, waiting: one.waiting, running: one.running },
          oldest_seconds: one.oldestSeconds,
          oldest_work: one.oldest?.id ?? null,
        })),
    }));
    return { queues };
  });
}
