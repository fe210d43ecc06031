import { readFile } from 'node:fs/promises';
import type { Context } from '../../../access/context.ts';
import { tenant } from '../../../access/transactions.ts';
import type { EvaluationReport } from '../../../ml/evaluation/evaluate.ts';
import type { Signal, Watched } from '../../../ml/monitoring/judge.ts';
import type { Performance } from '../../../ml/monitoring/performance.ts';
import type { FitReport } from '../../../ml/training/report.ts';
import type { ValidationReport } from '../../../ml/validation/report.ts';
import { reportFile } from '../../../ml/version/report-file.ts';
import type { Field } from '../../../ml/version/schema.ts';
import type { App } from '../../app.ts';
import type { ModelRow, VersionRow, VersionWithOrigin } from '../model.ts';
import { requireModel, requireVersion } from '../require.ts';
import { selectAliases, withOrigins } from '../sql.ts';
import {
  selectActsOn,
  selectEvaluationsOf,
  selectRunOf,
  selectTaskOf,
  selectValidationOf,
  selectVersionBefore,
  selectWatchOf,
} from './sql.ts';

/** An evaluation that measured a version. */
export type Evaluated = {
  readonly id: string;
  readonly as_of: Date;
  readonly segments: readonly string[];
  readonly result: EvaluationReport;
};

/** The newest validation of a version. */
export type Validated = {
  readonly id: string;
  readonly compare_with_version_id: string | null;
  readonly as_of: Date;
  readonly result: ValidationReport;
};

/** What the service has counted of the answers of a version; both instants are null before it has. */
export type Watch = {
  readonly countedUntil: Date | null;
  readonly judgedAt: Date | null;
  readonly signals: readonly Signal[];
  readonly watched: readonly Watched[];
  readonly outcomes: readonly (Performance & {
    readonly output: string;
    readonly from: string;
    readonly until: string;
    readonly coverage: number;
  })[];
  /** Those that are on, with what is beyond its threshold. */
  readonly alarms: readonly {
    readonly kind: string;
    readonly raised_at: Date;
    readonly signals: readonly {
      readonly name: string;
      readonly of: string;
      readonly value: number;
      readonly threshold: number;
    }[];
  }[];
};

/** All that a document is made of: what was stored of a version, its training, its life and its history. */
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
  /** The newest; null where there is none. */
  readonly validation: Validated | null;
  readonly watch: Watch;
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
      validation: ((await selectValidationOf(tx, row.id)) ?? null) as Validated | null,
      watch: watchOf(await selectWatchOf(tx, row.id)),
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

/** What is watched, as the monitor wrote it, so that the casts hold. */
function watchOf({ monitored, alarms }: Awaited<ReturnType<typeof selectWatchOf>>): Watch {
  const report = (monitored?.report ?? null) as {
    readonly watched: Watch['watched'];
    readonly performance: Watch['outcomes'];
  } | null;
  return {
    countedUntil: monitored?.counted_until ?? null,
    judgedAt: monitored?.judged_at ?? null,
    signals: (monitored?.signals ?? []) as Watch['signals'],
    watched: report?.watched ?? [],
    outcomes: report?.performance ?? [],
    alarms: alarms as unknown as Watch['alarms'],
  };
}

/** The report that was written with a version: our own file, in which numbers that rows could not tell are null. */
async function readReport(app: App, { storage_prefix, files }: VersionRow): Promise<FitReport> {
  const path = await app.storage.localPath(`${storage_prefix}${reportFile}`, files[reportFile]);
  const report = JSON.parse(await readFile(path, 'utf8')) as FitReport;
  // Versions of earlier releases kept the number of their features alone.
  return Array.isArray(report.features) ? report : { ...report, features: [] };
}
