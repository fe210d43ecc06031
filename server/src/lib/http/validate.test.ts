import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { Failure } from '../failure.ts';
import { validatorOf } from './validate.ts';

const body = validatorOf(
  Type.Object({
    files: Type.Array(
      Type.Union([Type.String(), Type.Object({ path: Type.String() }, { additionalProperties: false })]),
    ),
  }),
  'body',
);

function problemsOf(value: unknown) {
  const checked = body(value);
  return 'error' in checked && checked.error instanceof Failure ? checked.error.problems : [];
}

test('of alternatives the one that the value comes near to is told, not the others', () => {
  expect(problemsOf({ files: [{ file_id: 'file_1' }] })).toEqual([
    { at: '/files/0/path', message: 'is required' },
    { at: '/files/0/file_id', message: 'is not a field here' },
  ]);
  expect(problemsOf({ files: [7] })).toEqual([{ at: '/files/0', message: 'must be string or object' }]);
  expect(problemsOf({ files: ['file_1', { path: 'a.csv' }] })).toEqual([]);
});
