import { createHash, randomBytes } from 'node:crypto';
import { seal, unseal } from '../../lib/crypto/sealed.ts';
import type { App } from '../app.ts';

const codes = 10;
/** 80 bits: too many to guess, so that a fast hash is enough. */
const codeBytes = 10;
const letters = 'abcdefghijkmnpqrstuvwxyz23456789';

/** New recovery codes, such as `k3nm-p7qa-…`, in groups of four. */
export function makeCodes(): string[] {
  return Array.from({ length: codes }, () => {
    const bits = [...randomBytes(codeBytes)].map((byte) => byte.toString(2).padStart(8, '0')).join('');
    const code = bits.match(/.{5}/g)!.map((five) => letters[Number.parseInt(five, 2)]);
    return code.join('').match(/.{4}/g)!.join('-');
  });
}

/** The part of a recovery code that is kept. Spaces, dashes and capitals do not count. */
export function hashCode(code: string): string {
  const plain = code.toLowerCase().replace(/[^a-z0-9]/g, '');
  return createHash('sha256').update(plain).digest('hex');
}

export function sealSecret({ keys }: Pick<App, 'keys'>, userId: string, secret: string): string {
  return seal(keys.sealing, secret, `totp_credentials.secret.${userId}`);
}

export function openSecret({ keys }: Pick<App, 'keys'>, userId: string, sealed: string): string {
  return unseal(keys.sealing, sealed, `totp_credentials.secret.${userId}`);
}
