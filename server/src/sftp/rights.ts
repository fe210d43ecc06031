import { type Permission, refusalWithout } from '../access/authorize.ts';
import type { Context } from '../access/context.ts';
import { contextOfSftp, readSftpUser, type SftpPrincipal } from '../access/credentials/sftp-user.ts';
import { refusalFrom } from '../access/ip-rules.ts';
import { isWithinLease } from '../access/lease.ts';
import { refuse } from '../errors.ts';
import type { App } from '../resources/app.ts';

/** What a user of SFTP may do now. Throws Failure 'unauthenticated', 'forbidden'. */
export type Rights = (wanted: Permission, does: 'reads' | 'changes') => Promise<Context>;

/** The rights of a user who is connected: read anew when they were last read longer ago than a lease. */
export function openRights({ db }: Pick<App, 'db'>, signedIn: SftpPrincipal, ip: string): Rights {
  let principal: SftpPrincipal | undefined = signedIn;
  let readAt = Number.NEGATIVE_INFINITY;
  return async (wanted, does) => {
    if (!isWithinLease(readAt)) {
      const asked = performance.now();
      principal = await readSftpUser(db, signedIn.credentialId);
      readAt = asked;
    }
    if (!principal) throw refuse('unauthenticated', 'this user of SFTP has been deleted, or may not come in any more');
    if (principal.isSuspended) throw refuse('organization_suspended', 'the operator has suspended the organization');
    const refusal = refusalFrom(principal.allowed, ip) ?? refusalWithout(principal.permissions, [wanted]);
    if (refusal) throw refusal;
    if (does === 'changes' && principal.isArchived)
      throw refuse('workspace_archived', 'the workspace is archived: it can be read, not changed');
    return contextOfSftp(principal, ip);
  };
}
