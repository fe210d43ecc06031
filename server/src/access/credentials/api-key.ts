import { sql } from 'kysely';
import { refuse } from '../../errors.ts';
import { checkToken, hashToken } from '../../lib/crypto/tokens.ts';
import type { Head } from '../../lib/http/server.ts';
import type { Principal } from '../actor.ts';
import { permissionsOf, type Role } from '../authorize.ts';
import { openGuesses } from '../guesses.ts';
import { type Database, system } from '../transactions.ts';

/** Recognises who sends a request. Throws Failure 'unauthenticated'. */
export type Authenticate = (
  caller: Pick<Head, 'headers' | 'ip'>,
  options: { readonly cached: boolean },
) => Promise<Principal>;

export const keyPrefix = 'lst';
const cachedKeysMax = 10_000;
/** What is in memory is compared with the database at every use; that it goes is a second lock on the same door. */
const cachedForMs = 60_000;

export type Authenticator = { readonly authenticate: Authenticate };

/**
 * Recognises API keys. `cached` answers from memory, which may be older than a revocation: whoever asks for it asks again
 * before anything leaves, unless `authEpoch` is what the database says.
 */
export function openAuthenticator(db: Database, guesses = openGuesses()): Authenticator {
  // By the whole header: what is in it has been checked once.
  const cache = new Map<string, { readonly principal: Principal; readonly until: number }>();
  const read = sharing(async (authorization, secret) => {
    const principal = await readPrincipal(db, 'secret_hash', hashToken(secret));
    if (!principal) {
      cache.delete(authorization);
      return undefined;
    }
    if (cache.size >= cachedKeysMax) cache.delete(cache.keys().next().value!);
    const until = Math.min(principal.expiresAt ?? Number.POSITIVE_INFINITY, Date.now() + cachedForMs);
    cache.set(authorization, { principal, until });
    return principal;
  });
  return {
    async authenticate({ headers, ip }, { cached }) {
      const { authorization } = headers as { authorization?: string };
      const known = cache.get(authorization ?? '');
      if (cached && known && known.until > Date.now()) return known.principal;
      const secret = secretOf(authorization);
      // A guesser holds up nobody else behind the same address whose key has been in use.
      if (!known) guesses.check(ip, authorization!);
      const principal = await read(authorization!, secret);
      if (principal) return principal;
      guesses.count(ip, authorization!);
      throw refuse('unauthenticated', 'the key is unknown, revoked or expired, or its maker is no longer a member');
    },
  };
}

/** Whoever acts with a key; undefined for one that is unknown, revoked or expired, or whose maker is no longer a member. */
export function readKeyHolder(db: Database, keyId: string): Promise<Principal | undefined> {
  return readPrincipal(db, 'id', keyId);
}

/**
 * Lets those who ask for the same key at once share an answer, each one that was asked for after they came: when rights
 * change under load, or answers are late, everybody asks.
 */
function sharing<T>(read: (key: string, secret: string) => Promise<T>): typeof read {
  const running = new Map<string, Promise<T>>();
  const next = new Map<string, Promise<T>>();
  const start = (key: string, secret: string): Promise<T> => {
    const reading = read(key, secret).finally(() => running.delete(key));
    running.set(key, reading);
    return reading;
  };
  return (key, secret) => {
    const now = running.get(key);
    if (!now) return start(key, secret);
    let after = next.get(key);
    if (!after) {
      const begin = (): Promise<T> => {
        next.delete(key);
        return start(key, secret);
      };
      after = now.then(begin, begin);
      next.set(key, after);
    }
    return after;
  };
}

function secretOf(authorization: string | undefined): string {
  if (authorization === undefined)
    throw refuse('unauthenticated', 'send the key as Authorization: Bearer lst_…; this request has no such header');
  const secret = authorization.startsWith('Bearer ') ? authorization.slice('Bearer '.length) : '';
  if (checkToken(secret) !== keyPrefix)
    throw refuse(
      'unauthenticated',
      'the key is malformed: it must be the whole lst_… text, sent as Authorization: Bearer',
    );
  return secret;
}

async function readPrincipal(
  db: Database,
  column: 'id' | 'secret_hash',
  value: string,
): Promise<Principal | undefined> {
  const row = await system(db, 'authenticate', (tx) =>
    tx
      .selectFrom('api_keys as k')
      .innerJoin('workspaces as w', 'w.id', 'k.workspace_id')
      .innerJoin('users as u', 'u.id', 'k.user_id')
      .select((eb) => [
        'k.id',
        'k.name',
        'k.scopes',
        'k.expires_at',
        'k.organization_id',
        'k.workspace_id',
        'w.time_zone',
        'w.language',
        'w.status',
        'w.auth_epoch',
        eb
          .selectFrom('grants as g')
          .select(sql<string[]>`coalesce(array_agg(g.role), '{}')`.as('roles'))
          .whereRef('g.user_id', '=', 'k.user_id')
          .whereRef('g.organization_id', '=', 'k.organization_id')
          .where((or) => or.or([or('g.workspace_id', 'is', null), or('g.workspace_id', '=', or.ref('k.workspace_id'))]))
          .as('roles'),
      ])
      .where(`k.${column}`, '=', value)
      .where('k.revoked_at', 'is', null)
      .where((or) => or.or([or('k.expires_at', 'is', null), or('k.expires_at', '>', sql<Date>`now()`)]))
      .where('u.status', '=', 'active')
      .executeTakeFirst(),
  );
  if (!row?.roles || row.roles.length === 0) return undefined;
  return {
    actor: { type: 'api_key', id: row.id, label: row.name },
    organizationId: row.organization_id,
    workspaceId: row.workspace_id,
    timeZone: row.time_zone,
    language: row.language as 'en' | 'pt-BR',
    isArchived: row.status === 'archived',
    permissions: permissionsOf(row.roles as Role[], row.scopes),
    expiresAt: row.expires_at?.getTime() ?? null,
    authEpoch: row.auth_epoch,
  };
}
