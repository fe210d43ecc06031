import { type Database, system } from '../../access/transactions.ts';

export type ListedKey = {
  readonly key_id: string;
  readonly name: string;
  /** The end of the secret, to recognise it by. */
  readonly hint: string;
  readonly organization: string;
  readonly workspace_id: string;
  readonly workspace: string;
  /** Whose role it acts with. */
  readonly email: string;
  readonly created_at: Date;
  readonly expires_at: Date | null;
  readonly revoked_at: Date | null;
};

/** All keys, or those of one workspace, oldest first: for the operator of the host, who sees every tenant. */
export function listKeys(db: Database, workspaceId: string | undefined): Promise<ListedKey[]> {
  return system(db, 'list keys', (tx) => {
    const query = tx
      .selectFrom('api_keys as k')
      .innerJoin('users as u', 'u.id', 'k.user_id')
      .innerJoin('workspaces as w', 'w.id', 'k.workspace_id')
      .innerJoin('organizations as o', 'o.id', 'k.organization_id')
      .select([
        'k.id as key_id',
        'k.name',
        'k.hint',
        'o.name as organization',
        'w.id as workspace_id',
        'w.name as workspace',
        'u.email',
        'k.created_at',
        'k.expires_at',
        'k.revoked_at',
      ])
      .orderBy('k.id');
    return (workspaceId === undefined ? query : query.where('w.id', '=', workspaceId)).execute();
  });
}

/** The workspace that a key is of; undefined when there is no such key. */
export async function workspaceOfKey(db: Database, id: string): Promise<string | undefined> {
  const row = await system(db, 'workspace of key', (tx) =>
    tx.selectFrom('api_keys').select('workspace_id').where('id', '=', id).executeTakeFirst(),
  );
  return row?.workspace_id;
}
