import { expect, test } from 'vitest';
import { pickExample, withoutMarks } from './pick-example.ts';

const asked = (key: string, score: number, more: object = {}) => ({
  ...{ id: `prd_${key}`, inputs: { customer: key, correlation_id: `c-${key}-${score}` } },
  outputs: { score, data_coverage: 'full', ...more },
});

test('the first example has the answer in the middle, and another click goes on to the next', () => {
  const found = [asked('a', 0), asked('b', 640), asked('c', 990), asked('d', 700), asked('e', 300), asked('b', 640)];
  const seen: string[] = [];
  let inputs: Readonly<Record<string, unknown>> = {};
  for (const _ of found) {
    const { example, isOnlyOne } = pickExample(found, inputs);
    expect(isOnlyOne).toBe(false);
    inputs = withoutMarks(example!.inputs);
    expect(inputs).toEqual({ customer: example!.inputs.customer });
    seen.push(example!.inputs.customer);
  }
  expect(seen[0]).toBe('b');
  expect(seen.slice(0, 5).toSorted()).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(seen[5]).toBe('b');
});

test('nobody unknown is an example, nor a case that the question is not about', () => {
  const found = [
    asked('a', 600, { data_coverage: 'none' }),
    asked('b', 600, { warnings: [{ code: 'outside_population' }] }),
    asked('c', 20, { warnings: [{ code: 'stale_data' }] }),
  ];
  expect(pickExample(found, {})).toEqual({ example: found[2], isOnlyOne: true });
  expect(pickExample(found.slice(0, 2), {})).toEqual({ example: undefined, isOnlyOne: true });
});
