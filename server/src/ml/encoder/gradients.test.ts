import { expect, test } from 'vitest';
import { workOut } from '../../../tests/support/samples/encoder.ts';
import { openSession } from '../../lib/onnx/session.ts';
import { seedRandom } from '../statistics/random.ts';
import { gradients } from './gradients.ts';
import { linear, normaliseRows, openParameters, rootMeanSquareNorm, silu } from './layers.ts';
import { contrast, maskedLogistic, maskedSquares } from './losses.ts';
import { modelOf } from './model.ts';
import {
  add,
  constant,
  expand,
  inOrder,
  input,
  join,
  logSoftmax,
  map,
  matmul,
  mean,
  multiply,
  pad,
  scale,
  slice,
  subtract,
  sum,
  total,
  type Value,
} from './value.ts';

const x = input('x', 3, 4);
const y = input('y', 3, 4);
const row = input('row', 1, 4);
const column = input('column', 3, 1);
const number = input('number', 1, 1);
const tall = input('tall', 4, 2);
const positive = add(map('exp', x), constant(Float32Array.of(0.5), 1, 1));
const share = constant(Float32Array.of(0.25), 1, 1);
const mask = constant(Float32Array.of(1, 0, 1, 1, 0, 1, 1, 1, 0, 0, 1, 1), 3, 4);
const flags = constant(Float32Array.of(1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1), 3, 4);
const excluded = constant(Float32Array.of(0, 0, -50, 0, 0, 0, -50, 0, 0), 3, 3);
const network = (() => {
  const parameters = openParameters(3);
  const hidden = silu(linear(parameters, 'first', x, 5));
  return linear(parameters, 'second', rootMeanSquareNorm(hidden, parameters.row('gain', 5, 1)), 2);
})();

test.each<[string, Value]>([
  ['a product', matmul(x, tall)],
  ['a product with the left side transposed', matmul(x, y, { a: true })],
  ['a product with the right side transposed', matmul(x, y, { b: true })],
  ['a product with both sides transposed', matmul(tall, x, { a: true, b: true })],
  ['a product with itself', matmul(x, x, { b: true })],
  ['a sum', add(x, y)],
  ['a sum with a row of biases', add(x, row)],
  ['a sum with a column', add(column, x)],
  ['a row and a column spread over each other', multiply(row, column)],
  ['a difference', subtract(x, y)],
  ['a difference from a row', subtract(row, x)],
  ['a product by element', multiply(x, y)],
  ['a product with a number', multiply(number, x)],
  ['a scaled value', scale(x, -2.5)],
  ['a value used twice', multiply(x, add(x, x))],
  ['an exponential', map('exp', x)],
  ['a logarithm', map('log', positive)],
  ['a square root', map('sqrt', positive)],
  ['a reciprocal', map('reciprocal', positive)],
  ['a sigmoid', map('sigmoid', x)],
  ['a softplus', map('softplus', x)],
  ['a negative', map('negate', x)],
  ['SiLU', silu(x)],
  ['log-softmax', logSoftmax(x)],
  ['a sum over rows', sum(x, 'rows')],
  ['a sum over columns', sum(x, 'columns')],
  ['a mean over rows', mean(x, 'rows')],
  ['a mean over columns', mean(x, 'columns')],
  ['a sum of everything', total(x)],
  ['a repeated row', expand(row, 3, 4)],
  ['a repeated column', expand(column, 3, 4)],
  ['a prefix of columns', slice(x, 'columns', 0, 2)],
  ['columns from the middle', slice(x, 'columns', 1, 2)],
  ['rows from the middle', slice(x, 'rows', 1, 1)],
  ['padded columns', pad(x, 'columns', 2, 7)],
  ['padded rows', pad(x, 'rows', 1, 5)],
  ['values side by side', join([x, column, y], 'columns')],
  ['values one under another', join([x, row, y], 'rows')],
  ['rows of length 1', normaliseRows(x)],
  ['root mean square norm', rootMeanSquareNorm(x, row)],
  ['a network', network],
  ['masked squares', maskedSquares(x, y, mask, share)],
  ['masked logistic loss', maskedLogistic(x, flags, mask, share)],
  ['contrast', contrast(normaliseRows(x), normaliseRows(y), 0.2, excluded)],
  ['contrast of prefixes', contrast(slice(x, 'columns', 0, 2), slice(y, 'columns', 0, 2), 0.5, excluded)],
])('%s is what it is by hand, and its gradient what differences say', async (_, value) => {
  const random = seedRandom(11);
  const draw = (length: number) => Float32Array.from({ length }, () => random() * 2.4 - 1.2);
  const inputs = inOrder([value]).filter(({ operation }) => operation.kind === 'input');
  const nameOf = ({ operation }: Value) => (operation.kind === 'input' ? operation.name : '');
  const given = Object.fromEntries(
    inputs.map((each) => [nameOf(each), { dims: [each.rows, each.columns], values: draw(each.rows * each.columns) }]),
  );
  // Every element counts, each with another weight.
  const weights = constant(draw(value.rows * value.columns), value.rows, value.columns);
  const loss = total(multiply(value, weights));
  const derivatives = gradients(loss, inputs);
  const session = await openSession(
    modelOf({ value, ...Object.fromEntries(inputs.map((each, k) => [`by ${nameOf(each)}`, derivatives[k]])) }),
  );
  const found = await session.run(given);
  await session.close();

  const plain = Object.fromEntries(inputs.map((each) => [nameOf(each), Float64Array.from(given[nameOf(each)].values)]));
  expectNear(found.value!.values, workOut(value, plain));
  for (const each of inputs) {
    const name = nameOf(each);
    const step = 1e-5;
    const differences = plain[name].map((_, k) => {
      const moved = (by: number) => workOut(loss, { ...plain, [name]: plain[name].with(k, plain[name][k] + by) })[0];
      return (moved(step) - moved(-step)) / (2 * step);
    });
    expect(found[`by ${name}`].dims).toEqual([each.rows, each.columns]);
    expectNear(found[`by ${name}`].values, differences);
  }
});

/** Equal up to float32 rounding, relative to the largest value. */
function expectNear(found: ArrayLike<number>, expected: ArrayLike<number>): void {
  expect(found.length).toBe(expected.length);
  const largest = Math.max(0.1, ...Array.from(expected, Math.abs));
  const worst = Math.max(...Array.from(expected, (value, k) => Math.abs(value - found[k])));
  expect(worst / largest).toBeLessThan(2e-5);
}

test('what a result does not need is not in its model', () => {
  const unused = matmul(x, tall);
  const withUnused = modelOf({ value: silu(x) });
  expect(inOrder([silu(x)])).not.toContain(unused);
  expect(Buffer.from(withUnused).includes('tall')).toBe(false);
  expect(Buffer.from(modelOf({ unused })).includes('tall')).toBe(true);
});

test('shapes that do not fit are refused where they are written', () => {
  expect(() => matmul(x, y)).toThrow('4 columns');
  expect(() => add(x, tall)).toThrow('3 × 4');
  expect(() => slice(x, 'columns', 3, 2)).toThrow('columns 3 to 5 of 4');
  expect(() => gradients(x, [x])).toThrow('one number');
});
