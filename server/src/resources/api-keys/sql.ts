import { sql } from 'kysely';
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

const columns = [
  ...(['id', 'name', 'hint', 'user_id', 'scopes', 'created_at', 'expires_at', 'previous_until'] as const),
  ...(['last_used_at', 'last_used_ip', 'last_used_agent'] as const),
];

/** The keys of the workspace that have not been revoked, newest first. */
export async function selectKeyPage(tx: Tx, before: string | null, most: number) {
  return tx
    .selectFrom('api_keys')
    .select(columns)
    .where('revoked_at', 'is', null)
    .$if(before !== null, (query) => query.where('id', '<', before!))
    .orderBy('id', 'desc')
    .limit(most)
    .execute();
}
export type KeyRow = Awaited<ReturnType<typeof selectKeyPage>>[number];

/** A key that has not been revoked. */
export async function lockKey(tx: Tx, id: string): Promise<KeyRow | undefined> {
  return tx
    .selectFrom('api_keys')
    .select(columns)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
}

export async function updateName(tx: Tx, id: string, name: string): Promise<KeyRow> {
  return tx.updateTable('api_keys').set({ name }).where('id', '=', id).returning(columns).executeTakeFirstOrThrow();
}

/** Gives a key a new secret. The one it had stays good for so many hours, and no longer than the key; 0 ends it. */
export async function replaceSecret(
  tx: Tx,
  id: string,
  { secretHash, hint, overlapHours }: { secretHash: string; hint: string; overlapHours: number },
): Promise<KeyRow> {
  const isKept = overlapHours > 0;
  return tx
    .updateTable('api_keys')
    .set({
      ...{ secret_hash: secretHash, hint },
      previous_secret_hash: isKept ? sql<string>`secret_hash` : null,
      previous_until: isKept ? sql<Date>`least(expires_at, now() + ${overlapHours} * interval '1 hour')` : null,
    })
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow();
}

const agentLengthMax = 500;

export async function updateUse(
  tx: Tx,
  { id, ip, userAgent }: { id: string; ip: string; userAgent: string | null },
): Promise<void> {
  await tx
    .updateTable('api_keys')
    .set({
      ...{ last_used_at: sql<Date>`now()`, last_used_ip: ip },
      last_used_agent: userAgent?.slice(0, agentLengthMax) ?? null,
    })
    .where('id', '=', id)
    .execute();
}

/** Returns the id of the user who made a key. */
export async function selectMaker(tx: Tx, id: string): Promise<string | undefined> {
  const row = await tx.selectFrom('api_keys').select('user_id').where('id', '=', id).executeTakeFirst();
  return row?.user_id;
}
