/** A real OpenID provider on this machine, which signs in whoever the test says; test support. */
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
// @ts-expect-error: the package has no types; what is used of it is typed below.
import { Provider as untypedProvider } from 'oidc-provider';
import { leftFor, openWalker, type Walker } from './web-walk.ts';

/** Claims of somebody at the provider. */
export type Account = {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
};

export type OidcPeer = {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Addresses that the provider may send people back to. */
  readonly redirectUris: Set<string>;
  /** Who signs in next; null is somebody who refuses. */
  account: Account | null;
  /** When whoever signs in next did so, in seconds since 1970; now, if undefined. */
  authenticatedAt: number | undefined;
  /** How often somebody was asked who they are, rather than known from their session. */
  readonly logins: number;
  /**
   * Does at the provider what a browser does with an address of its authorization endpoint: `callbackUrl` is where it
   * would go next. The same walker is the same browser, with the session it has at the provider.
   */
  signIn(url: string, walker?: Walker): Promise<{ callbackUrl: string }>;
  close(): Promise<void>;
};

/**
 * Opens a provider over plain HTTP that demands PKCE and the client's secret (client_secret_basic). `claimsIn` says
 * where `email` and `name` are found: in the ID token, as with most, or only at the userinfo endpoint.
 */
export async function openOidcProvider(
  redirectUris: readonly string[],
  { claimsIn = 'id_token' }: { claimsIn?: 'id_token' | 'userinfo' } = {},
): Promise<OidcPeer> {
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const accounts = new Map<string, Account>();
  let logins = 0;

  const peer: OidcPeer = {
    issuer,
    clientId: 'lastro',
    clientSecret: randomBytes(24).toString('base64url'),
    redirectUris: new Set(redirectUris),
    account: { sub: 'person-1', email: 'ana@corp.example', email_verified: true, name: 'Ana Corp' },
    authenticatedAt: undefined,
    get logins() {
      return logins;
    },
    async signIn(url, walker = openWalker()) {
      return { callbackUrl: leftFor(await walker.get(url)) };
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: peer.clientId,
        client_secret: peer.clientSecret,
        redirect_uris: ['http://127.0.0.1/replaced-below'],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    jwks: { keys: [{ ...makeKey().privateKey.export({ format: 'jwk' }), kid: 'first', use: 'sig', alg: 'RS256' }] },
    cookies: { keys: [randomBytes(16).toString('hex')] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: claimsIn === 'userinfo',
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600, AuthorizationCode: 60 },
    async findAccount(_, id) {
      const account = accounts.get(id);
      return account && { accountId: id, claims: async () => ({ ...account }) };
    },
    /** Nobody is asked whether the client may know who they are: an organization has said so for its people. */
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
  provider.Client.prototype.redirectUriAllowed = (uri: string) => peer.redirectUris.has(uri);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!request.url!.startsWith('/interaction/')) return provider.callback()(request, response);
    logins++;
    const { account, authenticatedAt: ts } = peer;
    if (account) accounts.set(account.sub, account);
    const login = account && { accountId: account.sub, ...(ts === undefined ? {} : { ts }) };
    await provider.interactionFinished(request, response, login ? { login } : { error: 'access_denied' });
  }

  return peer;
}

function makeKey() {
  return generateKeyPairSync('rsa', { modulusLength: 2048 });
}

type Grant = { addOIDCScope(scope: string): void; save(): Promise<string> };
type Interaction = { readonly uid: string };
type RequestContext = {
  readonly oidc: {
    readonly provider: { Grant: new (of: { clientId: string; accountId: string }) => Grant };
    readonly client: { readonly clientId: string };
    readonly session: { readonly accountId: string };
  };
};
type Settings = {
  readonly clients: readonly object[];
  readonly interactions: { url(context: unknown, interaction: Interaction): string };
  findAccount(context: unknown, id: string): Promise<{ accountId: string; claims(): Promise<object> } | undefined>;
  loadExistingGrant(context: RequestContext): Promise<Grant>;
  readonly [setting: string]: unknown;
};
type ProviderOfPackage = {
  callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
  readonly Client: { readonly prototype: { redirectUriAllowed(uri: string): boolean } };
};
const Provider: new (issuer: string, settings: Settings) => ProviderOfPackage = untypedProvider;
