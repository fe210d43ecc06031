import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalQuantile } from '../statistics/ranks.ts';
import { fitLinear, type LinearModel, type LinearOptions, linearContributions, scoreLinear } from './linear.ts';
import { scaleValue } from './scaling.ts';

function generator(seed: number): () => number {
  let state = seed;
  return () => (state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff) / 0x7fffffff;
}

function matrixOf(columns: readonly (readonly number[])[]) {
  return { rows: columns[0].length, features: columns.length, values: Float32Array.from(columns.flat()) };
}

function allRows(n: number): Int32Array {
  return Int32Array.from({ length: n }, (_, i) => i);
}

function options(
  loss: 'logistic' | 'squared',
  l2: number,
  features: number,
  scaling: 'rank' | 'winsor' = 'rank',
): LinearOptions {
  return { loss, l2, scaling, features: allRows(features) };
}

/** Skewed columns, some values missing, labels that depend on them. */
function simulate(rows: number, features: number, seed: number) {
  const next = generator(seed);
  const columns = Array.from({ length: features }, (_, f) =>
    Array.from({ length: rows }, () => (f % 2 === 1 && next() < 0.2 ? Number.NaN : Math.exp(3 * next()))),
  );
  const signal = columns[0].map((x, i) => Math.log(x) - 1.5 + (Number.isNaN(columns[1]?.[i] ?? 0) ? 1 : 0));
  const binary = Float64Array.from(signal, (s) => (next() < 1 / (1 + Math.exp(-2 * s)) ? 1 : 0));
  const numeric = Float64Array.from(signal, (s) => 5 * s + next());
  return { matrix: matrixOf(columns), binary, numeric };
}

/** The derivative of the objective by each coefficient and the intercept, from scores and column maps alone. */
function derivatives(
  model: LinearModel,
  matrix: ReturnType<typeof matrixOf>,
  labels: Float64Array,
  weights: Float64Array,
  l2: number,
) {
  const margins = scoreLinear(model, matrix);
  const residuals = margins.map(
    (m, i) => weights[i] * ((model.loss === 'squared' ? m : 1 / (1 + Math.exp(-m))) - labels[i]),
  );
  const result = [residuals.reduce((a, b) => a + b)];
  for (const term of model.terms) {
    let own = l2 * term.weight;
    let flag = l2 * (term.missing?.weight ?? 0);
    for (let i = 0; i < matrix.rows; i++) {
      const value = matrix.values[term.feature * matrix.rows + i];
      own += residuals[i] * (scaleValue(term.map, value) - term.mean);
      if (term.missing !== null) flag += residuals[i] * ((Number.isNaN(value) ? 1 : 0) - term.missing.mean);
    }
    result.push(own, flag);
  }
  return result;
}

describe('fitLinear', () => {
  it('equals closed-form ridge on one column', () => {
    const x = [1, 2, 3, 4, 10];
    const y = Float64Array.from([1, 0, 2, 5, 3]);
    const matrix = matrixOf([x]);
    const model = fitLinear(matrix, allRows(5), y, null, options('squared', 2, 1));
    const z = x.map((_, i) => Math.fround(normalQuantile((i + 0.5) / 5)));
    const centre = z.reduce((a, b) => a + b) / 5;
    const top = z.reduce((s, value, i) => s + (value - centre) * (y[i] - 2.2), 0);
    const bottom = z.reduce((s, value) => s + (value - centre) ** 2, 2);
    expect(model.terms[0].weight).toBeCloseTo(top / bottom, 12);
    expect(model.expected).toBeCloseTo(2.2, 12);
  });

  it('equals closed-form ridge on two winsorised columns', () => {
    const next = generator(5);
    const columns = [0, 1].map(() => Array.from({ length: 400 }, next));
    const matrix = matrixOf(columns);
    const y = Float64Array.from(columns[0], (x, i) => 3 * x - columns[1][i] + next());
    const model = fitLinear(matrix, allRows(400), y, null, options('squared', 7, 2, 'winsor'));
    const z = model.terms.map((term, f) => columns[f].map((x) => scaleValue(term.map, Math.fround(x)) - term.mean));
    const product = (a: ArrayLike<number>, b: ArrayLike<number>) =>
      Array.from(a).reduce((s: number, x, i) => s + x * b[i], 0);
    const [a, b, d] = [product(z[0], z[0]) + 7, product(z[0], z[1]), product(z[1], z[1]) + 7];
    const [u, v] = [product(z[0], y), product(z[1], y)];
    expect(model.terms[0].weight).toBeCloseTo((d * u - b * v) / (a * d - b * b), 10);
    expect(model.terms[1].weight).toBeCloseTo((a * v - b * u) / (a * d - b * b), 10);
  });

  it('finds the logistic optimum that a grid search finds', () => {
    const matrix = matrixOf([[0, 0, 0, 1, 1, 1, 1, 2, 2]]);
    const y = Float64Array.from([0, 0, 1, 0, 1, 0, 1, 1, 1]);
    const model = fitLinear(matrix, allRows(9), y, null, options('logistic', 0.5, 1));
    const loss = (a: number, w: number) => {
      let total = (0.5 * w * w) / 2;
      for (let i = 0; i < 9; i++) {
        const m = a + w * (scaleValue(model.terms[0].map, matrix.values[i]) - model.terms[0].mean);
        total += Math.log1p(Math.exp(m)) - y[i] * m;
      }
      return total;
    };
    let best = [0, 0];
    for (let size = 4; size > 1e-9; size *= 0.7) {
      const [a0, w0] = best;
      for (let i = -6; i <= 6; i++) {
        for (let j = -6; j <= 6; j++) {
          const candidate = [a0 + (i * size) / 6, w0 + (j * size) / 6];
          if (loss(candidate[0], candidate[1]) < loss(best[0], best[1])) best = candidate;
        }
      }
    }
    expect(model.expected).toBeCloseTo(best[0], 6);
    expect(model.terms[0].weight).toBeCloseTo(best[1], 6);
  });

  it('reaches a gradient near zero for both losses and scalings, weighted, with missing values', () => {
    const { matrix, binary, numeric } = simulate(700, 12, 3);
    const next = generator(8);
    const weights = Float64Array.from({ length: 700 }, () => (next() < 0.1 ? 0 : 3 * next()));
    for (const scaling of ['rank', 'winsor'] as const) {
      for (const l2 of [1e-3, 1, 100]) {
        for (const loss of ['logistic', 'squared'] as const) {
          const labels = loss === 'logistic' ? binary : numeric;
          const model = fitLinear(matrix, allRows(700), labels, weights, options(loss, l2, 12, scaling));
          expect(model.gradient).toBeLessThan(1e-8);
          const size = labels.reduce((s, y) => s + Math.abs(y), 0);
          for (const value of derivatives(model, matrix, labels, weights, l2))
            expect(Math.abs(value) / size).toBeLessThan(1e-7);
        }
      }
    }
  });

  it('treats a row of weight 2 as two rows', () => {
    const { matrix, binary } = simulate(200, 4, 11);
    const twice = Int32Array.from([...allRows(200), ...allRows(200)]);
    const labels = Float64Array.from([...binary, ...binary]);
    const weighted = fitLinear(matrix, allRows(200), binary, new Float64Array(200).fill(2), options('logistic', 1, 4));
    const repeated = fitLinear(matrix, twice, labels, null, options('logistic', 1, 4));
    for (let t = 0; t < 4; t++) expect(weighted.terms[t].weight).toBeCloseTo(repeated.terms[t].weight, 7);
  });

  it('stays finite on separable labels', () => {
    const columns = [Array.from({ length: 100 }, (_, i) => i)];
    const y = Float64Array.from({ length: 100 }, (_, i) => (i < 50 ? 0 : 1));
    const model = fitLinear(matrixOf(columns), allRows(100), y, null, options('logistic', 1e-4, 1));
    expect(model.gradient).toBeLessThan(1e-8);
    expect(Number.isFinite(model.terms[0].weight)).toBe(true);
    expect(model.terms[0].weight).toBeGreaterThan(1);
  });

  it('converges on copies of a column, however small the penalty', () => {
    const next = generator(2);
    const column = Array.from({ length: 3000 }, next);
    const y = Float64Array.from(column, (x) => (next() < x ? 1 : 0));
    const copies = Array.from({ length: 6 }, () => column);
    const model = fitLinear(matrixOf(copies), allRows(3000), y, null, options('logistic', 1e-11, 6));
    expect(model.gradient).toBeLessThan(1e-8);
    const alone = fitLinear(matrixOf([column]), allRows(3000), y, null, options('logistic', 1e-11, 1));
    const shared = model.terms.reduce((sum, term) => sum + term.weight, 0);
    expect(shared).toBeCloseTo(alone.terms[0].weight, 6);
  });

  it('gives constant and wholly missing columns no say, and one class no coefficients', () => {
    const columns = [Array(50).fill(7), Array(50).fill(Number.NaN), Array.from({ length: 50 }, (_, i) => i % 5)];
    const matrix = matrixOf(columns);
    const y = Float64Array.from({ length: 50 }, (_, i) => (i % 5 > 2 ? 1 : 0));
    for (const scaling of ['rank', 'winsor'] as const) {
      const model = fitLinear(matrix, allRows(50), y, null, options('logistic', 1, 3, scaling));
      expect(model.terms.map((term) => term.weight === 0)).toEqual([true, true, false]);
      expect(model.terms.every((term) => term.missing === null)).toBe(true);
      const same = fitLinear(matrix, allRows(50), new Float64Array(50), null, options('logistic', 1, 3, scaling));
      expect([...scoreLinear(same, matrix)].every((m) => m === same.expected)).toBe(true);
      expect(same.expected).toBeCloseTo(Math.log(0.5 / 50.5), 12);
      const level = fitLinear(
        matrix,
        allRows(50),
        new Float64Array(50).fill(0.1),
        null,
        options('squared', 1, 3, scaling),
      );
      expect(level.expected).toBeCloseTo(0.1, 12);
    }
  });

  it('flags missing values only where 1 % of the training rows miss them', () => {
    const rare = Array.from({ length: 1000 }, (_, i) => (i < 5 ? Number.NaN : i));
    const often = Array.from({ length: 1000 }, (_, i) => (i < 10 ? Number.NaN : i));
    const y = Float64Array.from({ length: 1000 }, (_, i) => i % 2);
    const model = fitLinear(matrixOf([rare, often]), allRows(1000), y, null, options('logistic', 1, 2));
    expect(model.terms.map((term) => term.missing !== null)).toEqual([false, true]);
  });

  it('keeps what a rare indicator says under winsorised scaling', () => {
    const rare = Array.from({ length: 1000 }, (_, i) => (i < 4 ? 1 : 0));
    const y = Float64Array.from({ length: 1000 }, (_, i) => (i < 4 || i % 10 === 0 ? 1 : 0));
    const model = fitLinear(matrixOf([rare]), allRows(1000), y, null, options('logistic', 1, 1, 'winsor'));
    expect(model.terms[0].weight).toBeGreaterThan(0.05);
  });

  it('converges when evenly spaced rows stand in for the curvature of all', () => {
    const { matrix, numeric } = simulate(4000, 330, 21);
    const model = fitLinear(matrix, allRows(4000), numeric, null, options('squared', 10, 330));
    expect(model.gradient).toBeLessThan(1e-8);
  });
});

describe('scoreLinear', () => {
  const { matrix, binary } = simulate(500, 9, 17);
  const models = (['rank', 'winsor'] as const).map((scaling) =>
    fitLinear(matrix, allRows(400), binary.slice(0, 400), null, options('logistic', 1, 9, scaling)),
  );

  it('scores a single row, a range and the whole alike, bit for bit, also after JSON', () => {
    for (const model of models) {
      const whole = scoreLinear(model, matrix);
      const thawed: LinearModel = JSON.parse(JSON.stringify(model));
      expect(scoreLinear(thawed, matrix, 100, 200)).toEqual(whole.slice(100, 200));
      for (let row = 0; row < 500; row += 7) {
        const columns = Array.from({ length: 9 }, (_, f) => [matrix.values[f * 500 + row]]);
        expect(scoreLinear(model, matrixOf(columns))[0]).toBe(whole[row]);
      }
    }
  });

  it('is its expected value plus its contributions, exactly, for any values', () => {
    const value = fc.oneof(fc.constant(Number.NaN), fc.float({ noNaN: true, noDefaultInfinity: true }));
    fc.assert(
      fc.property(fc.array(value, { minLength: 9, maxLength: 9 }), (row) => {
        for (const model of models) {
          const single = matrixOf(row.map((x) => [x]));
          const { expected, values } = linearContributions(model, single);
          expect(values.reduce((sum, v) => sum + v, expected)).toBe(scoreLinear(model, single)[0]);
        }
      }),
    );
  });

  it('has contributions that average to zero over the training rows', () => {
    for (const model of models) {
      const { values } = linearContributions(model, matrix, 0, 400);
      for (let t = 0; t < 9; t++) {
        expect(values.subarray(t * 400, (t + 1) * 400).reduce((a, b) => a + b) / 400).toBeCloseTo(0, 10);
      }
    }
  });

  it('clamps infinities to the outermost training values', () => {
    const column = Float32Array.from([Infinity, -Infinity, 1e30, -1e30]);
    for (const { terms } of models) {
      const [high, low, big, small] = column.map((x) => scaleValue(terms[0].map, x));
      expect([high, low]).toEqual([big, small]);
    }
  });
});
