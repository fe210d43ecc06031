import type { Head } from './server.ts';

/** The value of a cookie that a request brings, as it was set; undefined without one (RFC 6265 §4.2). */
export function readCookie({ headers: { cookie } }: Pick<Head, 'headers'>, name: string): string | undefined {
  if (typeof cookie !== 'string') return undefined;
  const pair = cookie.split(';').find((pair) => pair.trimStart().startsWith(`${name}=`));
  return pair?.slice(pair.indexOf('=') + 1).trim();
}

/**
 * The header that sets a cookie of the whole host for `maxAgeSeconds`. It is sent back by HTTPS alone (or to
 * localhost), not with requests that other sites make except when a link is followed, and scripts cannot read it. The
 * name must begin with `__Host-`, by which browsers hold to all of this. `value` must consist of characters of tokens.
 */
export function setCookie(name: `__Host-${string}`, value: string, maxAgeSeconds: number): string {
  return `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; Secure; HttpOnly; SameSite=Lax`;
}
