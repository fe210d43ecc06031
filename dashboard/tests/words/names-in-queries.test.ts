import { expect, test } from 'vitest';
import { keywords } from '../../../server/src/ml/tasks/tokens.ts';
import { nameInQuery } from '../../src/tasks/name-in-query.ts';

test('names that are reserved words of the service stand in double quotes', () => {
  for (const word of keywords) expect(nameInQuery(word)).toBe(`"${word}"`);
  expect(nameInQuery('instalments')).toBe('instalments');
});
