import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { serializerOf } from './serializer.ts';

const schema = Type.Object({
  text: Type.Union([Type.String(), Type.Null()]),
  number: Type.Union([Type.Null(), Type.Number()]),
  list: Type.Union([Type.Array(Type.Union([Type.Integer(), Type.Null()])), Type.Null()]),
  object: Type.Union([Type.Object({ inner: Type.Union([Type.Boolean(), Type.Null()]) }), Type.Null()]),
  fixed: Type.Union([Type.Literal('one'), Type.Null()]),
  either: Type.Union([Type.Literal('left'), Type.Literal('right')]),
  any: Type.Union([Type.String(), Type.Number(), Type.Null()]),
});
const nulls = { text: null, number: null, list: null, object: null, fixed: null, either: 'left', any: null };
const write = serializerOf(schema);

test.each([
  nulls,
  { text: '', number: 0, list: [], object: { inner: null }, fixed: 'one', either: 'right', any: 1.5 },
  { text: 'a"b', number: -1.5, list: [1, null, 3], object: { inner: false }, fixed: 'one', either: 'left', any: 'x' },
])('what may be null is written as null or as what it is: %j', (answer) => {
  expect(JSON.parse(write(answer))).toEqual(answer);
});

test('what the schema does not have is left out, within what may be null too', () => {
  const more = { ...nulls, secret: 1, object: { inner: true, secret: 1 } };
  expect(JSON.parse(write(more))).toEqual({ ...nulls, object: { inner: true } });
});

test('a value that is none of several is refused', () => {
  expect(() => write({ ...nulls, either: 'up' })).toThrow('does not match schema');
});
