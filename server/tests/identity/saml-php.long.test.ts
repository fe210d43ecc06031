/** Signing in at a second implementation of SAML, in PHP, where its packages can be had. */
import { afterAll, expect, test } from 'vitest';
import { openDns } from '../dns.ts';
import { openBrowser } from './browser.ts';
import { expectStatus, postToUs, proveDomain, signUpWithDomain, ssoPath, startWithProviders } from './organizations.ts';
import { openSimpleSamlPhp, phpPerson } from './peers/simplesamlphp.ts';

const php = await openSimpleSamlPhp();
afterAll(() => php?.close());

test.skipIf(php === undefined).each(['in clear', 'encrypted'])(
  'T50, T53 SimpleSAMLphp signs somebody in, %s',
  async (how) => {
    const dns = await openDns();
    const service = await startWithProviders(dns);
    try {
      const corp = await signUpWithDomain(service, dns, 'Corp');
      await proveDomain(dns, corp.browser, phpPerson.email.split('@')[1]);
      const metadata = await (await fetch(php!.metadataUrl)).text();
      const { body } = expectStatus(await corp.browser.post(`${ssoPath}/saml`, { name: 'PHP', metadata }), 201);
      expectStatus(await corp.browser.post(`${ssoPath}/${body.id}/activation`), 200);
      const { entity_id: entityId, acs_url: acsUrl, metadata_url: metadataUrl } = body.saml;
      const [, encoded] = /<ds:X509Certificate>([^<]+)</.exec(await (await fetch(metadataUrl)).text())!;
      const certificate = `-----BEGIN CERTIFICATE-----\n${encoded}\n-----END CERTIFICATE-----\n`;
      php!.trust({ entityId, acsUrl, ...(how === 'encrypted' ? { certificate } : {}) });
      const browser = openBrowser(service.url);
      const left = expectStatus(await browser.visit(body.sign_in_url), 303);
      const answer = await php!.signIn(left.headers.get('location')!);
      expect(Buffer.from(answer.SAMLResponse, 'base64').includes('EncryptedAssertion')).toBe(how === 'encrypted');
      const posted = expectStatus(await postToUs(service, answer), 303);
      expectStatus(await browser.visit(posted.headers.get('location')!), 303);
      expect((await browser.get('/v1/api/user')).body).toMatchObject({ email: phpPerson.email });
      expect((await postToUs(service, answer)).body.code).toBe('token_invalid');
    } finally {
      await Promise.all([service.close(), dns.close()]);
    }
  },
);
