import { expect, test } from 'vitest';
import { readBody } from './body.ts';

test('a required input that the body lacks is missing, though every object has something of that name', () => {
  const inputs = [{ name: 'constructor', type: 'string' as const, required: true }] as unknown as Parameters<
    typeof readBody
  >[1];
  expect(() => readBody({}, inputs)).toThrow('constructor: required by this version');
  expect(readBody({ constructor: 'Lotus' }, inputs).rows.columns.get('constructor')).toMatchObject({
    dictionary: ['Lotus'],
  });
});
