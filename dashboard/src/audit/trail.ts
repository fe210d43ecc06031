import type { Schemas } from '@lastro/sdk';
import { useSession } from '../api/session.tsx';

export type AuditEntry = Schemas['AuditEntry'];

/** The log of the workspace, or of the organization as a whole, by the same methods. */
export function useTrail(isOfOrganization: boolean) {
  const { client, organizationClient } = useSession();
  return isOfOrganization
    ? { ...organizationClient.organization, folder: '/v1/api/organization', noun: 'lastro.organization' }
    : { ...client, folder: '/v1/api', noun: 'lastro' };
}
