import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '../../access/context.ts';
import { type Tx, tenant } from '../../access/transactions.ts';
import { newId } from '../../lib/crypto/ids.ts';
import type { ValidationReport } from '../../ml/validation/report.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { failureOf, isAway } from '../attempt.ts';
import { policyOf } from '../models/gates/gates.ts';
import type { Validated } from '../models/gates/pass-gates.ts';
import { findHeldAgainst } from '../models/replaced.ts';
import { earlierThan } from './create.ts';
import { judgeVersion } from './judge.ts';
import { recordVerdict } from './record-verdict.ts';
import { insertValidation, type StoredVersion } from './sql.ts';

type Learned = {
  readonly run: {
    readonly id: string;
    readonly model_id: string;
    readonly task_id: string;
    readonly alias: string | null;
    readonly snapshot_id: string;
  };
  readonly version: StoredVersion;
  readonly warnings: readonly { readonly code: string }[];
};

type Work = {
  readonly folder: string;
  readonly signal: AbortSignal;
  tell(progress: { readonly phase: string }): void;
};

/** A validation that is kept with its version. */
export type KeptValidation = { readonly validated: Validated; keep(tx: Tx): Promise<void> };

/**
 * Validates what a training run has made against the version that its alias points at, or else the usual one of the
 * model, before it is added; null where nothing answers by an alias yet. A validation that comes to nothing fails by
 * itself, and the version is kept. Throws what a retry may cure.
 */
export async function validateLearned(
  app: App,
  ctx: Context,
  { run, version, warnings }: Learned,
  { folder, signal, tell }: Work,
): Promise<KeptValidation | null> {
  const now = new Date();
  const found = await tenant(app.db, ctx, async (tx) => {
    const held = await findHeldAgainst(tx, run.model_id, run.alias);
    const { segments = [] } = await policyOf(tx, run.model_id);
    return held && { ...held, segments, earlier: await earlierThan(tx, run.snapshot_id, held.versionId) };
  });
  if (!found) return null;
  const { alias, versionId: compareWith, earlier, segments } = found;
  const judged = {
    ...{ version, taskId: run.task_id, warnings, compareWith, snapshotId: run.snapshot_id },
    ...{ earlierSnapshotId: earlier, segments, asOf: now, timeZone: ctx.timeZone },
  };
  const own = join(folder, 'validation');
  await mkdir(own, { recursive: true });
  const told = await outcomeOf(
    app,
    judgeVersion(app, ctx, judged, {
      ...{ folder: own, signal, about: { run: run.id } },
      tell: ({ phase }) => tell({ phase: `validating: ${phase}` }),
    }),
    signal,
  );
  const id = newId('val');
  const row = { id, model_id: run.model_id, version_id: version.id, alias };
  return {
    validated: { compareWith, checks: told.report?.checks ?? null },
    async keep(tx) {
      const status = told.report ? 'succeeded' : 'failed';
      await insertValidation(tx, {
        ...{ ...row, organization_id: ctx.organizationId, workspace_id: ctx.workspaceId, status },
        ...{ compare_with_version_id: compareWith, snapshot_id: run.snapshot_id, earlier_snapshot_id: earlier },
        segments: [...segments],
        ...{ as_of: now, time_zone: ctx.timeZone, fraction: 1, attempt: 1, created_by: ctx.actor.label },
        verdict: told.report?.verdict ?? null,
        result: told.report && JSON.stringify(told.report),
        failure: told.failure && JSON.stringify(told.failure),
        ...{ created_at: now, started_at: now, finished_at: new Date() },
      });
      const about = { status, model_id: run.model_id, version_id: version.id } as const;
      await record(tx, ctx, 'validation-lifecycle', { type: 'validation', id }, about);
      if (told.report) await recordVerdict(tx, ctx, { ...row, compare_with_version_id: compareWith }, told.report);
    },
  };
}

async function outcomeOf(app: App, judging: Promise<ValidationReport>, signal: AbortSignal) {
  try {
    return { report: await judging, failure: null };
  } catch (error) {
    if (signal.aborted || isAway(error)) throw error;
    app.log.warn({ err: error }, 'version not validated');
    return { report: null, failure: failureOf(error) };
  }
}
