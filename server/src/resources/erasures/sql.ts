import type { Updateable } from 'kysely';
import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import { pageBytesMax } from '../../api/list.ts';
import { type RowPage, selectPage } from '../../lib/db/page.ts';
import type { Erasures } from '../../schema/tables.ts';
import type { ErasureRow } from './erasure.ts';

export function selectErasure(tx: Tx, id: string): Promise<ErasureRow | undefined> {
  return tx.selectFrom('erasures').selectAll().where('id', '=', id).executeTakeFirst();
}

export function selectErasures(tx: Tx, before: string | null, most: number): Promise<RowPage<ErasureRow>> {
  return selectPage(tx, { table: 'erasures', before, most, bytesMax: pageBytesMax });
}

/** Returns how many erasures of the workspace are queued or running, counted up to `most`. */
export async function countOpen(tx: Tx, most: number): Promise<number> {
  const open = await tx
    .selectFrom('erasures')
    .select('id')
    .where('status', 'in', ['queued', 'running'])
    .limit(most)
    .execute();
  return open.length;
}

/** Whether an erasure has not ended; if so, it does not end before the transaction does. */
export async function lockOpenErasure(tx: Tx, id: string): Promise<boolean> {
  const open = await tx
    .selectFrom('erasures')
    .select('id')
    .where('id', '=', id)
    .where('status', 'in', ['queued', 'running'])
    .forUpdate()
    .executeTakeFirst();
  return open !== undefined;
}

export async function isOpenErasure(tx: Tx, id: string): Promise<boolean> {
  const open = await tx
    .selectFrom('erasures')
    .select('id')
    .where('id', '=', id)
    .where('status', 'in', ['queued', 'running'])
    .executeTakeFirst();
  return open !== undefined;
}

/** Updates an erasure that has not ended. Returns false when it has ended. */
export async function updateErasure(tx: Tx, id: string, change: Updateable<Erasures>): Promise<boolean> {
  const done = await tx
    .updateTable('erasures')
    .set(change)
    .where('id', '=', id)
    .where('status', 'in', ['queued', 'running'])
    .executeTakeFirst();
  return Number(done.numUpdatedRows) === 1;
}

/** Inserts an erasure. `identifier` is sealed. */
export async function insertErasure(tx: Tx, ctx: Context, id: string, identifier: string): Promise<void> {
  await tx
    .insertInto('erasures')
    .values({
      id,
      organization_id: ctx.organizationId,
      workspace_id: ctx.workspaceId,
      identifier,
      created_by: ctx.actor.label,
    })
    .execute();
}

/** Returns erasures whose bytes are about to be removed, and those that finished after `since`. */
export function selectForgetting(
  tx: Tx,
  since: Date,
): Promise<Pick<ErasureRow, 'id' | 'status' | 'organization_id' | 'workspace_id' | 'finished_at'>[]> {
  return tx
    .selectFrom('erasures')
    .select(['id', 'status', 'organization_id', 'workspace_id', 'finished_at'])
    .where((eb) => eb.or([eb('doomed', 'is not', null), eb('finished_at', '>', since)]))
    .execute();
}
