import { readFile } from 'node:fs/promises';
import type { Context } from '../../../access/context.ts';
import { tenant } from '../../../access/transactions.ts';
import type { EvaluationReport } from '../../../ml/evaluation/evaluate.ts';
import type { FitReport } from '../../../ml/training/report.ts';
import { reportFile } from '../../../ml/version/report-file.ts';
import type { Field } from '../../../ml/version/schema.ts';
import type { App } from '../../app.ts';
import type { ModelRow, VersionRow, VersionWithOrigin } from '../model.ts';
import { requireModel, requireVersion } from '../require.ts';
import { selectAliases, withOrigins } from '../sql.ts';
import { selectActsOn, selectEvaluationsOf, selectRunOf, selectTaskOf, selectVersionBefore } from './sql.ts';

/** An evaluation that measured a version. */
export type Evaluated = {
  readonly id: string;
  readonly as_of: Date;
  readonly segments: readonly string[];
  readonly result: EvaluationReport;
};

/** All that a document is made of: what was stored of a version, its training, its evaluations and its history. */
export type Told = {
  readonly model: ModelRow;
  readonly version: VersionWithOrigin;
  readonly inputs: readonly Field[];
  readonly report: FitReport;
  /** Those that point at the version now. */
  readonly aliases: readonly string[];
  readonly task: Awaited<ReturnType<typeof selectTaskOf>>;
  readonly run: Awaited<ReturnType<typeof selectRunOf>>;
  readonly acts: Awaited<ReturnType<typeof selectActsOn>>;
  /** The newest first. */
  readonly evaluations: readonly Evaluated[];
  /** The version before; null where there is none. */
  readonly before: {
    readonly version: VersionRow;
    readonly inputs: readonly Field[];
    readonly report: FitReport;
  } | null;
  /** The segments that the caller names; null for those of the newest evaluation. */
  readonly segments: readonly string[] | null;
  readonly madeAt: Date;
};

/**
 * Reads what is told of a version, an id, number or alias, of a model, an id or name. Throws Failure 'not_found',
 * 'object_damaged'.
 */
export async function readTold(
  app: App,
  ctx: Context,
  {
    model,
    name,
    segments,
  }: { readonly model: string; readonly name: string; readonly segments: readonly string[] | null },
): Promise<Told> {
  const read = await tenant(app.db, ctx, async (tx) => {
    const row = await requireVersion(tx, model, name);
    const [version] = await withOrigins(tx, [row]);
    const owner = await requireModel(tx, model);
    return {
      ...{ model: owner, version, before: await selectVersionBefore(tx, row.model_id, row.number) },
      aliases: (await selectAliases(tx, [owner.id])).flatMap(({ alias, version_id }) =>
        version_id === row.id ? [alias] : [],
      ),
      task: await selectTaskOf(tx, owner.task_id),
      run: await selectRunOf(tx, row.training_run_id),
      acts: await selectActsOn(tx, ctx.workspaceId, row.id),
      // A result is stored as the evaluation reported it.
      evaluations: (await selectEvaluationsOf(tx, row.id)) as unknown as readonly Evaluated[],
    };
  });
  const { version, before } = read;
  return {
    ...read,
    inputs: version.inputs as Field[],
    report: await readReport(app, version),
    before: before
      ? { version: before, inputs: before.inputs as Field[], report: await readReport(app, before) }
      : null,
    segments,
    madeAt: new Date(),
  };
}

/** The report that was written with a version: our own file, in which numbers that rows could not tell are null. */
async function readReport(app: App, { storage_prefix, files }: VersionRow): Promise<FitReport> {
  const path = await app.storage.localPath(`${storage_prefix}${reportFile}`, files[reportFile]);
  const report = JSON.parse(await readFile(path, 'utf8')) as FitReport;
  // Versions of earlier releases kept the number of their features alone.
  return Array.isArray(report.features) ? report : { ...report, features: [] };
}
