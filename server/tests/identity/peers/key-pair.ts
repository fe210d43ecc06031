/** Keys with certificates signed by themselves; test support. */
import { generateKeyPairSync } from 'node:crypto';
import { certify, type KeyPair } from '../../../src/lib/crypto/self-signed.ts';

export type { KeyPair } from '../../../src/lib/crypto/self-signed.ts';

/** PEM of a private key and of its certificate, of yesterday and for a year unless it is said otherwise. */
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
  const made =
    type === 'rsa'
      ? generateKeyPairSync('rsa', { modulusLength: bits })
      : generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  return certify(made, { name, from, to });
}
