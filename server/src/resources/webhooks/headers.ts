import { refuse } from '../../errors.ts';
import type { KeyRing } from '../../lib/crypto/sealed.ts';
import { seal, unseal } from '../../lib/crypto/sealed.ts';

/** Most headers that a webhook may have of its own, most characters of a value, and most bytes of all as JSON. */
export const headersMax = 20;
export const headerValueLengthMax = 2_000;
export const headersBytesMax = 8 * 1024;

export type OwnHeaders = Readonly<Record<string, string>>;

/** Headers that are the service's, of the connection, or read by what stands between. */
const reserved =
  /^(webhook-.*|host|content-.*|user-agent|accept-encoding|connection|expect|keep-alive|te|trailer|transfer-encoding|upgrade|date|via|forwarded|x-forwarded-.*|proxy-.*|sec-.*|http2-settings|cookie2?|:.*)$/;
/** A token (RFC 9110 §5.6.2). */
const token = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;
/** Visible ASCII, with blanks within it. */
const visible = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/;

/** Returns a webhook's own headers with names in lower case. Throws Failure 'schema_mismatch' naming what is wrong. */
export function readHeaders(asked: Readonly<Record<string, string>>): OwnHeaders {
  const headers: Record<string, string> = {};
  for (const [given, value] of Object.entries(asked)) {
    const name = given.toLowerCase();
    const unfit = (message: string) =>
      refuse('schema_mismatch', `a header cannot be used: ${message}`, {
        problems: [{ at: `/headers/${given.replaceAll('~', '~0').replaceAll('/', '~1')}`, message }],
      });
    if (!token.test(name)) throw unfit('is no name of a header');
    if (reserved.test(name)) throw unfit('is set by the service or of the connection');
    if (Object.hasOwn(headers, name)) throw unfit('is named twice');
    if (!visible.test(value)) throw unfit('must have a value of visible ASCII characters on one line');
    headers[name] = value;
  }
  return headers;
}

/** Their values are often tokens of the receiver. Null for none. */
export function sealHeaders(ring: KeyRing, webhookId: string, headers: OwnHeaders): string | null {
  return Object.keys(headers).length === 0 ? null : seal(ring, JSON.stringify(headers), contextOf(webhookId));
}

export function openHeaders(ring: KeyRing, webhookId: string, sealed: string | null): OwnHeaders {
  // The cast holds: only `sealHeaders` seals in this context.
  return sealed === null ? {} : (JSON.parse(unseal(ring, sealed, contextOf(webhookId))) as OwnHeaders);
}

function contextOf(webhookId: string): string {
  return `webhooks.headers.${webhookId}`;
}
