import { refuse } from '../errors.ts';
import { Failure } from '../lib/failure.ts';
import type { Head } from '../lib/http/server.ts';
import type { Channel, Principal } from './actor.ts';
import { type Permission, refusalWithout } from './authorize.ts';
import { type Context, contextOf } from './context.ts';
import type { Credential, ReadPrincipal } from './credentials/credential.ts';
import { isFresh } from './fresh.ts';
import { refusalFrom } from './ip-rules.ts';
import { type Known, withinLease } from './lease.ts';
import type { Pace, RateLimit } from './rate-limit.ts';
import { type Scope, type ScopeKind, scopeKind } from './scope.ts';

/** The audit of denials and the rate limit, which `admit` applies to every request. */
export type Guards = {
  /** Writes the audit entry of a request that was refused because the caller lacked a right. */
  readonly recordDenial: (ctx: Context<Scope>, route: string) => Promise<void>;
  readonly rateLimit: RateLimit;
};

/** What a request to a route asks for. */
export type AccessRequest = {
  /** The permissions of which one is enough; null where everybody may who is signed in. */
  readonly anyOf: readonly Permission[] | null;
  /** Method and path of the route, as the audit trail names it. */
  readonly route: string;
  readonly scope: ScopeKind;
  /** Whether the request is admitted in an archived workspace. */
  readonly whenArchived: 'admitted' | 'refused';
  /** The credentials that the route takes. The first one that a request carries counts, whether it is valid or not. */
  readonly credentials: readonly Credential[];
  /** The credentials of other channels, whose callers are told so. */
  readonly refused: readonly Credential[];
  /** Whether the caller must have proved who they are lately (`isFresh`). */
  readonly fresh: boolean;
  /** Whether a session that is bound to one organization may ask, about its user. */
  readonly bound: boolean;
  /** Whether the caller may be recognised from memory, which may be older than a revocation. */
  readonly cached: boolean;
  /** Which of the workspace's limits of requests it counts for. */
  readonly pace: Pace;
};

/** A caller who was let in. */
export type Admission = {
  readonly principal: Principal;
  /** The channel of the credential by which the caller was recognised. */
  readonly channel: Channel;
  /**
   * Must be awaited before anything is sent: checks that the caller still has the right, and asks the database again
   * when the last check is too old. A handler that has learned it in another way passes the moment as `known`. Throws
   * as `admit` does.
   */
  ensure(known?: Known): Promise<void>;
};

/**
 * Lets in a caller who has the right that a request needs. Every request of a recognised caller counts for the rate
 * limit, also a refused one. A refusal for lack of a permission, in the wrong scope, or from an address that is not
 * let in, leaves an audit entry.
 * Throws Failure 'unauthenticated', 'session_required', 'rate_limited', 'address_not_allowed',
 * 'organization_suspended', 'wrong_scope', 'permission_denied', 'reauthentication_required', 'workspace_archived', and
 * what the credential throws, such as 'signature_expired'.
 */
export async function admit(guards: Guards, request: AccessRequest, head: Head): Promise<Admission> {
  const { channel, read } = recognise(request, head);
  const askedAt = request.cached ? Number.NEGATIVE_INFINITY : performance.now();
  let principal = await read(request.cached);
  head.tell(guards.rateLimit.count(principal, request.pace));
  // Memory may be out of date, so the database is asked before anybody is refused.
  if (request.cached && refusalOf(principal, request, head.ip)) principal = await read(false);
  const requireRight = async (who: Principal): Promise<void> => {
    const refusal = refusalOf(who, request, head.ip);
    if (!refusal) return;
    // A caller refused only because the workspace is archived has the right: that is no denial.
    if (isDenial(refusal) && who.organizationId !== null)
      await guards.recordDenial(contextOf(who, channel, head) as Context<Scope>, request.route);
    throw refusal;
  };
  await requireRight(principal);
  return {
    principal,
    channel,
    ensure: (known = { askedAt, already: true }) => withinLease(known, async () => requireRight(await read(false))),
  };
}

/**
 * Whether an error is a refusal by `admit`. Such a refusal may be sent as it is to a caller who has lost their rights.
 */
export function refusesRight(error: unknown): boolean {
  if (!(error instanceof Failure)) return false;
  return error.code === 'unauthenticated' || error.code === 'forbidden' || error.reason === 'workspace_archived';
}

/**
 * The function that reads the caller behind the first credential that the request carries, of those that the route
 * takes.
 */
function recognise(
  { credentials, refused, scope }: AccessRequest,
  head: Head,
): { channel: Channel; read: ReadPrincipal } {
  for (const credential of credentials) {
    const read = credential.recognise(head, scope);
    if (read) return { channel: credential.channel, read };
  }
  if (refused.some((credential) => credential.recognise(head, scope)))
    throw refuse('session_required', 'people do this, signed in; no key may');
  const howTo = credentials.map((credential) => credential.howTo).join(', or ');
  throw refuse('unauthenticated', `${howTo}; this request has no such header`);
}

function refusalOf(
  principal: Principal,
  { anyOf, scope, whenArchived, fresh, bound }: AccessRequest,
  ip: string,
): Failure | null {
  // Elsewhere nobody learns what the caller may.
  const outside = refusalFrom(principal.allowed, ip);
  if (outside) return outside;
  if (principal.isSuspended)
    return refuse(
      'organization_suspended',
      'the operator of this installation has suspended the organization: ask them',
    );
  const held = scopeKind(principal);
  if (held !== scope)
    return refuse('wrong_scope', `this is of ${scopeWords[scope]}; the credential is of ${scopeWords[held]}`);
  const isClosed = principal.workspaceId !== null && principal.isArchived && whenArchived === 'refused';
  const isStale = (fresh && !isFresh(principal.authenticatedAt)) || (!bound && principal.boundTo !== undefined);
  return (
    (anyOf && refusalWithout(principal.permissions, anyOf)) ??
    (isStale ? refuse('reauthentication_required', 'prove once more who you are, then send it again') : null) ??
    (isClosed ? refuse('workspace_archived', 'the workspace is archived: it can be read, not changed') : null)
  );
}

/** Whether a refusal is for want of a right. */
function isDenial({ reason }: Failure): boolean {
  return reason === 'permission_denied' || reason === 'wrong_scope' || reason === 'address_not_allowed';
}

const scopeWords = {
  user: 'a person alone',
  organization: 'an organization as a whole',
  workspace: 'one workspace',
} as const satisfies Readonly<Record<ScopeKind, string>>;
