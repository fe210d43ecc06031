import { sql } from 'kysely';
import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import { pageBytesMax } from '../../api/list.ts';
import { type RowPage, selectPage } from '../../lib/db/page.ts';
import type { RfmVersionRow } from './rfm-version.ts';

export function selectRfmVersion(tx: Tx, id: string): Promise<RfmVersionRow | undefined> {
  return tx.selectFrom('rfm_versions').selectAll().where('id', '=', id).executeTakeFirst();
}

export function selectRfmVersions(
  tx: Tx,
  entity: string | undefined,
  before: string | null,
  most: number,
): Promise<RowPage<RfmVersionRow>> {
  return selectPage(tx, { table: 'rfm_versions', filters: { entity }, before, most, bytesMax: pageBytesMax });
}

/** Returns the tables that have an encoder. */
export async function selectEntities(tx: Tx): Promise<string[]> {
  const rows = await tx.selectFrom('rfm_versions').select('entity').distinct().orderBy('entity').execute();
  return rows.map(({ entity }) => entity);
}

/** The training run that made a version. */
export type RfmRun = {
  readonly id: string;
  readonly entity: string;
  readonly snapshot_id: string;
  readonly contract_id: string;
};

/** The storage prefix of a version's files, and the SHA-256 of each by name. */
export type StoredRfm = {
  readonly id: string;
  readonly prefix: string;
  readonly files: Readonly<Record<string, string>>;
};

/** `parent`: the version that it was fine-tuned from. `gfmVersionId`: the GFM version that it is composed with. */
export type MadeRfm = {
  readonly report: unknown;
  readonly parent: string | null;
  readonly gfmVersionId: string | null;
};

/** Inserts a version with its table's next number. Until the transaction ends, other insertions for the table wait. */
export async function insertRfmVersion(
  tx: Tx,
  { organizationId, workspaceId }: Context,
  { entity, ...run }: RfmRun,
  { id, prefix, files }: StoredRfm,
  { report, parent, gfmVersionId }: MadeRfm,
): Promise<void> {
  const lock = `rfm versions ${workspaceId} ${entity}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(tx);
  await tx
    .insertInto('rfm_versions')
    .values({
      id,
      organization_id: organizationId,
      workspace_id: workspaceId,
      entity,
      number: sql<number>`(select coalesce(max(number), 0) + 1 from rfm_versions where entity = ${entity})`,
      parent_id: parent,
      gfm_version_id: gfmVersionId,
      training_run_id: run.id,
      snapshot_id: run.snapshot_id,
      contract_id: run.contract_id,
      report: JSON.stringify(report),
      files: JSON.stringify(files),
      storage_prefix: prefix,
    })
    .execute();
}

/** Returns the active versions that aliases point at, each with its aliases, oldest first. */
export async function selectAliased(tx: Tx) {
  const rows = await tx
    .selectFrom('aliases')
    .innerJoin('model_versions', 'model_versions.id', 'aliases.version_id')
    .select(['aliases.model_id', 'aliases.version_id', 'aliases.alias', 'storage_prefix', 'files', 'gfm_version_id'])
    .where('model_versions.status', '=', 'active')
    .orderBy('aliases.version_id')
    .orderBy('aliases.alias')
    .execute();
  return [...Map.groupBy(rows, (row) => row.version_id).values()].map((group) => ({
    ...group[0],
    aliases: group.map(({ alias }) => alias),
  }));
}
