// Certificates that are signed by their own keys, which Node can read and not make (X.509 version 3, as DER in X.690).
import { generateKeyPair, type KeyObject, sign } from 'node:crypto';
import { promisify } from 'node:util';

/** PEM of a private key (PKCS 8) and of its certificate. */
export type KeyPair = { readonly key: string; readonly certificate: string };

const rsaBits = 2_048;

/** Makes a key of RSA and a certificate for it, which says `name` and is good for `days` from now. */
export async function makeSelfSigned(name: string, days: number): Promise<KeyPair> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: rsaBits });
  const from = new Date();
  const to = new Date(from.getTime() + days * 86_400_000);
  return certify({ publicKey, privateKey }, { name, from, to });
}

/** Makes the certificate of a key of RSA or of a curve of NIST. */
export function certify(
  { publicKey, privateKey }: { readonly publicKey: KeyObject; readonly privateKey: KeyObject },
  { name, from, to }: { readonly name: string; readonly from: Date; readonly to: Date },
): KeyPair {
  const isRsa = privateKey.asymmetricKeyType === 'rsa';
  // sha256WithRSAEncryption and ecdsa-with-SHA256.
  const algorithm = isRsa
    ? sequence(der(0x06, Buffer.from('2a864886f70d01010b', 'hex')), der(0x05))
    : sequence(der(0x06, Buffer.from('2a8648ce3d040302', 'hex')));
  const commonName = sequence(der(0x06, Buffer.from('550403', 'hex')), der(0x0c, Buffer.from(name)));
  const subject = sequence(der(0x31, commonName));
  const toBeSigned = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    algorithm,
    subject,
    sequence(timeOf(from), timeOf(to)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', toBeSigned, privateKey));
  const encoded = sequence(toBeSigned, algorithm, signature).toString('base64').replace(/.{64}/g, '$&\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    certificate: `-----BEGIN CERTIFICATE-----\n${encoded.trimEnd()}\n-----END CERTIFICATE-----\n`,
  };
}

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, ...parts);
}

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length: size } = content;
  const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

/** GeneralizedTime, in UTC. */
function timeOf(date: Date): Buffer {
  return der(0x18, Buffer.from(`${date.toISOString().replace(/[-:T]|\.\d+Z/g, '')}Z`));
}
