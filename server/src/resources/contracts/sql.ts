import { sql } from 'kysely';
import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import { pageBytesMax } from '../../api/list.ts';
import { newId } from '../../lib/crypto/ids.ts';
import { type RowPage, selectPage } from '../../lib/db/page.ts';
import type { ContractRow } from './contract.ts';

export function selectContract(tx: Tx, id: string): Promise<ContractRow | undefined> {
  return tx.selectFrom('contracts').selectAll().where('id', '=', id).executeTakeFirst();
}

export function selectActive(tx: Tx): Promise<ContractRow | undefined> {
  return tx.selectFrom('contracts').selectAll().where('status', '=', 'active').executeTakeFirst();
}

export function selectContracts(tx: Tx, before: string | null, most: number): Promise<RowPage<ContractRow>> {
  return selectPage(tx, { table: 'contracts', before, most, bytesMax: pageBytesMax });
}

/**
 * Takes an advisory lock until the transaction ends, so that numbers are assigned and versions accepted one at a time.
 */
export async function lockContracts(tx: Tx, { workspaceId }: Context): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`contracts ${workspaceId}`}, 0))`.execute(tx);
}

export type ContractProposal = {
  readonly document: string;
  /** The contract that the proposal is based on; null for the first. */
  readonly baseId: string | null;
  /** A list as JSON. */
  readonly changes: string;
  /** The ingestion whose files need the proposed contract. */
  readonly ingestionId: string | null;
};

/** Inserts a proposed version with the workspace's next number. Returns its id. */
export async function insertProposed(
  tx: Tx,
  ctx: Context,
  { document, baseId, changes, ingestionId }: ContractProposal,
): Promise<string> {
  const id = newId('con');
  await lockContracts(tx, ctx);
  await tx
    .insertInto('contracts')
    .values({
      id,
      organization_id: ctx.organizationId,
      workspace_id: ctx.workspaceId,
      number: sql<number>`(select coalesce(max(number), 0) + 1 from contracts where workspace_id = ${ctx.workspaceId})`,
      status: 'proposed',
      document,
      base_id: baseId,
      changes,
      ingestion_id: ingestionId,
      created_by: ctx.actor.label,
    })
    .execute();
  return id;
}

/** Makes a proposed version the active one, and marks the previous one as superseded. */
export async function activate(tx: Tx, id: string): Promise<void> {
  await tx.updateTable('contracts').set({ status: 'superseded' }).where('status', '=', 'active').execute();
  const change = { status: 'active', accepted_at: new Date() };
  await tx.updateTable('contracts').set(change).where('id', '=', id).execute();
}

export async function reject(tx: Tx, id: string): Promise<boolean> {
  const done = await tx
    .updateTable('contracts')
    .set({ status: 'rejected' })
    .where('id', '=', id)
    .where('status', '=', 'proposed')
    .executeTakeFirst();
  return Number(done.numUpdatedRows) === 1;
}
