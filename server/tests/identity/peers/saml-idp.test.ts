/** Responses of an implementation of others, over HTTP, as a browser brings them. */
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { readIdpMetadata } from '../../../src/lib/saml/metadata.ts';
import { requestSaml } from '../../../src/lib/saml/request.ts';
import { readSamlResponse } from '../../../src/lib/saml/response.ts';
import { makeKeyPair } from './key-pair.ts';
import { openSamlIdp, type SamlFaults } from './saml-idp.ts';
import { openWalker } from './web-walk.ts';
import { wrappings } from './wrapping.ts';

const peer = await openSamlIdp();
afterAll(() => peer.close());
beforeEach(() => {
  peer.faults = {};
  peer.authenticatedAt = undefined;
});

const sp = {
  entityId: 'http://127.0.0.1:9/saml',
  acsUrl: 'http://127.0.0.1:9/saml/acs?a&b',
  decryption: makeKeyPair({ name: 'lastro' }),
};

async function readMetadata() {
  return readIdpMetadata(await (await fetch(peer.metadataUrl)).text());
}

async function signIn({ forceAuthn = false, walker = openWalker(), at = new Date() } = {}) {
  const idp = await readMetadata();
  const { url, requestId } = requestSaml(sp, idp, { relayState: 'r-1', forceAuthn });
  const { acsUrl, SAMLResponse: response, RelayState } = await peer.signIn(url, walker);
  expect({ acsUrl, RelayState }).toEqual({ acsUrl: sp.acsUrl, RelayState: 'r-1' });
  return readSamlResponse(sp, idp, { response, requestId, now: at });
}

test.each<SamlFaults>([
  {},
  { signs: 'both' },
  { encryptTo: sp.decryption.certificate },
  { encryptTo: sp.decryption.certificate, signs: 'both' },
])('T50: somebody signs in: %j', async (faults) => {
  peer.faults = faults;
  expect(await signIn()).toMatchObject({
    subject: '["urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress","","","ana@corp.example"]',
    email: 'ana@corp.example',
    name: 'Ana Corp',
    attributes: new Map([
      ['mail', ['ana@corp.example']],
      ['displayName', ['Ana Corp']],
      ['groups', ['staff', 'risk']],
    ]),
  });
});

test('a browser keeps its session at the provider until it is asked to prove anew who it is', async () => {
  const walker = openWalker();
  const before = peer.logins;
  await signIn({ walker });
  await signIn({ walker });
  expect(peer.logins).toBe(before + 1);
  await signIn({ walker, forceAuthn: true });
  expect(peer.logins).toBe(before + 2);
  peer.authenticatedAt = new Date('2026-01-02T03:04:05.000Z');
  expect(await signIn({ walker, forceAuthn: true })).toHaveProperty('authenticatedAt', peer.authenticatedAt);
});

const evil = (xml: string) => xml.replaceAll('ana@corp.example', 'evil@corp.example');

describe('each fault is refused', () => {
  test.each<[string, SamlFaults, RegExp]>([
    ['T51: the address is changed', { alterResponse: evil }, /does not hold/],
    ['T52: nothing is signed', { signs: 'nothing' }, /not exactly one signature/],
    ['T52: only the response is signed', { signs: 'response' }, /not exactly one signature/],
    ['T52: a foreign key', { foreignKey: makeKeyPair() }, /does not hold/],
    ['T54: audience', { audience: 'https://evil.example' }, /audience/],
    ['T54: recipient', { recipient: 'https://evil.example' }, /recipient/],
    ['T54: destination', { destination: 'https://evil.example' }, /destination/],
    ['T54: issuer', { issuer: 'https://evil.example' }, /issuer/],
    ['T55: no InResponseTo', { inResponseTo: null }, /this request/],
    ['T55: another InResponseTo', { inResponseTo: '_other' }, /this request/],
    ['T58: a status', { status: 'urn:oasis:names:tc:SAML:2.0:status:Responder' }, /status/],
    ['T59: SHA-1', { isSha1: true }, /algorithm/],
  ])('%s', async (_, faults, check) => {
    peer.faults = faults;
    await expect(signIn()).rejects.toThrow(check);
  });

  test('T56: it is good for a while, and 30 s more', async () => {
    peer.faults = { lifetimeS: 60 };
    const at = (seconds: number) => new Date(Date.now() + seconds * 1_000);
    await signIn({ at: at(80) });
    await expect(signIn({ at: at(95) })).rejects.toThrow(/expired/);
    await expect(signIn({ at: at(-35) })).rejects.toThrow(/future|not valid yet/);
  });

  test.each(Object.entries(wrappings))('T51: %s', async (_, { of, wrap }) => {
    peer.faults = {
      signs: of === 'response' ? 'both' : 'assertion',
      alterResponse: (xml) => {
        const forged = wrap(xml, evil);
        expect(forged).toContain('evil@corp.example');
        return forged;
      },
    };
    await expect(signIn()).rejects.toThrow(/refused/);
  });
});

test('T61: while keys are changed metadata show both, and afterwards the old one is refused', async () => {
  const before = await readMetadata();
  peer.rotate();
  const during = await readMetadata();
  expect(during.certificates).toHaveLength(2);
  const { url, requestId } = requestSaml(sp, during, { relayState: '', forceAuthn: false });
  const { SAMLResponse: response } = await peer.signIn(url);
  expect(readSamlResponse(sp, during, { response, requestId })).toHaveProperty('email', 'ana@corp.example');
  expect(() => readSamlResponse(sp, before, { response, requestId })).toThrow(/does not hold/);
});
