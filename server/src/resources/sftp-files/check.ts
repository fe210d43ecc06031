import { refusalWithout } from '../../access/authorize.ts';
import type { Context } from '../../access/context.ts';
import { contextOfSftp, readSftpUser } from '../../access/credentials/sftp-user.ts';
import { tenant } from '../../access/transactions.ts';
import { workspaceContext } from '../../access/workspace-context.ts';
import { Failure } from '../../lib/failure.ts';
import type { App } from '../app.ts';
import { isWorthRetrying } from '../attempt.ts';
import { addBatch } from '../batches/create.ts';
import { type ToldProblem, tellFileProblem } from '../batches/file-problems.ts';
import { inspectAhead } from '../batches/inspect-ahead.ts';
import { requireUploaded } from '../files/require.ts';
import type { JobFailure } from '../job.ts';
import { priorityOf } from '../sftp-users/priority.ts';
import type { SftpFileJob } from './queue.ts';
import { settleRefused } from './settle.ts';
import { fileBytesMax, fileRowsMax, isTaken, type SftpFileRow } from './sftp-file.ts';
import { lockFile, updateFile } from './sql.ts';
import { look } from './submit.ts';

/** How long a file waits when the workspace has as much open work as it may have. */
const roomMs = 60_000;

/**
 * Looks at a file that was put in, and makes a batch of it or says why there is none. Idempotent: a file becomes one
 * batch at most. Throws only what a retry may cure.
 */
export async function checkSftpFile(app: App, job: SftpFileJob, signal: AbortSignal): Promise<void> {
  const system = await workspaceContext(app.db, job.workspace_id);
  const file = await tenant(app.db, system, (tx) => lockFile(tx, job.id));
  if (!file || !isToBeChecked(file)) return;
  const ctx = await contextOf(app, system, file);
  const problems = await problemsOf(app, ctx, file, signal);
  if (problems.length > 0) await settle(app, ctx ?? system, job.id, problems);
  else await accept(app, ctx!, file);
}

/** Ends the look at a file that failed too often. */
export async function giveUpSftpFile(app: App, job: SftpFileJob, { detail, because }: JobFailure): Promise<void> {
  await settle(app, await workspaceContext(app.db, job.workspace_id), job.id, [{ message: detail, because }]);
}

/** One that another has replaced is: whoever sent it was told that it was taken. */
function isToBeChecked({ status }: SftpFileRow): boolean {
  return status === 'received';
}

/** In the name of the user, with the rights of now; null for one who may not come in any more. */
async function contextOf(app: App, system: Context, { sftp_user_id }: SftpFileRow): Promise<Context | null> {
  const principal = await readSftpUser(app.db, sftp_user_id);
  return principal ? contextOfSftp(principal, system.ip) : null;
}

async function problemsOf(
  app: App,
  ctx: Context | null,
  { name, bytes, file_id }: SftpFileRow,
  signal: AbortSignal,
): Promise<ToldProblem[]> {
  if (!isTaken(name)) return [tellFileProblem({ code: 'file_of_other_kind', file: name })];
  if (Number(bytes) > fileBytesMax)
    return [tellFileProblem({ code: 'file_too_large', file: name, most: fileBytesMax })];
  if (ctx === null) return [tellFileProblem({ code: 'sender_gone' })];
  const lacking = refusalWithout(ctx.permissions, ['create_batches']);
  if (lacking) return [toldOf(lacking)];
  if (ctx.isArchived) return [tellFileProblem({ code: 'workspace_archived' })];
  try {
    const row = await tenant(app.db, ctx, (tx) => requireUploaded(tx, file_id!));
    return await inspectAhead(app, ctx, row, { name, rowsMax: fileRowsMax, signal });
  } catch (error) {
    if (!(error instanceof Failure) || isWorthRetrying(error)) throw error;
    return [toldOf(error)];
  }
}

function toldOf({ message, because }: Failure): ToldProblem {
  return { message, because };
}

async function accept(app: App, ctx: Context, { id, file_id, name, sftp_user_id }: SftpFileRow): Promise<void> {
  try {
    await app.allowances.require(ctx, 'batch_rows');
  } catch (error) {
    if (!(error instanceof Failure) || isWorthRetrying(error)) throw error;
    return settle(app, ctx, id, [toldOf(error)]);
  }
  try {
    await tenant(app.db, ctx, async (tx) => {
      const file = await lockFile(tx, id);
      if (!file || !isToBeChecked(file)) return;
      const priority = await priorityOf(tx, sftp_user_id);
      const batchId = await addBatch(app, tx, ctx, { files: [file_id!], priority, metadata: { sftp_file: name } });
      await updateFile(tx, id, { status: 'accepted', batch_id: batchId, settled_at: new Date() });
    });
  } catch (error) {
    if (!(error instanceof Failure) || isWorthRetrying(error)) throw error;
    // It waits until the workspace has fewer open batches.
    if (error.reason === 'limit_exceeded' || error.reason === 'quota_exceeded')
      await tenant(app.db, ctx, (tx) => look(app, tx, ctx, id, new Date(Date.now() + roomMs)));
    else await settle(app, ctx, id, [toldOf(error)]);
  }
}

/** Says that there is no batch, and why. */
async function settle(app: App, ctx: Context, id: string, told: readonly ToldProblem[]): Promise<void> {
  await tenant(app.db, ctx, async (tx) => {
    const file = await lockFile(tx, id);
    if (file && isToBeChecked(file)) await settleRefused(tx, ctx, file, told);
  });
}
