import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openMd5 } from '../src/files/md5.ts';

test('the MD5 of bytes is that of node:crypto, however they are cut into chunks', () => {
  const chunks = fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 8 });
  fc.assert(
    fc.property(chunks, (parts) => {
      const md5 = openMd5();
      for (const part of parts) md5.update(part);
      expect(md5.digest()).toBe(createHash('md5').update(Buffer.concat(parts)).digest('base64'));
    }),
  );
});

test('lengths around the end of a block', () => {
  for (const length of [0, 1, 55, 56, 57, 63, 64, 65, 119, 120, 128]) {
    const bytes = new Uint8Array(length).fill(7);
    const md5 = openMd5();
    md5.update(bytes);
    expect(md5.digest(), String(length)).toBe(createHash('md5').update(bytes).digest('base64'));
  }
});
