import { inflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { requestSaml } from './request.ts';

const sp = { entityId: 'https://lastro.example/"saml"', acsUrl: 'https://lastro.example/acs?a&b' };
const idp = { entityId: 'https://idp.example', ssoUrl: 'https://idp.example/sso?tenant=1', certificates: [] };
const now = new Date('2026-03-04T05:06:07Z');

test('a request is an address of the provider, with what is asked deflated in it', () => {
  const { requestId, url } = requestSaml(sp, idp, { relayState: 'r s+t', forceAuthn: false, now });
  const { origin, pathname, searchParams } = new URL(url);
  expect(origin + pathname).toBe('https://idp.example/sso');
  expect(searchParams.get('tenant')).toBe('1');
  expect(searchParams.get('RelayState')).toBe('r s+t');
  const xml = inflateRawSync(Buffer.from(searchParams.get('SAMLRequest')!, 'base64')).toString();
  expect(requestId).toMatch(/^_[0-9a-f]{40}$/);
  expect(xml).toContain(` ID="${requestId}" Version="2.0" IssueInstant="2026-03-04T05:06:07.000Z"`);
  expect(xml).toContain('AssertionConsumerServiceURL="https://lastro.example/acs?a&amp;b"');
  expect(xml).toContain('<saml:Issuer>https://lastro.example/&quot;saml&quot;</saml:Issuer>');
  expect(xml).not.toContain('ForceAuthn');
  expect(xml).not.toContain('RequestedAuthnContext');
});

test('no request has the ID of another, and each may ask to prove anew who somebody is', () => {
  const requests = Array.from({ length: 100 }, () => requestSaml(sp, idp, { relayState: '', forceAuthn: true }));
  expect(new Set(requests.map(({ requestId }) => requestId)).size).toBe(100);
  const encoded = new URL(requests[0].url).searchParams.get('SAMLRequest')!;
  expect(inflateRawSync(Buffer.from(encoded, 'base64')).toString()).toContain(' ForceAuthn="true"');
});
