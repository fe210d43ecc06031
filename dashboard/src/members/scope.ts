import type { Body, Lastro } from '@lastro/sdk';
import { useSession } from '../api/session.tsx';
import { useNouns } from '../api/use-nouns.ts';

export type MemberScope = 'workspace' | 'organization';
export type Role = Body<'members.setRole'>['role'];

export const roles: readonly Role[] = ['creator', 'developer', 'analyst', 'billing_manager', 'auditor', 'member'];

/** The methods about members of the workspace, or of the organization as a whole: the same ones, of another noun. */
export function useMemberNouns(scope: MemberScope): {
  readonly members: Pick<Lastro['members'], 'list' | 'setRole' | 'remove' | 'leave' | 'downloadHistory'>;
  readonly invitations: Pick<Lastro['invitations'], 'list' | 'create' | 'resend' | 'revoke'>;
  readonly mayManage: boolean;
} {
  const { can, canInOrganization } = useSession();
  const isOfOrganization = scope === 'organization';
  const { members, invitations } = useNouns(isOfOrganization);
  return { members, invitations, mayManage: (isOfOrganization ? canInOrganization : can)('manage_members') };
}
