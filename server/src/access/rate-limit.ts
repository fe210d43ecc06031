import { Failure } from '../lib/failure.ts';

export type RateLimit = {
  /** Counts a request by a credential. Returns headers that say what is left. Throws Failure 'rate_limited'. */
  count(credentialId: string): Readonly<Record<string, string>>;
};

export const windowSeconds = 60;
const credentialsMax = 100_000;

/**
 * Limits each credential (a key, a session or a user of SFTP) to `quota` requests per minute. The count is per process,
 * in windows that begin with the credential's first request. The headers `RateLimit-Policy` and `RateLimit` are those
 * of draft-ietf-httpapi-ratelimit-headers. A quota of 0 means no limit and no headers.
 */
export function openRateLimit(quota: number, now: () => number = Date.now): RateLimit {
  if (quota === 0) return { count: () => none };
  const windows = new Map<string, { used: number; until: number }>();
  const policy = `"requests";q=${quota};w=${windowSeconds}`;
  return {
    count(credentialId) {
      const at = now();
      let window = windows.get(credentialId);
      if (!window || window.until <= at) {
        if (windows.size >= credentialsMax) windows.clear();
        window = { used: 0, until: at + windowSeconds * 1000 };
        windows.set(credentialId, window);
      }
      window.used++;
      const resetSeconds = Math.ceil((window.until - at) / 1000);
      const left = Math.max(0, quota - window.used);
      const headers = { 'ratelimit-policy': policy, ratelimit: `"requests";r=${left};t=${resetSeconds}` };
      if (window.used <= quota) return headers;
      throw new Failure('rate_limited', `more than ${quota} requests in ${windowSeconds} seconds with this key`, {
        headers: { ...headers, 'retry-after': String(resetSeconds) },
      });
    },
  };
}

const none = {};
