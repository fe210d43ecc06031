import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import { newId } from '../../lib/crypto/ids.ts';
import { byName, putFiles } from '../../lib/storage/put-file.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { insertRfmVersion, type MadeRfm, type RfmRun, type StoredRfm } from './sql.ts';

/** Stores the files of an encoder under a new version id. */
export async function storeRfm(app: App, ctx: Context, paths: readonly string[]): Promise<StoredRfm> {
  const id = newId('rfm');
  const prefix = `${ctx.organizationId}/${ctx.workspaceId}/rfm-versions/${id}/`;
  return { id, prefix, files: await putFiles(app.storage, prefix, byName(paths)) };
}

/** Adds the version that a run has made. Embeddings of its table use it from then on. Returns its id. */
export async function addRfmVersion(
  tx: Tx,
  ctx: Context,
  run: RfmRun,
  stored: StoredRfm,
  made: MadeRfm,
): Promise<string> {
  const { id } = stored;
  const { entity } = run;
  await insertRfmVersion(tx, ctx, run, stored, made);
  await record(tx, ctx, 'rfm-version-creation', { type: 'rfm_version', id }, { entity });
  return id;
}
