import { refuse } from '../../errors.ts';
import type { Head } from '../../lib/http/server.ts';
import { type OidcRequest, readOidcCallback } from '../../lib/oidc/oidc.ts';
import type { App } from '../app.ts';
import { noConnection } from '../sso-connections/find.ts';
import { oidcProviderOf } from '../sso-connections/provider.ts';
import { countStep, type Flow, isSameBrowser, take } from './flow.ts';
import { recordingRefusal, type SignedIn, signInAs } from './sign-in-as.ts';

/**
 * Ends a sign-in at a provider of OpenID Connect, which has sent the person back with these parameters.
 * Throws Failure 'token_invalid', 'not_found', 'sso_refused', 'rate_limited', and what asking the provider throws.
 */
export async function endOidc(
  app: App,
  head: Head,
  connectionId: string,
  parameters: URLSearchParams,
): Promise<SignedIn> {
  const connection = await countStep(app, head, connectionId);
  return recordingRefusal(app, head, connection, async () => {
    if (connection.kind !== 'oidc') throw noConnection(connectionId);
    const state = parameters.get('state') ?? '';
    const flow = await take<Flow>(app, 'sso_state', state, connectionId);
    if (!isSameBrowser(head, flow)) throw elsewhere();
    const provider = oidcProviderOf(app, connection);
    const request = flow.request as OidcRequest;
    const who = await readOidcCallback(app.outbound.fetch, provider, request, { state, parameters });
    return signInAs(app, head, connectionId, { ...who, method: 'oidc', returnTo: flow.returnTo });
  });
}

/** The refusal of a sign-in that ends in another browser than that in which it began. */
export function elsewhere() {
  return refuse('sso_refused', 'the sign-in was begun in another browser: begin anew in this one');
}
