import type { Role } from '../../access/authorize.ts';
import type { Context } from '../../access/context.ts';
import type { Scope } from '../../access/scope.ts';
import type { Tx } from '../../access/transactions.ts';
import { newId } from '../../lib/crypto/ids.ts';

export async function insertOrganization(tx: Tx, id: string, name: string): Promise<void> {
  await tx.insertInto('organizations').values({ id, name }).execute();
}

/** Returns the id of the user with this email address. */
export async function selectUser(tx: Tx, email: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom('users')
    .select('id')
    .where('email_canonical', '=', canonicalEmail(email))
    .executeTakeFirst();
  return row?.id;
}

/** Inserts a user with this email address. Returns the id. */
export async function insertUser(tx: Tx, email: string): Promise<string> {
  const id = newId('usr');
  const canonical = canonicalEmail(email);
  await tx
    .insertInto('users')
    .values({ id, email: email.trim(), email_canonical: canonical, display_name: canonical.split('@')[0] })
    .execute();
  return id;
}

/** Grants a role. Without a workspace, the role holds in all workspaces of the organization. */
export async function insertGrant(
  tx: Tx,
  { organizationId }: Context<Scope>,
  { userId, role, workspaceId }: { userId: string; role: Role; workspaceId: string | null },
): Promise<void> {
  await tx
    .insertInto('grants')
    .values({ id: newId('grt'), organization_id: organizationId, workspace_id: workspaceId, user_id: userId, role })
    .execute();
}

/** Returns the id of the user with this email address who has a role in the workspace. */
export async function selectMember(tx: Tx, { workspaceId }: Context, email: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom('users as u')
    .innerJoin('grants as g', 'g.user_id', 'u.id')
    .select('u.id')
    .where('u.email_canonical', '=', canonicalEmail(email))
    .where((of) => of.or([of('g.workspace_id', 'is', null), of('g.workspace_id', '=', workspaceId)]))
    .executeTakeFirst();
  return row?.id;
}

function canonicalEmail(email: string): string {
  return email.trim().toLowerCase();
}
