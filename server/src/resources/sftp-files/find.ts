import type { Context } from '../../access/context.ts';
import { tenant } from '../../access/transactions.ts';
import type { App } from '../app.ts';
import type { SftpFileRow } from './sftp-file.ts';
import { selectByName, selectPresent } from './sql.ts';

/** The files that are in `batch/in`, in order of name. */
export function listSftpFiles({ db }: App, ctx: Context): Promise<SftpFileRow[]> {
  return tenant(db, ctx, selectPresent);
}

/** The file that is in `batch/in` under a name. */
export function findSftpFile({ db }: App, ctx: Context, name: string): Promise<SftpFileRow | undefined> {
  return tenant(db, ctx, (tx) => selectByName(tx, name));
}
