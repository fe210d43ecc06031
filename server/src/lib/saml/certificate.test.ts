import { X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import { makeKeyPair } from '../../../tests/identity/peers/key-pair.ts';
import { describeCertificate } from './certificate.ts';

const from = new Date('2026-01-02T03:04:05Z');
const to = new Date('2036-01-02T03:04:05Z');
const { certificate, key } = makeKeyPair({ name: 'Corp, "IdP"', from, to });

test('a certificate is read from PEM and from base64, and is one and the same', () => {
  const { fingerprint256 } = new X509Certificate(certificate);
  const bare = certificate.replace(/-----[A-Z ]+-----/g, '');
  for (const text of [certificate, bare, bare.replace(/\s/g, ''), `\n ${certificate.replaceAll('\n', '\r\n')} `])
    expect(describeCertificate(text)).toEqual({
      pem: certificate,
      fingerprintSha256: fingerprint256.replaceAll(':', '').toLowerCase(),
      notBefore: from,
      notAfter: to,
      subject: expect.stringMatching(/^CN=.*IdP/),
    });
});

test('keys on curves are taken', () => {
  expect(describeCertificate(makeKeyPair({ type: 'ec' }).certificate)).toHaveProperty('subject', 'CN=test');
});

test('a weak key is refused', () => {
  expect(() => describeCertificate(makeKeyPair({ bits: 1024 }).certificate)).toThrow(/RSA of 2048/);
});

test('what is not exactly one certificate is refused', () => {
  const bare = certificate.replace(/-----[A-Z ]+-----|\s/g, '');
  for (const text of [
    '',
    'certificate',
    key,
    certificate + certificate,
    certificate.slice(0, 200),
    Buffer.concat([Buffer.from(bare, 'base64'), Buffer.from('more')]).toString('base64'),
    `${bare}*`,
    'A'.repeat(100_000),
  ])
    expect(() => describeCertificate(text), text.slice(0, 40)).toThrow(/no X\.509 certificate/);
});
