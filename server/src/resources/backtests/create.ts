import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import { create } from '../../api/idempotency.ts';
import { readMoment } from '../../api/moment.ts';
import { named, refuse } from '../../errors.ts';
import { newId } from '../../lib/crypto/ids.ts';
import type { Answer } from '../../lib/http/server.ts';
import type { Cutoff } from '../../ml/evaluation/compare-answers.ts';
import { kindNamed } from '../../ml/kinds/kinds.ts';
import { currentSnapshot } from '../../serving/snapshot.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { type AskedModel, partsOf } from '../batches/target.ts';
import { requireModel, requireVersion } from '../models/require.ts';
import { requireRoom } from '../open-work.ts';
import { keepModels } from '../tasks/keep.ts';
import { type BacktestedModel, presentBacktest } from './backtest.ts';
import { backtestQueue } from './queue.ts';
import { countOpen, insertBacktest, selectBacktest } from './sql.ts';

export type BacktestRequest = {
  readonly model: AskedModel;
  readonly compare_with?: AskedModel;
  readonly from?: string;
  readonly until?: string;
  readonly cutoff?: Cutoff;
};

const dayMs = 24 * 60 * 60 * 1000;
/** Days of the log that are replayed by default, and at most. */
export const backtestDays = { usual: 90, most: 366 } as const;

/**
 * Queues a backtest: the log of a model answered anew by a version. Fixes here which versions, data and span that
 * means. Throws Failure 'not_found', 'no_data', 'invalid', 'limit_exceeded'.
 */
export async function createBacktest(app: App, ctx: Context, asked: BacktestRequest): Promise<Answer> {
  return create(app.db, ctx, 202, async (tx) => {
    await requireRoom(tx, 'backtests', countOpen);
    await keepModels(tx, ctx);
    const { kind, pinned: model } = await named('/model', resolve(tx, asked.model));
    const compareWith =
      asked.compare_with === undefined ? null : (await named('/compare_with', resolve(tx, asked.compare_with))).pinned;
    if (compareWith !== null && compareWith.model_id !== model.model_id)
      throw invalid('/compare_with', 'must be a version of the model whose predictions are replayed');
    if (asked.cutoff) requireCutoff(kind, asked.cutoff);
    const snapshot = await currentSnapshot(tx, ctx);
    if (!snapshot) throw refuse('no_data', 'the workspace has no data yet: take files in with POST /v1/api/ingestions');
    const now = new Date();
    const span = spanOf(asked, now.getTime());
    const id = newId('bkt');
    await insertBacktest(tx, {
      id,
      organization_id: ctx.organizationId,
      workspace_id: ctx.workspaceId,
      model: JSON.stringify(model),
      compare_with: compareWith && JSON.stringify(compareWith),
      ...{ from_at: new Date(span.from), until_at: new Date(span.until) },
      cutoff: asked.cutoff ? JSON.stringify(asked.cutoff) : null,
      snapshot_id: snapshot.id,
      time_zone: ctx.timeZone,
      created_by: ctx.actor.label,
      created_at: now,
    });
    const about = { status: 'queued', model_id: model.model_id, version_id: model.version_id } as const;
    await record(tx, ctx, 'backtest-lifecycle', { type: 'backtest', id }, about);
    await app.queue.send(tx, backtestQueue, { id, workspace_id: ctx.workspaceId }, { group: ctx.workspaceId });
    return presentBacktest((await selectBacktest(tx, id))!);
  });
}

async function resolve(
  tx: Tx,
  asked: AskedModel,
): Promise<{ readonly pinned: BacktestedModel; readonly kind: string }> {
  const { model, name } = partsOf(asked);
  const { kind } = await requireModel(tx, model);
  const { id, model_id, number } = await requireVersion(tx, model, name);
  const alias = name === id || name === String(number) ? null : name;
  return { pinned: { model_id, alias, version_id: id, number }, kind };
}

/** Throws Failure 'invalid' for a cutoff of a score where answers of the kind have none. */
export function requireCutoff(kind: string, cutoff: Cutoff): void {
  if ('score' in cutoff && !kindNamed(kind).score)
    throw invalid('/cutoff/score', `answers of kind ${kind} have no score: give a probability or a value`);
}

function spanOf({ from, until }: BacktestRequest, nowMs: number): { from: number; until: number } {
  const end = until === undefined ? nowMs : Math.min(readMoment('until', until, 'body').getTime(), nowMs);
  const begin = from === undefined ? end - backtestDays.usual * dayMs : readMoment('from', from, 'body').getTime();
  if (begin >= end) throw invalid('/from', 'must be before until, and in the past');
  if (end - begin > backtestDays.most * dayMs)
    throw invalid('/from', `must be within ${backtestDays.most} days of until`);
  return { from: begin, until: end };
}

function invalid(at: string, message: string) {
  return refuse('invalid', `${at.slice(1)} ${message}`, { problems: [{ at, message }] });
}
