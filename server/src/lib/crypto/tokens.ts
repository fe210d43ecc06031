// Bearer tokens: a prefix by which people and secret scanners recognize them, 256 random bits, and a checksum, so that
// a mistyped or invented token is refused without asking the database.
import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { assert } from '../failure.ts';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 62^43 is just above 2^256. */
const secretDigits = 43;
/** 62^6 is above 2^32. */
const checksumDigits = 6;

/** A new secret token: `<prefix>_`, 43 base-62 digits of 256 random bits, 6 of their CRC-32. */
export function makeToken(prefix: string): string {
  assert(/^[a-z]+$/.test(prefix), `${prefix} is no prefix of a token`);
  const secret = toBase62(BigInt(`0x${randomBytes(32).toString('hex')}`), secretDigits);
  return `${prefix}_${secret}${checksum(secret)}`;
}

/**
 * The prefix of a well-formed token whose checksum holds, else null. Does not tell whether such a token was ever
 * issued.
 */
export function checkToken(text: string): string | null {
  const parts = /^([a-z]+)_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/.exec(text);
  if (parts === null) return null;
  const [, prefix, secret, sum] = parts;
  return checksum(secret) === sum ? prefix : null;
}

/** The part of a token that is stored: its SHA-256 in hex. A fast hash is enough, since the secret has 256 bits. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** The part of a token that may be shown: its first 8 and last 4 characters. */
export function hint(token: string): string {
  return `${token.slice(0, 8)}…${token.slice(-4)}`;
}

function checksum(secret: string): string {
  return toBase62(BigInt(crc32(secret)), checksumDigits);
}

function toBase62(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; rest > 0n; rest /= 62n) text = digits[Number(rest % 62n)] + text;
  return text.padStart(length, '0');
}
