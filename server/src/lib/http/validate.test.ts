import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { Failure } from '../failure.ts';
import { allows, validatorOf } from './validate.ts';

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

test('an unknown field is told the one that is meant, first of all that is wrong', () => {
  const check = validatorOf(
    Type.Object(
      {
        task_id: Type.String(),
        alias: Type.Optional(Type.String()),
        labels: Type.Optional(Type.Object({ train: Type.String() }, { additionalProperties: false })),
      },
      { additionalProperties: false },
    ),
    'body',
  );
  const told = (value: unknown) => {
    const checked = check(value);
    return 'error' in checked ? checked.error.message : null;
  };
  expect(told({ task: 'churn' })).toBe('/task: is not a field here; did you mean task_id? (and 1 more, see errors)');
  expect(told({ task_id: 'churn', allias: 'production' })).toBe('/allias: is not a field here; did you mean alias?');
  expect(told({ task_id: 'churn', labels: { trian: 'a', train: 'b' } })).toBe(
    '/labels/trian: is not a field here; did you mean train?',
  );
  expect(told({ task_id: 'churn', weather: 'fine' })).toBe('/weather: is not a field here');
});

test('a text that its pattern does not fit is told what the pattern allows, in words where the schema has them', () => {
  const check = validatorOf(
    Type.Object({
      files: Type.Array(Type.Object({ sum: Type.String({ pattern: '^a+$', [allows]: 'letters a' }) })),
      plain: Type.String({ pattern: '^b$' }),
    }),
    'body',
  );
  const checked = check({ files: [{ sum: 'a' }, { sum: 'b' }], plain: 'a' });
  expect('error' in checked && checked.error).toMatchObject({
    problems: [
      { at: '/files/1/sum', message: 'must be letters a' },
      { at: '/plain', message: 'must match pattern "^b$"' },
    ],
  });
});
