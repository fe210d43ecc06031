import { expect, test } from 'vitest';
import { encodeModel } from './model.ts';
import { openSession } from './session.ts';

const double = encodeModel({
  inputs: [{ name: 'x', dims: [2, 2] }],
  outputs: [{ name: 'y', dims: [2, 2] }],
  constants: [{ name: 'two', dims: [1, 1], values: Float32Array.of(2) }],
  nodes: [{ operator: 'Mul', inputs: ['x', 'two'], output: 'y' }],
});

test('a model written here runs there', async () => {
  const session = await openSession(double);
  expect(session.inputs).toEqual(['x']);
  expect(session.outputs).toEqual(['y']);
  const results = await session.run({ x: { dims: [2, 2], values: Float32Array.of(1, 2, 3, -4) } });
  expect(results).toEqual({ y: { dims: [2, 2], values: Float32Array.of(2, 4, 6, -8) } });
  await session.close();
});

test('missing inputs, other shapes and bytes that are no model are refused', async () => {
  const session = await openSession(double);
  await expect(session.run({})).rejects.toThrow('is given x');
  await expect(session.run({ x: { dims: [1, 2], values: Float32Array.of(1, 2) } })).rejects.toThrow(/dimension|shape/i);
  await session.close();
  await expect(openSession(double.subarray(0, 40))).rejects.toThrow();
});
