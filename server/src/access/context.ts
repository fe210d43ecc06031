import type { Head } from '../lib/http/server.ts';
import type { Actor, Channel, Principal } from './actor.ts';

/** Where something is done, by whom, and how it came in. Rows of other workspaces do not exist within it. */
export type Context = Principal & {
  readonly channel: Channel;
  readonly requestId: string | null;
  readonly ip: string | null;
  readonly userAgent: string | null;
  /** Set where the caller may repeat this request and mean one effect. */
  readonly idempotency?: { readonly key: string; readonly route: string; readonly bodyHash: string };
};

const userAgentLengthMax = 500;

/** A caller who was recognised, and the request they came with. */
export function contextOf(principal: Principal, { requestId, ip, headers }: Head): Context {
  const userAgent = headers['user-agent'];
  return {
    ...principal,
    channel: 'api',
    requestId,
    ip,
    userAgent: typeof userAgent === 'string' ? userAgent.slice(0, userAgentLengthMax) : null,
  };
}

/** Work that goes on in a workspace after the request that asked for it. */
export function systemContext(
  workspace: Pick<Principal, 'organizationId' | 'workspaceId' | 'timeZone' | 'language'>,
  actor: Actor = { type: 'system', id: null, label: 'Lastro' },
): Context {
  return {
    ...workspace,
    actor,
    isArchived: false,
    permissions: new Set(),
    expiresAt: null,
    authEpoch: 0,
    channel: 'api',
    requestId: null,
    ip: null,
    userAgent: null,
  };
}
