import { createReadStream } from 'node:fs';
import type { Context } from '../../access/context.ts';
import { tenant } from '../../access/transactions.ts';
import { newId } from '../../lib/crypto/ids.ts';
import { Failure } from '../../lib/failure.ts';
import { record } from '../../trail/record.ts';
import { requireHeld } from '../allowances/require-held.ts';
import type { App } from '../app.ts';
import { receivedKey } from '../files/request-upload.ts';
import { contentTypeOf, isUnfinished } from './sftp-file.ts';
import { insertFile, lockName } from './sql.ts';
import { submit } from './submit.ts';
import { clearName, takeAgain } from './take-place.ts';

/** What a client has put in under a name: a local file, and whether it has sent all of it. */
export type Arrival = {
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
  readonly isWhole: boolean;
};

/**
 * Keeps what a client has put in, in place of what was there under the name. A whole file is looked at by a worker and
 * becomes a batch, unless its name says that it is not finished. The bytes of the file that was taken last under the
 * name, within a day, are that file sent once more, and make nothing new. What is beyond the quota of what may be
 * stored is not kept, and its log says so; who broke off is told in no other way. Throws Failure
 * 'insufficient_storage', 'quota_exceeded'.
 */
export async function receiveSftpFile(app: App, ctx: Context, arrival: Arrival): Promise<void> {
  const { name, path, bytes, isWhole } = arrival;
  // Of a file that a client only began there is nothing to go on with.
  if (!isWhole && bytes === 0) return;
  const fileId = newId('file');
  const key = receivedKey(ctx, fileId);
  const stored = await app.storage.put(key, createReadStream(path), {
    ...{ contentType: contentTypeOf(name), size: bytes },
  });
  const left: string[] = [];
  try {
    await tenant(app.db, ctx, async (tx) => {
      await lockName(tx, ctx, name);
      const replaced = isWhole ? await takeAgain(tx, name, stored.sha256) : null;
      if (replaced !== null) {
        left.push(key, ...replaced);
        return;
      }
      left.push(...(await clearName(tx, name)));
      const id = newId('sfl');
      await insertFile(tx, ctx, {
        ...{ id, name, sftp_user_id: ctx.actor.id!, status: isWhole ? 'held' : 'incomplete' },
        ...{ storage_key: key, bytes: stored.size, sha256: stored.sha256 },
      });
      if (isWhole && !isUnfinished(name)) await submit(app, tx, ctx, { id, name, fileId, key, stored });
      else await requireHeld(tx, 'stored_megabytes', 0);
    });
  } catch (error) {
    // After any other error the commit may have happened: unless it did, the sweep removes the bytes.
    if (error instanceof Failure && error.code !== 'unavailable') await app.storage.delete(key);
    if (!(error instanceof Failure) || error.reason !== 'quota_exceeded') throw error;
    await refuseSftpFile(app, ctx, { name, bytes: stored.size, problem: error.message });
    if (isWhole) throw error;
  }
  for (const gone of left) await app.storage.delete(gone);
}

/**
 * Notes a file that is larger than is taken, or may be stored, in place of what was there under the name. Its bytes are
 * not kept.
 */
export async function refuseSftpFile(
  app: App,
  ctx: Context,
  { name, bytes, problem }: { readonly name: string; readonly bytes: number; readonly problem: string },
): Promise<void> {
  const left = await tenant(app.db, ctx, async (tx) => {
    await lockName(tx, ctx, name);
    const replaced = await clearName(tx, name);
    const id = newId('sfl');
    const problems = [problem];
    await insertFile(tx, ctx, {
      ...{ id, name, bytes, problems, status: 'refused', sftp_user_id: ctx.actor.id!, settled_at: new Date() },
    });
    await record(tx, ctx, 'sftp-file-refusal', { type: 'sftp_file', id }, { name, problems });
    return replaced;
  });
  for (const key of left) await app.storage.delete(key);
}
