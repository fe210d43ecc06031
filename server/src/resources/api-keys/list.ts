import { type Database, system } from '../../access/transactions.ts';
import { type ListedKey, selectKeys, selectWorkspace } from './sql.ts';

/** Returns all keys, or those of one workspace, oldest first. For the operator of the host, who sees every tenant. */
export function listKeys(db: Database, workspaceId: string | undefined): Promise<ListedKey[]> {
  return system(db, 'list keys', (tx) => selectKeys(tx, workspaceId));
}

/** Returns the id of a key's workspace; undefined when there is no such key. */
export function workspaceOfKey(db: Database, id: string): Promise<string | undefined> {
  return system(db, 'workspace of key', (tx) => selectWorkspace(tx, id));
}
