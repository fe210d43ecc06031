/** Keys with certificates signed by themselves, which Node can read and not make; test support. */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

export type KeyPair = { readonly key: string; readonly certificate: string };

/** PEM of a private key (PKCS 8) and of its certificate (X.509 version 3, as DER in X.690). */
export function makeKeyPair({
  name = 'test',
  type = 'rsa',
  bits = 2048,
  from = new Date(Date.now() - 86_400_000),
  to = new Date(Date.now() + 365 * 86_400_000),
}: {
  name?: string;
  type?: 'rsa' | 'ec';
  bits?: number;
  from?: Date;
  to?: Date;
} = {}): KeyPair {
  const { publicKey, privateKey }: { publicKey: KeyObject; privateKey: KeyObject } =
    type === 'rsa'
      ? generateKeyPairSync('rsa', { modulusLength: bits })
      : generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  // sha256WithRSAEncryption and ecdsa-with-SHA256.
  const algorithm =
    type === 'rsa'
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
