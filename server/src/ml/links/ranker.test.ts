import { expect, test } from 'vitest';
import { seedRandom } from '../statistics/random.ts';
import { multiply } from './matrix.ts';
import { addGradient, hidden, layRanker, openBackward, openPass, relationNumbers, scoreRows } from './ranker.ts';
import { type RankedExample, trainRanker } from './train-ranker.ts';

const random = seedRandom(9);
const draws = (count: number) => Float64Array.from({ length: count }, () => 2 * random() - 1);

test('a product is the sum of products, whatever rows stand beside', () => {
  const [rows, columns, inner] = [8, 12, 7];
  const [a, b, out] = [draws(rows * inner), draws(columns * inner), new Float64Array(rows * columns)];
  const sum = (i: number, j: number) => {
    let total = 0;
    for (let k = 0; k < inner; k++) total += a[i * inner + k] * b[j * inner + k];
    return total;
  };
  const expected = Float64Array.from(out, (_, at) => sum(Math.floor(at / columns), at % columns));
  multiply(out, a, b, rows, columns, inner, false);
  expect(out).toEqual(expected);
  multiply(out, a, b, rows, columns, inner, true);
  expect(out).toEqual(expected.map((value) => 2 * value));
});

/** The network computed directly from its formula, one row at a time. */
function scorePlainly(
  layout: ReturnType<typeof layRanker>,
  p: Float64Array,
  relation: number,
  row: Float64Array,
): number {
  const silu = (x: number) => x / (1 + Math.exp(-x));
  const own = p.subarray(layout.relation + relation * relationNumbers).subarray(0, relationNumbers);
  const x = [...row, ...own, ...new Array(layout.inputs - row.length - relationNumbers).fill(0)];
  const dot = (from: number, values: number[]) => values.reduce((sum, value, i) => sum + p[from + i] * value, 0);
  const units = Array.from({ length: hidden }, (_, h) => h);
  const h1 = units.map((h) => silu(dot(layout.first + h * layout.inputs, x) + p[layout.firstBias + h]));
  const h2 = units.map((h) => h1[h] + silu(dot(layout.second + h * hidden, h1) + p[layout.secondBias + h]));
  return dot(layout.last, h2) + dot(layout.skip, x);
}

test('scores are those of the formula, and the gradient is that of finite differences', () => {
  const layout = layRanker(5, 4);
  const parameters = draws(layout.size).map((value) => 0.3 * value);
  const [rows, relation] = [6, 2];
  const values = draws(rows * 5);
  const pass = openPass(8, layout);
  scoreRows({ layout, parameters }, pass, relation, values, rows);
  const score = (p: Float64Array, row: number) =>
    scorePlainly(layout, p, relation, values.subarray(row * 5, (row + 1) * 5));
  for (let row = 0; row < rows; row++) expect(pass.scores[row]).toBeCloseTo(score(parameters, row), 12);

  const slopes = draws(8);
  const gradient = new Float64Array(layout.size);
  addGradient({ layout, parameters }, pass, openBackward(8, layout), relation, slopes, rows, gradient);
  const loss = (p: Float64Array) =>
    Array.from({ length: rows }, (_, row) => slopes[row] * score(p, row)).reduce((a, b) => a + b);
  const parts = [layout.first, layout.firstBias, layout.second, layout.secondBias, layout.last, layout.skip];
  const relationAt = layout.relation + relation * relationNumbers;
  for (const at of [...parts, relationAt, relationAt - 1].flatMap((from) => [from, from + 3])) {
    const moved = (by: number) => parameters.with(at, parameters[at] + by);
    expect(gradient[at]).toBeCloseTo((loss(moved(1e-5)) - loss(moved(-1e-5))) / 2e-5, 6);
  }
  expect(gradient[relationAt]).not.toBe(0);
});

/** Questions whose truth is the row with the greatest 3 |first| + second. */
function examplesOf(seed: number, count: number): RankedExample[] {
  const draw = seedRandom(seed);
  return Array.from({ length: count }, () => {
    const rows = 3 + Math.floor(draw() * 5);
    const values = Float32Array.from({ length: rows * 3 }, () => 10 * draw() - 5);
    const worth = (row: number) => 3 * Math.abs(values[row * 3]) + values[row * 3 + 1];
    const best = Array.from({ length: rows }, (_, row) => row).reduce((a, b) => (worth(b) > worth(a) ? b : a));
    return { relation: 0, rows, values, truths: Uint8Array.from({ length: rows }, (_, row) => (row === best ? 1 : 0)) };
  });
}

test('training finds an order no single column has, and the same again bit for bit', () => {
  const train = () => trainRanker(examplesOf(1, 1_200), 3, 1, 7, () => {});
  const ranker = train();
  expect(train().parameters).toEqual(ranker.parameters);
  const pass = openPass(12, ranker.layout);
  // Standardised like the training examples.
  const fresh = examplesOf(2, 400).map(({ values, ...rest }) => ({
    ...rest,
    values: values.map((value, at) => (value - ranker.means[at % 3]) / ranker.scales[at % 3]),
  }));
  const right = (scoresOf: (example: RankedExample) => Float64Array | Float32Array) =>
    fresh.filter((example) => {
      const scores = scoresOf(example);
      return example.truths[scores.indexOf(Math.max(...scores))] === 1;
    }).length / fresh.length;
  const byRanker = right(({ rows, values, relation }) => {
    scoreRows(ranker, pass, relation, values, rows);
    return pass.scores.subarray(0, rows);
  });
  for (const column of [0, 1, 2])
    expect(right(({ values }) => values.filter((_, at) => at % 3 === column))).toBeLessThan(0.7);
  expect(byRanker).toBeGreaterThan(0.8);
});
