import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import { create } from '../../api/idempotency.ts';
import { named, refuse } from '../../errors.ts';
import { newId } from '../../lib/crypto/ids.ts';
import type { Answer } from '../../lib/http/server.ts';
import { momentOf } from '../../serving/as-of.ts';
import { currentSnapshot } from '../../serving/snapshot.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { policyOf } from '../models/gates/gates.ts';
import type { VersionRow } from '../models/model.ts';
import { requireVersion } from '../models/require.ts';
import { requireSegmentColumns } from '../models/require-segment-columns.ts';
import { requireRoom } from '../open-work.ts';
import { keepModels } from '../tasks/keep.ts';
import { validationQueue } from './queue.ts';
import { countOpen, insertValidation, selectLearnedFrom, selectValidation } from './sql.ts';
import { presentValidation } from './validation.ts';

export type ValidationRequest = {
  /** The alias whose version it is held against; without it and compare_with, it is held against nothing but itself. */
  readonly alias?: string;
  /** A version by its id or number, in place of an alias. */
  readonly compare_with?: string;
  /** Without them those of the model's gates. */
  readonly segments?: readonly string[];
  /** YYYY-MM-DD. */
  readonly reference_date?: string;
};

/**
 * Queues a validation of a version against another one of its model. Fixes here which version, data and moment that
 * means. Throws Failure 'not_found', 'no_data', 'invalid', 'reference_date_in_future', 'limit_exceeded'.
 */
export async function createValidation(
  app: App,
  ctx: Context,
  { model, version }: { readonly model: string; readonly version: string },
  asked: ValidationRequest,
): Promise<Answer> {
  if (asked.alias !== undefined && asked.compare_with !== undefined)
    throw refuse('invalid', 'give alias or compare_with, not both', {
      problems: [{ at: '/compare_with', message: 'goes without alias' }],
    });
  await requireSegmentColumns(app, ctx, model, asked.segments ?? []);
  return create(app.db, ctx, 202, async (tx) => {
    await requireRoom(tx, 'validations', countOpen);
    await keepModels(tx, ctx);
    const row = await requireVersion(tx, model, version);
    const before = await comparedWith(tx, row, asked);
    const snapshot = await currentSnapshot(tx, ctx);
    if (!snapshot) throw refuse('no_data', 'the workspace has no data yet: take files in with POST /v1/api/ingestions');
    const now = new Date();
    const id = newId('val');
    await insertValidation(tx, {
      ...{ id, organization_id: ctx.organizationId, workspace_id: ctx.workspaceId },
      ...{ model_id: row.model_id, version_id: row.id },
      alias: asked.alias ?? null,
      compare_with_version_id: before?.id ?? null,
      segments: [...(asked.segments ?? (await policyOf(tx, row.model_id)).segments ?? [])],
      snapshot_id: snapshot.id,
      earlier_snapshot_id: await earlierThan(tx, snapshot.id, before?.id ?? row.id),
      as_of: new Date(momentOf(asked.reference_date, ctx.timeZone, now.getTime())),
      ...{ time_zone: ctx.timeZone, created_by: ctx.actor.label, created_at: now },
    });
    const about = { status: 'queued', model_id: row.model_id, version_id: row.id } as const;
    await record(tx, ctx, 'validation-lifecycle', { type: 'validation', id }, about);
    await app.queue.send(tx, validationQueue, { id, workspace_id: ctx.workspaceId }, { group: ctx.workspaceId });
    return presentValidation((await selectValidation(tx, id))!);
  });
}

async function comparedWith(tx: Tx, row: VersionRow, asked: ValidationRequest): Promise<VersionRow | null> {
  if (asked.alias !== undefined) {
    const before = await named('/alias', requireVersion(tx, row.model_id, asked.alias));
    return before.id === row.id ? null : before;
  }
  if (asked.compare_with === undefined) return null;
  const before = await named('/compare_with', requireVersion(tx, row.model_id, asked.compare_with));
  if (before.id === row.id)
    throw refuse('invalid', `version ${row.number} cannot be held against itself`, {
      problems: [{ at: '/compare_with', message: 'must be another version' }],
    });
  return before;
}

/** Data by which versions are asked again: those that the one before was learned from, if others came since. */
export async function earlierThan(tx: Tx, snapshotId: string, versionId: string): Promise<string | null> {
  const earlier = await selectLearnedFrom(tx, versionId);
  return earlier === snapshotId ? null : earlier;
}
