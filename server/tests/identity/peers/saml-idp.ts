/** A SAML identity provider on this machine by an implementation of others (Auth0's), with faults; test support. */
import { createPublicKey } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
// @ts-expect-error: the package has no types; what is used of it is typed below.
import untypedSamlp from 'samlp';
import { type KeyPair, makeKeyPair } from './key-pair.ts';
import { signXml } from './sign-xml.ts';
import { openWalker, type SamlPost, samlPostOf, type Walker } from './web-walk.ts';

/** What the provider says otherwise than it should; whatever is not named is right. */
export type SamlFaults = {
  readonly audience?: string;
  readonly recipient?: string;
  readonly destination?: string;
  readonly issuer?: string;
  /** Another than that of the request; null for none. */
  readonly inResponseTo?: string | null;
  /** Seconds that an assertion is good for. */
  readonly lifetimeS?: number;
  readonly isSha1?: boolean;
  /** Signs with it, though its metadata show another. */
  readonly foreignKey?: KeyPair;
  readonly signs?: 'assertion' | 'both' | 'response' | 'nothing';
  /** PEM of the certificate that the assertion is encrypted to. */
  readonly encryptTo?: string;
  /** Of the response, such as urn:oasis:names:tc:SAML:2.0:status:Responder. */
  readonly status?: string;
  /** Changes the assertion before it is signed, or the response as it is sent. */
  readonly alterAssertion?: (xml: string) => string;
  readonly alterResponse?: (xml: string) => string;
};

/** Somebody at the provider. */
export type SamlAccount = {
  readonly nameId: string;
  readonly nameIdFormat?: string;
  readonly attributes: Readonly<Record<string, string | readonly string[]>>;
};

export type SamlPeer = {
  readonly entityId: string;
  readonly ssoUrl: string;
  readonly metadataUrl: string;
  /** Of its metadata, the newest first. */
  readonly keys: readonly KeyPair[];
  account: SamlAccount;
  faults: SamlFaults;
  /** Says of whoever signs in that they did so then, rather than now. */
  authenticatedAt: Date | undefined;
  /** How often somebody was asked who they are, rather than known from their session. */
  readonly logins: number;
  /** Signs by a new key from now on; the metadata show the old ones too. */
  rotate(): KeyPair;
  /** Does at the provider what a browser does with an address of it, up to the form for us that the page holds. */
  signIn(url: string, walker?: Walker): Promise<SamlPost>;
  close(): Promise<void>;
};

const emailFormat = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';

/** Opens a provider that answers every request by HTTP-Redirect and trusts whoever asks. */
export async function openSamlIdp(): Promise<SamlPeer> {
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const keys = [makeKeyPair({ name: 'first' })];
  let logins = 0;

  const peer: SamlPeer = {
    entityId: `${origin}/metadata`,
    ssoUrl: `${origin}/sso`,
    metadataUrl: `${origin}/metadata`,
    keys,
    account: {
      nameId: 'ana@corp.example',
      nameIdFormat: emailFormat,
      attributes: { mail: 'ana@corp.example', displayName: 'Ana Corp', groups: ['staff', 'risk'] },
    },
    faults: {},
    authenticatedAt: undefined,
    get logins() {
      return logins;
    },
    rotate() {
      keys.unshift(makeKeyPair({ name: `number ${keys.length + 1}` }));
      return keys[0];
    },
    async signIn(url, walker = openWalker()) {
      return samlPostOf(await walker.get(url));
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url!, origin);
    if (pathname === '/metadata') {
      response.writeHead(200, { 'content-type': 'application/samlmetadata+xml' }).end(metadataOf(peer));
      return;
    }
    const query = Object.fromEntries(searchParams);
    const asked = await promised<SamlRequest>((done) => samlp.parseRequest({ method: 'GET', query }, done));
    const isKnown = /(^|; )idp_session=1/.test(request.headers.cookie ?? '');
    if (!isKnown || asked.forceAuthn === 'true') logins++;
    const xml = await respond(asked);
    response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'idp_session=1; Path=/' });
    const fields = { SAMLResponse: Buffer.from(xml).toString('base64'), RelayState: query.RelayState ?? '' };
    const inputs = Object.entries(fields).map(([name, value]) => `<input name="${name}" value="${escapeHtml(value)}">`);
    response.end(
      `<form method="post" action="${escapeHtml(asked.assertionConsumerServiceURL)}">${inputs.join('')}</form>`,
    );
  }

  async function respond(asked: SamlRequest): Promise<string> {
    const { faults, account } = peer;
    const { key, certificate } = faults.foreignKey ?? keys[0];
    const signs = faults.signs ?? 'assertion';
    const inResponseTo = faults.inResponseTo === undefined ? asked.id : (faults.inResponseTo ?? undefined);
    const alter = faults.alterAssertion ?? (peer.authenticatedAt && ((xml: string) => xml));
    const options = {
      key,
      cert: certificate,
      issuer: faults.issuer ?? peer.entityId,
      audience: faults.audience ?? asked.issuer,
      recipient: faults.recipient ?? asked.assertionConsumerServiceURL,
      destination: faults.destination ?? asked.assertionConsumerServiceURL,
      lifetimeInSeconds: faults.lifetimeS ?? 300,
      signatureAlgorithm: faults.isSha1 ? 'rsa-sha1' : 'rsa-sha256',
      digestAlgorithm: faults.isSha1 ? 'sha1' : 'sha256',
      signAssertion: (signs === 'assertion' || signs === 'both') && alter === undefined,
      signResponse: signs === 'response' || signs === 'both',
      ...(faults.encryptTo === undefined
        ? {}
        : {
            encryptionCert: faults.encryptTo,
            encryptionPublicKey: createPublicKey(faults.encryptTo).export({ type: 'spki', format: 'pem' }),
            encryptionAlgorithm: 'http://www.w3.org/2009/xmlenc11#aes256-gcm',
          }),
      ...(inResponseTo === undefined ? {} : { inResponseTo }),
      ...(faults.status === undefined ? {} : { samlStatusCode: faults.status }),
      profileMapper: ({ attributes, nameId, nameIdFormat }: SamlAccount) => ({
        getClaims: () => attributes,
        getNameIdentifier: () => ({ nameIdentifier: nameId, nameIdentifierFormat: nameIdFormat }),
      }),
    };
    const xml = await promised<string>((done) => samlp.getSamlResponse(options, account, done));
    return (faults.alterResponse ?? ((same: string) => same))(alter ? resigned(xml, alter) : xml);
  }

  /** The package signs what it makes at once, and everybody has signed in just now: changed, and signed here. */
  function resigned(xml: string, alter: (xml: string) => string): string {
    const { authenticatedAt } = peer;
    const instant = authenticatedAt && `AuthnInstant="${authenticatedAt.toISOString()}"`;
    const dated = instant === undefined ? xml : xml.replace(/AuthnInstant="[^"]*"/, instant);
    const changed = dated.replace(/<saml:Assertion[\s\S]*<\/saml:Assertion>/, alter);
    const id = /<saml:Assertion[^>]*\bID="([^"]+)"/.exec(changed)![1];
    return signXml(changed, id, keys[0]);
  }

  return peer;
}

function metadataOf({ entityId, ssoUrl, keys }: SamlPeer): string {
  const certificates = keys.map(({ certificate }) => certificate.replace(/-----[A-Z ]+-----|\s/g, ''));
  return `<?xml version="1.0" encoding="UTF-8"?>
<!-- An identity provider for tests -->
<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${entityId}">
  <IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">${certificates
    .map(
      (text) => `
    <KeyDescriptor use="signing"><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#">
      <X509Data><X509Certificate>${text}</X509Certificate></X509Data>
    </KeyInfo></KeyDescriptor>`,
    )
    .join('')}
    <SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="${ssoUrl}/post"/>
    <SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${ssoUrl}"/>
  </IDPSSODescriptor>
</EntityDescriptor>
`;
}

function promised<T>(start: (done: (error: unknown, result: T) => void) => void): Promise<T> {
  return new Promise((resolve, reject) => start((error, result) => (error ? reject(error) : resolve(result))));
}

function escapeHtml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;');
}

type SamlRequest = {
  readonly id: string;
  readonly issuer: string;
  readonly assertionConsumerServiceURL: string;
  readonly forceAuthn?: string;
};
type Done<T> = (error: unknown, result: T) => void;
const samlp: {
  parseRequest(request: { method: string; query: object }, done: Done<SamlRequest>): void;
  getSamlResponse(options: object, account: SamlAccount, done: Done<string>): void;
} = untypedSamlp;
