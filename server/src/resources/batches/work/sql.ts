import { type Insertable, sql, type Updateable } from 'kysely';
import type { Tx } from '../../../access/transactions.ts';
import type { BatchUnits } from '../../../schema/tables.ts';
import { type BatchUnitRow, type Counts, openUnitStatuses } from '../batch.ts';

/** Takes an advisory lock until the transaction ends, so that one transaction at a time queues units of a workspace. */
export async function lockQueueing(tx: Tx, workspaceId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`units ${workspaceId}`}, 0))`.execute(tx);
}

/** Takes an advisory lock until the transaction ends, so that one batch of an organization at a time reserves rows. */
export async function lockReserving(tx: Tx, organizationId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`batch rows ${organizationId}`}, 0))`.execute(tx);
}

/**
 * The rows that the other batches of a workspace, and of its organization, take of their quotas in the month that its
 * clocks show: those that are open, and those that ended in it on the clocks of their own. `tx` is of the system.
 */
export async function selectTakenRows(
  tx: Tx,
  workspaceId: string,
  exceptBatchId: string,
): Promise<{ readonly workspace: number; readonly organization: number }> {
  const { rows } = await sql<{ workspace: number; organization: number }>`
    select coalesce(sum(b.quota_rows) filter (where b.workspace_id = here.id), 0)::double precision as workspace,
      coalesce(sum(b.quota_rows), 0)::double precision as organization
    from workspaces as here join workspaces as w on w.organization_id = here.organization_id
      join batches as b on b.workspace_id = w.id
    where here.id = ${workspaceId} and b.id <> ${exceptBatchId} and (b.finished_at is null
      or b.finished_at at time zone w.time_zone >= date_trunc('month', now() at time zone here.time_zone))`.execute(tx);
  return rows[0];
}

/** Returns how many rows have succeeded and failed so far, by batch and file. */
export function selectCounts(tx: Tx, batchIds: readonly string[]): Promise<(Counts & { batch_id: string })[]> {
  if (batchIds.length === 0) return Promise.resolve([]);
  return tx
    .selectFrom('batch_units')
    .select(['batch_id', 'position'])
    .select([
      sql<number>`sum(succeeded)::double precision`.as('succeeded'),
      sql<number>`sum(failed)::double precision`.as('failed'),
    ])
    .where('batch_id', 'in', batchIds)
    .groupBy(['batch_id', 'position'])
    .execute();
}

const unitsPerInsertMax = 1000;

export async function insertUnits(tx: Tx, units: readonly Insertable<BatchUnits>[]): Promise<void> {
  for (let at = 0; at < units.length; at += unitsPerInsertMax)
    await tx
      .insertInto('batch_units')
      .values(units.slice(at, at + unitsPerInsertMax))
      .execute();
}

export function selectUnits(tx: Tx, batchId: string): Promise<BatchUnitRow[]> {
  return tx
    .selectFrom('batch_units')
    .selectAll()
    .where('batch_id', '=', batchId)
    .orderBy('position')
    .orderBy('unit')
    .execute();
}

type UnitKey = { readonly id: string; readonly position: number; readonly unit: number };

/** Returns a unit and locks its row until the transaction ends. */
export function lockUnit(tx: Tx, { id, position, unit }: UnitKey): Promise<BatchUnitRow | undefined> {
  return tx
    .selectFrom('batch_units')
    .selectAll()
    .where('batch_id', '=', id)
    .where('position', '=', position)
    .where('unit', '=', unit)
    .forUpdate()
    .executeTakeFirst();
}

export async function updateUnit(
  tx: Tx,
  { id, position, unit }: UnitKey,
  change: Updateable<BatchUnits>,
): Promise<void> {
  await tx
    .updateTable('batch_units')
    .set(change)
    .where('batch_id', '=', id)
    .where('position', '=', position)
    .where('unit', '=', unit)
    .execute();
}

/**
 * Ends a unit for one attempt, or for any attempt when `attempt` is null. Returns false when another attempt has the
 * unit or it has ended.
 */
export async function endUnit(
  tx: Tx,
  { id, position, unit }: UnitKey,
  attempt: number | null,
  change: Updateable<BatchUnits>,
): Promise<boolean> {
  let ending = tx
    .updateTable('batch_units')
    .set({ ...change, finished_at: new Date() })
    .where('batch_id', '=', id)
    .where('position', '=', position)
    .where('unit', '=', unit)
    .where('status', 'in', openUnitStatuses);
  if (attempt !== null) ending = ending.where('attempt', '=', attempt);
  const done = await ending.executeTakeFirst();
  return Number(done.numUpdatedRows) === 1;
}

/** Raises the counts of a running unit. They never fall, even when the unit is scored again. */
export async function raiseCounts(
  tx: Tx,
  { id, position, unit }: UnitKey,
  { succeeded, failed }: { succeeded: number; failed: number },
): Promise<void> {
  await tx
    .updateTable('batch_units')
    .set({
      succeeded: sql<number>`greatest(succeeded, ${succeeded})`,
      failed: sql<number>`greatest(failed, ${failed})`,
      touched_at: new Date(),
    })
    .where('batch_id', '=', id)
    .where('position', '=', position)
    .where('unit', '=', unit)
    .where('status', '=', 'running')
    .execute();
}

/** Returns how many units of the workspace's running batches are in the queue. */
export async function countQueued(tx: Tx): Promise<number> {
  const row = await tx
    .selectFrom('batch_units as u')
    .innerJoin('batches as b', 'b.id', 'u.batch_id')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('u.status', '=', 'queued')
    .where('b.status', '=', 'running')
    .executeTakeFirstOrThrow();
  return row.count;
}

/**
 * What a point of priority is worth: its batch goes before those that were sent this much earlier. So a steady stream
 * of higher priority delays a batch, and never holds it for ever.
 */
const priorityMinutes = 10;

/** Marks the first planned units of the workspace as queued, by priority and age of their batch. Returns them. */
export async function takePlanned(tx: Tx, most: number): Promise<UnitKey[]> {
  const units = await tx
    .selectFrom('batch_units as u')
    .innerJoin('batches as b', 'b.id', 'u.batch_id')
    .select(['b.id', 'u.position', 'u.unit'])
    .where('u.status', '=', 'planned')
    .where('b.status', '=', 'running')
    .where('b.interrupt_requested_at', 'is', null)
    .orderBy(sql`b.created_at - b.priority * make_interval(mins => ${priorityMinutes})`)
    .orderBy('b.id')
    .orderBy('u.position')
    .orderBy('u.unit')
    .limit(most)
    // Skips units that another transaction has locked, such as one that interrupts their batch.
    .forUpdate('u')
    .skipLocked()
    .execute();
  for (const unit of units) await updateUnit(tx, unit, { status: 'queued' });
  return units;
}

/** Marks the units that no worker has started as interrupted. */
export function interruptWaiting(tx: Tx, batchId: string): Promise<void> {
  return interruptUnits(tx, batchId, ['planned', 'queued']);
}

/** Marks all open units as interrupted, including running ones, whose attempts can then no longer end them. */
export function interruptOpen(tx: Tx, batchId: string): Promise<void> {
  return interruptUnits(tx, batchId, openUnitStatuses);
}

async function interruptUnits(tx: Tx, batchId: string, statuses: readonly string[]): Promise<void> {
  await tx
    .updateTable('batch_units')
    .set({ status: 'interrupted', finished_at: new Date() })
    .where('batch_id', '=', batchId)
    .where('status', 'in', statuses)
    .execute();
}

export async function hasOpenUnits(tx: Tx, batchId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('batch_units')
    .select('unit')
    .where('batch_id', '=', batchId)
    .where('status', 'in', openUnitStatuses)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
