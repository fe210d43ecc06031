import { countAttempt, networkBucket, ofSingleSignOn } from '../../access/attempts.ts';
import { makeOneTimeToken } from '../../access/one-time-tokens.ts';
import { system } from '../../access/transactions.ts';
import type { Head } from '../../lib/http/server.ts';
import { requestOidc } from '../../lib/oidc/oidc.ts';
import { requestSaml } from '../../lib/saml/request.ts';
import type { App } from '../app.ts';
import { findOwner } from '../domains/find.ts';
import { addressesOf } from '../sso-connections/connection.ts';
import { findConnection } from '../sso-connections/find.ts';
import { oidcProviderOf, samlProviderOf, samlServiceOf } from '../sso-connections/provider.ts';
import { countStep, keep, knowBrowser, safePath } from './flow.ts';

/**
 * The address at which somebody with this mail address begins to sign in: it depends on the domain alone, not on
 * whether there is such an account. Null where they sign in here. Throws Failure 'rate_limited'.
 */
export async function findSignIn(app: App, head: Head, email: string): Promise<string | null> {
  const connection = await system(app.db, 'find sign-in', async (tx) => {
    await countAttempt(tx, `sso ${networkBucket(head.ip)}`, ofSingleSignOn);
    const organizationId = await findOwner(tx, email);
    return organizationId && findConnection(tx, organizationId);
  });
  return connection ? addressesOf(app.publicUrl(), connection.id).signIn : null;
}

export type Begun = { readonly url: string; readonly cookies: readonly string[] };

/**
 * Begins a sign-in through a connection: the address at the provider to which the person goes. With `anew`, they must
 * prove there anew who they are. Throws Failure 'not_found', 'rate_limited', and what asking the provider throws.
 */
export async function beginSignIn(
  app: App,
  head: Head,
  connectionId: string,
  { returnTo, anew }: { readonly returnTo: string | undefined; readonly anew: boolean },
): Promise<Begun> {
  const connection = await countStep(app, head, connectionId);
  const { hash: browserHash, cookie } = knowBrowser(head);
  const flow = { connectionId, browserHash, returnTo: safePath(returnTo, app.publicUrl()) };
  const state = makeOneTimeToken();
  if (connection.kind === 'oidc') {
    const { url, request } = await requestOidc(app.outbound.fetch, oidcProviderOf(app, connection), { state, anew });
    await keep(app, 'sso_state', state, { ...flow, request });
    return { url, cookies: [cookie] };
  }
  const saml = { relayState: state, forceAuthn: anew };
  const { url, requestId } = requestSaml(samlServiceOf(app, connection), samlProviderOf(connection), saml);
  const request = { requestId, anewSince: anew ? Date.now() : null };
  await keep(app, 'sso_state', state, { ...flow, request });
  return { url, cookies: [cookie] };
}
