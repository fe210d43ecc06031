import type { Tx } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { lockList, selectList } from './sql.ts';
import type { ListedRow, WatchListRow } from './watch-list.ts';

/** Returns a list with its counts. Throws Failure 'not_found'. */
export async function requireList(tx: Tx, id: string): Promise<ListedRow> {
  return (await selectList(tx, id)) ?? absent(id);
}

/** Returns a list, locked until the transaction ends. Throws Failure 'not_found'. */
export async function requireLocked(tx: Tx, id: string): Promise<WatchListRow> {
  return (await lockList(tx, id)) ?? absent(id);
}

function absent(id: string): never {
  throw refuse('not_found', `there is no watch list ${id}`);
}
