import { makeOneTimeToken, tokenLives } from '../../access/one-time-tokens.ts';
import { system } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import type { Head } from '../../lib/http/server.ts';
import { readSamlResponse } from '../../lib/saml/response.ts';
import type { App } from '../app.ts';
import { addressesOf } from '../sso-connections/connection.ts';
import { noConnection } from '../sso-connections/find.ts';
import { samlProviderOf, samlServiceOf } from '../sso-connections/provider.ts';
import { elsewhere } from './callback.ts';
import { countStep, type Flow, isSameBrowser, keep, type SamlRequest, take } from './flow.ts';
import { type Identity, recordingRefusal, type SignedIn, signInAs } from './sign-in-as.ts';
import { insertAssertion } from './sql.ts';

/** Who the provider says the person is, until the person's own browser brings the ticket. */
type Ticket = Omit<Identity, 'authenticatedAt' | 'method'> & {
  readonly connectionId: string;
  readonly browserHash: string;
  readonly authenticatedAt: string | null;
};

/** How long before it was asked a person may have proved anew who they are: the provider's clock may be off. */
const skewMs = 60_000;

/**
 * Takes the answer of a provider of SAML, which the person's browser posts from the provider's page. Such a request has
 * none of our cookies, so that nobody is signed in yet: returns the address to which the browser goes on, with a ticket
 * that is good once, for a minute, in the browser in which the sign-in began. Otherwise somebody's page could sign its
 * visitors in as somebody else. Throws Failure 'token_invalid', 'not_found', 'sso_refused',
 * 'rate_limited'.
 */
export async function takeSaml(
  app: App,
  head: Head,
  connectionId: string,
  { response, relayState }: { readonly response: string; readonly relayState: string },
): Promise<string> {
  const connection = await countStep(app, head, connectionId);
  return recordingRefusal(app, head, connection, async () => {
    if (connection.kind !== 'saml') throw noConnection(connectionId);
    const flow = await take<Flow>(app, 'sso_state', relayState, connectionId);
    const { requestId, anewSince } = flow.request as SamlRequest;
    const service = samlServiceOf(app, connection);
    const read = readSamlResponse(service, samlProviderOf(connection), { response, requestId });
    const { subject, email, name, assertionId, goodUntil, authenticatedAt } = read;
    if (anewSince !== null && (authenticatedAt?.getTime() ?? 0) < anewSince - skewMs)
      throw refuse('sso_refused', 'the provider did not have the person prove anew who they are');
    // Later nothing is left that it could answer, however long its provider thinks it good.
    const keptUntil = new Date(Math.min(goodUntil.getTime(), Date.now() + tokenLives.sso_state));
    const isNew = await system(app.db, 'take assertion', (tx) =>
      insertAssertion(tx, { connectionId, assertionId, keptUntil }),
    );
    if (!isNew) throw refuse('sso_refused', 'the answer was taken before');
    const ticket = makeOneTimeToken();
    await keep(app, 'sso_ticket', ticket, {
      ...{ connectionId, browserHash: flow.browserHash, returnTo: flow.returnTo },
      ...{ subject, email, name, authenticatedAt: authenticatedAt?.toISOString() ?? null },
    } satisfies Ticket);
    return `${addressesOf(app.publicUrl(), connectionId).completion}?ticket=${ticket}`;
  });
}

/** Ends a sign-in at a provider of SAML, for whose answer there is a ticket. Throws as `takeSaml` does. */
export async function endSaml(app: App, head: Head, connectionId: string, ticket: string): Promise<SignedIn> {
  const connection = await countStep(app, head, connectionId);
  return recordingRefusal(app, head, connection, async () => {
    const { authenticatedAt, ...who } = await take<Ticket>(app, 'sso_ticket', ticket, connectionId);
    if (!isSameBrowser(head, who)) throw elsewhere();
    const at = authenticatedAt === null ? null : new Date(authenticatedAt);
    return signInAs(app, head, connectionId, { ...who, authenticatedAt: at, method: 'saml' });
  });
}
