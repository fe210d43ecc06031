import { operator } from '../../access/actor.ts';
import type { Role } from '../../access/authorize.ts';
import { type Context, organizationContext, systemContext } from '../../access/context.ts';
import type { Scope } from '../../access/scope.ts';
import { type Database, system, type Tx } from '../../access/transactions.ts';
import { newId } from '../../lib/crypto/ids.ts';
import { record } from '../../trail/record.ts';
import { addWorkspace } from '../workspaces/change.ts';
import { insertGrant, insertOrganization, insertUser, selectUser } from './sql.ts';

export type NewOrganization = {
  readonly organization: string;
  readonly workspace: string;
  readonly email: string;
  readonly timeZone?: string;
  readonly language?: 'en' | 'pt-BR';
};

/**
 * Creates an organization with its first workspace and a user with the role `creator` in the whole organization. Only
 * the operator of the host does this. Returns a context that acts as the operator, and the user's id.
 */
export function createOrganization(db: Database, asked: NewOrganization): Promise<{ ctx: Context; userId: string }> {
  return system(db, 'create organization', async (tx) => {
    const organizationId = newId('org');
    const workspaceId = newId('ws');
    await insertOrganization(tx, organizationId, asked.organization);
    const workspace = {
      id: workspaceId,
      organization_id: organizationId,
      name: asked.workspace,
      time_zone: asked.timeZone ?? 'America/Sao_Paulo',
      language: asked.language ?? 'en',
    } as const;
    await addWorkspace(tx, workspace);
    const ctx: Context = {
      ...systemContext({ organizationId, workspaceId, timeZone: workspace.time_zone, language: workspace.language }),
      actor: operator,
      channel: 'cli',
    };
    const whole = { ...organizationContext(organizationId, operator), channel: 'cli' } as const;
    const userId = await addMember(tx, whole, { email: asked.email, role: 'creator', workspaceId: null });
    await record(
      tx,
      whole,
      'organization-creation',
      { type: 'organization', id: organizationId },
      { name: asked.organization },
    );
    await record(tx, ctx, 'workspace-creation', { type: 'workspace', id: workspaceId }, { name: asked.workspace });
    return { ctx, userId };
  });
}

/**
 * Grants a role to the user with this email address, and creates the user if there is none. Without a workspace, the
 * role holds in all workspaces of the organization.
 */
export async function addMember(
  tx: Tx,
  ctx: Context<Scope>,
  { email, role, workspaceId }: { email: string; role: Role; workspaceId: string | null },
): Promise<string> {
  const userId = (await selectUser(tx, email)) ?? (await insertUser(tx, email));
  await insertGrant(tx, ctx, { userId, role, workspaceId });
  await record(tx, ctx, 'member-addition', { type: 'user', id: userId }, { role, workspace_id: workspaceId });
  return userId;
}
