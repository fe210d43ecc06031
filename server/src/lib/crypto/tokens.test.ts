import { expect, test } from 'vitest';
import { checkToken, hashToken, hint, makeToken } from './tokens.ts';

test('a token has its prefix, 43 digits and a checksum of 6', () => {
  const token = makeToken('lst');
  expect(token).toMatch(/^lst_[0-9A-Za-z]{49}$/);
  expect(checkToken(token)).toBe('lst');
  expect(makeToken('lst')).not.toBe(token);
});

test('the checksum is the CRC-32 of the secret digits in base 62', () => {
  // zlib.crc32 of Python gives 0x7849568f, and base 62 by hand 2CZclj.
  expect(checkToken(`lst_${'0'.repeat(43)}2CZclj`)).toBe('lst');
  expect(checkToken(`lst_${'0'.repeat(43)}2CZclk`)).toBe(null);
});

test('changing any digit is noticed', () => {
  const token = makeToken('lst');
  for (let at = 4; at < token.length; at++) {
    const other = token[at] === 'a' ? 'b' : 'a';
    expect(checkToken(token.slice(0, at) + other + token.slice(at + 1))).toBe(null);
  }
});

test('what is shorter, longer or surrounded is no token', () => {
  const token = makeToken('lst');
  const wrong = [
    '',
    'lst',
    'lst_',
    token.slice(4),
    token.slice(0, -1),
    `${token}0`,
    `${token}\n`,
    ` ${token}`,
    `L${token}`,
  ];
  for (const text of wrong) expect(checkToken(text)).toBe(null);
});

test('a token is kept as its SHA-256 and shown by its ends', () => {
  // FIPS 180-2, appendix B.1.
  expect(hashToken('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  const token = makeToken('lst');
  expect(hint(token)).toBe(`${token.slice(0, 8)}…${token.slice(-4)}`);
});
