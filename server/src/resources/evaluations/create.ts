import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import { create } from '../../api/idempotency.ts';
import { named, refuse } from '../../errors.ts';
import { newId } from '../../lib/crypto/ids.ts';
import type { Answer } from '../../lib/http/server.ts';
import type { ColumnMapping } from '../../ml/version/other-names.ts';
import { momentOf } from '../../serving/as-of.ts';
import { labelledFiles, mappingProblems } from '../../serving/rows/column-mapping.ts';
import { currentSnapshot } from '../../serving/snapshot.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { refuseMapping } from '../batches/column-mapping.ts';
import type { AskedModel } from '../batches/target.ts';
import { requirePath, requireUploaded } from '../files/require.ts';
import { readLabelledColumns } from '../models/labelled-file.ts';
import { requireVersion } from '../models/require.ts';
import { requireRoom } from '../open-work.ts';
import { keepModels } from '../tasks/keep.ts';
import { type EvaluatedModel, presentEvaluation } from './evaluation.ts';
import { evaluationQueue } from './queue.ts';
import { countOpen, insertEvaluation, selectEvaluation } from './sql.ts';
import { resolveEvaluated } from './target.ts';

type EvaluationRequest = {
  /** A file id, or a path, which means the newest uploaded file with that path. */
  readonly file: string | { readonly path: string };
  readonly model: AskedModel;
  readonly compare_with?: AskedModel;
  readonly segments?: readonly string[];
  readonly column_mapping?: ColumnMapping;
  /** YYYY-MM-DD. */
  readonly reference_date?: string;
};

/**
 * Queues an evaluation of a version on a labelled file. Fixes here which versions, data and moment that means. Throws
 * Failure 'not_found', 'file_not_uploaded', 'file_deleted', 'no_data', 'reference_date_in_future', 'invalid',
 * 'limit_exceeded', 'quota_exceeded'.
 */
export async function createEvaluation(app: App, ctx: Context, asked: EvaluationRequest): Promise<Answer> {
  const { column_mapping: mapping = {} } = asked;
  return create(app.db, ctx, 202, async (tx) => {
    await requireRoom(tx, 'evaluations', countOpen);
    const file = await (typeof asked.file === 'string'
      ? named('/file', requireUploaded(tx, asked.file))
      : named('/file/path', requirePath(tx, asked.file.path)));
    await keepModels(tx, ctx);
    const model = await named('/model', resolveEvaluated(tx, asked.model));
    const compareWith =
      asked.compare_with === undefined ? null : await named('/compare_with', resolveEvaluated(tx, asked.compare_with));
    if (Object.keys(mapping).length > 0)
      await requireMapping(app, tx, compareWith ? [model, compareWith] : [model], mapping);
    const snapshot = await currentSnapshot(tx, ctx);
    if (!snapshot) throw refuse('no_data', 'the workspace has no data yet: take files in with POST /v1/api/ingestions');
    const now = new Date();
    const id = newId('evl');
    await insertEvaluation(tx, {
      id,
      organization_id: ctx.organizationId,
      workspace_id: ctx.workspaceId,
      ...{ file_id: file.id, path: file.path },
      model: JSON.stringify(model),
      compare_with: compareWith && JSON.stringify(compareWith),
      segments: [...(asked.segments ?? [])],
      column_mapping: JSON.stringify(mapping),
      snapshot_id: snapshot.id,
      reference_date: asked.reference_date ?? null,
      as_of: new Date(momentOf(asked.reference_date, ctx.timeZone, now.getTime())),
      time_zone: ctx.timeZone,
      created_by: ctx.actor.label,
      created_at: now,
    });
    const about = { status: 'queued', model_id: model.model_id, version_id: model.version_id } as const;
    await record(tx, ctx, 'evaluation-lifecycle', { type: 'evaluation', id }, about);
    await app.queue.send(tx, evaluationQueue, { id, workspace_id: ctx.workspaceId }, { group: ctx.workspaceId });
    return presentEvaluation((await selectEvaluation(tx, id))!);
  });
}

/** Holds a mapping against the columns that are read of a labelled file of the versions. */
async function requireMapping(
  app: App,
  tx: Tx,
  versions: readonly EvaluatedModel[],
  mapping: ColumnMapping,
): Promise<void> {
  const read = [];
  for (const { model_id, version_id } of versions)
    read.push((await readLabelledColumns(app, await requireVersion(tx, model_id, version_id))).columns);
  refuseMapping(mappingProblems(mapping, read, labelledFiles));
}
