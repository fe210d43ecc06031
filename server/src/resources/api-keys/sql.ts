import type { Permission } from '../../access/authorize.ts';
import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';

export type ListedKey = {
  readonly key_id: string;
  readonly name: string;
  /** The end of the secret, by which people recognize the key. */
  readonly hint: string;
  readonly organization: string;
  readonly workspace_id: string;
  readonly workspace: string;
  /** The email address of the user whose role the key acts with. */
  readonly email: string;
  readonly created_at: Date;
  readonly expires_at: Date | null;
  readonly revoked_at: Date | null;
};

export function selectKeys(tx: Tx, workspaceId: string | undefined): Promise<ListedKey[]> {
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
}

/** Returns the id of a key's workspace. */
export async function selectWorkspace(tx: Tx, id: string): Promise<string | undefined> {
  const row = await tx.selectFrom('api_keys').select('workspace_id').where('id', '=', id).executeTakeFirst();
  return row?.workspace_id;
}

export type KeyToStore = {
  readonly id: string;
  readonly name: string;
  readonly userId: string;
  readonly hint: string;
  readonly secretHash: string;
  readonly scopes: readonly Permission[] | null;
  readonly expiresAt: Date | null;
};

export async function insertKey(tx: Tx, { organizationId, workspaceId }: Context, key: KeyToStore): Promise<void> {
  await tx
    .insertInto('api_keys')
    .values({
      id: key.id,
      organization_id: organizationId,
      workspace_id: workspaceId,
      user_id: key.userId,
      name: key.name,
      hint: key.hint,
      secret_hash: key.secretHash,
      scopes: key.scopes && [...key.scopes],
      expires_at: key.expiresAt,
    })
    .execute();
}

/** Revokes a key. Returns false when there is no such key or it was already revoked. */
export async function markRevoked(tx: Tx, id: string): Promise<boolean> {
  const done = await tx
    .updateTable('api_keys')
    .set({ revoked_at: new Date() })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return Number(done.numUpdatedRows) > 0;
}
