import type { Head } from '../lib/http/server.ts';
import { type Actor, type Channel, operator, type Rights } from './actor.ts';
import type { AnyScope, OrganizationScope, WorkspaceScope } from './scope.ts';

/**
 * In which scope something is done, by whom, and how the request came in. The scope is a workspace unless the type says
 * otherwise: `Context<OrganizationScope>`, `Context<UserScope>`, or `Context<Scope>` for an organization or a
 * workspace.
 */
export type Context<S extends AnyScope = WorkspaceScope> = S &
  Rights & {
    readonly channel: Channel;
    readonly requestId: string | null;
    readonly ip: string | null;
    readonly userAgent: string | null;
    /** Set when the caller may send the same request again without a second effect. */
    readonly idempotency?: { readonly key: string; readonly route: string; readonly bodyHash: string };
  };

const userAgentLengthMax = 500;

/** The context of a request: the recognised caller, the channel, and data of the request itself. */
export function contextOf(
  who: AnyScope & Rights,
  channel: Channel,
  { requestId, ip, headers }: Pick<Head, 'requestId' | 'ip' | 'headers'>,
): Context<AnyScope> {
  const userAgent = headers['user-agent'];
  return {
    ...who,
    channel,
    requestId,
    ip,
    userAgent: typeof userAgent === 'string' ? userAgent.slice(0, userAgentLengthMax) : null,
  };
}

/** The context of work in a workspace without a request: jobs, and commands on the host. */
export function systemContext(
  workspace: Pick<WorkspaceScope, 'organizationId' | 'workspaceId' | 'timeZone' | 'language'>,
  actor: Actor = { type: 'system', id: null, label: 'Lastro' },
): Context {
  return { ...workspace, isArchived: false, authEpoch: 0, ...withoutRequest, actor };
}

/** The context of work in an organization as a whole without a request. */
export function organizationContext(organizationId: string, actor: Actor): Context<OrganizationScope> {
  return { organizationId, workspaceId: null, ...withoutRequest, actor };
}

/** The context of what the operator of the host does about an organization as a whole, by a command. */
export function operatorContext(organizationId: string): Context<OrganizationScope> {
  return { ...organizationContext(organizationId, operator), channel: 'cli' };
}

const withoutRequest = {
  permissions: new Set<never>(),
  expiresAt: null,
  credentialId: null,
  channel: 'api',
  requestId: null,
  ip: null,
  userAgent: null,
} as const;
