import { Type } from 'typebox';
import { refuse } from '../../errors.ts';
import { signUrl, type UrlGrant, verifySignedUrl } from '../../lib/crypto/signed-url.ts';
import type { Head } from '../../lib/http/server.ts';
import type { Principal } from '../actor.ts';
import type { Context } from '../context.ts';
import type { Database } from '../transactions.ts';
import { readKeyHolder } from './api-key.ts';

/** What an address that we signed has after its path. */
export const signedQuery = Type.Object({ by: Type.String(), expires: Type.String(), signature: Type.String() });

/** An address (path and query) for whoever `ctx` hands it on to: good as long as the key that asked for it may do this. */
export function signAddress(
  secret: Buffer,
  { actor }: Pick<Context, 'actor'>,
  grant: Pick<UrlGrant, 'path' | 'method' | 'expires'>,
): string {
  return signUrl({ ...grant, claims: { by: `${actor.type} ${actor.id ?? ''}` } }, secret);
}

/**
 * Checks an address that we signed; whoever asked for it acts, whoever uses it. Returns what reads them as they are now,
 * and throws Failure 'signature_expired' once they are nobody. Throws Failure 'signature_invalid', 'signature_expired'.
 */
export function holderOf(db: Database, secret: Buffer, { method, url }: Head): () => Promise<Principal> {
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
}
