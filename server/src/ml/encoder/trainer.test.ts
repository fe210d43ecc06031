import { mkdtempSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openSession } from '../../lib/onnx/session.ts';
import { seedRandom } from '../statistics/random.ts';
import { linear, openParameters, silu } from './layers.ts';
import { maskedSquares } from './losses.ts';
import { modelOf } from './model.ts';
import { lengthOf, openOptimiser, rateAt, takeStep } from './optimiser.ts';
import { openTrainer } from './trainer.ts';
import { constant, input } from './value.ts';

const folder = mkdtempSync(join(tmpdir(), 'lastro-encoder-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const rows = 64;
const options = { decay: 0.01, lengthMax: 1 };

/** A small network that learns x0 · x1 + x2. */
async function openProduct(seed: number, width = 16) {
  const parameters = openParameters(seed);
  const x = input('x', rows, 3);
  const output = linear(parameters, 'out', silu(linear(parameters, 'in', x, width)), 1);
  const ones = constant(new Float32Array(rows).fill(1), rows, 1);
  const loss = maskedSquares(output, input('y', rows, 1), ones, constant(Float32Array.of(1 / rows), 1, 1));
  const { all } = parameters;
  return { parameters: all, output, trainer: await openTrainer(loss, all, options, { same: loss }) };
}

/** The batch of a step; always the same for the same step. */
function batchOf(step: number) {
  const random = seedRandom(1000 + step);
  const x = Float32Array.from({ length: rows * 3 }, () => random() * 2 - 1);
  const y = Float32Array.from({ length: rows }, (_, i) => x[i * 3] * x[i * 3 + 1] + x[i * 3 + 2]);
  return { x: { dims: [rows, 3], values: x }, y: { dims: [rows, 1], values: y } };
}

async function train({ trainer }: Awaited<ReturnType<typeof openProduct>>, steps: number): Promise<number> {
  let last = Number.NaN;
  while (trainer.steps() < steps) {
    const step = trainer.steps();
    const { loss, watched } = await trainer.step(batchOf(step), rateAt(step, 600, 20, 0.02));
    expect(watched.same).toBe(loss);
    last = loss;
  }
  return last;
}

test('a network learns a product of its inputs, and its results alone give what it learned', async () => {
  const made = await openProduct(1);
  const first = await train(made, 1);
  const last = await train(made, 600);
  expect(last).toBeLessThan(first / 100);
  const fixed = new Map(made.parameters.map(({ name, values }) => [name, values]));
  const results = await openSession(modelOf({ output: made.output }, fixed));
  const { x, y } = batchOf(9999);
  const { values } = (await results.run({ x })).output!;
  const squares = values.reduce((sum, value, i) => sum + (value - y.values[i]) ** 2, 0);
  expect(squares / rows).toBeLessThan(0.01);
  await Promise.all([made.trainer.close(), results.close()]);
});

test('the same seed gives the same bytes, and stopping in between changes none of them', async () => {
  const straight = await openProduct(7);
  await train(straight, 40);
  const stopped = await openProduct(7);
  await train(stopped, 15);
  const at = join(folder, 'at-15');
  await stopped.trainer.save(at);
  const resumed = await openProduct(8);
  await resumed.trainer.resume(at);
  expect(resumed.trainer.steps()).toBe(15);
  await train(resumed, 40);
  const hashes = await Promise.all(
    [straight, resumed].map(({ trainer }, k) => trainer.save(join(folder, `at-40-${k}`))),
  );
  expect(hashes[0]).toBe(hashes[1]);
  expect(readFileSync(join(folder, 'at-40-0'))).toEqual(readFileSync(join(folder, 'at-40-1')));
  const other = await openProduct(8);
  await train(other, 40);
  expect(await other.trainer.save(join(folder, 'other'))).not.toBe(hashes[0]);
  await Promise.all([straight, stopped, resumed, other].map(({ trainer }) => trainer.close()));
});

test('a checkpoint of another network, or a damaged one, is refused', async () => {
  const made = await openProduct(1);
  const path = join(folder, 'damaged');
  await made.trainer.save(path);
  const wider = await openProduct(1, 17);
  await expect(wider.trainer.resume(path)).rejects.toThrow('another network');
  truncateSync(path, 200);
  await expect(made.trainer.resume(path)).rejects.toThrow('damaged');
  await Promise.all([made, wider].map(({ trainer }) => trainer.close()));
});

test('a first step of AdamW moves each number by the rate, against its gradient, after decay', () => {
  const values = Float32Array.of(1, -2, 3);
  const parameter = { name: 'w', rows: 1, columns: 3, values, isDecayed: true };
  // After one step, the ratio of the moments is the sign of the gradient.
  takeStep(openOptimiser([parameter]), [parameter], [Float32Array.of(0.5, -4, 0)], 0.1, { decay: 0.2, lengthMax: 1e9 });
  expect(Array.from(values, (value) => Math.round(value * 1e4) / 1e4)).toEqual([0.88, -1.86, 2.94]);
});

test('gradients longer than allowed are shortened together', () => {
  const long = [Float32Array.of(3, 0), Float32Array.of(4)];
  expect(lengthOf(long)).toBe(5);
  const run = (gradients: readonly Float32Array[], lengthMax: number) => {
    const parameters = gradients.map((gradient, p) => ({
      name: `${p}`,
      rows: 1,
      columns: gradient.length,
      values: new Float32Array(gradient.length),
      isDecayed: false,
    }));
    const optimiser = openOptimiser(parameters);
    takeStep(optimiser, parameters, gradients, 0.1, { decay: 0, lengthMax });
    return optimiser.first.flatMap((moment) => [...moment]);
  };
  expect(run(long, 2.5)).toEqual(run([Float32Array.of(1.5, 0), Float32Array.of(2)], 1e9));
});

test('the rate rises to its peak, then falls to nothing', () => {
  const rates = Array.from({ length: 101 }, (_, step) => rateAt(step, 100, 10, 1));
  expect(rates.slice(0, 10)).toEqual(rates.slice(0, 10).toSorted((a, b) => a - b));
  expect(rates[9]).toBe(1);
  expect(rates[55]).toBeCloseTo(0.5, 12);
  expect(rates.slice(10)).toEqual(rates.slice(10).toSorted((a, b) => b - a));
  expect(rates[100]).toBe(0);
});
