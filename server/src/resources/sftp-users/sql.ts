import { sql } from 'kysely';
import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';

const columns = [
  ...(['id', 'name', 'login', 'user_id', 'password_hint', 'public_keys', 'priority'] as const),
  ...(['created_at', 'last_used_at', 'last_used_ip'] as const),
];

/** The users of the workspace that have not been revoked, newest first. */
export async function selectUserPage(tx: Tx, before: string | null, most: number) {
  return tx
    .selectFrom('sftp_users')
    .select(columns)
    .where('revoked_at', 'is', null)
    .$if(before !== null, (query) => query.where('id', '<', before!))
    .orderBy('id', 'desc')
    .limit(most)
    .execute();
}
export type SftpUserRow = Awaited<ReturnType<typeof selectUserPage>>[number];

/** A user that has not been revoked. */
export async function selectUser(tx: Tx, id: string): Promise<SftpUserRow | undefined> {
  return tx
    .selectFrom('sftp_users')
    .select(columns)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
}

/** Also of one that has been revoked. */
export async function selectPriority(tx: Tx, id: string): Promise<number> {
  const { priority } = await tx
    .selectFrom('sftp_users')
    .select('priority')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return priority;
}

export async function countUsers(tx: Tx): Promise<number> {
  const { count } = await tx
    .selectFrom('sftp_users')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export type UserToStore = {
  readonly id: string;
  readonly userId: string;
  readonly name: string;
  readonly login: string;
  readonly passwordHash: string | null;
  readonly passwordHint: string | null;
  readonly publicKeys: readonly string[];
  readonly priority: number;
};

export async function insertUser(tx: Tx, { organizationId, workspaceId }: Context, user: UserToStore): Promise<void> {
  await tx
    .insertInto('sftp_users')
    .values({
      ...{ id: user.id, organization_id: organizationId, workspace_id: workspaceId, user_id: user.userId },
      ...{ name: user.name, login: user.login, public_keys: [...user.publicKeys], priority: user.priority },
      ...{ password_hash: user.passwordHash, password_hint: user.passwordHint },
    })
    .execute();
}

/** Revokes a user. Returns its name; undefined when there is no such user or it was already revoked. */
export async function markRevoked(tx: Tx, id: string): Promise<string | undefined> {
  const row = await tx
    .updateTable('sftp_users')
    .set({ revoked_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returning('name')
    .executeTakeFirst();
  return row?.name;
}

export async function updateUse(tx: Tx, id: string, ip: string): Promise<void> {
  await tx
    .updateTable('sftp_users')
    .set({ last_used_at: sql<Date>`now()`, last_used_ip: ip })
    .where('id', '=', id)
    .execute();
}
