import type { Context } from '../../access/context.ts';
import { tenant } from '../../access/transactions.ts';
import type { App } from '../app.ts';
import type { SftpFileRow } from './sftp-file.ts';
import { selectByName, selectPresent } from './sql.ts';

const pageMax = 1_000;

/** The files that are in `batch/in`, in order of name, some at a time; `ensure` gives the right to each page. */
export async function* listSftpFiles({ db }: App, ensure: () => Promise<Context>): AsyncGenerator<SftpFileRow[]> {
  let after = '';
  for (;;) {
    const page = await tenant(db, await ensure(), (tx) => selectPresent(tx, after, pageMax));
    yield page;
    if (page.length < pageMax) return;
    after = page.at(-1)!.name;
  }
}

/** The file that is in `batch/in` under a name. */
export function findSftpFile({ db }: App, ctx: Context, name: string): Promise<SftpFileRow | undefined> {
  return tenant(db, ctx, (tx) => selectByName(tx, name));
}
