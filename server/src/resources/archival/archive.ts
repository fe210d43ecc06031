import type { Context } from '../../access/context.ts';
import { untilLeasesEnd } from '../../access/lease.ts';
import { tenant } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { Failure } from '../../lib/failure.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { interruptBacktest } from '../backtests/interrupt.ts';
import { interruptBatch } from '../batches/interrupt.ts';
import { interruptErasure } from '../erasures/interrupt.ts';
import { interruptEvaluation } from '../evaluations/interrupt.ts';
import { interruptIngestion } from '../ingestions/interrupt.ts';
import { interruptReplay } from '../replays/interrupt.ts';
import { interruptRun } from '../training-runs/interrupt.ts';
import { interruptValidation } from '../validations/interrupt.ts';
import { setStatus } from '../workspaces/change.ts';
import { type OpenWork, selectOpenWork } from './sql.ts';

const interrupts = {
  backtest: interruptBacktest,
  batch: interruptBatch,
  erasure: interruptErasure,
  evaluation: interruptEvaluation,
  ingestion: interruptIngestion,
  replay: interruptReplay,
  training_run: interruptRun,
  validation: interruptValidation,
} as const satisfies Readonly<Record<OpenWork['kind'], (app: App, ctx: Context, id: string) => Promise<unknown>>>;

/**
 * Archives the workspace, in which nothing can be changed then, and interrupts what is queued and what runs. An erasure
 * that has taken out names already goes on to its end. Throws Failure 'workspace_archived'.
 */
export async function archiveWorkspace(app: App, ctx: Context): Promise<void> {
  if (ctx.isArchived) throw refuse('workspace_archived', 'the workspace is archived already');
  await tenant(app.db, ctx, async (tx) => {
    await setStatus(tx, ctx, 'archived');
    await record(tx, ctx, 'workspace-archival', { type: 'workspace', id: ctx.workspaceId });
  });
  // From here on no process begins anything new in the workspace.
  await untilLeasesEnd();
  for (const { kind, id } of await tenant(app.db, ctx, (tx) => selectOpenWork(tx, ctx)))
    await interrupts[kind](app, ctx, id).catch((error) => {
      const isOver = error instanceof Failure && ['already_finished', 'conflict'].includes(error.reason ?? '');
      if (!isOver) throw error;
    });
}

/** Takes the workspace out of the archive. Throws Failure 'conflict' for one that is not in it. */
export async function unarchiveWorkspace(app: App, ctx: Context): Promise<void> {
  if (!ctx.isArchived) throw refuse('conflict', 'the workspace is not archived');
  await tenant(app.db, ctx, async (tx) => {
    await setStatus(tx, ctx, 'active');
    await record(tx, ctx, 'workspace-unarchival', { type: 'workspace', id: ctx.workspaceId });
  });
}
