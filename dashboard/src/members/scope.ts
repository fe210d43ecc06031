import type { Body, Lastro } from '@lastro/sdk';
import { useSession } from '../api/session.tsx';

export type MemberScope = 'workspace' | 'organization';
export type Role = Body<'members.setRole'>['role'];

export const roles: readonly Role[] = ['creator', 'developer', 'analyst', 'billing_manager', 'auditor', 'member'];

/** The methods about members of the workspace, or of the organization as a whole: the same ones, of another noun. */
export function useMemberNouns(scope: MemberScope): {
  readonly members: Pick<Lastro['members'], 'list' | 'setRole' | 'remove' | 'leave' | 'downloadHistory'>;
  readonly invitations: Pick<Lastro['invitations'], 'list' | 'create' | 'resend' | 'revoke'>;
  readonly mayManage: boolean;
} {
  const { client, organizationClient, can, canInOrganization } = useSession();
  if (scope === 'workspace')
    return { members: client.members, invitations: client.invitations, mayManage: can('manage_members') };
  const { members, invitations } = organizationClient.organization;
  return { members, invitations, mayManage: canInOrganization('manage_members') };
}
