import { expect, test } from 'vitest';
import { microsecondsPerDay } from '../contract/contract.ts';
import type { Examples } from '../tasks/examples.ts';
import { cutBefore, layFolds, newestOf, questionsUntil, regimeOf, thin, trainingQuestions } from './questions.ts';

const day = microsecondsPerDay;

function examplesOf(days: readonly number[], window: number, labels?: readonly number[]): Examples {
  const at = Float64Array.from(days, (d) => d * day);
  return {
    rows: Int32Array.from(days.keys()),
    at,
    labels: Float64Array.from(labels ?? days.map((_, i) => i % 2)),
    closes: at.map((moment) => moment + window * day),
  };
}

const range = (n: number) => Int32Array.from({ length: n }, (_, i) => i);

test('a thinned sample keeps the rarer class, and its weights add up to what was there', () => {
  const labels = Float64Array.from({ length: 10_000 }, (_, i) => (i % 100 === 0 ? 1 : 0));
  const thinned = thin(questionsUntil(range(10_000), Number.POSITIVE_INFINITY), 1_000, labels);
  expect(thinned.example).toHaveLength(1_000);
  const positives = Array.from(thinned.example.keys()).filter((q) => labels[thinned.example[q]] === 1);
  expect(positives).toHaveLength(100);
  expect(positives.every((q) => thinned.weight[q] === 1)).toBe(true);
  expect(thinned.weight.reduce((a, b) => a + b)).toBeCloseTo(10_000, 6);
  expect([...thinned.example]).toEqual([...thinned.example].sort((a, b) => a - b));
});

test('a class too large to keep whole is thinned to its share, and without labels all are alike', () => {
  const labels = Float64Array.from({ length: 10_000 }, (_, i) => (i % 5 < 2 ? 1 : 0));
  const thinned = thin(questionsUntil(range(10_000), 0), 1_000, labels);
  expect(Array.from(thinned.example).filter((i) => labels[i] === 1)).toHaveLength(400);
  const plain = thin(questionsUntil(range(10_000), 0), 1_000);
  expect(new Set(plain.weight)).toEqual(new Set([10]));
  const all = questionsUntil(range(10), 0);
  expect(thin(all, 10)).toBe(all);
});

test('a fold learns only from labels closed before it starts', () => {
  const examples = examplesOf(
    Array.from({ length: 3_000 }, (_, i) => Math.floor(i / 3)),
    30,
  );
  for (const fold of layFolds(examples, range(3_000), { kind: 'rolling' })) {
    expect(Math.max(...Array.from(fold.train, (i) => examples.closes[i]))).toBeLessThanOrEqual(fold.start);
    expect(Math.min(...Array.from(fold.test, (i) => examples.at[i]))).toBeGreaterThan(fold.start);
  }
});

test('stale serving asks each example as of every past cut within the gap, on the grid of the serving cut', () => {
  const regime = regimeOf(Float64Array.of(1_000 * day, 2_000 * day), 900 * day);
  if (regime.kind !== 'stale') throw new Error('data that stop before the anchors are stale');
  expect(regime.gapMax).toBe(1_100 * day);
  const examples = examplesOf([800], 30);
  const questions = trainingQuestions(examples, range(1), regime, true);
  expect(questions.until.length).toBeGreaterThan(1);
  for (const until of questions.until) {
    expect(until).toBeLessThanOrEqual(800 * day);
    expect(800 * day - until).toBeLessThanOrEqual(regime.gapMax);
    expect(((regime.cut - until) / regime.step) % 1).toBe(0);
  }
  expect(cutBefore(regime, 900 * day)).toBe(900 * day);
  expect(regimeOf(Float64Array.of(5), 10)).toEqual({ kind: 'rolling' });
});

test('the newest share of examples is of whole moments', () => {
  const at = Float64Array.of(1, 1, 2, 2, 3, 3, 4, 4);
  const examples = { rows: new Int32Array(8), at, labels: new Float64Array(8), closes: at };
  expect([...newestOf(examples, range(8), 0.5)]).toEqual([4, 5, 6, 7]);
  expect([...newestOf(examples, range(8), 0.4)]).toEqual([4, 5, 6, 7]);
  expect([...newestOf(examples, Int32Array.of(7, 0, 3), 0.34)]).toEqual([7, 3]);
  expect([...newestOf(examples, range(8), 1)]).toEqual([...range(8)]);
});
