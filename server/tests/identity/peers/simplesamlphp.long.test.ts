import { afterAll, expect, test } from 'vitest';
import { readIdpMetadata } from '../../../src/lib/saml/metadata.ts';
import { requestSaml } from '../../../src/lib/saml/request.ts';
import { readSamlResponse } from '../../../src/lib/saml/response.ts';
import { makeKeyPair } from './key-pair.ts';
import { openSimpleSamlPhp, phpPerson } from './simplesamlphp.ts';
import { openWalker } from './web-walk.ts';

const php = await openSimpleSamlPhp();
afterAll(() => php?.close());

const sp = {
  entityId: 'http://127.0.0.1:9/saml',
  acsUrl: 'http://127.0.0.1:9/saml/acs',
  decryption: makeKeyPair({ name: 'lastro' }),
};

test.skipIf(php === undefined).each([
  ['in clear', undefined],
  ['encrypted', sp.decryption.certificate],
])('T50: SimpleSAMLphp signs somebody in, %s', async (_, certificate) => {
  php!.trust({ ...sp, ...(certificate === undefined ? {} : { certificate }) });
  const idp = readIdpMetadata(await (await fetch(php!.metadataUrl)).text());
  const walker = openWalker();
  const before = php!.logins;
  for (const forceAuthn of [false, false, true]) {
    const { url, requestId } = requestSaml(sp, idp, { relayState: 'r-1', forceAuthn });
    const { acsUrl, SAMLResponse, RelayState } = await php!.signIn(url, walker);
    expect({ acsUrl, RelayState }).toEqual({ acsUrl: sp.acsUrl, RelayState: 'r-1' });
    expect(Buffer.from(SAMLResponse, 'base64').includes('EncryptedAssertion')).toBe(certificate !== undefined);
    const identity = readSamlResponse(sp, idp, { response: SAMLResponse, requestId });
    expect(identity).toMatchObject({
      subject: JSON.stringify(['urn:oasis:names:tc:SAML:2.0:nameid-format:persistent', '', '', phpPerson.name]),
      email: phpPerson.email,
      name: phpPerson.displayName,
    });
    expect(Math.abs(identity.authenticatedAt.getTime() - Date.now())).toBeLessThan(60_000);
    expect(() => readSamlResponse(sp, idp, { response: SAMLResponse, requestId: '_other' })).toThrow(/this request/);
  }
  // The second time they came of the session that the first began.
  expect(php!.logins).toBe(before + 2);
});
