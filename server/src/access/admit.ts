import { refuse } from '../errors.ts';
import { Failure } from '../lib/failure.ts';
import type { Head } from '../lib/http/server.ts';
import type { Channel, Principal } from './actor.ts';
import { type Permission, refusalWithout } from './authorize.ts';
import { type Context, contextOf } from './context.ts';
import type { Credential, ReadPrincipal } from './credentials/credential.ts';
import { type Known, withinLease } from './lease.ts';
import type { RateLimit } from './rate-limit.ts';
import { type Scope, type ScopeKind, scopeKind } from './scope.ts';

/** What a request passes before its handler is called. */
export type Guards = {
  /** Leaves an audit entry of a refusal for want of a right. */
  readonly recordDenial: (ctx: Context<Scope>, route: string) => Promise<void>;
  readonly rateLimit: RateLimit;
};

/** What a request to a route asks for. */
export type AccessRequest = {
  /** Rights of which one is enough. */
  readonly anyOf: readonly Permission[];
  /** As the audit trail names it: method and path of the route. */
  readonly route: string;
  readonly scope: ScopeKind;
  /** Whether it may go on in a workspace that is archived. */
  readonly whenArchived: 'admitted' | 'refused';
  /** Those the route takes. The first that a request carries counts, whether it is good or not. */
  readonly credentials: readonly Credential[];
  /** The caller may be recognised from memory, which may be older than a revocation. */
  readonly cached: boolean;
};

/** A caller who was let in. */
export type Admission = {
  readonly principal: Principal;
  /** That of the credential by which they were recognised. */
  readonly channel: Channel;
  /**
   * To be awaited before anything leaves: makes sure that the caller still has the right, asking again where it was
   * asked for too long ago. A handler that has learned it in another way says when in `known`. Throws as `admit` does.
   */
  ensure(known?: Known): Promise<void>;
};

/**
 * Lets in who has the right that a request needs. Every request of a recognised caller counts for the rate limit,
 * refused ones too; a refusal for want of a right, or in the wrong scope, leaves an audit entry.
 * Throws Failure 'unauthenticated', 'rate_limited', 'wrong_scope', 'permission_denied', 'workspace_archived', and what
 * the credential throws, as 'signature_expired'.
 */
export async function admit(guards: Guards, request: AccessRequest, head: Head): Promise<Admission> {
  const { channel, read } = recognise(request, head);
  const askedAt = request.cached ? Number.NEGATIVE_INFINITY : performance.now();
  let principal = await read(request.cached);
  head.tell(guards.rateLimit.count(principal.credentialId));
  // Memory may be out of date: before it refuses anybody the database is asked.
  if (request.cached && refusalOf(principal, request)) principal = await read(false);
  const requireRight = async (who: Principal): Promise<void> => {
    const refusal = refusalOf(who, request);
    if (!refusal) return;
    // Who is refused by an archived workspace has the right: that is no denial.
    if (refusal.code === 'forbidden') await guards.recordDenial(contextOf(who, channel, head), request.route);
    throw refusal;
  };
  await requireRight(principal);
  return {
    principal,
    channel,
    ensure: (known = { askedAt, already: true }) => withinLease(known, async () => requireRight(await read(false))),
  };
}

/** Whether an error is a refusal by `admit`, which may be told as it is to who has lost their rights. */
export function refusesRight(error: unknown): boolean {
  if (!(error instanceof Failure)) return false;
  return error.code === 'unauthenticated' || error.code === 'forbidden' || error.reason === 'workspace_archived';
}

/** What reads who is behind the first credential that the request carries, of those that are taken. */
function recognise({ credentials, scope }: AccessRequest, head: Head): { channel: Channel; read: ReadPrincipal } {
  for (const credential of credentials) {
    const read = credential.recognise(head, scope);
    if (read) return { channel: credential.channel, read };
  }
  const howTo = credentials.map((credential) => credential.howTo).join(', or ');
  throw refuse('unauthenticated', `${howTo}; this request has no such header`);
}

function refusalOf(principal: Principal, { anyOf, scope, whenArchived }: AccessRequest): Failure | null {
  const held = scopeKind(principal);
  if (held !== scope)
    return refuse('wrong_scope', `this is of ${scopeWords[scope]}; the credential is of ${scopeWords[held]}`);
  const isClosed = principal.workspaceId !== null && principal.isArchived && whenArchived === 'refused';
  return (
    refusalWithout(principal.permissions, anyOf) ??
    (isClosed ? refuse('workspace_archived', 'the workspace is archived: it can be read, not changed') : null)
  );
}

const scopeWords = {
  organization: 'an organization as a whole',
  workspace: 'one workspace',
} as const satisfies Readonly<Record<ScopeKind, string>>;
