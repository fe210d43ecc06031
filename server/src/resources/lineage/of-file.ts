import type { Static } from 'typebox';
import type { Context } from '../../access/context.ts';
import { tenant } from '../../access/transactions.ts';
import { readPage } from '../../api/list.ts';
import { currentSnapshot } from '../../serving/snapshot.ts';
import type { App } from '../app.ts';
import { requireFile } from '../files/require.ts';
import { snapshotsOf } from '../files/snapshots.ts';
import type { fileLineageSchema } from './file-lineage.ts';
import {
  countPredictionsFrom,
  countUses,
  type FileVersion,
  lookedAtMax,
  selectIngestionsOf,
  selectTasksOf,
  selectVersionsOf,
} from './sql.ts';

/** Tells what read a file, with a page of the versions that learned from it. Throws Failure 'not_found'. */
export function fileLineage(
  app: App,
  ctx: Context,
  id: string,
  page: { readonly limit?: number; readonly cursor?: string },
): Promise<Static<typeof fileLineageSchema>> {
  return tenant(app.db, ctx, async (tx) => {
    const file = await requireFile(tx, id);
    const snapshots = await snapshotsOf(tx, file);
    const ingestions = await selectIngestionsOf(tx, id);
    const answered = await countPredictionsFrom(tx, snapshots);
    const uses = await countUses(tx, id, snapshots);
    const counted = (count: number) => ({ count, is_whole: count < lookedAtMax });
    const current = await currentSnapshot(tx, ctx);
    const versions = await readPage(
      app.keys.cursors,
      [ctx.workspaceId, 'file lineage', id],
      page,
      (before, most) => selectVersionsOf(tx, id, snapshots, before, most),
      (version) => presentVersion(version, answered),
    );
    return {
      ...{ file_id: id, path: file.path },
      ingestions: ingestions.map(({ created_at, ...one }) => ({ ...one, created_at: created_at.toISOString() })),
      snapshots: {
        ...{ count: snapshots.length, first_id: snapshots[0] ?? null, last_id: snapshots.at(-1) ?? null },
        is_current: current !== undefined && snapshots.includes(current.id),
      },
      tasks: await selectTasksOf(tx, id),
      predictions: {
        count: [...answered.byVersion.values()].reduce((sum, count) => sum + count, 0),
        is_whole: answered.isWhole,
      },
      batches: counted(uses.batches),
      scored_in: counted(uses.scored_in),
      evaluated_in: counted(uses.evaluated_in),
      ...{ ...versions, data: [...versions.data] },
    };
  });
}

function presentVersion(
  { id, created_at, in_tables, in_labels, ...version }: FileVersion,
  { byVersion, isWhole }: Awaited<ReturnType<typeof countPredictionsFrom>>,
) {
  return {
    ...version,
    version_id: id,
    read_as: [...(in_tables ? ['tables' as const] : []), ...(in_labels ? ['labels' as const] : [])],
    created_at: created_at.toISOString(),
    predictions: { count: byVersion.get(id) ?? 0, is_whole: isWhole },
  };
}
