// OpenID Connect as the relying party: the authorization code flow with PKCE, state and nonce.
import * as client from 'openid-client';
import { Failure } from '../failure.ts';

/** How requests to the provider are sent. */
export type OidcFetch = (url: string, init: RequestInit) => Promise<Response>;

export type OidcProvider = {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The address to which the provider sends people back. */
  readonly redirectUri: string;
};

/** What is kept of a request until its answer comes, and told to nobody. */
export type OidcRequest = {
  readonly nonce: string;
  readonly verifier: string;
  /** Whether the person must prove anew who they are; when that was asked, in milliseconds since 1970. */
  readonly anewSince: number | null;
};

/** Who has come back, by the word of the provider. */
export type OidcIdentity = {
  /** Known at this issuer for as long as the account exists there. */
  readonly subject: string;
  readonly email: string | undefined;
  /** What the provider says about the address; undefined when it says nothing. */
  readonly isVerified: boolean | undefined;
  readonly name: string | undefined;
  /** When the person last proved there who they are, if it is told. */
  readonly authenticatedAt: Date | null;
};

/** Longer than the connector behind `fetch` waits, which says what is wrong. */
const timeoutSeconds = 30;
const scope = 'openid email profile';
/** How far the provider's clock may be from ours. */
const skewSeconds = 30;

/**
 * Reads what the provider publishes about itself. Throws Failure `sso_refused` when it is not what the issuer must
 * publish, and what `fetch` throws.
 */
export async function discover(fetch: OidcFetch, provider: OidcProvider): Promise<client.Configuration> {
  const { issuer, clientId, clientSecret } = provider;
  // Which addresses may do without TLS, `fetch` says.
  const isPlain = issuer.startsWith('http:');
  const send: client.CustomFetch = (url, { body, ...init }) =>
    fetch(url, body === undefined ? init : { ...init, body: body as NonNullable<RequestInit['body']> });
  return refusing('what the issuer publishes', async () => {
    const found = await client.discovery(new URL(issuer), clientId, undefined, client.None(), {
      [client.customFetch]: send,
      timeout: timeoutSeconds,
      execute: isPlain ? [client.allowInsecureRequests] : [],
    });
    const server = found.serverMetadata();
    const methods = server.token_endpoint_auth_methods_supported;
    const prove =
      methods === undefined || methods.includes('client_secret_basic')
        ? client.ClientSecretBasic
        : client.ClientSecretPost;
    const configuration = new client.Configuration(
      server,
      clientId,
      { client_secret: clientSecret },
      prove(clientSecret),
    );
    configuration[client.customFetch] = send;
    configuration.timeout = timeoutSeconds;
    if (isPlain) client.allowInsecureRequests(configuration);
    // The signature counts, not only the connection by which the token came.
    client.enableNonRepudiationChecks(configuration);
    return configuration;
  });
}

/**
 * Begins a sign-in: the address to which the person goes, and what is kept until they come back. Throws as `discover`
 * does.
 */
export async function requestOidc(
  fetch: OidcFetch,
  provider: OidcProvider,
  { state, anew }: { readonly state: string; readonly anew: boolean },
): Promise<{ readonly url: string; readonly request: OidcRequest }> {
  const configuration = await discover(fetch, provider);
  const request = {
    nonce: client.randomNonce(),
    verifier: client.randomPKCECodeVerifier(),
    anewSince: anew ? Date.now() : null,
  };
  const url = client.buildAuthorizationUrl(configuration, {
    ...{ redirect_uri: provider.redirectUri, scope, state, nonce: request.nonce },
    ...{ code_challenge: await client.calculatePKCECodeChallenge(request.verifier), code_challenge_method: 'S256' },
    ...(anew ? { prompt: 'login', max_age: '0' } : {}),
  });
  return { url: url.href, request };
}

/**
 * Who comes back with these parameters. Throws Failure `sso_refused` when the answer is not one to this request, is
 * not signed by the provider for us, or its provider refused; and what `fetch` throws.
 */
export async function readOidcCallback(
  fetch: OidcFetch,
  provider: OidcProvider,
  { nonce, verifier, anewSince }: OidcRequest,
  { state, parameters }: { readonly state: string; readonly parameters: URLSearchParams },
): Promise<OidcIdentity> {
  const configuration = await discover(fetch, provider);
  return refusing('the answer', async () => {
    const url = new URL(provider.redirectUri);
    url.search = parameters.toString();
    const maxAge = anewSince === null ? undefined : Math.ceil((Date.now() - anewSince) / 1_000) + skewSeconds;
    const tokens = await client.authorizationCodeGrant(configuration, url, {
      ...{ expectedNonce: nonce, expectedState: state, pkceCodeVerifier: verifier, idTokenExpected: true },
      ...(maxAge === undefined ? {} : { maxAge }),
    });
    const claims = tokens.claims()!;
    const more =
      claims.email === undefined && configuration.serverMetadata().userinfo_endpoint !== undefined
        ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
        : undefined;
    const { sub, email, email_verified: isVerified, name, auth_time: at } = { ...more, ...claims } as Claims;
    return {
      subject: requireSubject(sub),
      email: textOf(email),
      // Some providers send it as a text.
      isVerified: isVerified === undefined ? undefined : String(isVerified) === 'true',
      name: textOf(name),
      authenticatedAt: instantOf(at),
    };
  });
}

/** What a provider may tell, in whatever form it likes. */
type Claims = { readonly sub: string } & Readonly<Record<'email' | 'email_verified' | 'name' | 'auth_time', unknown>>;

const textMax = 500;
/** Control characters stand in no name, and PostgreSQL refuses texts with NUL, one of them. */
const control = /\p{Cc}/u;

/** The longest there may be (OpenID Connect Core §2). */
const subjectMax = 255;

function requireSubject(sub: string): string {
  if (sub.trim() !== '' && sub.length <= subjectMax && !control.test(sub)) return sub;
  throw new Error('"sub" is empty or too long, or has control characters');
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= textMax && !control.test(value) ? value : undefined;
}

/** A moment in seconds since 1970. One that has not come yet is now: it would be a recent proof until it has. */
function instantOf(seconds: unknown): Date | null {
  return typeof seconds === 'number' && seconds >= 0 ? new Date(Math.min(seconds * 1_000, Date.now())) : null;
}

/** Names what is wrong with an answer of the provider; failures of `fetch` stay what they are. */
async function refusing<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    for (let cause: unknown = error; cause instanceof Error; cause = cause.cause)
      if (cause instanceof Failure) throw cause;
    const said = error instanceof client.AuthorizationResponseError || error instanceof client.ResponseBodyError;
    const why = said ? `the provider says ${error.error}` : error instanceof Error ? error.message : String(error);
    throw new Failure('unauthenticated', `${what} was refused: ${why.slice(0, textMax)}`, {
      reason: 'sso_refused',
      cause: error,
    });
  }
}
