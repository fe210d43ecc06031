import { expect, test } from 'vitest';
import { readJson } from './json-text.ts';

const fault = (line: number, column: number, expected: string, found: string) => ({
  ...{ fault: 'syntax', line, column, expected, found },
});

test('a text that is no JSON is told by where it stops being JSON', () => {
  expect(readJson('{\n  "a": 1,\n  "b": \n}')).toEqual(fault(4, 1, 'value', '}'));
  expect(readJson('{"a": 1,}')).toEqual(fault(1, 9, 'name', '}'));
  expect(readJson('{"a" 1}')).toEqual(fault(1, 6, 'colon', '1'));
  expect(readJson('{"a": [1, 2}')).toEqual(fault(1, 12, 'comma', '}'));
  expect(readJson("{'a': 1}")).toEqual(fault(1, 2, 'name', "'"));
  expect(readJson('{"a": 01}')).toEqual(fault(1, 8, 'comma', '1'));
  expect(readJson('{"a": 1} x')).toEqual(fault(1, 10, 'end', 'x'));
  expect(readJson('')).toEqual(fault(1, 1, 'value', ''));
  expect(readJson('{')).toEqual(fault(1, 2, 'name', ''));
  expect(readJson('{"a": "b}')).toEqual(fault(1, 7, 'text_end', '"'));
});

test('inputs are an object', () => {
  expect(readJson('{"a": [{"b": "\\u00e9\\n"}, true, null, -1.5e3]}')).toEqual({
    inputs: { a: [{ b: 'é\n' }, true, null, -1500] },
  });
  for (const text of ['[]', '1', 'null', '"a"']) expect(readJson(text)).toEqual({ fault: 'no_object' });
});
