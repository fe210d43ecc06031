import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { averageMargins, fitPart, type Head, scoreModel } from '../heads/head.ts';
import type { RecipePart } from '../heads/recipes.ts';
import type { FeatureMatrix } from '../statistics/matrix.ts';
import { openHead } from './contributions.ts';

function headContributions(head: Head, matrix: FeatureMatrix, from = 0, to = matrix.rows): Float64Array {
  const open = openHead(head);
  try {
    return open.contributions(matrix, from, to);
  } finally {
    open.close();
  }
}

function generator(seed: number): () => number {
  let state = seed;
  return () => (state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff) / 0x7fffffff;
}

function simulate(rows: number, features: number, seed: number) {
  const next = generator(seed);
  const values = Float32Array.from({ length: rows * features }, () => (next() < 0.1 ? Number.NaN : 4 * next() - 2));
  const matrix: FeatureMatrix = { rows, features, values };
  const labels = Float64Array.from({ length: rows }, (_, r) => {
    const x = Number.isNaN(values[r]) ? 1 : values[r];
    return next() < 1 / (1 + Math.exp(-2 * x * (values[rows + r] > 0 ? 1 : -1))) ? 1 : 0;
  });
  return { matrix, labels };
}

const trees: RecipePart = { kind: 'trees', features: 4, loss: { kind: 'logistic' }, depth: 3, rounds: 20 };
const deep: RecipePart = { ...trees, depth: 5, rounds: 12 };
const linear: RecipePart = { kind: 'linear', features: 3, loss: 'logistic', l2: 10, scaling: 'rank' };

function fitHead(parts: readonly RecipePart[], seed = 1): { head: Head; matrix: FeatureMatrix } {
  const { matrix, labels } = simulate(300, 5, seed);
  const rows = Int32Array.from({ length: 300 }, (_, i) => i);
  return {
    matrix,
    head: parts.map((part) => fitPart({ matrix, rows, labels, ranking: [1, 0, 4, 2, 3], part, weights: null }, [1, 2])),
  };
}

describe('an open head', () => {
  it('scores the same bits as the models scored one by one, whatever the range', () => {
    const { head, matrix } = fitHead([{ ...trees, features: 2 }, deep, linear, trees, { ...deep, rounds: 7 }]);
    const whole = averageMargins(head.map((model) => scoreModel(model, matrix)));
    const open = openHead(head);
    expect(open.score(matrix, 0, matrix.rows)).toEqual(whole);
    expect(open.score(matrix, 17, 42)).toEqual(whole.slice(17, 42));
    expect(open.score(matrix, 299, 300)).toEqual(whole.slice(299));
    open.close();
  });

  it('takes margins apart into contributions that add up', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e6 }),
        fc.constantFrom<RecipePart[]>([trees], [linear], [trees, linear, linear], [trees, deep, linear, trees, linear]),
        fc.nat(250),
        fc.integer({ min: 1, max: 40 }),
        (seed, parts, from, length) => {
          const { head, matrix } = fitHead(parts, seed);
          const open = openHead(head);
          const margins = open.score(matrix, from, from + length);
          const contributions = open.contributions(matrix, from, from + length);
          open.close();
          expect(contributions).toHaveLength(length * 6);
          margins.forEach((margin, r) => {
            const sum = contributions.subarray(r * 6, (r + 1) * 6).reduce((a, b) => a + b);
            expect(sum).toBeCloseTo(margin, 9);
          });
        },
      ),
      { numRuns: 12 },
    );
  });

  it('ends every row with the same expected margin, and gives features no model sees nothing', () => {
    const { head, matrix } = fitHead([{ ...trees, features: 2 }, linear]);
    const contributions = headContributions(head, matrix);
    for (let r = 0; r < matrix.rows; r++) {
      expect(contributions[r * 6 + 5]).toBe(contributions[5]);
      expect(contributions[r * 6 + 3]).toBe(0);
    }
    expect(contributions).toEqual(headContributions(head, matrix, 0, 300));
  });

  it('scores several classes, but takes apart one margin only', () => {
    const { matrix, labels } = simulate(200, 4, 3);
    const rows = Int32Array.from({ length: 200 }, (_, i) => i);
    const classes = labels.map((label, i) => label + (i % 3 === 0 ? 1 : 0));
    const part: RecipePart = { kind: 'trees', features: 4, loss: { kind: 'softmax', classes: 3 }, depth: 2, rounds: 3 };
    const head = [part, { ...part, rounds: 5 }].map((own) =>
      fitPart({ matrix, rows, labels: classes, ranking: [0, 1, 2, 3], part: own, weights: null }, [1]),
    );
    const open = openHead(head);
    expect(open.outputs).toBe(3);
    expect(open.score(matrix, 0, 200)).toEqual(averageMargins(head.map((model) => scoreModel(model, matrix))));
    expect(() => open.contributions(matrix, 0, 1)).toThrow('one output');
    open.close();
  });
});
