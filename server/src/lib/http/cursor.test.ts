import { expect, test } from 'vitest';
import { makeCursor, readCursor } from './cursor.ts';

const secret = Buffer.from('of this installation');
const id = 'mdl_0198c0de0123456789abcdef01234567';
const list = '["ws_1","models"]';
const cursor = makeCursor(secret, list, id);
const refusal = expect.objectContaining({ code: 'malformed', reason: 'invalid_cursor' });

test('a cursor leads to where it was made, in its own list', () => {
  expect(readCursor(secret, list, cursor)).toBe(id);
  for (const other of ['["ws_2","models"]', '["ws_1","versions"]', '["ws_1"]', ''])
    expect(() => readCursor(secret, other, cursor)).toThrow(refusal);
  expect(() => readCursor(Buffer.from('of another one'), list, cursor)).toThrow(refusal);
});

test('with any bit of it changed, cut off anywhere or continued, it is refused', () => {
  const bytes = Buffer.from(cursor, 'base64url');
  for (let bit = 0; bit < 8 * bytes.length; bit++) {
    const altered = Buffer.from(bytes);
    altered[bit >> 3] ^= 1 << (bit & 7);
    expect(() => readCursor(secret, list, altered.toString('base64url')), `bit ${bit}`).toThrow(refusal);
  }
  for (let length = 0; length < bytes.length; length++)
    expect(() => readCursor(secret, list, bytes.subarray(0, length).toString('base64url'))).toThrow(refusal);
  expect(() => readCursor(secret, list, `${cursor}AA`)).toThrow(refusal);
});
