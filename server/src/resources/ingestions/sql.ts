import { sql, type Updateable } from 'kysely';
import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import { pageBytesMax } from '../../api/list.ts';
import { type RowPage, selectPage } from '../../lib/db/page.ts';
import type { Ingestions } from '../../schema/tables.ts';
import { type InTurn, inTurn } from '../turns/turn.ts';
import { type IngestionFile, type IngestionRow, openStatuses } from './ingestion.ts';

/** Takes an advisory lock until the transaction ends, so that ingestions of a workspace begin and end one at a time. */
export async function lockIngestions(tx: Tx, { workspaceId }: Context): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`ingestions ${workspaceId}`}, 0))`.execute(tx);
}

/** Throws when the database session of the transaction is gone. */
export async function askSession(tx: Tx): Promise<void> {
  await sql`select 1`.execute(tx);
}

export function selectIngestion(tx: Tx, id: string): Promise<IngestionRow | undefined> {
  return tx.selectFrom('ingestions').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Like `selectIngestion`, with what comes before it. */
export async function selectIngestionInTurn(tx: Tx, id: string): Promise<InTurn<IngestionRow> | undefined> {
  const row = await selectIngestion(tx, id);
  return row && (await inTurn(tx, 'ingestions', [row]))[0];
}

export async function selectIngestions(
  tx: Tx,
  before: string | null,
  most: number,
): Promise<RowPage<InTurn<IngestionRow>>> {
  const page: RowPage<IngestionRow> = await selectPage(tx, {
    ...{ table: 'ingestions', before, most, bytesMax: pageBytesMax },
  });
  return { ...page, rows: await inTurn(tx, 'ingestions', page.rows) };
}

/** Returns how many ingestions of the workspace are queued or running, counted up to `most`. */
export async function countOpen(tx: Tx, most: number): Promise<number> {
  const open = await tx.selectFrom('ingestions').select('id').where('status', 'in', openStatuses).limit(most).execute();
  return open.length;
}

/** Updates an ingestion that has not ended. Returns false when it has ended. */
export async function updateIngestion(tx: Tx, id: string, change: Updateable<Ingestions>): Promise<boolean> {
  const done = await tx
    .updateTable('ingestions')
    .set(change)
    .where('id', '=', id)
    .where('status', 'in', openStatuses)
    .executeTakeFirst();
  return Number(done.numUpdatedRows) === 1;
}

export type NewIngestion = {
  readonly id: string;
  readonly kind: IngestionRow['kind'];
  readonly files: readonly IngestionFile[];
  readonly contractId: string | null;
  readonly acceptContract: boolean;
  readonly metadata: Readonly<Record<string, unknown>>;
};

export async function insertIngestion(
  tx: Tx,
  ctx: Context,
  { id, kind, files, contractId, acceptContract, metadata }: NewIngestion,
): Promise<void> {
  await tx
    .insertInto('ingestions')
    .values({
      id,
      organization_id: ctx.organizationId,
      workspace_id: ctx.workspaceId,
      kind,
      files: JSON.stringify(files),
      contract_id: contractId,
      accept_contract: acceptContract,
      metadata: JSON.stringify(metadata),
      created_by: ctx.actor.label,
    })
    .execute();
}

/**
 * The ingestion that was last to bring the data under a contract: one that is at it, else one that only read again,
 * else one of files.
 */
export function selectNewestUnder(tx: Tx, contractId: string): Promise<IngestionRow | undefined> {
  return tx
    .selectFrom('ingestions')
    .selectAll()
    .where('contract_id', '=', contractId)
    .orderBy((eb) => eb('status', 'in', openStatuses), 'desc')
    .orderBy((eb) => eb('kind', '=', 'reread'), 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Whether an ingestion was started that only brings the data under a contract. */
export async function wasReread(tx: Tx, contractId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('ingestions')
    .select('id')
    .where('contract_id', '=', contractId)
    .where('kind', '=', 'reread')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** The id of an ingestion that waits and will bring the data under whichever contract is active; null without one. */
export async function selectOpenRereading(tx: Tx): Promise<string | null> {
  const row = await tx
    .selectFrom('ingestions')
    .select('id')
    .where('kind', '=', 'reread')
    .where('status', '=', 'queued')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** When the ingestion was asked for that brought a part of a table. */
export async function selectTakenAt(tx: Tx, table: string, path: string): Promise<Date> {
  const part = JSON.stringify({ tables: [{ name: table, parts: [{ path }] }] });
  const row = await tx
    .selectFrom('ingestions')
    .innerJoin('snapshots', 'snapshots.id', 'ingestions.snapshot_id')
    .select('ingestions.created_at')
    .where('ingestions.status', '=', 'succeeded')
    .where(sql<boolean>`snapshots.manifest @> ${part}::jsonb`)
    .orderBy('ingestions.id')
    .limit(1)
    .executeTakeFirstOrThrow();
  return row.created_at;
}

/** A file that an ingestion took in; `files`: what it reported of each of its files. */
export type Delivered = {
  readonly id: string;
  readonly created_at: Date;
  readonly files: readonly { readonly file_id: string; readonly table: string; readonly rows: number }[] | null;
  readonly table: string;
  readonly file_id: string;
  readonly path: string;
  readonly sha256: string;
};

/** The ingestions that took in files with these SHA-256, the oldest first. */
export async function selectDeliveries(tx: Tx, hashes: readonly string[]): Promise<Delivered[]> {
  const { rows } = await sql<Delivered>`
    select i.id, i.created_at, i.report -> 'files' as files, one ->> 'table' as table, f.id as file_id, f.path, f.sha256
    from ingestions as i cross join jsonb_array_elements(i.files) as one join files as f on f.id = one ->> 'file_id'
    where i.status = 'succeeded' and i.kind = 'delivery' and f.sha256 = any(${hashes})
    order by i.id, f.id`.execute(tx);
  return rows;
}

/** Clears the recorded deviations of ingestions of these files, those read again among them. */
export async function clearDeviations(tx: Tx, fileIds: readonly string[]): Promise<void> {
  await tx
    .updateTable('ingestions')
    .set({ deviations: null })
    .where('deviations', 'is not', null)
    .where(
      sql<boolean>`exists (
        select from jsonb_array_elements(files || deviations) as file where file ->> 'file_id' = any(${fileIds}))`,
    )
    .execute();
}

export type NewSnapshot = {
  readonly id: string;
  readonly contractId: string;
  /** The snapshot that this one was built on. */
  readonly parentId: string | null;
  /** The digest of the state, from `snapshotIdOf`. */
  readonly sha256: string;
  readonly manifest: string;
  readonly report: unknown;
  /** The stored object with the frozen tables. */
  readonly frozen: { readonly key: string; readonly sha256: string; readonly size: number };
};

export async function insertSnapshot(tx: Tx, ctx: Context, snapshot: NewSnapshot): Promise<void> {
  await tx
    .insertInto('snapshots')
    .values({
      id: snapshot.id,
      organization_id: ctx.organizationId,
      workspace_id: ctx.workspaceId,
      contract_id: snapshot.contractId,
      parent_id: snapshot.parentId,
      sha256: snapshot.sha256,
      manifest: snapshot.manifest,
      report: JSON.stringify(snapshot.report),
      frozen_key: snapshot.frozen.key,
      frozen_sha256: snapshot.frozen.sha256,
      frozen_bytes: snapshot.frozen.size,
    })
    .execute();
}

/** Marks at least one snapshot as erased (without parts). Returns the storage keys of their frozen tables. */
export async function markErased(tx: Tx, ids: readonly string[]): Promise<string[]> {
  const rows = await tx
    .updateTable('snapshots')
    .set({ erased_at: new Date() })
    .where('id', 'in', ids)
    .returning('frozen_key')
    .execute();
  return rows.map(({ frozen_key }) => frozen_key);
}
