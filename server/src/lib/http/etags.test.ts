import { expect, test } from 'vitest';
import { namesEtag } from './etags.ts';

test.each<[string, boolean, boolean]>([
  ['"a"', true, true],
  ['*', true, true],
  [' * ', true, true],
  ['"b", "a"', true, true],
  ['"b","a","c"', true, true],
  ['W/"a"', false, true],
  ['"b", W/"a"', false, true],
  ['"b"', false, false],
  ['a', false, false],
  ['"A"', false, false],
  ['"*"', false, false],
  ['', false, false],
])('%j names "a": strongly %s, weakly %s', (list, strongly, weakly) => {
  expect(namesEtag(list, '"a"', 'strong')).toBe(strongly);
  expect(namesEtag(list, '"a"', 'weak')).toBe(weakly);
});
