import { operator } from '../access/actor.ts';
import type { Context } from '../access/context.ts';
import { workspaceContext } from '../access/workspace-context.ts';
import { Failure } from '../lib/failure.ts';
import type { App } from '../resources/app.ts';
import { interruptBacktest } from '../resources/backtests/interrupt.ts';
import { interruptBatch } from '../resources/batches/interrupt.ts';
import { interruptErasure } from '../resources/erasures/interrupt.ts';
import { interruptEvaluation } from '../resources/evaluations/interrupt.ts';
import { interruptIngestion } from '../resources/ingestions/interrupt.ts';
import { interruptReplay } from '../resources/replays/interrupt.ts';
import { interruptRun } from '../resources/training-runs/interrupt.ts';
import { interruptValidation } from '../resources/validations/interrupt.ts';
import { adminInterruptUsage } from './admin-usage.ts';
import { readArguments } from './arguments.ts';
import { besideService, type Told } from './beside.ts';

type Interrupt = (app: App, ctx: Context, id: string) => Promise<unknown>;

/** How work is interrupted, by what its id begins with. */
const interrupts: Readonly<Record<string, Interrupt>> = {
  ...{ bat: interruptBatch, ing: interruptIngestion, run: interruptRun, evl: interruptEvaluation },
  ...{ val: interruptValidation, bkt: interruptBacktest, rpl: interruptReplay, era: interruptErasure },
};

/** Interrupts work of a workspace, for the operator of the host. */
export async function adminInterruptCommand(args: readonly string[], out: Told): Promise<number> {
  const { workspace, work } = readArguments(args, adminInterruptUsage).values;
  const interrupt = interrupts[work!.split('_')[0]];
  if (!interrupt)
    throw new Failure(
      'invalid',
      `--work must be the id of a batch, an ingestion, a training run, an evaluation, a validation, a backtest, a replay or an erasure (${Object.keys(interrupts).join('_…, ')}_…), not ${work}`,
    );
  return besideService(out, async ({ app }) => {
    const ctx = await workspaceContext(app.db, workspace!, operator);
    await interrupt(app, ctx, work!);
    return { workspace_id: ctx.workspaceId, work, interrupted: true };
  });
}
