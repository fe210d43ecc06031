import fc from 'fast-check';
import { expect, test } from 'vitest';
import { computeGradients, fitBase, hasLogLink, type Loss, leafStep, weightedQuantile } from './losses.ts';

test('the weighted quantile is the one sorting finds', () => {
  const rows = fc.array(fc.record({ value: fc.integer({ min: -5, max: 5 }), weight: fc.integer({ min: 1, max: 4 }) }), {
    minLength: 1,
    maxLength: 30,
  });
  fc.assert(
    fc.property(rows, fc.constantFrom(0.1, 0.25, 0.5, 0.75, 0.9), (list, level) => {
      const repeated = list.flatMap(({ value, weight }) => Array<number>(weight).fill(value)).sort((a, b) => a - b);
      const at = level * repeated.length;
      const next = repeated[Math.min(at, repeated.length - 1)];
      const expected = Number.isInteger(at) ? (repeated[at - 1] + next) / 2 : repeated[Math.ceil(at) - 1];
      const values = Float64Array.from(list, ({ value }) => value);
      const weights = Float64Array.from(list, ({ weight }) => weight);
      expect(weightedQuantile(values, weights, level)).toBe(expected);
    }),
    { numRuns: 500 },
  );
});

const losses: { loss: Loss; of: (margin: number, label: number) => number }[] = [
  { loss: { kind: 'logistic' }, of: (m, y) => Math.log1p(Math.exp(m)) - y * m },
  { loss: { kind: 'squared' }, of: (m, y) => (m - y) ** 2 / 2 },
  { loss: { kind: 'absolute' }, of: (m, y) => Math.abs(m - y) / 2 },
  { loss: { kind: 'quantile', alpha: 0.3 }, of: (m, y) => (y > m ? 0.3 * (y - m) : 0.7 * (m - y)) },
  { loss: { kind: 'poisson' }, of: (m, y) => Math.exp(m) - y * m },
  { loss: { kind: 'tweedie', power: 1.3 }, of: (m, y) => Math.exp(0.7 * m) / 0.7 + (y * Math.exp(-0.3 * m)) / 0.3 },
];

test.each(losses)('gradients are derivatives of the loss: $loss.kind', ({ loss, of }) => {
  const step = 1e-4;
  for (const margin of [-2, -0.3, 0.4, 1.7]) {
    for (const label of [0, 1]) {
      const gradients = new Float64Array(1);
      const hessians = new Float64Array(1);
      const labels = Float64Array.of(label);
      const weights = Float64Array.of(2);
      const input = { loss, output: 0, labels, weights, margins: Float64Array.of(margin), sample: Int32Array.of(0) };
      computeGradients(input, gradients, hessians);
      const [low, here, high] = [margin - step, margin, margin + step].map((m) => of(m, label));
      expect(gradients[0]).toBeCloseTo((2 * (high - low)) / (2 * step), 5);
      const hasCurvature = loss.kind === 'logistic' || loss.kind === 'squared' || hasLogLink(loss);
      expect(hessians[0]).toBeCloseTo(hasCurvature ? (2 * (high - 2 * here + low)) / step ** 2 : 2, 5);
    }
  }
});

test('the base is the constant of least loss', () => {
  const labels = Float64Array.of(0, 1, 1, 3);
  const weights = Float64Array.of(1, 1, 1, 2);
  expect(fitBase({ kind: 'squared' }, labels, weights)[0]).toBeCloseTo(8 / 5, 12);
  expect(fitBase({ kind: 'poisson' }, labels, weights)[0]).toBeCloseTo(Math.log(8 / 5), 12);
  expect(fitBase({ kind: 'absolute' }, labels, weights)[0]).toBe(1);
  const classes = fitBase({ kind: 'softmax', classes: 4 }, labels, weights);
  expect(Array.from(classes.slice(0, 2), Math.exp)).toEqual([expect.closeTo(0.2, 12), expect.closeTo(0.4, 12)]);
  expect(Number.isFinite(classes[2])).toBe(true);
});

test.each([{ kind: 'poisson' }, { kind: 'tweedie', power: 1.5 }] satisfies Loss[])(
  'a leaf of $kind goes all the way to the mean',
  (loss) => {
    const labels = Float64Array.of(0, 0, 7, 30);
    const weights = Float64Array.of(1, 1, 2, 1);
    const margins = new Float64Array(4).fill(0.4);
    const gradients = new Float64Array(4);
    const hessians = new Float64Array(4);
    const sample = Int32Array.of(0, 1, 2, 3);
    computeGradients({ loss, output: 0, labels, weights, margins, sample }, gradients, hessians);
    const [g, h] = [gradients, hessians].map((values) => values.reduce((a, b) => a + b));
    expect(Math.exp(0.4 + leafStep(loss, g, h, 0))).toBeCloseTo(44 / 5, 10);
  },
);
