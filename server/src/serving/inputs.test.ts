import { expect, test } from 'vitest';
import { readInputs } from './inputs.ts';

test('a required input that the body lacks is missing, though every object has something of that name', () => {
  const inputs = [{ name: 'constructor', type: 'string' as const, required: true }] as unknown as Parameters<
    typeof readInputs
  >[1];
  expect(() => readInputs({}, inputs)).toThrow('constructor: required by this version');
  expect(readInputs({ constructor: 'Lotus' }, inputs).columns.get('constructor')).toMatchObject({
    dictionary: ['Lotus'],
  });
});
