import { refuse } from '../errors.ts';
import { Failure } from '../lib/failure.ts';
import type { Head } from '../lib/http/server.ts';
import type { Principal } from './actor.ts';
import { authorize, type Permission } from './authorize.ts';
import { type Context, contextOf } from './context.ts';
import type { Authenticator } from './credentials/api-key.ts';
import { holderOf } from './credentials/signed-address.ts';
import { type Known, withinLease } from './lease.ts';
import type { RateLimit } from './rate-limit.ts';
import type { Database } from './transactions.ts';

/** What stands between a request and its handler. */
export type Guards = {
  readonly db: Database;
  /** Leaves an audit entry of a refusal for want of a right. */
  readonly recordDenial: (ctx: Context, route: string) => Promise<void>;
  readonly authenticator: Authenticator;
  readonly rateLimit: RateLimit;
  readonly keys: {
    /** Signs addresses. */
    readonly addresses: Buffer;
    /** Marks bodies, to know one that comes again. */
    readonly idempotency: Buffer;
  };
};

/** What a caller wants to do. */
export type Wish = {
  readonly permission: Permission;
  /** As the audit trail names it: method and path of the route. */
  readonly route: string;
  /** Whether it changes something, which an archived workspace does not allow. */
  readonly changes: boolean;
  /** By an address that a bearer of the right was given; otherwise by a key. */
  readonly signed: boolean;
  /** The key may be recognised from memory, which may be older than a revocation. */
  readonly cached: boolean;
};

/** A caller who was let in. */
export type Admission = {
  readonly principal: Principal;
  /**
   * To be awaited before anything leaves: the right is known to hold, or asked for again. `known` says when it was last
   * known otherwise than by this admission. Throws as `admit` does.
   */
  ensure(known?: Known): Promise<void>;
};

/**
 * Lets in who may do what they wish, and counts the call, also of those who may not. A refusal for want of a right leaves
 * an audit entry. Throws Failure 'unauthenticated', 'signature_invalid', 'signature_expired', 'rate_limited',
 * 'permission_denied', 'workspace_archived'.
 */
export async function admit(guards: Guards, wish: Wish, head: Head): Promise<Admission> {
  const { db, recordDenial, authenticator, rateLimit, keys } = guards;
  const recognise = wish.signed
    ? holderOf(db, keys.addresses, head)
    : (cached: boolean) => authenticator.authenticate(head, { cached });
  const askedAt = wish.cached ? Number.NEGATIVE_INFINITY : performance.now();
  let principal = await recognise(wish.cached);
  head.tell(rateLimit.count(principal.actor.id ?? principal.workspaceId));
  // What memory refuses is asked for at once.
  if (wish.cached && !allows(principal, wish)) principal = await recognise(false);
  await requireRight(recordDenial, principal, wish, head);
  return {
    principal,
    ensure: (known = { askedAt, already: true }) =>
      withinLease(known, async () => requireRight(recordDenial, await recognise(false), wish, head)),
  };
}

/** Whether a refusal is one of `admit`: such a one tells nothing to who may not hear it. */
export function refusesRight(error: unknown): boolean {
  if (!(error instanceof Failure)) return false;
  return error.code === 'unauthenticated' || error.code === 'forbidden' || error.reason === 'workspace_archived';
}

async function requireRight(
  recordDenial: Guards['recordDenial'],
  principal: Principal,
  wish: Wish,
  head: Head,
): Promise<void> {
  try {
    authorize(principal.permissions, wish.permission);
  } catch (error) {
    await recordDenial(contextOf(principal, head), wish.route);
    throw error;
  }
  if (!allows(principal, wish))
    throw refuse('workspace_archived', 'the workspace is archived: it can be read, not changed');
}

function allows({ permissions, isArchived }: Principal, { permission, changes }: Wish): boolean {
  return permissions.has(permission) && !(isArchived && changes);
}
