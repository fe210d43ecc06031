import { countAttempt, networkBucket, ofSingleSignOn } from '../../access/attempts.ts';
import { issueToken, takeToken } from '../../access/one-time-tokens.ts';
import { system } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { newId } from '../../lib/crypto/ids.ts';
import { checkToken, hashToken, makeToken } from '../../lib/crypto/tokens.ts';
import { readCookie, setCookie } from '../../lib/http/cookies.ts';
import type { Head } from '../../lib/http/server.ts';
import type { OidcRequest } from '../../lib/oidc/oidc.ts';
import type { App } from '../app.ts';
import { type Connection, findActive, noConnection } from '../sso-connections/find.ts';

const browserCookie = '__Host-lastro-sso';
const browserPrefix = 'lsb';
const browserLifeSeconds = 3_600;

/** What is kept of a request to a provider of SAML; `anewSince` as in `OidcRequest`. */
export type SamlRequest = { readonly requestId: string; readonly anewSince: number | null };

/** What is kept of a sign-in while the person is at the provider. */
export type Flow = {
  readonly connectionId: string;
  /** Of the cookie of the browser in which it began: in no other does it end. */
  readonly browserHash: string;
  /** The path of ours to which the person goes in the end. */
  readonly returnTo: string;
  readonly request: OidcRequest | SamlRequest;
};

/**
 * Counts a step of a sign-in, before anything is done for it, and returns its connection. Throws Failure 'not_found',
 * 'rate_limited'.
 */
export async function countStep(app: App, head: Head, connectionId: string): Promise<Connection> {
  const connection = await system(app.db, 'single sign-on', async (tx) => {
    await countAttempt(tx, `sso ${networkBucket(head.ip)}`, ofSingleSignOn);
    return findActive(tx, connectionId);
  });
  if (!connection) throw noConnection(connectionId);
  return connection;
}

/** The cookie by which a browser is known until it comes back, which other sign-ins in it share. */
export function knowBrowser(head: Head): { readonly hash: string; readonly cookie: string } {
  const brought = readCookie(head, browserCookie);
  const token = brought !== undefined && checkToken(brought) === browserPrefix ? brought : makeToken(browserPrefix);
  return { hash: hashToken(token), cookie: setCookie(browserCookie, token, browserLifeSeconds) };
}

/** Whether a request is from the browser in which a sign-in began. */
export function isSameBrowser(head: Head, { browserHash }: { readonly browserHash: string }): boolean {
  const brought = readCookie(head, browserCookie);
  return brought !== undefined && hashToken(brought) === browserHash;
}

/** Keeps what the next step of a sign-in needs to know, under a token that is good once and goes with the person. */
export async function keep(app: App, purpose: 'sso_state' | 'sso_ticket', token: string, data: object): Promise<void> {
  const kept = { subject: newId('flw'), data, token };
  await system(app.db, 'keep sign-in', (tx) => issueToken(tx, app.keys.sealing, purpose, kept));
}

/** Takes what was kept under a token, whatever becomes of the sign-in then. Throws Failure 'token_invalid'. */
export async function take<T extends { readonly connectionId: string }>(
  app: App,
  purpose: 'sso_state' | 'sso_ticket',
  token: string,
  connectionId: string,
): Promise<T> {
  const taken = await system(app.db, 'take sign-in', (tx) => takeToken(tx, app.keys.sealing, purpose, token));
  const data = taken?.data as T | undefined;
  if (data?.connectionId !== connectionId)
    throw refuse('token_invalid', 'the sign-in has ended, or took too long: begin anew');
  return data;
}

/** A path of ours, with query and fragment; `/` for anything that leads elsewhere. */
export function safePath(asked: string | undefined, publicUrl: string): string {
  const origin = new URL(publicUrl).origin;
  if (asked === undefined || !asked.startsWith('/') || !URL.canParse(asked, origin)) return '/';
  const url = new URL(asked, origin);
  // Without its dots, a path such as `/.//company.com` begins with two slashes, by which a browser goes to a host.
  const isPath = url.origin === origin && !url.pathname.startsWith('//');
  return isPath ? `${url.pathname}${url.search}${url.hash}` : '/';
}
