import { Type } from 'typebox';
import { refuse } from '../../errors.ts';
import { signUrl, type UrlGrant, verifySignedUrl } from '../../lib/crypto/signed-url.ts';
import type { Rights } from '../actor.ts';
import type { Database } from '../transactions.ts';
import { readKeyHolder } from './api-key.ts';
import type { Credential } from './credential.ts';

/** The query of an address that this service signed. */
export const signedQuery = Type.Object({ by: Type.String(), expires: Type.String(), signature: Type.String() });

/**
 * Signs an address (path and query) that the caller may give to anybody. It is valid until it expires, and only while
 * the key that asked for it has the same right.
 */
export function signAddress(
  secret: Buffer,
  { actor }: Pick<Rights, 'actor'>,
  grant: Pick<UrlGrant, 'path' | 'method' | 'expires'>,
): string {
  return signUrl({ ...grant, claims: { by: `${actor.type} ${actor.id ?? ''}` } }, secret);
}

/**
 * Recognises addresses that this service signed. Whoever uses one acts as the key that asked for it.
 * Throws Failure 'signature_invalid' for an address that was altered; 'signature_expired' after its time, or once the
 * key has ended.
 */
export function openSignedAddresses(db: Database, secret: Buffer): Credential {
  return {
    channel: 'api',
    howTo: 'use the whole address that was given out',
    recognise({ method, url }) {
      const check = verifySignedUrl({ method, url }, secret, new Date());
      if (check.status === 'expired') throw refuse('signature_expired', 'the address has expired; ask for a new one');
      const [type, id] = check.status === 'ok' ? check.claims.by.split(' ') : [];
      if (type !== 'api_key') throw refuse('signature_invalid', 'the address is not as it was given out');
      return async () => {
        const principal = await readKeyHolder(db, id);
        if (!principal)
          throw refuse('signature_expired', 'the key that asked for the address has ended; ask for a new one');
        return principal;
      };
    },
  };
}
