import { expect, test } from 'vitest';
import { addressesIn } from './addresses.ts';

test('addresses are read off lines, lists and mail programs, each once', () => {
  const text = 'ana@lender.example, Bob Souza <bob@lender.example>;\n\n  ana@lender.example\n';
  expect(addressesIn(text)).toEqual(['ana@lender.example', 'bob@lender.example']);
});

test('none of many is left out', () => {
  const many = Array.from({ length: 120 }, (_, at) => `person-${at}@lender.example`);
  expect(addressesIn(many.join('\n'))).toEqual(many);
});
