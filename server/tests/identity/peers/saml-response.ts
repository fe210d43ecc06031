/** Responses of an identity provider, written out so that tests can change any part before or after signing. */
import { type CipherGCM, constants, createCipheriv, publicEncrypt, randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import type { KeyPair } from './key-pair.ts';
import { type Signing, signXml } from './sign-xml.ts';

export const sp = { entityId: 'https://lastro.example/saml', acsUrl: 'https://lastro.example/saml/acs?c=1&d=2' };
export const idpEntityId = 'https://idp.example/metadata';
export const requestId = '_request-1';
export const now = new Date('2026-03-04T05:06:07.000Z');

/** A moment some seconds from then. */
export function instant(seconds: number): string {
  return new Date(now.getTime() + seconds * 1_000).toISOString();
}

export const acsInXml = sp.acsUrl.replaceAll('&', '&amp;');

export const assertion = `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_assertion-1" Version="2.0" IssueInstant="${instant(0)}"><saml:Issuer>${idpEntityId}</saml:Issuer><saml:Subject><saml:NameID Format="urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress">ana@corp.example</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData NotOnOrAfter="${instant(300)}" Recipient="${acsInXml}" InResponseTo="${requestId}"/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="${instant(-60)}" NotOnOrAfter="${instant(240)}"><saml:AudienceRestriction><saml:Audience>${sp.entityId}</saml:Audience></saml:AudienceRestriction></saml:Conditions><saml:AuthnStatement AuthnInstant="${instant(-5)}" SessionIndex="_s"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:unspecified</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement><saml:AttributeStatement><saml:Attribute Name="mail"><saml:AttributeValue>ana@corp.example</saml:AttributeValue></saml:Attribute><saml:Attribute Name="displayName"><saml:AttributeValue>Ana Corp</saml:AttributeValue></saml:Attribute><saml:Attribute Name="groups"><saml:AttributeValue>staff</saml:AttributeValue><saml:AttributeValue>risk</saml:AttributeValue></saml:Attribute></saml:AttributeStatement></saml:Assertion>`;

/** A response around assertions, or around whatever is given. */
export function responseAround(content: string): string {
  return `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_response-1" Version="2.0" IssueInstant="${instant(0)}" Destination="${acsInXml}" InResponseTo="${requestId}"><saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${idpEntityId}</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>${content}</samlp:Response>`;
}

export function signAssertion(xml: string, keys: KeyPair, signing: Signing = {}): string {
  return signXml(xml, '_assertion-1', keys, signing);
}

export function signResponse(xml: string, keys: KeyPair, signing: Signing = {}): string {
  return signXml(xml, '_response-1', keys, signing);
}

/** A text with a part changed, which must be there. */
export function changed(text: string, part: string | RegExp, by: string): string {
  const after = text.replace(part, () => by);
  expect(after, String(part)).not.toBe(text);
  return after;
}

export function encoded(xml: string): string {
  return Buffer.from(xml).toString('base64');
}

const encryption = 'http://www.w3.org/2001/04/xmlenc#';
const encryption11 = 'http://www.w3.org/2009/xmlenc11#';

export type Encryption = {
  readonly cipher?: 'aes128-cbc' | 'aes256-cbc' | 'aes128-gcm' | 'aes256-gcm';
  readonly transport?: 'rsa-oaep-mgf1p' | 'rsa-oaep' | 'rsa-1_5';
  readonly hash?: 'sha1' | 'sha256';
};

/** An EncryptedAssertion (XML Encryption 1.1), its key within as most have it. */
export function encryptAssertion(
  text: string,
  certificate: string,
  { cipher = 'aes256-gcm', transport = 'rsa-oaep-mgf1p', hash = 'sha1' }: Encryption = {},
): string {
  const isGcm = cipher.endsWith('gcm');
  const key = randomBytes(cipher.startsWith('aes128') ? 16 : 32);
  const iv = randomBytes(isGcm ? 12 : 16);
  const name = cipher.replace('aes', 'aes-');
  const sealer = createCipheriv(name, key, iv);
  const sealed = Buffer.concat([iv, sealer.update(text, 'utf8'), sealer.final()]);
  const value = isGcm ? Buffer.concat([sealed, (sealer as CipherGCM).getAuthTag()]) : sealed;
  const padding = transport === 'rsa-1_5' ? constants.RSA_PKCS1_PADDING : constants.RSA_PKCS1_OAEP_PADDING;
  const sentKey = publicEncrypt({ key: certificate, padding, oaepHash: hash }, key);
  const digest = { sha1: 'http://www.w3.org/2000/09/xmldsig#sha1', sha256: `${encryption}sha256` }[hash];
  const mask =
    transport === 'rsa-oaep' ? `<e11:MGF xmlns:e11="${encryption11}" Algorithm="${encryption11}mgf1${hash}"/>` : '';
  const method = `${transport === 'rsa-oaep' ? encryption11 : encryption}${transport}`;
  return `<saml:EncryptedAssertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"><xenc:EncryptedData xmlns:xenc="${encryption}" Type="${encryption}Element"><xenc:EncryptionMethod Algorithm="${isGcm ? encryption11 : encryption}${cipher}"/><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><xenc:EncryptedKey><xenc:EncryptionMethod Algorithm="${method}"><ds:DigestMethod Algorithm="${digest}"/>${mask}</xenc:EncryptionMethod><xenc:CipherData><xenc:CipherValue>${sentKey.toString('base64')}</xenc:CipherValue></xenc:CipherData></xenc:EncryptedKey></ds:KeyInfo><xenc:CipherData><xenc:CipherValue>${value.toString('base64')}</xenc:CipherValue></xenc:CipherData></xenc:EncryptedData></saml:EncryptedAssertion>`;
}
