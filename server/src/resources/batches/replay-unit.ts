import { stat } from 'node:fs/promises';
import type { Context } from '../../access/context.ts';
import { type Tx, tenant } from '../../access/transactions.ts';
import { Failure } from '../../lib/failure.ts';
import { hashFile } from '../../lib/files/hash.ts';
import { openStored } from '../../serving/open-stored.ts';
import type { App } from '../app.ts';
import { leaves } from '../job.ts';
import type { compareResults } from './comparing.ts';
import { requireBatch } from './require.ts';
import { resultFiles } from './result.ts';
import type { scoreUnit } from './scoring/score-unit.ts';
import { selectFiles, selectVersions } from './sql.ts';
import { type Begun, makeTask, pinnedVersions } from './work/make-task.ts';
import { selectUnits } from './work/sql.ts';

/** A unit of a batch that has a result, and how many rows of the result of its file are before its own. */
export type StoredUnit = Begun & { readonly rowsBefore: number };

/** What of a batch may be gone, so that a unit cannot be scored again. */
export type GoneOfBatch = 'version' | 'snapshot' | 'file' | 'stored' | 'interrupted';

export type UnitReplay =
  | { readonly gone: GoneOfBatch }
  | { readonly different: number; readonly first: Awaited<ReturnType<typeof compareResults>>['rows'] };

/**
 * Returns the units of a batch that have rows in its result, in order of their files. Throws Failure 'not_found',
 * 'batch_not_finished', 'batch_without_result', 'result_deleted'.
 */
export async function storedUnits(tx: Tx, batchId: string): Promise<StoredUnit[]> {
  const batch = await requireBatch(tx, batchId);
  await resultFiles(tx, batch);
  const files = new Map((await selectFiles(tx, [batchId])).map((file) => [file.position, file]));
  const rows = new Map<number, number>();
  const units: StoredUnit[] = [];
  for (const unit of await selectUnits(tx, batchId)) {
    if (unit.part_key === null) continue;
    const rowsBefore = rows.get(unit.position) ?? 0;
    units.push({ batch, file: files.get(unit.position)!, unit, rowsBefore });
    rows.set(unit.position, rowsBefore + Number(unit.succeeded));
  }
  return units;
}

/**
 * Scores a unit again, with all that it was pinned to, and holds its bytes against those that were stored: its part of
 * the result, and the list of rows that were left out. Where they differ, says which rows do. `folder` is written to.
 */
export async function replayUnit(
  app: App,
  ctx: Context,
  { rowsBefore, ...begun }: StoredUnit,
  { folder, signal, firstMax }: { readonly folder: string; readonly signal: AbortSignal; readonly firstMax: number },
): Promise<UnitReplay> {
  const { batch, file, unit } = begun;
  if (unit.status !== 'succeeded') return { gone: 'interrupted' };
  const { ids } = pinnedVersions(begun);
  const versions = await tenant(app.db, ctx, (tx) => selectVersions(tx, ids));
  if (versions.length < ids.length) return { gone: 'version' };
  try {
    return await openStored(app.storage, `Batch ${batch.id}`, async () => {
      const input = await makeTask(app, ctx, begun, folder);
      const options = {
        ...{ signal, group: ctx.workspaceId, leaves: leaves.evaluation, folder },
        about: { workspace: ctx.workspaceId, batch: batch.id, unit: `${unit.position}-${unit.unit}` },
      };
      await app.compute!.run<typeof scoreUnit>({ name: 'scoreUnit', input }, options);
      signal.throwIfAborted();
      const hasErrors = (await stat(input.errors)).size > 0;
      const isSame =
        hashFile(input.out) === unit.part_sha256 &&
        (hasErrors ? hashFile(input.errors) : null) === (unit.errors_key === null ? null : unit.errors_sha256);
      if (isSame) return { different: 0, first: [] };
      const compared = await app.compute!.run<typeof compareResults>(
        {
          name: 'compareResults',
          input: {
            stored: await app.storage.localPath(file.output_key!, file.output_sha256),
            again: input.out,
            ...{ first: rowsBefore, count: Number(unit.succeeded), most: firstMax },
          },
        },
        options,
      );
      // The bytes differ, though no row does: as if each did.
      if (compared.different === 0) return { different: Number(unit.succeeded), first: [] };
      return { different: compared.different, first: compared.rows };
    });
  } catch (error) {
    const gone = error instanceof Failure ? goneBy[error.reason ?? ''] : undefined;
    if (gone === undefined) throw error;
    return { gone };
  }
}

const goneBy: Readonly<Record<string, GoneOfBatch>> = {
  entity_erased: 'snapshot',
  file_deleted: 'file',
  file_not_uploaded: 'file',
  object_damaged: 'stored',
};
