import { Failure } from '../failure.ts';
import { describeCertificate } from './certificate.ts';
import { encryptionMethods } from './decrypt.ts';
import {
  metadataNamespace,
  nameIdFormats,
  protocolNamespace,
  type SamlIdentityProvider,
  type SamlServiceProvider,
  signatureNamespace,
} from './parties.ts';
import { attributeOf, childrenNamed, escapeXml, isNamed, readXml, textOf, type XmlElement } from './xml.ts';

/** Characters of a metadata document. */
const metadataLengthMax = 1_000_000;
/** Of one provider: that in use, and those by which it is being replaced. */
export const certificatesMax = 5;
/** Characters of an entity ID (Core 8.3.6), and of an address. */
const lengthsMax = { entityId: 1_024, url: 2_000 };
const limits = { elementsMax: 10_000, depthMax: 40, allowsComments: true };

const redirect = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
const post = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST';

/** What an identity provider is told about us. */
export function spMetadata(sp: SamlServiceProvider): string {
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<md:EntityDescriptor xmlns:md="${metadataNamespace}" entityID="${escapeXml(sp.entityId)}">`,
    '  <md:SPSSODescriptor AuthnRequestsSigned="false" WantAssertionsSigned="true"',
    `    protocolSupportEnumeration="${protocolNamespace}">`,
    ...(sp.decryption === undefined ? [] : encryptionKey(sp.decryption.certificate)),
    `    <md:NameIDFormat>${nameIdFormats.persistent}</md:NameIDFormat>`,
    `    <md:NameIDFormat>${nameIdFormats.email}</md:NameIDFormat>`,
    '    <md:AssertionConsumerService index="0" isDefault="true"',
    `      Binding="${post}" Location="${escapeXml(sp.acsUrl)}"/>`,
    '  </md:SPSSODescriptor>',
    '</md:EntityDescriptor>',
  ];
  return `${lines.join('\n')}\n`;
}

function encryptionKey(certificate: string): string[] {
  const encoded = certificate.replace(/-----[A-Z ]+-----|\s/g, '');
  return [
    '    <md:KeyDescriptor use="encryption">',
    `      <ds:KeyInfo xmlns:ds="${signatureNamespace}">`,
    `        <ds:X509Data><ds:X509Certificate>${encoded}</ds:X509Certificate></ds:X509Data>`,
    '      </ds:KeyInfo>',
    ...encryptionMethods.map((method) => `      <md:EncryptionMethod Algorithm="${method}"/>`),
    '    </md:KeyDescriptor>',
  ];
}

/**
 * An identity provider as its metadata describe it: one provider, with an address for HTTP-Redirect and the
 * certificates it signs by. That they are its own is for whoever brings them to know; signatures of metadata are not
 * looked at. Throws Failure `invalid` with what is missing.
 */
export function readIdpMetadata(xml: string): SamlIdentityProvider {
  if (xml.length > metadataLengthMax) throw refuse(`it is longer than ${metadataLengthMax} characters`);
  const root = readXml(xml.replace(/^\ufeff/, '').trimStart(), limits, refuse);
  const entityId = attributeOf(root, 'entityID');
  if (!isNamed(root, metadataNamespace, 'EntityDescriptor') || !entityId || entityId.length > lengthsMax.entityId)
    throw refuse(
      `it must be the EntityDescriptor of one provider, with its entityID of at most ${lengthsMax.entityId} characters`,
    );
  const [descriptor, ...others] = childrenNamed(root, metadataNamespace, 'IDPSSODescriptor').filter((each) =>
    (attributeOf(each, 'protocolSupportEnumeration') ?? '').split(/\s+/).includes(protocolNamespace),
  );
  if (descriptor === undefined || others.length > 0)
    throw refuse('it must have one IDPSSODescriptor of SAML 2.0: is it that of an identity provider?');
  const services = childrenNamed(descriptor, metadataNamespace, 'SingleSignOnService');
  const ssoUrl = services
    .filter((service) => attributeOf(service, 'Binding') === redirect)
    .map((service) => attributeOf(service, 'Location') ?? '')
    .find((location) => /^https?:$/.test(URL.parse(location)?.protocol ?? ''));
  if (ssoUrl === undefined || ssoUrl.length > lengthsMax.url)
    throw refuse('it has no SingleSignOnService by HTTP-Redirect, or one with a very long address');
  const certificates = [...new Set(signingCertificates(descriptor).map((text) => describeCertificate(text).pem))];
  if (certificates.length === 0 || certificates.length > certificatesMax)
    throw refuse(`it must have 1 to ${certificatesMax} certificates for signing`);
  return { entityId, ssoUrl, certificates };
}

function refuse(reason: string): Failure {
  return new Failure('invalid', `The metadata cannot be used: ${reason}.`);
}

/** Base64 of certificates; a key that says no use is for all. */
function signingCertificates(descriptor: XmlElement): string[] {
  const of = (parents: readonly XmlElement[], namespace: string, name: string) =>
    parents.flatMap((parent) => childrenNamed(parent, namespace, name));
  const keys = childrenNamed(descriptor, metadataNamespace, 'KeyDescriptor').filter(
    (key) => (attributeOf(key, 'use') ?? 'signing') === 'signing',
  );
  const data = of(of(keys, signatureNamespace, 'KeyInfo'), signatureNamespace, 'X509Data');
  return of(data, signatureNamespace, 'X509Certificate').map((element) => textOf(element) ?? '');
}
