import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import { record } from '../../trail/record.ts';
import type { ToldProblem } from '../batches/file-problems.ts';
import type { SftpFileRow } from './sftp-file.ts';
import { updateFile } from './sql.ts';

/** Says of a file that is still to be looked at that there is no batch, and why. */
export async function settleRefused(
  tx: Tx,
  ctx: Context,
  { id, name }: Pick<SftpFileRow, 'id' | 'name'>,
  told: readonly ToldProblem[],
): Promise<void> {
  const problems = told.map(({ message }) => message);
  const problem_codes = JSON.stringify(told.map(({ because = null }) => because));
  await updateFile(tx, id, { status: 'refused', problems, problem_codes, settled_at: new Date() });
  await record(tx, ctx, 'sftp-file-refusal', { type: 'sftp_file', id }, { name, problems });
}
