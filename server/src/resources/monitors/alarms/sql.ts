import type { Insertable, Selectable } from 'kysely';
import type { Context } from '../../../access/context.ts';
import type { Tx } from '../../../access/transactions.ts';
import { pageBytesMax } from '../../../api/list.ts';
import { type RowPage, selectPage } from '../../../lib/db/page.ts';
import type { ModelAlarms } from '../../../schema/tables.ts';

export type AlarmRow = Selectable<ModelAlarms>;

/** The versions that have an alarm that is on. */
export function selectAlarmed(tx: Tx, { workspaceId }: Context): Promise<Pick<AlarmRow, 'model_id' | 'version_id'>[]> {
  return tx
    .selectFrom('model_alarms')
    .select(['model_id', 'version_id'])
    .where('workspace_id', '=', workspaceId)
    .where('cleared_at', 'is', null)
    .execute();
}

export function selectOpenAlarms(tx: Tx, versionId: string): Promise<AlarmRow[]> {
  return tx
    .selectFrom('model_alarms')
    .selectAll()
    .where('version_id', '=', versionId)
    .where('cleared_at', 'is', null)
    .execute();
}

export function selectAlarms(
  tx: Tx,
  of: { readonly model_id: string; readonly version_id: string | undefined },
  before: string | null,
  most: number,
): Promise<RowPage<AlarmRow>> {
  return selectPage(tx, { table: 'model_alarms', filters: of, before, most, bytesMax: pageBytesMax });
}

export async function insertAlarm(tx: Tx, row: Insertable<ModelAlarms>): Promise<void> {
  await tx.insertInto('model_alarms').values(row).execute();
}

export async function updateAlarm(
  tx: Tx,
  id: string,
  change: { readonly signals?: string; readonly told?: string[]; readonly cleared_at?: Date },
): Promise<void> {
  await tx.updateTable('model_alarms').set(change).where('id', '=', id).execute();
}
