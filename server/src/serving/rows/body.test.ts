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

test.each(['correlation_id', 'reference_id'])('a long %s is refused, since it is kept and repeated', (name) => {
  expect(() => readBody({ [name]: 'x'.repeat(1_000) }, [])).not.toThrow();
  expect(() => readBody({ [name]: 'x'.repeat(1_001) }, [])).toThrow(/must have at most 1000 characters, and has 1001/);
});

test('of thousands of unknown inputs some are told', () => {
  const body = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`input${at}`, 1]));
  expect(() => readBody(body, [])).toThrow(/ and 4980 more; it takes /);
});
