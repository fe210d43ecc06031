import type { Head } from '../lib/http/server.ts';
import type { Principal } from './actor.ts';
import { recordDenial } from './audit.ts';
import type { Authenticator } from './authenticate.ts';
import { authorize, type Permission } from './authorize.ts';
import { contextOf } from './context.ts';
import type { Database } from './doors.ts';
import { refuse } from './errors.ts';

/** What a caller wants to do. */
export type Wish = {
  readonly permission: Permission;
  /** As the audit trail names it: method and path of the route. */
  readonly route: string;
  /** Whether it changes something, which an archived workspace does not allow. */
  readonly changes: boolean;
};

/**
 * Who sends a request, if they may do what they wish; a refusal for want of a right leaves an audit entry. What `cached`
 * permits was true lately, and is to be asked again before the answer leaves; what it refuses is asked for at once.
 * Throws Failure 'unauthenticated', 'permission_denied', 'workspace_archived'.
 */
export async function admit(
  db: Database,
  authenticator: Authenticator,
  wish: Wish,
  head: Head,
  { cached }: { cached: boolean },
): Promise<Principal> {
  const { authorization } = head.headers as { authorization?: string };
  if (cached) {
    const known = await authenticator.authenticate(authorization, { cached: true });
    if (isAdmitted(known, wish)) return known;
  }
  const principal = await authenticator.authenticate(authorization, { cached: false });
  try {
    authorize(principal.permissions, wish.permission);
  } catch (error) {
    await recordDenial(db, contextOf(principal, head), wish.route);
    throw error;
  }
  if (!isAdmitted(principal, wish))
    throw refuse('workspace_archived', 'the workspace is archived: it can be read, not changed');
  return principal;
}

function isAdmitted({ permissions, isArchived }: Principal, { permission, changes }: Wish): boolean {
  return permissions.has(permission) && !(isArchived && changes);
}
