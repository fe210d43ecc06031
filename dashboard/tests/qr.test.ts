import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { qrModules } from '../src/account/qr.ts';

const written = (text: string): string =>
  qrModules(text)
    .map((row) => `${row.map((isDark) => (isDark ? '1' : '0')).join('')}\n`)
    .join('');

// What the npm package qrcode 1.5.4 makes of the same bytes with error correction M and mask 0.
test.each([
  ['a', 21, '28728c1c9f745f9ed68b99f324c97579a1a343ef7a3e6e5faf444b724770b46b'],
  [
    'otpauth://totp/Lastro:ana%40company.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Lastro',
    41,
    'ad2fbe474ff4580baa63630488b795b7e28c82a9791726cddb259c961c80aaf0',
  ],
  ['ção'.repeat(60), 69, 'c46bb11c947f1df7c86e826ebe5aca973230db35eb6338d2e268e2de4ceea0b9'],
])('a QR code is that of another implementation: %s', (text, size, hash) => {
  expect(qrModules(text)).toHaveLength(size);
  expect(createHash('sha256').update(written(text)).digest('hex')).toBe(hash);
});

test('a text that no version holds is refused', () => {
  expect(() => qrModules('x'.repeat(700))).toThrow(RangeError);
});
