import { sql } from 'kysely';
import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import { newId } from '../../lib/crypto/ids.ts';
import { byName, putFiles } from '../../lib/storage/put-file.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';

type StoredRfm = { readonly id: string; readonly prefix: string; readonly files: Readonly<Record<string, string>> };

/** Stores the files of an encoder's folder under an id of its own. */
export async function storeRfm(app: App, ctx: Context, paths: readonly string[]): Promise<StoredRfm> {
  const id = newId('rfm');
  const prefix = `${ctx.organizationId}/${ctx.workspaceId}/rfm-versions/${id}/`;
  return { id, prefix, files: await putFiles(app.storage, prefix, byName(paths)) };
}

/** `parent`: the version that it goes on from; `gfmVersionId`: of the graph model that it is composed with. */
type MadeRfm = { readonly report: unknown; readonly parent: string | null; readonly gfmVersionId: string | null };

/** Adds the version that a run has made; embeddings of its table are read from it from then on. */
export async function addRfmVersion(
  tx: Tx,
  ctx: Context,
  run: { readonly id: string; readonly entity: string; readonly snapshot_id: string; readonly contract_id: string },
  { id, prefix, files }: StoredRfm,
  { report, parent, gfmVersionId }: MadeRfm,
): Promise<string> {
  const { entity } = run;
  await sql`select pg_advisory_xact_lock(hashtextextended(${`rfm versions ${ctx.workspaceId} ${entity}`}, 0))`.execute(
    tx,
  );
  await tx
    .insertInto('rfm_versions')
    .values({
      id,
      organization_id: ctx.organizationId,
      workspace_id: ctx.workspaceId,
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
  await record(tx, ctx, 'rfm-version-creation', { type: 'rfm_version', id }, { entity });
  return id;
}
