import { Failure } from '../lib/failure.ts';
import type { Principal } from './actor.ts';
import { openWindows, type Windows } from './windows.ts';

/** Requests that are answered at once from what is open in memory, and all others. Workspaces have a limit for each. */
export type Pace = 'real_time' | 'other';

/** How many requests are let in within a window; 0 for no limit. */
export type RateQuotas = {
  readonly perCredential: number;
  /** Of all callers of a workspace together. */
  perWorkspace(workspaceId: string): Readonly<Record<Pace, number>>;
};

export type RateLimit = {
  /** Counts a request. Returns headers that say what is left. Throws Failure 'rate_limited'. */
  count(caller: Pick<Principal, 'credentialId' | 'workspaceId'>, pace: Pace): Readonly<Record<string, string>>;
};

export const windowSeconds = 60;

/**
 * Limits the requests of each credential (a key, a session or a user of SFTP), and those of each workspace. The count
 * is per process, in windows of a minute that begin with the first request. What the limit of the credential refuses
 * does not count for its workspace, so that one caller who asks too often uses up nothing of the others. The headers
 * `RateLimit-Policy` and `RateLimit` are those of draft-ietf-httpapi-ratelimit-headers, with an item for each policy.
 */
export function openRateLimit(quotas: RateQuotas, now: () => number = Date.now): RateLimit {
  const credentials = openWindows(windowSeconds * 1000, now);
  const workspaces = {
    real_time: openWindows(windowSeconds * 1000, now),
    other: openWindows(windowSeconds * 1000, now),
  };
  return {
    count({ credentialId, workspaceId }, pace) {
      const counted: Counted[] = [];
      const add = (name: string, whose: string, quota: number, windows: Windows, id: string): void => {
        if (quota === 0) return;
        const window = windows.count(id);
        const resetSeconds = Math.ceil((window.until - now()) / 1000);
        counted.push({ name, quota, left: Math.max(0, quota - window.used), resetSeconds });
        if (window.used <= quota) return;
        const message = `more than ${quota} requests in ${windowSeconds} seconds ${whose}`;
        throw new Failure('rate_limited', message, {
          headers: { ...headersOf(counted), 'retry-after': String(resetSeconds) },
        });
      };
      add('requests', 'with this key', quotas.perCredential, credentials, credentialId);
      if (workspaceId !== null)
        add(
          paceNames[pace],
          'in this workspace',
          quotas.perWorkspace(workspaceId)[pace],
          workspaces[pace],
          workspaceId,
        );
      return headersOf(counted);
    },
  };
}

const paceNames = { real_time: 'workspace-real-time', other: 'workspace' } as const satisfies Record<Pace, string>;

type Counted = {
  readonly name: string;
  readonly quota: number;
  readonly left: number;
  readonly resetSeconds: number;
};

function headersOf(counted: readonly Counted[]): Readonly<Record<string, string>> {
  if (counted.length === 0) return {};
  return {
    'ratelimit-policy': counted.map(({ name, quota }) => `"${name}";q=${quota};w=${windowSeconds}`).join(', '),
    ratelimit: counted.map(({ name, left, resetSeconds }) => `"${name}";r=${left};t=${resetSeconds}`).join(', '),
  };
}
