// URLs that carry their own permission: method, path, every parameter and an expiry under one HMAC-SHA-256.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { assert } from '../failure.ts';

export type UrlGrant = {
  /** The path as it will be requested: percent-encoded where needed, without a query. */
  readonly path: string;
  /**
   * The method in capitals. A URL for GET is also valid for HEAD; one for PUT for PATCH, which puts a part, and for GET
   * and HEAD of what has been put.
   */
  readonly method: string;
  /** Valid up to and including this moment; its fraction of a second is dropped. */
  readonly expires: Date;
  /** Signed data that become query parameters. The names `expires` and `signature` are reserved. */
  readonly claims: Readonly<Record<string, string>>;
};

export type UrlCheck =
  | { readonly status: 'ok'; readonly claims: Readonly<Record<string, string>>; readonly expires: Date }
  | { readonly status: 'expired' | 'tampered' };

/** The methods whose URLs are valid for a method, where it is not alone. */
const grantedBy: Readonly<Record<string, readonly string[]>> = {
  GET: ['GET', 'PUT'],
  HEAD: ['GET', 'PUT'],
  PATCH: ['PATCH', 'PUT'],
};

const tampered: UrlCheck = { status: 'tampered' };

/** The path with its signed query: `/path?claim=…&expires=<Unix seconds>&signature=<base64url>`. */
export function signUrl(grant: UrlGrant, secret: Uint8Array): string {
  const { path, method, expires, claims } = grant;
  assert(/^\/[^?#\s]*$/.test(path), `${path} is no path to sign`);
  assert(!('expires' in claims) && !('signature' in claims), 'expires and signature are no claims');
  const parameters = new URLSearchParams(claims);
  parameters.set('expires', String(Math.floor(expires.getTime() / 1000)));
  parameters.set('signature', sign(method, path, [...parameters], secret));
  return `${path}?${parameters}`;
}

/**
 * Checks the path and query of a request as they arrived. A URL that is not exactly as signed is `tampered`, even if
 * only a parameter was added or repeated. The expiry is checked only once the signature holds.
 */
export function verifySignedUrl(request: { method: string; url: string }, secret: Uint8Array, now: Date): UrlCheck {
  const mark = request.url.indexOf('?');
  if (mark < 0) return tampered;
  const parameters = [...new URLSearchParams(request.url.slice(mark + 1))];
  const given = parameters.filter(([name]) => name === 'signature');
  const signed = parameters.filter(([name]) => name !== 'signature');
  if (given.length !== 1) return tampered;
  const path = request.url.slice(0, mark);
  const signature = Buffer.from(given[0][1]);
  const isOf = (method: string): boolean => {
    const expected = Buffer.from(sign(method, path, signed, secret));
    return signature.length === expected.length && timingSafeEqual(signature, expected);
  };
  if (!(grantedBy[request.method] ?? [request.method]).some(isOf)) return tampered;
  const { expires, ...claims } = Object.fromEntries(signed);
  const moment = new Date(Number(expires) * 1000);
  return now.getTime() > moment.getTime() ? { status: 'expired' } : { status: 'ok', claims, expires: moment };
}

/**
 * The signature of a request. JSON keeps the parts apart whatever they contain; the order of parameters does not
 * matter.
 */
function sign(method: string, path: string, parameters: [string, string][], secret: Uint8Array): string {
  const sorted = [...parameters].sort(([a, x], [b, y]) => (a === b ? compare(x, y) : compare(a, b)));
  return createHmac('sha256', secret)
    .update(JSON.stringify([method, path, sorted]))
    .digest('base64url');
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
