import { X509Certificate } from 'node:crypto';
import { Failure } from '../failure.ts';

export type SamlCertificate = {
  /** As it is given to `SamlIdentityProvider`. */
  readonly pem: string;
  /** 64 hexadecimal digits. */
  readonly fingerprintSha256: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** On one line, as `CN=…, O=…`. */
  readonly subject: string;
};

/** Characters of a certificate, PEM or base64. */
const lengthMax = 20_000;
/** Bits of an RSA key; larger ones only make work. */
const rsaBits = { min: 2_048, max: 8_192 };
const curves = ['prime256v1', 'secp384r1', 'secp521r1'];

const whole = /^-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----$/;

/**
 * What stands in a certificate, in PEM or in the base64 of its bytes as metadata has it. Throws Failure `invalid` when
 * it is not exactly one X.509 certificate, or its key is weak or of a kind that no signature is taken from.
 */
export function describeCertificate(text: string): SamlCertificate {
  const certificate = readCertificate(text);
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = certificate.publicKey;
  const bits = details?.modulusLength ?? 0;
  const isGood =
    type === 'rsa' ? bits >= rsaBits.min && bits <= rsaBits.max : curves.includes(details?.namedCurve ?? '');
  if (!isGood)
    throw new Failure(
      'invalid',
      `The key of the certificate must be RSA of ${rsaBits.min} to ${rsaBits.max} bits, or EC on P-256, P-384 or P-521.`,
    );
  return {
    pem: certificate.toString(),
    fingerprintSha256: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
    notBefore: certificate.validFromDate,
    notAfter: certificate.validToDate,
    subject: certificate.subject.split('\n').join(', '),
  };
}

function readCertificate(text: string): X509Certificate {
  const refused = () =>
    new Failure('invalid', 'It is no X.509 certificate: paste exactly one, in PEM or as the base64 of its bytes.');
  const trimmed = text.trim();
  if (trimmed.length > lengthMax) throw refused();
  const encoded = (whole.exec(trimmed)?.[1] ?? trimmed).replace(/\s/g, '');
  const bytes = Buffer.from(encoded, 'base64');
  if (encoded === '' || bytes.toString('base64') !== encoded) throw refused();
  try {
    const certificate = new X509Certificate(bytes);
    if (certificate.raw.equals(bytes)) return certificate;
  } catch {
    // Told below.
  }
  throw refused();
}
