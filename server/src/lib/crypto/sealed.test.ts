import { expect, test } from 'vitest';
import { type KeyRing, seal, unseal } from './sealed.ts';

const old: KeyRing = { current: 'k1', keys: new Map([['k1', new Uint8Array(32).fill(1)]]) };
const both: KeyRing = { current: 'k2', keys: new Map([...old.keys, ['k2', new Uint8Array(32).fill(2)]]) };

test('what is sealed opens again, also after the key has changed', () => {
  const value = seal(old, 'çã0123', 'users.totp usr_1');
  expect(value).toMatch(/^v1\.k1\./);
  expect(unseal(old, value, 'users.totp usr_1')).toBe('çã0123');
  expect(unseal(both, value, 'users.totp usr_1')).toBe('çã0123');
  expect(seal(both, '', 'c')).toMatch(/^v1\.k2\./);
  expect(unseal(both, seal(both, '', 'c'), 'c')).toBe('');
});

test('the same text is sealed differently each time', () => {
  expect(seal(old, 'a', 'c')).not.toBe(seal(old, 'a', 'c'));
});

test('a value moved elsewhere, changed, or without its key does not open', () => {
  const value = seal(both, 'secret', 'row 1');
  expect(() => unseal(both, value, 'row 2')).toThrow();
  expect(() => unseal(old, value, 'row 1')).toThrow('k2');
  expect(() => unseal(both, value.replace('.k2.', '.k1.'), 'row 1')).toThrow();
  const body = value.slice('v1.k2.'.length);
  for (let at = 0; at < body.length - 1; at++) {
    const changed = body.slice(0, at) + (body[at] === 'A' ? 'B' : 'A') + body.slice(at + 1);
    expect(() => unseal(both, `v1.k2.${changed}`, 'row 1')).toThrow();
  }
  for (const broken of ['', 'v1.k2', 'v1.k2.', 'v2.k2.AAAA', `${value}.x`, value.slice(0, -10)])
    expect(() => unseal(both, broken, 'row 1')).toThrow();
});
