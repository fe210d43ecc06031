import { describe, expect, test } from 'vitest';
import { seedRandom } from '../statistics/random.ts';
import { openCategories } from './categories.ts';
import { fitLinear, linearContributions, scoreLinear } from './linear.ts';

const options = { l2: 100, scaling: 'rank' } as const;
const allRows = (rows: number) => Int32Array.from({ length: rows }, (_, i) => i);
const matrixOf = (...columns: readonly (readonly number[])[]) => ({
  rows: columns[0].length,
  features: columns.length,
  values: Float32Array.from(columns.flat()),
});
const ones = (rows: number) => new Float64Array(rows).fill(1);

/** Rows of values whose effects have a known spread: log-odds of yes, or numbers with noise. */
function simulate({
  rows,
  values,
  spread,
  noise,
  seed,
}: Record<'rows' | 'values' | 'spread' | 'noise' | 'seed', number>) {
  const next = seedRandom(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  const effects = Array.from({ length: values }, () => spread * normal());
  const places = Array.from({ length: rows }, () => Math.floor(values * next() ** 2));
  const yes = Float64Array.from(places, (place) => Number(next() < 1 / (1 + Math.exp(1.5 - effects[place]))));
  const numbers = Float64Array.from(places, (place) => 3 + effects[place] + noise * normal());
  return { effects, places, yes, numbers, matrix: matrixOf(places) };
}

describe('openCategories', () => {
  test('finds how far the effects of values differ, of yes and no and of numbers', () => {
    for (const seed of [1, 2, 3]) {
      const { matrix, yes, numbers } = simulate({ rows: 40_000, values: 200, spread: 0.7, noise: 2, seed });
      const learned = { rows: allRows(matrix.rows), weights: ones(matrix.rows) };
      const [ofOdds] = openCategories(matrix, allRows(1), { ...learned, labels: yes, loss: 'logistic' });
      const [ofNumbers] = openCategories(matrix, allRows(1), { ...learned, labels: numbers, loss: 'squared' });
      // 1 / 0.7², and the same times the variance of the noise: 200 effects tell their variance to a fifth.
      expect(ofOdds.prior / (1 / 0.49)).toBeGreaterThan(0.7);
      expect(ofOdds.prior / (1 / 0.49)).toBeLessThan(1.4);
      expect(ofNumbers.prior / (4 / 0.49)).toBeGreaterThan(0.7);
      expect(ofNumbers.prior / (4 / 0.49)).toBeLessThan(1.4);
    }
  });

  test('stays sound where one value is far from all others and yes is rare', () => {
    // 200 values of 200 rows with two of yes each, and one of 500 with a hundred. 6.54: the same EM with modes by bisection.
    const places = Array.from(
      { length: 201 },
      (_, value) => Array(value < 200 ? 200 : 500).fill(value) as number[],
    ).flat();
    const seen = new Map<number, number>();
    const yes = Float64Array.from(places, (place) => {
      const row = seen.get(place) ?? 0;
      seen.set(place, row + 1);
      return Number(row < (place < 200 ? 2 : 100));
    });
    const rows = allRows(places.length);
    const [{ prior }] = openCategories(matrixOf(places), allRows(1), {
      ...{ rows, weights: ones(places.length), labels: yes, loss: 'logistic' },
    });
    expect(prior).toBeGreaterThan(6);
    expect(prior).toBeLessThan(7.1);
  });

  test('trusts no values that differ by chance alone', () => {
    const { matrix, yes, numbers } = simulate({ rows: 5_000, values: 100, spread: 0, noise: 1, seed: 5 });
    const learned = { rows: allRows(matrix.rows), weights: ones(matrix.rows) };
    expect(openCategories(matrix, allRows(1), { ...learned, labels: yes, loss: 'logistic' })[0].prior).toBeGreaterThan(
      20,
    );
    expect(
      openCategories(matrix, allRows(1), { ...learned, labels: numbers, loss: 'squared' })[0].prior,
    ).toBeGreaterThan(80);
  });

  test('of labels that are all the same, and of no value at all, nothing is learned', () => {
    const matrix = matrixOf([0, 1, 2, Number.NaN], [Number.NaN, Number.NaN, Number.NaN, Number.NaN]);
    for (const loss of ['logistic', 'squared'] as const) {
      const model = fitLinear(matrix, allRows(4), ones(4), null, {
        ...options,
        loss,
        features: new Int32Array(),
        categories: allRows(2),
      });
      expect([...scoreLinear(model, matrix)].every((margin) => margin === model.expected)).toBe(true);
    }
  });
});

describe('a linear head with categories', () => {
  test('gives each value the mean of its rows, drawn to that of all by its prior', () => {
    const places = [0, 0, 0, 0, 1, 1, 2, 2];
    const labels = Float64Array.from([4, 6, 5, 5, 1, 3, 9, 7]);
    const matrix = matrixOf(places);
    const categories = allRows(1);
    const [{ prior }] = openCategories(matrix, categories, {
      rows: allRows(8),
      weights: ones(8),
      labels,
      loss: 'squared',
    });
    const model = fitLinear(matrix, allRows(8), labels, null, {
      ...{ ...options, loss: 'squared', features: new Int32Array(), categories },
    });
    const means = [5, 2, 8];
    const counts = [4, 2, 2];
    // The normal equations of ridge with a free intercept, solved by the value that balances all residuals.
    const drawn = (base: number) => means.map((mean, k) => (counts[k] * (mean - base)) / (counts[k] + prior));
    let [low, high] = [0, 10];
    for (let step = 0; step < 80; step++) {
      const base = (low + high) / 2;
      const left = drawn(base).reduce((sum, effect, k) => sum + counts[k] * (means[k] - base - effect), 0);
      if (left > 0) low = base;
      else high = base;
    }
    const margins = scoreLinear(model, matrixOf([0, 1, 2]));
    for (const [k, effect] of drawn(low).entries()) expect(margins[k]).toBeCloseTo(low + effect, 5);
  });

  test('answers a value that training has not seen, or none, as one without an effect', () => {
    const { matrix, yes } = simulate({ rows: 2_000, values: 20, spread: 1, noise: 1, seed: 9 });
    const model = fitLinear(matrix, allRows(2_000), yes, null, {
      ...{ ...options, loss: 'logistic', features: new Int32Array(), categories: allRows(1) },
    });
    const [{ map, mean }] = model.terms;
    const [unseen, missing] = scoreLinear(model, matrixOf([500, Number.NaN]));
    expect([unseen, missing]).toEqual(Array(2).fill(model.expected - mean));
    expect(map).toMatchObject({ kind: 'effects', effects: { length: 20 } });
    const thawed = JSON.parse(JSON.stringify(model));
    expect(scoreLinear(thawed, matrix)).toEqual(scoreLinear(model, matrix));
  });

  test('ranks rows by rare values better than their plain rates do, beside a number that counts', () => {
    const { matrix: only, places, effects } = simulate({ rows: 6_000, values: 300, spread: 1, noise: 1, seed: 3 });
    const next = seedRandom(4);
    const size = places.map(() => next() - 0.5);
    const odds = places.map((place, i) => effects[place] - 2 + 3 * size[i]);
    const yes = Float64Array.from(odds, (margin) => Number(next() < 1 / (1 + Math.exp(-margin))));
    const matrix = matrixOf(size, places);
    const rows = allRows(only.rows);
    const model = fitLinear(matrix, rows, yes, null, {
      ...{ ...options, l2: 1, loss: 'logistic', features: allRows(1), categories: Int32Array.of(1) },
    });
    const { values, expected } = linearContributions(model, matrix);
    const margins = scoreLinear(model, matrix);
    for (let i = 0; i < 50; i++) expect(expected + values[i] + values[only.rows + i]).toBe(margins[i]);
    const away = (of: (i: number) => number) =>
      Math.sqrt(places.reduce((sum, _, i) => sum + (of(i) - odds[i]) ** 2, 0) / places.length);
    const counts = effects.map((_, k) => places.filter((place) => place === k).length);
    const hits = effects.map((_, k) => places.reduce((sum, place, i) => sum + (place === k ? yes[i] : 0), 0));
    const plain = (i: number) => Math.log((hits[places[i]] + 0.5) / (counts[places[i]] - hits[places[i]] + 0.5));
    expect(away((i) => margins[i])).toBeLessThan(0.6 * away(plain));
  });
});
