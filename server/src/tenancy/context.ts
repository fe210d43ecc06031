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
    authEpoch: 0,
    channel: 'api',
    requestId: null,
    ip: null,
    userAgent: null,
  };
}
