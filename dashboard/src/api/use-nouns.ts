import { useSession } from './session.tsx';

/** The nouns of the workspace, or of the organization as a whole, where those that both have take the same methods. */
export function useNouns(isOfOrganization: boolean) {
  const { client, organizationClient } = useSession();
  return isOfOrganization
    ? { ...organizationClient.organization, folder: '/v1/api/organization', noun: 'lastro.organization' }
    : { ...client, folder: '/v1/api', noun: 'lastro' };
}
