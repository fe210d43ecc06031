import { expect, test } from 'vitest';
import { makeKeyPair } from '../../../tests/identity/peers/key-pair.ts';
import { changed } from '../../../tests/identity/peers/saml-response.ts';
import { readIdpMetadata, spMetadata } from './metadata.ts';

const [first, second, weak] = [makeKeyPair(), makeKeyPair(), makeKeyPair({ bits: 1024 })];

function keyOf({ certificate }: { certificate: string }, use = ' use="signing"'): string {
  const encoded = certificate.replace(/-----[A-Z ]+-----/g, '');
  return `<md:KeyDescriptor${use}><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>${encoded}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`;
}

const binding = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP';
const metadata = `<?xml version="1.0" encoding="UTF-8"?>
<!-- made by hand -->
<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://idp.example/a?b&amp;c">
  <md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:1.1:protocol urn:oasis:names:tc:SAML:2.0:protocol">
    ${keyOf(first)}${keyOf(second, '')}${keyOf(first)}${keyOf(makeKeyPair(), ' use="encryption"')}
    <md:SingleSignOnService Binding="${binding}-POST" Location="https://idp.example/post"/>
    <md:SingleSignOnService Binding="${binding}-Redirect" Location="https://idp.example/sso?a&amp;b"/>
  </md:IDPSSODescriptor>
</md:EntityDescriptor>`;

test('of metadata entity, address and keys for signing are taken, each once', () => {
  const expected = {
    entityId: 'https://idp.example/a?b&c',
    ssoUrl: 'https://idp.example/sso?a&b',
    certificates: [first.certificate, second.certificate],
  };
  expect(readIdpMetadata(metadata)).toEqual(expected);
  expect(readIdpMetadata(`\ufeff${metadata}`)).toEqual(expected);
});

test.each<[string, string, RegExp]>([
  ['a document type', changed(metadata, '<!-- made by hand -->', '<!DOCTYPE a [<!ENTITY b "c">]>'), /document type/],
  ['a comment that hides the end of a text', changed(metadata, '</ds:X509', '<!-- --></ds:X509'), /certificate/],
  ['no XML', 'https://idp.example/metadata', /well-formed/],
  [
    'another root',
    changed(metadata, /EntityDescriptor/g as unknown as RegExp, 'EntitiesDescriptor'),
    /EntityDescriptor/,
  ],
  ['no entity ID', changed(metadata, 'entityID=', 'id='), /entityID/],
  [
    'a very long entity ID',
    changed(metadata, 'entityID="', `entityID="urn:${'x'.repeat(1_024)}`),
    /entityID of at most/,
  ],
  ['a service provider', changed(metadata, /IDPSSO/g as unknown as RegExp, 'SPSSO'), /IDPSSODescriptor/],
  ['SAML 1.1 alone', changed(metadata, ' urn:oasis:names:tc:SAML:2.0:protocol"', '"'), /IDPSSODescriptor/],
  ['no address for redirects', changed(metadata, '-Redirect', '-Artifact'), /HTTP-Redirect/],
  ['a very long address', changed(metadata, 'sso?a', `sso?${'a'.repeat(2_000)}`), /HTTP-Redirect/],
  [
    'an address that is a script',
    changed(metadata, 'https://idp.example/sso?a&amp;b', 'javascript:alert(1)'),
    /HTTP-Redirect/,
  ],
  ['no keys', metadata.replaceAll('md:KeyDescriptor', 'md:Other'), /1 to 5 certificates/],
  ['a weak key', changed(metadata, keyOf(second, ''), keyOf(weak)), /RSA of 2048/],
  ['2 MB', changed(metadata, 'made by hand', 'x'.repeat(2_000_000)), /longer than/],
])('metadata are refused: %s', (_, xml, reason) => {
  expect(() => readIdpMetadata(xml)).toThrow(reason);
});

test('what we are told as shows where to send what, and by which key to encrypt', () => {
  const sp = { entityId: 'https://lastro.example/saml', acsUrl: 'https://lastro.example/saml/acs?a&b' };
  const plain = spMetadata(sp);
  expect(plain).toContain('entityID="https://lastro.example/saml"');
  expect(plain).toContain('Location="https://lastro.example/saml/acs?a&amp;b"');
  expect(plain).toContain('WantAssertionsSigned="true"');
  expect(plain).not.toContain('KeyDescriptor');
  const encoded = first.certificate.replace(/-----[A-Z ]+-----|\s/g, '');
  expect(spMetadata({ ...sp, decryption: first })).toContain(`<ds:X509Certificate>${encoded}</ds:X509Certificate>`);
});
