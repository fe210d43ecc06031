import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import { named, refuse } from '../../errors.ts';
import { newId } from '../../lib/crypto/ids.ts';
import type { CsvDialect } from '../../lib/files/csv-dialect.ts';
import type { CsvFormulas } from '../../lib/files/formulas.ts';
import type { ColumnMapping } from '../../ml/version/other-names.ts';
import { dayInput, echoed, type Field } from '../../ml/version/schema.ts';
import { momentOf } from '../../serving/as-of.ts';
import { mappingProblems } from '../../serving/rows/column-mapping.ts';
import { endpointColumn } from '../../serving/rows/targets.ts';
import { currentSnapshot } from '../../serving/snapshot.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import type { FileRow } from '../files/file.ts';
import { requirePath, requireUploaded } from '../files/require.ts';
import { keepModels } from '../tasks/keep.ts';
import { type BatchModel, finishedStatuses, type Includable, type OutputFormat } from './batch.ts';
import { refuseMapping } from './column-mapping.ts';
import { batchQueue } from './queue.ts';
import { insertBatch, selectBatch, selectVersions } from './sql.ts';
import { type AskedModel, listTargets, resolveModel } from './target.ts';

export type AskedBatch = {
  /** File ids, or paths; a path means the newest uploaded file with that path. */
  readonly files: readonly (string | { readonly path: string })[];
  /** The model for rows that name none; without it, every row must name one. */
  readonly model?: AskedModel;
  /** YYYY-MM-DD. */
  readonly reference_date?: string;
  readonly priority?: number;
  readonly output_format?: OutputFormat;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly include?: readonly Includable[];
  /** Of the sentences of the result; that of the workspace by default. */
  readonly language?: Context['language'];
  /** The column of the files that is echoed as `reference_id`. */
  readonly reference_column?: string;
  /** The batch that had left out the rows which these files have corrected. */
  readonly corrects?: string;
  /** The columns of the files that inputs are read from, by input. */
  readonly column_mapping?: ColumnMapping;
  /** `escape` by default. */
  readonly csv_formulas?: CsvFormulas;
  /** `standard` by default. */
  readonly csv_dialect?: CsvDialect;
};

/**
 * Queues a batch within a transaction. Returns its id. Fixes here what the rows are scored with: the version of every
 * target (planning keeps those that the files name), the snapshot, and the as-of instant. Throws Failure 'not_found',
 * 'file_not_uploaded', 'file_deleted', 'version_inactive', 'no_data', 'reference_date_in_future', 'invalid'.
 */
export async function startBatch(app: App, tx: Tx, ctx: Context, asked: AskedBatch): Promise<string> {
  const files: FileRow[] = [];
  for (const [at, file] of asked.files.entries())
    files.push(
      await (typeof file === 'string'
        ? named(`/files/${at}`, requireUploaded(tx, file))
        : named(`/files/${at}/path`, requirePath(tx, file.path))),
    );
  const { reference_column: reference = null } = asked;
  if (reference !== null) requireOwn(reference);
  if (asked.corrects !== undefined) await requireCorrected(tx, asked.corrects);
  await keepModels(tx, ctx);
  const targets = await listTargets(tx);
  const model = asked.model === undefined ? null : await named('/model', resolveModel(tx, asked.model, targets));
  const { column_mapping: mapping = {} } = asked;
  if (model !== null) await requireMapping(tx, model, mapping);
  const snapshot = await currentSnapshot(tx, ctx);
  if (!snapshot) throw refuse('no_data', 'the workspace has no data yet: take files in with POST /v1/api/ingestions');
  const now = new Date();
  const asOf = momentOf(asked.reference_date, ctx.timeZone, now.getTime());
  const id = newId('bat');
  const own = { organization_id: ctx.organizationId, workspace_id: ctx.workspaceId };
  await insertBatch(
    tx,
    {
      ...own,
      id,
      model: model && JSON.stringify(model),
      targets: JSON.stringify(targets),
      snapshot_id: snapshot.id,
      reference_date: asked.reference_date ?? null,
      as_of: new Date(asOf),
      time_zone: ctx.timeZone,
      language: asked.language ?? ctx.language,
      priority: asked.priority ?? 0,
      output_format: asked.output_format ?? null,
      metadata: JSON.stringify(asked.metadata ?? {}),
      include: [...new Set(asked.include)],
      reference_column: reference,
      corrects: asked.corrects ?? null,
      column_mapping: JSON.stringify(mapping),
      csv_formulas: asked.csv_formulas ?? 'escape',
      csv_dialect: asked.csv_dialect ?? 'standard',
      created_by: ctx.actor.label,
      created_at: now,
    },
    files.map((file, position) => ({ ...own, batch_id: id, position, file_id: file.id, path: file.path })),
  );
  const target = { type: 'batch', id };
  const about = { files: files.map((file) => file.id), model };
  await record(tx, ctx, 'batch-request', target, about);
  await record(tx, ctx, 'batch-lifecycle', target, { status: 'queued' });
  const options = { group: ctx.workspaceId, singletonKey: id };
  await app.queue.send(tx, batchQueue, { id, workspace_id: ctx.workspaceId }, options);
  return id;
}

/** Columns whose names say something to every batch are read as that. */
function requireOwn(reference: string): void {
  const meaning = [dayInput, endpointColumn, ...echoed].find((name) => name === reference.toLowerCase());
  if (meaning === undefined) return;
  const message = `${meaning} has a meaning of its own in files of batches: name another column, or none`;
  throw refuse('invalid', message, { problems: [{ at: '/reference_column', message }] });
}

/** Refuses a batch that is none of the workspace, or that cannot have left rows out yet. */
async function requireCorrected(tx: Tx, id: string): Promise<void> {
  const corrected = await selectBatch(tx, id);
  if (corrected && finishedStatuses.includes(corrected.status)) return;
  const message = corrected
    ? `batch ${id} has not ended yet: wait until it says its errors`
    : `there is no batch ${id}`;
  throw refuse('invalid', message, { problems: [{ at: '/corrects', message }] });
}

/** Holds a mapping against the inputs of the model. */
async function requireMapping(tx: Tx, { version_id }: BatchModel, mapping: ColumnMapping): Promise<void> {
  if (Object.keys(mapping).length === 0) return;
  const [{ inputs }] = await selectVersions(tx, [version_id]);
  refuseMapping(mappingProblems(mapping, [inputs as Field[]]));
}
