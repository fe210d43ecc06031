import { sql } from 'kysely';
import { refuse } from '../../errors.ts';
import { checkToken, hashToken } from '../../lib/crypto/tokens.ts';
import type { Principal } from '../actor.ts';
import { type Guesses, openGuesses } from '../guesses.ts';
import { selectAllowed } from '../ip-rules.ts';
import type { WorkspaceScope } from '../scope.ts';
import { type Database, system } from '../transactions.ts';
import type { CallerHead, Credential } from './credential.ts';
import { madePrincipal, makerRoles, mayComeIn, placeColumns } from './maker.ts';

export const keyPrefix = 'lst';
const cachedKeysMax = 10_000;
/** How exactly it is known when a key was last used. */
const notedEveryMs = 60_000;
/** Only a safeguard: every answer from memory is checked against the database before it is sent. */
const cachedForMs = 60_000;

export type KeyUse = { readonly id: string; readonly ip: string; readonly userAgent: string | null };

export type ApiKeyOptions = {
  /** Notes that a key was used. Called at most once a minute for each key. */
  readonly onUse?: (use: KeyUse) => Promise<void>;
  readonly guesses?: Guesses;
};

/**
 * Recognises API keys, sent as `Authorization: Bearer`. A key in memory may have been revoked meanwhile: whoever reads
 * it `cached` must check again before anything is sent, unless the database says that `authEpoch` is still the same.
 * Throws Failure 'unauthenticated', and 'rate_limited' for an address that tries too many keys.
 */
export function openApiKeys(db: Database, { onUse, guesses = openGuesses() }: ApiKeyOptions = {}): Credential {
  // The key is the whole header, so that a known header is not parsed again.
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
  const uses = new Map<string, number>();
  /** Notes that a key was used, at most once in `notedEveryMs`, while the request goes on. */
  const noted = (principal: Principal, headers: CallerHead['headers'], ip: string): Principal => {
    const { credentialId } = principal;
    const now = Date.now();
    if ((uses.get(credentialId) ?? 0) + notedEveryMs > now) return principal;
    if (uses.size >= cachedKeysMax) uses.delete(uses.keys().next().value!);
    uses.set(credentialId, now);
    // An answer does not depend on it.
    const agent = headers['user-agent'];
    const use = { id: credentialId, ip, userAgent: typeof agent === 'string' ? agent : null };
    void onUse?.(use).catch(() => uses.delete(credentialId));
    return principal;
  };
  return {
    channel: 'api',
    howTo: 'send the key as Authorization: Bearer lst_…',
    recognise({ headers, ip }) {
      // Node keeps only one header of this name.
      const { authorization } = headers as { authorization?: string };
      if (authorization === undefined) return null;
      return async (cached) => {
        const known = cache.get(authorization);
        if (cached && known && known.until > Date.now()) return noted(known.principal, headers, ip);
        const secret = secretOf(authorization);
        const look = () => read(authorization, secret);
        // A known key is not held up because others guess keys from the same address.
        const principal = await (known ? look() : guesses.look(ip, authorization, look));
        if (principal) return noted(principal, headers, ip);
        throw refuse(
          'unauthenticated',
          'the key is unknown, revoked or expired, or its maker is no longer a member, or lacks the second factor that the organization wants',
        );
      };
    },
  };
}

/** The principal of a key; undefined when it is unknown, revoked or expired, or its maker is no longer a member. */
export function readKeyHolder(db: Database, keyId: string): Promise<Principal<WorkspaceScope> | undefined> {
  return readPrincipal(db, 'id', keyId);
}

/**
 * Lets concurrent requests with the same key share one read. A read that began before a request came does not count for
 * that request, which shares the next one. So when rights change under load and every request asks, the database gets
 * one query at a time per key.
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

function secretOf(authorization: string): string {
  // The name of the scheme is the same in any case (RFC 9110).
  const secret = /^bearer (.*)$/i.exec(authorization)?.[1] ?? '';
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
): Promise<Principal<WorkspaceScope> | undefined> {
  const row = await system(db, 'authenticate', (tx) =>
    tx
      .selectFrom('api_keys as k')
      .innerJoin('workspaces as w', 'w.id', 'k.workspace_id')
      .innerJoin('users as u', 'u.id', 'k.user_id')
      .innerJoin('organizations as o', 'o.id', 'k.organization_id')
      .select(['k.id', 'k.name', 'k.scopes', ...placeColumns, makerRoles.as('roles')])
      .select([
        sql<Date | null>`least(k.expires_at, case when k.previous_secret_hash = ${value} then k.previous_until end)`.as(
          'expires_at',
        ),
        selectAllowed('api', { organization: 'k.organization_id', workspace: 'k.workspace_id', key: 'k.id' }).as(
          'allowed',
        ),
      ])
      .where((or) =>
        column === 'id'
          ? or('k.id', '=', value)
          : or.or([
              or('k.secret_hash', '=', value),
              or.and([or('k.previous_secret_hash', '=', value), or('k.previous_until', '>', sql<Date>`now()`)]),
            ]),
      )
      .where('k.revoked_at', 'is', null)
      .where((or) => or.or([or('k.expires_at', 'is', null), or('k.expires_at', '>', sql<Date>`now()`)]))
      .where(mayComeIn)
      .executeTakeFirst(),
  );
  if (!row) return undefined;
  const actor = { type: 'api_key', id: row.id, label: row.name } as const;
  return madePrincipal(row, { actor, scopes: row.scopes, expiresAt: row.expires_at });
}
