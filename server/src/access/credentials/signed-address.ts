import { Type } from 'typebox';
import { refuse } from '../../errors.ts';
import { signUrl, type UrlGrant, verifySignedUrl } from '../../lib/crypto/signed-url.ts';
import type { Principal, Rights } from '../actor.ts';
import type { WorkspaceScope } from '../scope.ts';
import type { Database } from '../transactions.ts';
import { readKeyHolder } from './api-key.ts';
import type { Credential } from './credential.ts';
import { readSessionHolder } from './session.ts';

/** The query of an address that this service signed. */
export const signedQuery = Type.Object({ by: Type.String(), expires: Type.String(), signature: Type.String() });

type Asker = Pick<Rights, 'actor' | 'credentialId'> & Pick<WorkspaceScope, 'workspaceId'>;

/**
 * Signs an address (path and query) that the caller may give to anybody. It is valid until it expires, and only while
 * the key or the session that asked for it has the same right.
 */
export function signAddress(
  secret: Buffer,
  asker: Asker,
  grant: Pick<UrlGrant, 'path' | 'method' | 'expires'>,
): string {
  return signUrl({ ...grant, claims: { by: claimOf(asker) } }, secret);
}

/** A session is of no workspace: what it asked for in one is of that one. */
function claimOf({ actor, credentialId, workspaceId }: Asker): string {
  return actor.type === 'user' ? `session ${credentialId} ${workspaceId}` : `${actor.type} ${actor.id ?? ''}`;
}

/**
 * Recognises addresses that this service signed. Whoever uses one acts as the key, or as the person in the session,
 * that asked for it.
 * Throws Failure 'signature_invalid' for an address that was altered; 'signature_expired' after its time, or once the
 * key or the session has ended.
 */
export function openSignedAddresses(db: Database, secret: Buffer): Credential {
  return {
    channel: 'api',
    howTo: 'use the whole address that was given out',
    recognise({ method, url }) {
      const check = verifySignedUrl({ method, url }, secret, new Date());
      if (check.status === 'expired') throw refuse('signature_expired', 'the address has expired; ask for a new one');
      const [type, id, workspaceId] = check.status === 'ok' ? check.claims.by.split(' ') : [];
      if (type !== 'api_key' && type !== 'session')
        throw refuse('signature_invalid', 'the address is not as it was given out');
      return async () => {
        const principal: Principal | undefined =
          type === 'api_key' ? await readKeyHolder(db, id) : await readSessionHolder(db, id, workspaceId);
        if (!principal)
          throw refuse(
            'signature_expired',
            'the key or session that asked for the address has ended; ask for a new one',
          );
        return principal;
      };
    },
  };
}
