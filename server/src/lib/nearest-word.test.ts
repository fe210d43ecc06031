import fc from 'fast-check';
import { expect, test } from 'vitest';
import { didYouMean, nearestWord } from './nearest-word.ts';

const fields = ['entity', 'key', 'time', 'label', 'kind', 'strict', 'hide', 'window', 'outcome'];

test('a misspelt word is known again: a letter swapped, missing, too many, wrong, or of the other case', () => {
  expect(nearestWord('stirct', fields)).toBe('strict');
  expect(nearestWord('windw', fields)).toBe('window');
  expect(nearestWord('labell', fields)).toBe('label');
  expect(nearestWord('entitx', fields)).toBe('entity');
  expect(nearestWord('Hide', fields)).toBe('hide');
});

test('what is near to no word gets no proposal', () => {
  expect(nearestWord('population', fields)).toBeNull();
  expect(nearestWord('x', ['y'])).toBeNull();
  expect(nearestWord('', fields)).toBeNull();
  expect(nearestWord('a'.repeat(100_000), fields)).toBeNull();
  expect(didYouMean('x', fields)).toBe('');
});

test('one change of a word of at least two letters is always near to it', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), minLength: 2, maxLength: 20 });
  fc.assert(
    fc.property(word, fc.nat(), (known, at) => {
      const place = at % known.length;
      expect(nearestWord(`${known.slice(0, place)}${known.slice(place + 1)}`, [known]), 'missing').toBe(
        known.length > 1 ? known : null,
      );
      expect(nearestWord(`${known.slice(0, place)}z${known.slice(place)}`, [known]), 'too many').toBe(known);
      expect(nearestWord(`${known.slice(0, place)}z${known.slice(place + 1)}`, [known]), 'wrong').toBe(known);
    }),
  );
});
