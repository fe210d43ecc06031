import { randomBytes } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import {
  assertionNamespace,
  protocolNamespace,
  type SamlIdentityProvider,
  type SamlServiceProvider,
} from './parties.ts';
import { escapeXml } from './xml.ts';

/**
 * A request to sign somebody in, as the address to send their browser to (HTTP-Redirect binding, Bindings 3.4).
 * `forceAuthn` asks the provider to have them prove anew who they are. The response must name `requestId`.
 */
export function requestSaml(
  sp: SamlServiceProvider,
  idp: SamlIdentityProvider,
  { relayState, forceAuthn, now = new Date() }: { relayState: string; forceAuthn: boolean; now?: Date },
): { requestId: string; url: string } {
  // An ID must not begin with a digit.
  const requestId = `_${randomBytes(20).toString('hex')}`;
  const attributes = {
    ID: requestId,
    Version: '2.0',
    IssueInstant: now.toISOString(),
    Destination: idp.ssoUrl,
    ...(forceAuthn ? { ForceAuthn: 'true' } : {}),
    ProtocolBinding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST',
    AssertionConsumerServiceURL: sp.acsUrl,
  };
  const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${escapeXml(value)}"`);
  const request = [
    `<samlp:AuthnRequest xmlns:samlp="${protocolNamespace}" xmlns:saml="${assertionNamespace}"${written.join('')}>`,
    `<saml:Issuer>${escapeXml(sp.entityId)}</saml:Issuer>`,
    '<samlp:NameIDPolicy AllowCreate="true"/>',
    '</samlp:AuthnRequest>',
  ].join('');
  const url = new URL(idp.ssoUrl);
  url.searchParams.set('SAMLRequest', deflateRawSync(request).toString('base64'));
  url.searchParams.set('RelayState', relayState);
  return { requestId, url: url.href };
}
