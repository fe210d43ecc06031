import type { Context } from '../../access/context.ts';
import type { App } from '../../resources/app.ts';
import { planSetup, reportSetup } from '../../resources/setup-steps/report.ts';
import type { SetupChange } from '../../resources/setup-steps/sql.ts';

/** Where the seeder writes down how far it is, for the people of the workspace. */
export type Steps = {
  report(step: string, change: SetupChange): Promise<void>;
  /** Runs a step from `running` to `ready`, or to `failed` with what it throws, which is thrown on. */
  run<T>(step: string, work: () => Promise<T>): Promise<T>;
};

/** Plans the steps of a workspace, in their order. What `stop` ends has not failed: the next start goes on with it. */
export async function openSteps(
  { db }: Pick<App, 'db'>,
  ctx: Context,
  planned: readonly string[],
  stop: AbortSignal,
): Promise<Steps> {
  await planSetup(db, ctx, planned);
  const report: Steps['report'] = (step, change) => reportSetup(db, ctx, step, change);
  return {
    report,
    async run(step, work) {
      await report(step, { status: 'running' });
      try {
        const done = await work();
        await report(step, { status: 'ready' });
        return done;
      } catch (error) {
        if (!stop.aborted)
          await report(step, { status: 'failed', detail: error instanceof Error ? error.message : String(error) });
        throw error;
      }
    },
  };
}
