import type { Lastro, Schemas } from '@lastro/sdk';
import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { TimeZoneContext } from '../words/time-zone.ts';
import { clientOf } from './client.ts';

export type User = Schemas['User'];
export type Place = User['workspaces'][number];
export type Permission = Place['permissions'][number];

/** Who is signed in, where they act, and by which client. */
export type Session = {
  readonly user: User;
  /** Null for somebody who is in an organization without workspaces, or in none. */
  readonly workspace: Place | null;
  readonly organization: User['organizations'][number] | null;
  /** Acts in the workspace. */
  readonly client: Lastro;
  /** Acts in the organization as a whole. */
  readonly organizationClient: Lastro;
  /** Whether a role in the workspace has a permission. */
  has(permission: Permission): boolean;
  /** Whether it can be used now as well: an archived workspace can be read, and taken out of the archive. */
  can(permission: Permission): boolean;
  /** Whether a role in the whole organization has a permission. */
  canInOrganization(permission: Permission): boolean;
};

const SessionContext = createContext<Session | null>(null);

export function SessionProvider({
  user,
  workspaceId,
  children,
}: {
  readonly user: User;
  readonly workspaceId: string | undefined;
  readonly children: ReactNode;
}) {
  const session = useMemo(() => openSession(user, workspaceId), [user, workspaceId]);
  return (
    <SessionContext value={session}>
      <TimeZoneContext value={session.workspace?.time_zone}>{children}</TimeZoneContext>
    </SessionContext>
  );
}

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('only within a SessionProvider');
  return session;
}

/** The client of the workspace in which the page acts. */
export function useClient(): Lastro {
  return useSession().client;
}

export function openSession(user: User, workspaceId: string | undefined): Session {
  const workspace =
    workspaceId === undefined ? preferred(user) : (user.workspaces.find(({ id }) => id === workspaceId) ?? null);
  const organization =
    user.organizations.find(({ id }) => id === workspace?.organization_id) ?? user.organizations[0] ?? null;
  const has = (permission: Permission) => workspace?.permissions.includes(permission) ?? false;
  return {
    user,
    workspace,
    organization,
    client: clientOf(workspace ? { workspace: workspace.id } : {}),
    organizationClient: clientOf(organization ? { organization: organization.id } : {}),
    has,
    can: (permission) => has(permission) && (workspace?.status !== 'archived' || inArchive.test(permission)),
    canInOrganization: (permission) => organization?.permissions.includes(permission) ?? false,
  };
}

/** The permissions of what an archived workspace still does. */
const inArchive = /^(view|download)_|^archive_workspaces$/;

const storageKey = 'lastro.workspace';

/** The workspace of the last visit, or the first one that is not archived. */
function preferred({ workspaces }: User): Place | null {
  const kept = readKept();
  return (
    workspaces.find(({ id }) => id === kept) ??
    workspaces.find(({ status }) => status === 'active') ??
    workspaces[0] ??
    null
  );
}

export function keepWorkspace(id: string): void {
  try {
    localStorage.setItem(storageKey, id);
  } catch {
    // Without storage the address of the page has it.
  }
}

function readKept(): string | null {
  try {
    return localStorage.getItem(storageKey);
  } catch {
    return null;
  }
}
