import { type Database, system } from '../../access/transactions.ts';
import { type ListedKey, selectKeys, selectWorkspace } from './sql.ts';

/** All keys, or those of one workspace, oldest first: for the operator of the host, who sees every tenant. */
export function listKeys(db: Database, workspaceId: string | undefined): Promise<ListedKey[]> {
  return system(db, 'list keys', (tx) => selectKeys(tx, workspaceId));
}

/** The workspace that a key is of; undefined when there is no such key. */
export function workspaceOfKey(db: Database, id: string): Promise<string | undefined> {
  return system(db, 'workspace of key', (tx) => selectWorkspace(tx, id));
}
